/** Makes the message of any body and what is said beside it. */
import {
  aboutOf,
  askedRewrite,
  type Asked,
  type Beside,
  inOrder,
  NOT_ASKED,
  ofTool,
  sourceOf,
  withMap,
} from "./beside.ts";
import type { FieldError } from "../../http/problem.ts";
import { besideMessage, common, linesOf } from "../../rewrites/common.ts";
import { isUnrecognised } from "../../rewrites/fallback.ts";
import { isObject } from "../../util/json.ts";
import { recognized, rewrite, type RewriteName } from "../../rewrites/rewrite.ts";
import { senderOf } from "../../rewrites/sender.ts";
import { withinBudget } from "../../rewrites/text.ts";
import type { Millis } from "../../util/clock.ts";
import { headerFields, type HeaderFields, NO_HEADERS, parameterFields } from "./asides.ts";
import type { Body } from "../body/body.ts";
import { asText, contentOf, contentOfTool, valuesOf, type Content } from "./content.ts";
import { decoded } from "./decode.ts";
import { toDraft } from "./draft.ts";
import type { Hooked } from "./hooked.ts";
import { textOfHtml } from "./html.ts";
import { fieldNamed } from "./fields.ts";
import { cameOf, type Came } from "../intake.ts";
import { meaning, type Meant } from "./meaning.ts";
import type { Draft } from "../../drafts/draft.ts";
import type { Fields } from "./ntfy.ts";
import { payloadOf } from "./payload.ts";
import { PublishBody } from "../schema.ts";
import { settled, taken, withoutTimes, type Read } from "./settled.ts";
import { requirePlain } from "./strict.ts";
import { isBlank } from "../../util/text/text.ts";

/** A message, and what is kept beside it. */
export interface Made extends Read {
  /** The body, if nobody knows its shape: written out only if it is kept, because 64 KiB take 1 ms. */
  came?: () => Came;
}

export interface Reading {
  now: Millis;
  isStrict: boolean;
  hooked?: Hooked | undefined;
  /**
   * Present at an address of ntfy, with the source of the message: a body is text there whatever it looks like, unless it says
   * that it is JSON, and one that says nothing is `triggered`.
   */
  asNtfy?: string | undefined;
}

/** What came beside a body. */
export interface Sent {
  headers: Headers;
  query: URLSearchParams | undefined;
  contentType?: string;
  /** What the headers say about the message. */
  said?: HeaderFields;
}

/**
 * The message of a request. Not async: every publish would pay for one more promise.
 * @throws Problem 422 for a `delay` or `at` that cannot be read; strictly also 400 for a body that cannot be read, 415, 422 with
 * one entry per wrong field
 */
export function madeOf(
  body: Body,
  { headers: sent, query, contentType = sent.get("content-type") ?? "", said: headers = headerFields(sent) }: Sent,
  { now, isStrict, hooked, asNtfy }: Reading,
): Made | Promise<Made> {
  const { names } = body;
  const beside: Beside = { sent, query, headers, now, names, hooked, asNtfy };
  const asked = query === undefined ? NOT_ASKED : askedRewrite(query);
  const unused = body.ignored.length === 0 ? asked.ignored : [...asked.ignored, ...body.ignored];
  if (names.length > 0 && body.parts === undefined && body.bytes.length === 0) return read(NO_CONTENT, beside, unused);
  if (asked.name !== undefined)
    return rewritten(asked.name, { ...body, contentType }, { ...asked, ignored: unused }, beside, isStrict);
  if (asNtfy !== undefined) return direct(contentOf(asText(contentType), body), beside, unused);
  if (isStrict) requirePlain(contentType, body.bytes, now);
  const inQuery = body.bytes.length === 0 && body.parts === undefined ? saidIn(query) : undefined;
  if (inQuery !== undefined) return read({ kind: "json", value: inQuery, raw: "" }, beside, unused);
  return direct((hooked === undefined ? contentOf : contentOfTool)(contentType, body), beside, unused);
}

