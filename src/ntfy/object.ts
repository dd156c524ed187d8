/** A message as ntfy's clients read it (NTFY.md §3; ntfy 2.27, model/model.go). Pure. */
import { type Button, type Draft, hasUrl, type Level, type Priority } from "../drafts/draft.ts";
import { fileUrl, type Attachment } from "../files/file.ts";
import { feedUrl, messageUrl } from "../http/urls.ts";
import { draftOf, type Message } from "../messages/message.ts";
import { nameAt } from "../messages/reading/ntfy.ts";
import type { Epochs } from "../store/epochs.ts";
import type { Scheduled } from "../store/scheduled.ts";
import type { Topic } from "../topics/topic.ts";
import { DAY, SECOND, type Millis } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { graphemeEnd } from "../util/text/text.ts";
import { idAt } from "./id.ts";

/**
 * The most bytes of JSON that ntfy's own command reads (client/client.go, 2.27): 4,096 of an answer, 65,536 of a line, each with
 * some room.
 */
export const MAX_ANSWER_BYTES = 4_000;
export const MAX_LINE_BYTES = 60_000;

interface NtfyAction {
  id: string;
  action: "view" | "http" | "copy" | "broadcast";
  label: string;
  clear: boolean;
  /** Of `view` and `http`. */
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Of `copy`. */
  value?: string;
  /** Of `broadcast`. */
  intent?: string;
  extras?: Record<string, string>;
}

interface NtfyAttachment {
  name: string;
  type?: string;
  /** Bytes. */
  size?: number;
  /** Unix time in seconds. */
  expires?: number;
  url: string;
}

/** What happens to a message: it comes, it is deleted on the phone, or it is marked as read there. */
export type MessageEvent = "message" | "message_delete" | "message_clear";

/** Absent fields are absent, never null. */
export interface NtfyObject {
  id: string;
  /** Unix time in seconds, as `expires`. */
  time: number;
  expires?: number;
  event: MessageEvent;
  topic: string;
  sequence_id?: string;
  title?: string;
  message?: string;
  /** 1 to 5; absent: 3. */
  priority?: number;
  tags?: readonly string[];
  click?: string;
  icon?: string;
  actions?: NtfyAction[];
  attachment?: NtfyAttachment;
  content_type?: "text/markdown";
}

/** What an object says besides its message. */
export interface Telling {
  topic: Pick<Topic, "id" | "namespace" | "key" | "retentionDays">;
  /** The topic as the client named it. */
  asked: string;
  /** Of absolute URLs. */
  base: string;
  epochs: Pick<Epochs, "of">;
  /** How many days the server keeps messages; 0: for ever. */
  days: number;
}

/** The object of a stored message. */
export const objectOf = (message: Message, telling: Telling): NtfyObject =>
  told(draftOf(message), { id: idAt(telling.epochs, telling.topic.id, message), at: message.createdAt, ...telling });

/** The object of a message that waits for its time, which is its `time`. `id`: nobody has given it a number yet. */
export const objectOfScheduled = ({ draft, deliverAt }: Scheduled, id: string, telling: Telling): NtfyObject =>
  told(draft, { id, at: deliverAt, ...telling });

/** What a reader of several topics is told in one that is no more. */
export const MISSING =
  "This topic has a new link, or was deleted: no more messages will come here. Remove it, and follow its new link.";

/** The same as a message of that topic. `key`: the topic as the client named it. */
export const objectOfMissing = (key: string, id: string, now: Millis): NtfyObject => ({
  id,
  time: seconds(now),
  event: "message",
  topic: key,
  title: "This topic no longer exists",
  message: MISSING,
  tags: ["warning"],
});

const EVENTS: Readonly<Record<string, MessageEvent>> = {
  "ntfy:delete": "message_delete",
  "ntfy:clear": "message_clear",
};

/** The source of a message that is to have this event. */
export const sourceOfEvent = (event: "message_delete" | "message_clear"): string =>
  event === "message_delete" ? "ntfy:delete" : "ntfy:clear";

export const eventOf = ({ source }: Pick<Draft, "source">): MessageEvent => EVENTS[source] ?? "message";

/** With those that a phone shows for its level, if its publisher gave none. */
export const tagsOf = ({ tags, level }: Pick<Draft, "tags" | "level">): readonly string[] => tags ?? TAGS[level];

const seconds = (at: Millis): number => Math.floor(at / SECOND);

function told(draft: Draft, { id, at, topic, asked, base, days }: Telling & { id: string; at: Millis }): NtfyObject {
  const kept = topic.retentionDays ?? days;
  const event = eventOf(draft);
  const made: NtfyObject = {
    ...{ id, time: seconds(at) },
    ...(kept > 0 && { expires: seconds(at + kept * DAY) }),
    ...{ event, topic: asked },
    ...(draft.dedup_key !== undefined && { sequence_id: draft.dedup_key }),
  };
  if (event !== "message") return made;
  const priority = PRIORITIES[draft.priority];
  const tags = tagsOf(draft);
  const attachment = attachmentOf(draft, topic, base);
  return {
    ...made,
    ...(draft.title !== undefined && { title: draft.title }),
    message: textOf(draft, topic, base),
    ...(priority !== undefined && { priority }),
    ...(tags.length > 0 && { tags }),
    ...(draft.url !== undefined && { click: draft.url }),
    ...(draft.icon !== undefined && { icon: draft.icon }),
    ...(draft.actions !== undefined && { actions: draft.actions.map((action, n) => actionOf(action, id, n)) }),
    ...(attachment !== undefined && { attachment }),
    ...(draft.format === "markdown" && { content_type: "text/markdown" }),
  };
}

