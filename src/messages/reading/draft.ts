/** From a body to a draft (API.md §3): the body's schema, then the rules that a schema cannot express. Pure. */
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { fieldErrors } from "../../http/body.ts";
import type { FieldError } from "../../http/problem.ts";
import { rfc3339, type Millis } from "../../util/clock.ts";
import type { Action, AppAction, Button, Draft } from "../../drafts/draft.ts";
import { defined } from "../../util/defined.ts";
import { PublishBody } from "../schema.ts";
import { MAX_DATA_BYTES, MAX_DELAY_SECONDS, MAX_URL_CHARACTERS } from "../../drafts/limits.ts";
import { isLink } from "../../util/text/markdown.ts";
import { isBlank, oneLine, withoutAnsi, withoutControls } from "../../util/text/text.ts";
import { parseTime } from "../../util/time.ts";

export type Drafted =
  { kind: "draft"; draft: Draft; deliverAt?: Millis; delayMs?: number } | { kind: "refused"; errors: FieldError[] };

/**
 * What no tap may open: it would run a script, show a file of the reader's, or reach into the browser or the phone. Every other scheme is
 * an app's, as `geo:` or `homeassistant:`, and is told to apps alone: pages, mails and chats link to what `isLink` takes.
 */
const NEVER_OPENED = new Set(
  (
    "javascript data vbscript blob file filesystem ftp ws wss about view-source chrome edge resource jar intent content " +
    "android-app"
  )
    .split(" ")
    .map((scheme) => `${scheme}:`),
);
/** A host with a port, whose scheme was forgotten. */
const HOST_AND_PORT = /^[^:/]+:\d{1,5}(?:[/?#]|$)/;
const FETCHED = new Set(["http:", "https:"]);

/** The addresses that a field takes, and what to say of another one. */
interface Addresses {
  has(url: URL): boolean;
  rule: string;
}
const TO_OPEN: Addresses = {
  has: ({ protocol, href }) => isLink(href) || (!NEVER_OPENED.has(protocol) && !HOST_AND_PORT.test(href)),
  rule: "must be an absolute URL with http:, https:, mailto:, tel: or the scheme of an app",
};
const TO_FETCH: Addresses = {
  has: ({ protocol }) => FETCHED.has(protocol),
  rule: "must be an absolute URL with http: or https:",
};

const compiled = TypeCompiler.Compile(PublishBody);

/**
 * The draft of a body as it came, or an entry for each wrong field: controls are stripped, URLs and times normalised.
 * `deliverAt` is only there if it is later than `now`: a time that has passed means now; a late alert is better than none.
 */
export const toDraft = (body: unknown, source: string, now: Millis): Drafted =>
  compiled.Check(body) ? fold(body, source, now) : { kind: "refused", errors: fieldErrors(compiled.Errors(body)) };

function fold(body: PublishBody, source: string, now: Millis): Drafted {
  const errors: FieldError[] = [];
  const deliverAt = deliveryTime(body, now, errors);
  const message = withoutControls(withoutAnsi(body.message));
  if (isBlank(message)) refuse(errors, "/message", "must contain more than blanks and control characters");
  // built in the order in which it is shown, because the store serializes it as it is
  const draft: Draft = {
    message,
    level: body.level ?? "info",
    priority: body.priority ?? "normal",
    format: body.format ?? "text",
    source,
  };
  const title = oneLine(body.title ?? "");
  if (title !== "") draft.title = title;
  if (body.tags !== undefined) draft.tags = body.tags.map(oneLine).filter((tag) => tag !== "");
  if (body.url !== undefined) draft.url = absolute("/url", body.url, TO_OPEN, errors);
  if (body.image !== undefined) draft.image = absolute("/image", body.image, TO_FETCH, errors);
  if (body.icon !== undefined) {
    draft.icon = absolute("/icon", body.icon, TO_FETCH, errors);
    draft.image ??= draft.icon;
  }
  if (body.actions !== undefined) draft.actions = body.actions.map((action, i) => button(action, i, errors));
  const dedupKey = oneLine(body.dedup_key ?? "");
  if (dedupKey !== "") draft.dedup_key = dedupKey;
  if (body.status !== undefined) {
    if (dedupKey === "") refuse(errors, "/status", "needs a `dedup_key`, which identifies the alert");
    draft.status = body.status;
  }
  if (body.ttl !== undefined) draft.ttl = body.ttl;
  if (body.ack !== undefined) {
    if (body.ack && draft.priority !== "urgent") refuse(errors, "/ack", "can only be used with priority `urgent`");
    draft.ack = body.ack;
  }
  if (body.timestamp !== undefined) draft.timestamp = rfc3339(instant("/timestamp", body.timestamp, errors));
  if (body.data !== undefined) draft.data = handedThrough(body.data, errors);
  if (errors.length > 0) return { kind: "refused", errors };
  if (deliverAt === undefined) return { kind: "draft", draft };
  return { kind: "draft", draft, deliverAt, ...(body.delay !== undefined && { delayMs: body.delay * 1000 }) };
}

/** Not a closure over the errors: every draft would pay for one. */
const refuse = (errors: FieldError[], path: string, message: string): void => void errors.push({ path, message });

function deliveryTime({ delay, at }: PublishBody, now: Millis, errors: FieldError[]): Millis | undefined {
  if (delay === undefined && at === undefined) return undefined;
  if (delay !== undefined && at !== undefined) refuse(errors, "/delay", "can't be combined with `at`");
  const time = delay === undefined ? instant("/at", at ?? "", errors) : now + delay * 1000;
  if (time > now + MAX_DELAY_SECONDS * 1000) refuse(errors, "/at", "must be at most 30 days ahead");
  return time > now ? time : undefined;
}

/** The RFC 3339 time in epoch ms; 0 if it is refused. */
function instant(path: string, text: string, errors: FieldError[]): Millis {
  const at = parseTime(text);
  if (at === undefined) refuse(errors, path, "must be an RFC 3339 time, for example 2026-11-20T18:00:00Z");
  return at ?? 0;
}

/** The URL as `new URL()` writes it; its length is measured after that. */
function absolute(path: string, text: string, taken: Addresses, errors: FieldError[]): string {
  const url = URL.parse(text);
  if (url === null || !taken.has(url)) refuse(errors, path, taken.rule);
  else if (url.href.length > MAX_URL_CHARACTERS)
    refuse(errors, path, `must be at most ${MAX_URL_CHARACTERS} characters`);
  return url?.href ?? "";
}

type Given = NonNullable<PublishBody["actions"]>[number];

function button(action: Given, index: number, errors: FieldError[]): Button {
  const label = oneLine(action.label);
  if (label === "") refuse(errors, `/actions/${index}/label`, "must contain more than control characters");
  if (action.copy !== undefined || action.broadcast !== undefined) return ofApp(action, label, index, errors);
  const url = absolute(
    `/actions/${index}/url`,
    action.url ?? "",
    action.method === undefined ? TO_OPEN : TO_FETCH,
    errors,
  );
  const { method, headers, body, clear } = action;
  if (method === undefined && (headers ?? body) !== undefined)
    refuse(errors, `/actions/${index}/method`, "is needed to send headers or a body");
  if ((method === "GET" || method === "HEAD") && body !== undefined)
    refuse(errors, `/actions/${index}/body`, `can't be sent with ${method}`);
  const made: Action = { label, url };
  if (method !== undefined) made.method = method;
  if (headers !== undefined) made.headers = headers;
  if (body !== undefined) made.body = body;
  if (clear === true) made.clear = true;
  return made;
}

function ofApp({ url, copy, broadcast, clear }: Given, label: string, index: number, errors: FieldError[]): AppAction {
  if (url !== undefined || (copy !== undefined && broadcast !== undefined))
    refuse(errors, `/actions/${index}`, "does one thing: `url`, `copy` or `broadcast`");
  return defined<AppAction>({ label, copy, broadcast, clear: clear === true || undefined });
}

/** NUL or half a surrogate pair, as `JSON.stringify` writes them: the strings of some readers cannot hold them. */
const UNREADABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function handedThrough(data: Record<string, unknown>, errors: FieldError[]): Record<string, unknown> {
  const json = JSON.stringify(data);
  if (Buffer.byteLength(json) > MAX_DATA_BYTES)
    refuse(errors, "/data", `must be at most ${MAX_DATA_BYTES} bytes of JSON`);
  else if (UNREADABLE.test(json)) refuse(errors, "/data", "must not contain NUL or half a surrogate pair");
  return data;
}
