/** Reads the content of a publish request, whichever way it came (docs/publish.md). */
import type { Reading, Sent } from "./made.ts";
import type { Deps } from "../../deps.ts";
import { readBytes } from "../../http/body.ts";
import { ENCODINGS } from "../../http/encoding.ts";
import type { FieldError } from "../../http/problem.ts";
import { queryOf } from "../../http/query.ts";
import { headerFields, type HeaderFields } from "./asides.ts";
import { longBody, shortBody } from "../body/body.ts";
import { wayOf } from "../body/way.ts";
import { MAX_PLAIN_BYTES } from "../schema.ts";
import { notStrict } from "./strict.ts";

export interface Input extends Sent {
  /** What its headers say about the message. */
  said: HeaderFields;
}

/**
 * Reads the body, whatever it is; its files are held until `deps.files.letGo`. `isStrict`: a body that is not packed as it says
 * is refused.
 * @throws Problem 400 for a body that broke off, 413, 415 for an unknown content encoding; strictly also 400 for one that cannot
 * be unpacked, 415 for a form
 */
export async function readInput(
  deps: InputDeps,
  request: Request,
  { isStrict, hooked }: Pick<Reading, "isStrict" | "hooked">,
): Promise<Input> {
  const { headers } = request;
  const contentType = headers.get("content-type") ?? "";
  const query = hooked?.query ?? (request.url.includes("?") ? queryOf(request) : undefined);
  const said = headerFields(headers);
  const filename = said.filename ?? (query?.get("filename") || undefined);
  const way = wayOf(request, contentType, filename);
  if (isStrict && way === "form") throw notStrict();
  const unpacked: FieldError[] = [];
  const asItIs = () => unpacked.push(NOT_PACKED);
  const reading =
    way === "plain"
      ? shortBody(deps, await readBytes(request, MAX_PLAIN_BYTES, { asItIs: isStrict ? undefined : asItIs }))
      : longBody(deps, request, way, { contentType, asItIs, ...(filename !== undefined && { filename }) });
  const body = reading instanceof Promise ? await reading : reading;
  if (unpacked.length > 0) body.ignored.push(...unpacked);
  return { body, headers, query, said };
}

const NOT_PACKED = {
  path: "Content-Encoding",
  message: `is unknown or doesn't match the body, which was read as it is; send the body as it is, or with ${ENCODINGS}`,
};

type InputDeps = Pick<Deps, "files" | "uploads" | "clock">;
