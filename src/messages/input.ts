/** What came in a publish request, whichever way it came (docs/publish.md), as a draft. */
import { isJsonType, mediaType, parseJson, readBytes } from "../http/body.ts";
import { problem, type FieldError } from "../http/problem.ts";
import { queryOf } from "../http/query.ts";
import { besideMessage, common } from "../rewrites/common.ts";
import { recognized, rewrite, type RewriteName, REWRITES } from "../rewrites/rewrite.ts";
import { senderOf } from "../rewrites/sender.ts";
import type { About } from "../rewrites/source.ts";
import type { Millis } from "../util/clock.ts";
import { headerFields, NO_HEADERS, parameterFields, type HeaderFields } from "./asides.ts";
import { contentOf, contentOfTool, type Content } from "./content.ts";
import { decoded } from "./decode.ts";
import { toDraft, type Drafted } from "./draft.ts";
import { hasField, parseForm } from "./form.ts";
import type { Hooked } from "./hooked.ts";
import { textOfHtml } from "./html.ts";
import { fieldNamed } from "./fields.ts";
import { markTruncated, meaning, type Meant } from "./meaning.ts";
import type { Draft } from "./message.ts";
import type { Fields } from "./ntfy.ts";
import { payloadOf } from "./payload.ts";
import { MAX_PLAIN_BYTES, PublishBody } from "./schema.ts";

export interface Input {
  draft: Draft;
  /** Absent: now. */
  deliverAt?: Millis;
  /** Of what was to be delayed, in place of a time on the clock. */
  delayMs?: number;
  /** The body as it was sent, decompressed: part of what tells a retry from another request. */
  bytes: Uint8Array;
  /** What could not be used, each with the reason. */
  ignored: FieldError[];
}

/**
 * Reads the body and makes a message of it, whatever it is. `isStrict`: what is not as our schema has it is refused instead.
 * @throws Problem 400 for a body that broke off, 413, 415 for an unknown content encoding, 422 for a `delay` or `at` that cannot be
 * read; strictly also 400 for a body that cannot be read, 415, 422 with one entry per wrong field
 */
export async function readInput(request: Request, now: Millis, isStrict: boolean, hooked?: Hooked): Promise<Input> {
  const bytes = await readBytes(request, MAX_PLAIN_BYTES);
  const query = hooked?.query ?? (request.url.includes("?") ? queryOf(request) : undefined);
  const made = await madeOf({ bytes, headers: request.headers, query }, now, hooked, isStrict);
  if (isStrict && made.ignored.length > 0) throw problem.validationFailed(made.ignored);
  return { ...made, bytes };
}

/** A request that has come. */
interface Sent {
  bytes: Uint8Array;
  headers: Headers;
  query: URLSearchParams | undefined;
}

/** The message of what was sent. Pure. @throws as `readInput` does; a promise rejects */
export function madeOf(
  { bytes, headers, query }: Sent,
  now: Millis,
  hooked: Hooked | undefined,
  isStrict = false,
): Read | Promise<Read> {
  const contentType = headers.get("content-type") ?? "";
  const beside: Beside = { sent: headers, query, headers: headerFields(headers), now, hooked };
  const asked = askedRewrite(query);
  if (asked.name !== undefined) return rewritten(asked.name, { contentType, bytes }, asked, beside, isStrict);
  if (isStrict) requirePlain(contentType, bytes, now);
  return direct((hooked === undefined ? contentOf : contentOfTool)(contentType, bytes), beside, asked.ignored);
}

const FORM = "application/x-www-form-urlencoded";
const PLAIN = new Set(["", "text/plain", "text/markdown", FORM]);

/** @throws Problem 400, 415, 422: the body is none of ours, or JSON that is not as our schema has it */
function requirePlain(contentType: string, bytes: Uint8Array, now: Millis): void {
  const type = mediaType(contentType);
  if (type !== "" && isJsonType(type)) {
    const drafted = toDraft(parseJson(bytes), "api", now);
    if (drafted.kind === "refused") throw problem.validationFailed(drafted.errors);
  } else if (!PLAIN.has(type))
    throw problem.unsupportedMediaType("application/json, text/plain or application/x-www-form-urlencoded");
  else if (type === FORM && hasField(bytes, "message") && parseForm(bytes) === undefined)
    throw problem.malformedBody("The form is not UTF-8.");
}

type Read = Omit<Input, "bytes">;
interface Beside {
  sent: Headers;
  query: URLSearchParams | undefined;
  headers: HeaderFields;
  now: Millis;
  hooked: Hooked | undefined;
  /** What the hook takes from the body. */
  mapped?: Meant;
}

const OURS = new Set(Object.keys(PublishBody.properties));