/** The same for fields that name their topic, as ntfy takes them in JSON. */
export const madeOfFields = async (
  fields: Fields,
  { headers: sent, query, said: headers = headerFields(sent) }: Sent,
  { now, hooked, asNtfy }: Reading,
): Promise<Made> => spoken(fields, { sent, query, headers, now, names: [], hooked, asNtfy });

/** The fields in the query of a tool that sends no body; undefined if all names are ours. */
function saidIn(query: URLSearchParams | undefined): Fields | undefined {
  const fields = query === undefined ? {} : parameterFields(query);
  const isTools = Object.keys(fields).some((name) => fieldNamed(name) === undefined);
  return isTools ? valuesOf([...(query ?? [])]) : undefined;
}

/** The content of a body that is a file. */
const NO_CONTENT: Content = { kind: "text", text: "", isWhole: true };

const OURS = new Set(Object.keys(PublishBody.properties));

/** The usual case, JSON that matches our schema, with nothing beside it; undefined for anything else. */
function asItIs(value: unknown, { query, headers, now }: Beside, unused: readonly FieldError[]): Read | undefined {
  if (query !== undefined || headers !== NO_HEADERS || !isObject(value)) return undefined;
  for (const name in value) if (!OURS.has(name)) return undefined;
  const drafted = toDraft(value, "api", now);
  return drafted.kind === "draft" ? taken(drafted, [...unused]) : undefined;
}

/** Reads JSON as most send it at once: every publish would pay for one more promise. */
function direct(
  content: Content | Promise<Content>,
  beside: Beside,
  unused: readonly FieldError[],
): Made | Promise<Made> {
  if (content instanceof Promise) return content.then(async (made) => read(made, beside, unused));
  if (content.unread !== undefined) return read(content, beside, [...unused, content.unread]);
  return (content.kind === "json" ? asItIs(content.value, beside, unused) : undefined) ?? read(content, beside, unused);
}

async function read(content: Content, given: Beside, unused: readonly FieldError[]): Promise<Made> {
  const sent = content.kind === "json" ? content.value : content.kind === "fields" ? content.fields : content.text;
  const beside = withMap(given, sent);
  const heard = beside.hooked?.hear(shapeOf(sent), aboutOf(beside));
  if (heard !== undefined)
    return "draft" in heard ? overridden(heard.draft, beside, unused) : spoken(heard.fields, beside, unused);
  if (content.kind === "fields") return spoken(content.fields, beside, unused);
  if (content.kind === "text") return written(content, beside, unused);
  const { value } = content;
  const about = aboutOf(beside);
  const ours = isOurs(value) && !isWrapped(value) ? value : undefined;
  // a hook's body is a tool's, even if all its names are ours
  const told = ours === undefined || beside.hooked !== undefined ? recognized(shapeOf(value), about) : undefined;
  if (told !== undefined) return overridden(told, beside, unused);
  if (ours !== undefined) return spoken(ours, beside, unused);
  const said = isObject(value) ? meaning(value, pointer) : undefined;
  if (isObject(value) && said?.fields["message"] !== undefined) return spoken(value, beside, unused, said);
  if (typeof value === "object" && value !== null && beside.asNtfy === undefined)
    return ofUnknownShape(value, said?.fields ?? {}, beside, [...unused, ...othersIn(value)]);
  const text = typeof value === "string" ? value : value === null ? "" : content.raw || JSON.stringify(value);
  return written({ text, isWhole: true }, beside, unused);
}

/** Looks for JSON whatever type the body claims; a body that holds none is shown as text. */
function rewritten(
  name: RewriteName,
  sent: Payload,
  { link, ignored }: Asked,
  beside: Beside,
  isStrict: boolean,
): Made {
  const { value, raw } = payload(sent, isStrict);
  const draft = rewrite(name, value, { ...aboutOf(beside), ...link, raw });
  const made = overridden(draft, withMap(beside, value), ignored);
  return isUnrecognised(draft) ? { ...made, came: () => cameOf(value, raw, beside.sent) } : made;
}

