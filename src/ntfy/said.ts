/** What a request to an address of ntfy says beside its body and in JSON, without what is not about the message. Pure. */
import { parseJson } from "../http/body.ts";
import { problem } from "../http/problem.ts";
import { queryOf } from "../http/query.ts";
import { headerFields, type HeaderFields } from "../messages/reading/asides.ts";
import type { Fields } from "../messages/reading/ntfy.ts";
import { isObject } from "../util/json.ts";
import { CREDENTIALS } from "./address.ts";

/** Templates are not run; one that ntfy brings along is a rewrite here. */
const TEMPLATES = ["template", "tpl"];
/** What reads the same tool. */
const REWRITES: ReadonlyMap<string, string> = new Map([
  ["github", "github"],
  ["grafana", "alertmanager"],
  ["alertmanager", "alertmanager"],
]);
/** Other names of the file's, which our query has under one. */
const FILENAMES = ["file", "f"];
/** Not about the message. What else ntfy has and peal does not, as `email`, means nothing to the readers of fields. */
const ASIDE = new Set<string>([...CREDENTIALS, ...TEMPLATES]);

/**
 * The query as a publish reads it, and its headers if some of them may be templates. `fields`: what the path or the method says,
 * which counts before. A name may begin with `X-` in the query too.
 */
export function saidAt(
  { url, headers }: Request,
  fields: Readonly<Record<string, string>> = {},
): { query: URLSearchParams; said?: HeaderFields } {
  const sent = [...queryOf({ url })].map(([name, value]) => [name.toLowerCase().replace(/^x-/, ""), value] as const);
  const template = sent.find(([name]) => TEMPLATES.includes(name))?.[1] ?? inHeaders(headers);
  const rewrite = REWRITES.get(template?.toLowerCase() ?? "");
  const query = new URLSearchParams({ ...fields, ...(rewrite !== undefined && { rewrite }) });
  for (const [name, value] of sent) {
    const isUnrun = template !== undefined && isTemplate(value);
    if (!ASIDE.has(name) && !isUnrun) query.append(FILENAMES.includes(name) ? "filename" : name, value);
  }
  return { query, ...(template !== undefined && { said: withoutTemplates(headers) }) };
}

function withoutTemplates(headers: Headers): HeaderFields {
  const { fields, ours, ...file } = headerFields(headers);
  const plain = (said: Fields): Fields =>
    Object.fromEntries(Object.entries(said).filter(([, value]) => !isTemplate(value)));
  return { fields: plain(fields), ours: plain(ours), ...file };
}

const isTemplate = (value: unknown): boolean => typeof value === "string" && value.includes("{{");

const inHeaders = (headers: Headers): string | undefined =>
  TEMPLATES.flatMap((name) => [headers.get(`x-${name}`), headers.get(name)]).find((value) => value !== null) ??
  undefined;

/** In JSON: the topic, and the name of a file, which is elsewhere. */
const NOT_FIELDS = new Set(["topic", "filename", ...FILENAMES]);

/** A message as JSON that names its topic, with names in any case, as ntfy takes them. @throws Problem 400 `malformed_json` */
export function jsonMessage(bytes: Uint8Array): { topic: string; fields: Fields } {
  const value = parseJson(bytes);
  const entries = isObject(value) ? Object.entries(value) : [];
  const topic = entries.find(([name]) => name.toLowerCase() === "topic")?.[1];
  if (typeof topic !== "string")
    throw problem.malformedJson(
      'Name the topic: `{"topic": "…", "message": "…"}`. Text goes to the address of a topic.',
    );
  return { topic, fields: Object.fromEntries(entries.filter(([name]) => !NOT_FIELDS.has(name.toLowerCase()))) };
}
