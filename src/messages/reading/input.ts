/** Reads the content of a publish request, whichever way it came (docs/publish.md). */
import type { Reading, Sent } from "./made.ts";
import type { Deps } from "../../deps.ts";
import { readBytes } from "../../http/body.ts";
import { contextOf } from "../../http/context.ts";
import { encodingOf, ENCODINGS } from "../../http/encoding.ts";
import type { FieldError } from "../../http/problem.ts";
import { queryOf } from "../../http/query.ts";
import { headerFields, type HeaderFields, NO_HEADERS } from "./asides.ts";
import { longBody, shortBody, type Body } from "../body/body.ts";
import { wayOf, type Way } from "../body/way.ts";
import { MAX_PLAIN_BYTES } from "../schema.ts";
import { notStrict } from "./strict.ts";

/** What a request says beside its body, and how that is read. */
export interface Asked extends Sent, Pick<Reading, "isStrict"> {
  /** What its headers say about the message. */
  said: HeaderFields;
  contentType: string;
  filename: string | undefined;
  way: Way;
}

/** @throws Problem 415, strictly, for a form */
export function askedOf(
  request: Request,
  {
    isStrict,
    hooked,
    query: given,
    said: told,
  }: Pick<Reading, "isStrict" | "hooked"> & Pick<Partial<Sent>, "query" | "said">,
): Asked {
  const { headers } = request;
  const contentType = headers.get("content-type") ?? "";
  const query = given ?? hooked?.query ?? (request.url.includes("?") ? queryOf(request) : undefined);
  const said = told ?? (contextOf(request).isBare ? NO_HEADERS : headerFields(headers));
  const named = said.filename ?? (query?.get("filename") || undefined);
  // the name of what is elsewhere: the body is its message
  const filename = named === undefined || "attach" in said.fields || query?.has("attach") === true ? undefined : named;
  const way = wayOf(request, contentType, filename);
  if (isStrict && way === "form") throw notStrict();
  return { headers, query, said, contentType, filename, way, isStrict };
}

/**
 * Reads the body, whatever it is; its files are held until `deps.files.letGo`. `isStrict`: a body that is not packed as it says
 * is refused. Most bodies are short and not packed: they come as bytes for `shortBody`, because one promise fewer is cheaper.
 * @throws Problem 400 for a body that broke off, 413, 415 for an unknown content encoding; strictly also 400 for one that cannot
 * be unpacked
 */
export function readBody(deps: InputDeps, request: Request, asked: Asked): Uint8Array | Promise<Uint8Array | Body> {
  const isPlain = asked.way === "plain" && encodingOf(request) === "";
  return isPlain ? readBytes(request, MAX_PLAIN_BYTES) : readPacked(deps, request, asked);
}

async function readPacked(deps: InputDeps, request: Request, asked: Asked): Promise<Body> {
  const { way, contentType, filename, isStrict } = asked;
  const unpacked: FieldError[] = [];
  const asItIs = () => unpacked.push(NOT_PACKED);
  const body = await (way === "plain"
    ? shortBody(deps, await readBytes(request, MAX_PLAIN_BYTES, isStrict ? {} : { asItIs }))
    : longBody(deps, request, way, { contentType, asItIs, ...(filename !== undefined && { filename }) }));
  body.ignored.push(...unpacked);
  return body;
}

const NOT_PACKED = {
  path: "Content-Encoding",
  message: `is unknown or doesn't match the body, which was read as it is; send the body as it is, or with ${ENCODINGS}`,
};

type InputDeps = Pick<Deps, "files" | "uploads" | "clock">;
