/** What a request to an address of ntfy says beside its body and in JSON, without what is not about the message. Pure. */
import { parseJson } from "../http/body.ts";
import { problem } from "../http/problem.ts";
import { queryOf } from "../http/query.ts";
import type { Fields } from "../messages/reading/ntfy.ts";
import { isObject } from "../util/json.ts";
import { CREDENTIALS } from "./address.ts";

/**
 * Names that mean something to ntfy and nothing about a message here: e-mail and calls, its cache and its ways to a phone
 * (docs.ntfy.sh/publish/#list-of-all-parameters). Templates are not run; one that ntfy brings along is a rewrite here.
 */
const IGNORED = new Set<string>(
  [...CREDENTIALS, ..."email e-mail mail e call cache firebase unifiedpush up poll-id template tpl topic".split(" ")],
);
const TEMPLATES = ["template", "tpl"];
/** What reads the same tool. */
const REWRITES: ReadonlyMap<string, string> = new Map([
  ["github", "github"],
  ["grafana", "alertmanager"],
  ["alertmanager", "alertmanager"],
]);
/** Other names of the file's, which our query has under one. */
const FILENAMES = ["file", "f"];

/**
 * The query as a publish reads it. `fields`: what the path or the method says, which counts before. A name may begin with `X-`
 * there too.
 */
export function queryAt({ url, headers }: Request, fields: Readonly<Record<string, string>> = {}): URLSearchParams {
  const sent = [...queryOf({ url })].map(([name, value]) => [name.toLowerCase().replace(/^x-/, ""), value] as const);
  const template = sent.find(([name]) => TEMPLATES.includes(name))?.[1] ?? inHeaders(headers);
  const rewrite = REWRITES.get(template?.toLowerCase() ?? "");
  const query = new URLSearchParams({ ...fields, ...(rewrite !== undefined && { rewrite }) });
  for (const [name, value] of sent) {
    const isUnrun = template !== undefined && value.includes("{{");
    if (!IGNORED.has(name) && !isUnrun) query.append(FILENAMES.includes(name) ? "filename" : name, value);
  }
  return query;
}

const inHeaders = (headers: Headers): string | undefined =>
  TEMPLATES.flatMap((name) => [headers.get(`x-${name}`), headers.get(name)]).find((value) => value !== null) ?? undefined;

/** In JSON: the topic, and the name of a file that is elsewhere, as a body of JSON is none. */
const NOT_IN_JSON = new Set([...IGNORED, ...FILENAMES, "filename"]);

/** A message as JSON that names its topic, with names in any case, as ntfy takes them. @throws Problem 400 `malformed_json` */
export function jsonMessage(bytes: Uint8Array): { topic: string; fields: Fields } {
  const value = parseJson(bytes);
  const entries = isObject(value) ? Object.entries(value) : [];
  const topic = entries.find(([name]) => name.toLowerCase() === "topic")?.[1];
  if (typeof topic !== "string")
    throw problem.malformedJson('Name the topic: `{"topic": "…", "message": "…"}`. Text goes to the address of a topic.');
  return { topic, fields: Object.fromEntries(entries.filter(([name]) => !NOT_IN_JSON.has(name.toLowerCase()))) };
}