/** Normal is not said. */
const PRIORITIES: Readonly<Record<Priority, number | undefined>> = { low: 2, normal: undefined, high: 4, urgent: 5 };

/** Short codes of emoji, which the apps show before the title. */
const TAGS: Readonly<Record<Level, readonly string[]>> = {
  info: [],
  success: ["white_check_mark"],
  warning: ["warning"],
  error: ["rotating_light"],
};

/** Its id is 10 letters and digits, as at ntfy, and the same whenever the message is told. */
function actionOf(button: Button, id: string, n: number): NtfyAction {
  const { label, clear = false } = button;
  const all = { id: `${id.slice(-9)}${n}`, label, clear };
  if (!hasUrl(button)) {
    const { copy, broadcast } = button;
    return copy === undefined ? { ...all, action: "broadcast", ...broadcast } : { ...all, action: "copy", value: copy };
  }
  const { url, method, headers, body } = button;
  const action = method === undefined ? "view" : "http";
  return { ...all, action, ...defined({ url, method, headers, body }) };
}

/** There is one at most: a file that came with the message, else its picture if it is more than an icon. */
function attachmentOf(
  { attachments, image, icon }: Draft,
  topic: Pick<Topic, "namespace" | "key">,
  base: string,
): NtfyAttachment | undefined {
  const file = attachments?.[0];
  if (file !== undefined) return ofFile(file, topic, base);
  return image === undefined || image === icon ? undefined : { name: nameAt(image), url: image };
}

/** The text, with a line for each file after the first: ntfy's object has one. */
function textOf({ message, attachments = [] }: Draft, topic: Pick<Topic, "namespace" | "key">, base: string): string {
  const others = attachments.slice(1).map((file) => `- ${file.name}: ${fileUrl(base, topic, file)}`);
  return others.length === 0 ? message : [message, "", ...others].join("\n");
}

const ofFile = (file: Attachment, topic: Pick<Topic, "namespace" | "key">, base: string): NtfyAttachment => ({
  ...{ name: file.name, type: file.type, size: file.size },
  expires: seconds(Date.parse(file.expires_at)),
  url: fileUrl(base, topic, file),
});

/** Where the whole message can be read. */
export const wholeUrl = (base: string, topic: Pick<Topic, "namespace" | "key">, id?: number): string => {
  const feed = feedUrl(base, topic);
  return id === undefined ? feed : messageUrl(feed, id);
};

/**
 * The JSON of an object in at most `max` bytes: of a longer one the message is cut between two graphemes, with `…` and the
 * address of the whole behind it. If that is not enough, what is longest goes first.
 */
export function written(object: NtfyObject, max: number, whole: string): string {
  const json = jsonOf(object);
  if (Buffer.byteLength(json) <= max) return json;
  const end = `…\n${whole}`;
  const { message = "", ...rest } = object;
  const left = [rest, ...EXPENDABLE.map((_, n) => without(rest, EXPENDABLE.slice(0, n + 1)))];
  for (const fields of left) {
    if (bytesOf({ ...fields, message }) <= max) return jsonOf({ ...fields, message });
    const room = max - bytesOf({ ...fields, message: end });
    if (room >= 0) return jsonOf({ ...fields, message: `${beginning(message, room)}${end}` });
  }
  return jsonOf(without(object, [...EXPENDABLE, "message"]));
}

/** In which order fields are left out. The feed has them all. */
const EXPENDABLE = ["actions", "attachment", "icon", "click", "tags", "title"] as const;

/** What a client may take for the end of a line: the iPhone's app splits a poll at every one that Unicode has. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const jsonOf = (fields: object): string => JSON.stringify(fields).replace(LINE_ENDS, escaped);
const bytesOf = (fields: object): number => Buffer.byteLength(jsonOf(fields));

function without<T extends object>(fields: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as Partial<T>;
}

/** The longest beginning of the text that takes at most `room` bytes as a part of a JSON string. */
function beginning(text: string, room: number): string {
  let [at, bytes] = [0, 0];
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    bytes += bytesInJson(point);
    if (bytes > room) return text.slice(0, graphemeEnd(text, at));
    at += point > 0xffff ? 2 : 1;
  }
  return text;
}

const [QUOTE, BACKSLASH, SPACE] = [0x22, 0x5c, 0x20];
/** Controls with an escape of two characters: backspace, tab, line feed, form feed, carriage return. */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13]);
/** Other controls, halves of a surrogate pair, and ends of lines: an escape of six. */
const LONG_ESCAPE = 6;

/** How many bytes a character takes in the text that `jsonOf` makes. */
function bytesInJson(point: number): number {
  if (point === QUOTE || point === BACKSLASH || SHORT_ESCAPES.has(point)) return 2;
  if (point < SPACE || point === 0x85 || point === 0x2028 || point === 0x2029) return LONG_ESCAPE;
  if (point >= 0xd800 && point <= 0xdfff) return LONG_ESCAPE;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
}