/** The usual case, JSON that is just as our schema has it, with nothing beside: undefined for any other. */
function asItIs(value: unknown, { query, headers, now }: Beside): Read | undefined {
  if (query !== undefined || headers !== NO_HEADERS || !isObject(value)) return undefined;
  for (const name in value) if (!OURS.has(name)) return undefined;
  const drafted = toDraft(value, "api", now);
  return drafted.kind === "draft" ? taken(drafted, []) : undefined;
}

/** JSON as most send it is read at once: each promise more would be paid by every publish. */
function direct(
  content: Content | Promise<Content>,
  beside: Beside,
  unused: readonly FieldError[],
): Read | Promise<Read> {
  if (content instanceof Promise) return content.then(async (made) => read(made, beside, unused));
  return (content.kind === "json" ? asItIs(content.value, beside) : undefined) ?? read(content, beside, unused);
}

async function read(content: Content, given: Beside, unused: readonly FieldError[]): Promise<Read> {
  const sent = content.kind === "json" ? content.value : content.kind === "fields" ? content.fields : content.text;
  const beside = withMap(given, sent);
  const heard = beside.hooked?.hear(shapeOf(sent), aboutOf(beside));
  if (heard !== undefined)
    return "draft" in heard ? overridden(heard.draft, beside, unused) : spoken(heard.fields, beside, unused);
  if (content.kind === "fields") return spoken(content.fields, beside, [...unused, ...(content.unused ?? [])]);
  if (content.kind === "text") return written(content, beside, unused);
  const { value } = content;
  const about = aboutOf(beside);
  if (isOurs(value)) return spoken(value, beside, unused);
  const told = recognized(shapeOf(value), about);
  if (told !== undefined) return overridden(told, beside, unused);
  const said = isObject(value) ? meaning(value, pointer) : undefined;
  if (isObject(value) && said?.fields["message"] !== undefined) return spoken(value, beside, unused, said);
  if (typeof value === "object" && value !== null) return ofUnknownShape(value, about, beside, unused);
  const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  return written({ text, isWhole: true }, beside, unused);
}

const withMap = (beside: Beside, body: unknown): Beside =>
  beside.hooked === undefined
    ? beside
    : { ...beside, mapped: meaning(beside.hooked.mapped(body), (name) => `map/${name}`) };

const aboutOf = ({ now, sent }: Beside): About => ({ now, header: (name) => sent.get(name) });

/** Whatever the type is called, JSON is looked for in it; what holds none is shown as text. */
async function rewritten(
  name: RewriteName,
  { contentType, bytes }: { contentType: string; bytes: Uint8Array },
  { link, ignored }: Asked,
  beside: Beside,
  isStrict: boolean,
): Promise<Read> {
  const asText = (error: unknown) => {
    if (isStrict) throw error;
    return { value: undefined, raw: decoded(bytes, contentType) };
  };
  const { value, raw } = await payloadOf(contentType, bytes).catch(asText);
  return overridden(rewrite(name, value, { ...aboutOf(beside), ...link, raw }), withMap(beside, value), ignored);
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether it has fields of ours and no others. */
function isOurs(value: unknown): value is Fields {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => fieldNamed(name) !== undefined);
}

/** Some tools post a list of events: the first has their shape. */
const shapeOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

const pointer = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

interface Asked {
  name?: RewriteName;
  link: Pick<About, "link">;
  ignored: FieldError[];
}

/** What the query says of the tool that posts. */
function askedRewrite(query: URLSearchParams | undefined): Asked {
  const [asked, url] = [query?.get("rewrite") ?? "", query?.get("link") ?? ""];
  const link = URL.canParse(url) ? { link: url } : {};
  const name = REWRITES.find((known) => known === asked.toLowerCase());
  if (name !== undefined) return { name, link, ignored: [] };
  const message = `must be one of ${REWRITES.join(", ")}; without it the shape decides`;
  return { link, ignored: asked === "" ? [] : [{ path: "rewrite", message }] };
}

/** Fields that say what they are, such as those of JSON with a `message`. */
async function spoken(
  given: Fields,
  beside: Beside,
  unused: readonly FieldError[] = [],
  said = meaning(given, pointer),
): Promise<Read> {
  said.fields = { ...besideMessage(given), ...said.fields };
  const { message } = said.fields;
  if (said.isHtml && typeof message === "string") {
    const { text, isWhole } = await textOfHtml(message);
    said.fields["message"] = text === "" ? message : text;
    said.isCut ||= !isWhole;
  }
  return settled(inOrder(said, beside), { source: sourceOf(beside), now: beside.now, unused });
}

/** A body that is the message as it stands. */
function written(
  { text, isWhole, format }: Pick<Content & { kind: "text" }, "text" | "isWhole" | "format">,
  beside: Beside,
  unused: readonly FieldError[],
): Read {
  const fields: Fields = { ...(text.trim() !== "" && { message: text }), ...(format !== undefined && { format }) };
  const body: Meant = { fields, ignored: [], isCut: !isWhole, isHtml: false };
  const isNtfy = beside.hooked === undefined && Object.keys(beside.headers.fields).length > 0;
  return settled(inOrder(body, beside), { source: isNtfy ? "ntfy" : sourceOf(beside), now: beside.now, unused });
}

