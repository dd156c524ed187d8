/** What a kept request would become now, made by the same code that takes requests. */
import { Problem } from "../http/problem.ts";
import { keptBody } from "../messages/body/body.ts";
import { madeOf } from "../messages/reading/made.ts";
import type { Draft } from "../drafts/draft.ts";
import { defined } from "../util/defined.ts";
import type { Hook, KeptRequest } from "./hook.ts";
import { hookedBy } from "./take.ts";

/** `refused`: why publishing it would be refused. */
export type Preview = { request: KeptRequest } & ({ draft: Draft } | { refused: string });

/**
 * Made from what is kept: the beginning of a longer body, and what could not be a secret of query and headers. If the URL did not
 * name a dialect, it is the hook's present one.
 */
export async function previewOf({ settings }: Pick<Hook, "settings">, request: KeptRequest): Promise<Preview> {
  const { at, contentType = "", userAgent, query = "", dialect = settings.as } = request;
  const headers = new Headers(
    defined({ ...request.headers, "content-type": contentType || undefined, "user-agent": userAgent }),
  );
  const hooked = hookedBy({ settings }, dialect, new URLSearchParams(query));
  try {
    const body = await keptBody(request);
    const { draft } = await madeOf(body, { headers, query: hooked.query }, { now: at, isStrict: false, hooked });
    return { request, draft };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { request, refused: error.detail };
  }
}