interface Payload extends Pick<Body, "bytes" | "parts"> {
  contentType: string;
}

function payload(sent: Payload, isStrict: boolean): ReturnType<typeof payloadOf> {
  try {
    return payloadOf(sent.contentType, sent);
  } catch (error) {
    if (isStrict) throw error;
    return { value: undefined, raw: decoded(sent.bytes, sent.contentType) };
  }
}

/** Whether it has fields of ours and no others. */
function isOurs(value: unknown): value is Fields {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => fieldNamed(name) !== undefined);
}

/** Whether its text may be inside its `data`: a field of ours, but other tools have one too. */
const isWrapped = (value: Fields): boolean =>
  isObject(value["data"]) && !Object.keys(value).some((name) => SAYING.has(fieldNamed(name) ?? ""));
const SAYING = new Set(["message", "title"]);

/** The first event of a list is the message; these are the others. */
const othersIn = (value: object): FieldError[] =>
  Array.isArray(value) && value.length > 1 && isObject(value[0])
    ? [{ path: "/1", message: "and later entries are left out: the first entry of a list is the message" }]
    : [];

/** Some tools post a list of events: the first has their shape. */
const shapeOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

const pointer = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** A body whose fields say what they are, such as JSON with a `message`. */
async function spoken(
  given: Fields,
  beside: Beside,
  unused: readonly FieldError[] = [],
  said = meaning(given, pointer),
): Promise<Read> {
  said.fields = { ...besideMessage(given, "dedup_key" in said.fields), ...said.fields };
  const { message } = said.fields;
  if (said.isHtml && typeof message === "string") {
    const { text, isWhole } = await textOfHtml(message);
    said.fields["message"] = text === "" ? message : text;
    said.isCut ||= !isWhole;
  }
  const body = beside.hooked === undefined ? said : withoutTimes(said, given, pointer);
  const otherwise = () => withinBudget(() => linesOf(given));
  return settled(inOrder(body, beside), { ...beside, source: sourceOf(beside), unused, otherwise });
}

/** A body that is itself the message. */
function written(
  { text, isWhole, format }: Pick<Content & { kind: "text" }, "text" | "isWhole" | "format">,
  beside: Beside,
  unused: readonly FieldError[],
): Read {
  const fields: Fields = { ...(!isBlank(text) && { message: text }), ...(format !== undefined && { format }) };
  const body: Meant = { fields, ignored: [], isCut: !isWhole, isHtml: false };
  const { hooked, headers } = beside;
  const isNtfy = hooked === undefined && (Object.keys(headers.fields).length > 0 || headers.filename !== undefined);
  const source = isNtfy && beside.asNtfy === undefined ? "ntfy" : sourceOf(beside);
  return settled(inOrder(body, beside), { ...beside, source, unused });
}

/** A tool's message, overridden by the query and headers that are meant for us. */
function overridden({ source, ...draft }: Draft, beside: Beside, unused: readonly FieldError[]): Read {
  const body: Meant = { fields: { ...draft }, ignored: [], isCut: false, isHtml: false };
  return settled(ofTool(body, beside), { ...beside, source, unused });
}

/** Names that mean the same everywhere, and are read in JSON that has no message of ours. */
const ALSO_READ = ["priority", "tags", "timestamp"];

/** `said`: the fields that could be read from its names. */
function ofUnknownShape(value: object, said: Fields, beside: Beside, unused: readonly FieldError[]): Made {
  const sender = senderOf(beside.sent.get("user-agent") ?? "");
  const also = Object.fromEntries(ALSO_READ.filter((name) => name in said).map((name) => [name, said[name]]));
  const made = { ...meaning({ ...also, ...common(value, sender) }, pointer), ignored: [] };
  return {
    ...settled(ofTool(made, beside), { ...beside, source: sourceOf(beside), unused }),
    came: () => cameOf(value, "", beside.sent),
  };
}
