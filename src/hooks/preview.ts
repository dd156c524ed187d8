/** What a request that was kept would become now: made by the same code that takes requests. */
import { Problem } from "../http/problem.ts";
import { madeOf } from "../messages/input.ts";
import type { Draft } from "../messages/message.ts";
import { defined } from "../util/defined.ts";
import type { Hook, KeptRequest } from "./hook.ts";
import { hookedBy } from "./take.ts";

/** `refused`: why a publish of it would be refused. */
export type Preview = { request: KeptRequest } & ({ draft: Draft } | { refused: string });

/**
 * Of what is kept: of a body that was longer its beginning, and of a query and headers what could be no secret. A dialect
 * that the URL did not name is that of the hook now.
 */
export async function previewOf({ settings }: Pick<Hook, "settings">, request: KeptRequest): Promise<Preview> {
  const { at, contentType, userAgent, query = "", dialect = settings.as, body = new Uint8Array() } = request;
  const headers = new Headers(defined({ ...request.headers, "content-type": contentType, "user-agent": userAgent }));
  const hooked = hookedBy({ settings }, dialect, new URLSearchParams(query));
  try {
    const { draft } = await madeOf({ bytes: body, headers, query: hooked.query }, at, hooked);
    return { request, draft };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { request, refused: error.detail };
  }
}
