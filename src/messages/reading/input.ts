/** Makes a draft of a publish request, whichever way its content came (docs/publish.md). */
import { madeOf, type Made, type Reading } from "./made.ts";
import type { Deps } from "../../deps.ts";
import { readBytes } from "../../http/body.ts";
import { ENCODINGS } from "../../http/encoding.ts";
import { problem, type FieldError } from "../../http/problem.ts";
import { queryOf } from "../../http/query.ts";
import { headerFields } from "./asides.ts";
import { longBody, shortBody, type Body } from "../body/body.ts";
import { wayOf } from "../body/way.ts";
import { MAX_PLAIN_BYTES } from "../schema.ts";
import { notStrict } from "./strict.ts";

export interface Input {
  made: Made;
  body: Body;
}

/**
 * Reads the body and makes a message of it, whatever it is; its files are held until `deps.files.letGo`. `isStrict`: a body that
 * does not match our schema is refused instead.
 * @throws Problem 400 for a body that broke off, 413, 415 for an unknown encoding, 422 for a `delay` or `at` that cannot be
 * read; strictly also 400 for a body that cannot be read, 415, 422 with one entry per wrong field
 */
export async function readInput(deps: InputDeps, request: Request, { now, isStrict, hooked }: Reading): Promise<Input> {
  const { headers } = request;
  const contentType = headers.get("content-type") ?? "";
  const query = hooked?.query ?? (request.url.includes("?") ? queryOf(request) : undefined);
  const fields = headerFields(headers);
  const filename = fields.filename ?? (query?.get("filename") || undefined);
  const way = wayOf(request, contentType, filename);
  if (isStrict && way === "form") throw notStrict();
  const unpacked: FieldError[] = [];
  const asItIs = () => unpacked.push(NOT_PACKED);
  const body =
    way === "plain"
      ? await shortBody(deps, await readBytes(request, MAX_PLAIN_BYTES, { asItIs: isStrict ? undefined : asItIs }))
      : await longBody(deps, request, way, { contentType, asItIs, ...(filename !== undefined && { filename }) });
  if (unpacked.length > 0) body.ignored.push(...unpacked);
  try {
    const making = madeOf({ body, headers, query }, { now, isStrict, hooked }, fields);
    const made = making instanceof Promise ? await making : making;
    if (isStrict && made.ignored.length > 0) throw problem.validationFailed(made.ignored);
    return { made, body };
  } catch (error) {
    await deps.files.letGo(body.files);
    throw error;
  }
}

const NOT_PACKED = {
  path: "Content-Encoding",
  message: `is unknown or doesn't match the body, which was read as it is; send the body as it is, or with ${ENCODINGS}`,
};

type InputDeps = Pick<Deps, "files" | "uploads" | "clock">;