/** What a tool's post says; query and headers meant for us say it otherwise. */
function overridden({ source, ...draft }: Draft, beside: Beside, unused: readonly FieldError[]): Read {
  const body: Meant = { fields: { ...draft }, ignored: [], isCut: false, isHtml: false };
  return settled(ofTool(body, beside), { source, now: beside.now, unused });
}

/** Names that mean the same everywhere are read in JSON that has no message of ours. */
const ALSO_READ = ["priority", "tags", "timestamp"];

function ofUnknownShape(value: object, about: About, beside: Beside, unused: readonly FieldError[]): Read {
  const sender = senderOf(about.header?.("user-agent") ?? "");
  const said = meaning(isObject(value) ? value : {}, pointer).fields;
  const also = Object.fromEntries(ALSO_READ.filter((name) => name in said).map((name) => [name, said[name]]));
  const made = { ...meaning({ ...also, ...common(value, sender) }, pointer), ignored: [] };
  return settled(ofTool(made, beside), { source: sourceOf(beside), now: beside.now, unused });
}

const sourceOf = ({ hooked }: Beside): string => (hooked === undefined ? "api" : "hook");

/** A body that says what it means, and what stands beside it. */
const inOrder = (body: Meant, beside: Beside): Meant[] =>
  beside.hooked === undefined ? [body, ...besides(beside, beside.headers.fields)] : ofTool(body, beside);

/** Another tool's body, and what says it otherwise. */
function ofTool(body: Meant, beside: Beside): Meant[] {
  const { hooked, mapped, headers } = beside;
  const defaults = hooked && { fields: hooked.defaults, ignored: [], isCut: false, isHtml: false };
  return [...besides(beside, headers.ours), ...(mapped ? [mapped] : []), body, ...(defaults ? [defaults] : [])];
}

/** What stands beside the body, that of headers first. */
function besides({ query }: Beside, headers: Fields): Meant[] {
  const plain = (name: string) => name;
  return [meaning(headers, (name) => `X-${name}`), ...(query ? [meaning(parameterFields(query), plain)] : [])];
}

const NO_TEXT = "(no text)";
/** Without one of these it would be another message, or one at another time. */
const TIMES = ["delay", "at"];

/**
 * The draft of what was said, by who comes first where two say the same. What our limits do not allow is left out.
 * @throws Problem 422 for a `delay` or `at` that cannot be read
 */
function settled(
  said: readonly Meant[],
  { source, now, unused }: { source: string; now: Millis; unused: readonly FieldError[] },
): Read {
  let fields: Fields = {};
  for (const one of said) {
    const isTimed = TIMES.some((name) => name in fields);
    for (const [name, value] of Object.entries(one.fields))
      if (!(name in fields) && !(isTimed && TIMES.includes(name))) fields[name] = value;
  }
  const ignored = [...unused, ...said.flatMap((one) => one.ignored)];
  if (said.some((one) => one.isCut)) markTruncated(fields);
  if (fields["message"] === undefined) {
    fields["message"] = fields["title"] ?? NO_TEXT;
    if (!ignored.some(({ path }) => path === "/message")) ignored.push({ path: "/message", message: "is missing" });
  }
  for (;;) {
    const drafted = toDraft(fields, source, now);
    if (drafted.kind === "draft") return taken(drafted, ignored);
    const times = drafted.errors.filter(({ path }) => TIMES.includes(fieldOf(path)));
    if (times.length > 0) throw problem.validationFailed(times);
    ignored.push(...drafted.errors);
    fields = without(fields, drafted.errors);
  }
}

const fieldOf = (path: string): string => path.split("/")[1] ?? "";

/** Of a list only the entry that is wrong. */
function without(fields: Fields, errors: readonly FieldError[]): Fields {
  const left = { ...fields };
  for (const { path } of errors) {
    const [, name = "", index] = path.split("/");
    const list = fields[name];
    const kept =
      index !== undefined && Array.isArray(list)
        ? list.filter((_, at) => !errors.some((error) => error.path.startsWith(`/${name}/${at}`)))
        : [];
    if (kept.length > 0) left[name] = kept;
    else if (name === "message") left[name] = NO_TEXT;
    else Reflect.deleteProperty(left, name);
  }
  return left;
}

function taken({ draft, deliverAt, delayMs }: Drafted & { kind: "draft" }, ignored: FieldError[]): Read {
  return { draft, ignored, ...(deliverAt !== undefined && { deliverAt }), ...(delayMs !== undefined && { delayMs }) };
}
