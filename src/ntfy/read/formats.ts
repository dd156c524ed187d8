/** How ntfy writes a stream: lines of JSON, server-sent events, plain lines, or text messages of a WebSocket (ntfy 2.27, server/server.go). */
import type { Deps } from "../../deps.ts";
import type { Format, Frame, Particular, Told } from "../../messages/events/format.ts";
import { hasFiles, type Message } from "../../messages/message.ts";
import type { TopicId, TopicOfMessage } from "../../topics/topic.ts";
import { SECOND, type Millis } from "../../util/clock.ts";
import type { AskedTopic } from "../address.ts";
import type { Scheduled } from "../../store/scheduled.ts";
import { idOfNotice, idOfWaiting, newId } from "../id.ts";
import {
  MAX_LINE_BYTES,
  MISSING,
  objectOf,
  objectOfMissing,
  objectOfScheduled,
  wholeUrl,
  written,
  type NtfyObject,
} from "../object.ts";

const SHAPES = ["json", "sse", "raw", "ws"] as const;
export type Shape = (typeof SHAPES)[number];

type FormatDeps = { store: Pick<Deps["store"], "epochs">; config: Pick<Deps["config"], "retention"> };

/** What a reader calls a topic. */
type Name = (topic: TopicOfMessage) => string;
const byKey: Name = ({ key }) => key;
const byName: Name = ({ name }) => name;

export interface NtfyFormat extends Format {
  /** A message that waits for its time. */
  waiting(scheduled: Scheduled, base: string): Frame;
  /** Tells a reader of several topics that this one is no more. */
  missing(key: string, now: Millis): Frame;
}

/** The formats of a server. */
export interface Formats {
  /** Readers who call all topics by their keys share one, and those who call all by their names. */
  of(shape: Shape, topics: readonly AskedTopic[]): NtfyFormat;
}

export function createFormats(deps: FormatDeps): Formats {
  const shared = new Map(
    [byKey, byName].map((name) => [name, new Map(SHAPES.map((shape) => [shape, formatOf(deps, shape, name)]))]),
  );
  return {
    of: (shape, topics) => {
      const name = [byKey, byName].find((name) => topics.every(({ topic, asked }) => name(topic) === asked));
      const known = name && shared.get(name)?.get(shape);
      return known ?? formatOf(deps, shape, mixed(topics));
    },
  };
}

function mixed(topics: readonly AskedTopic[]): Name {
  const names = new Map<TopicId, string>(topics.map(({ topic, asked }) => [topic.id, asked]));
  return ({ id, key }) => names.get(id) ?? key;
}

interface Writing {
  /** Absent: a WebSocket. */
  contentType?: string;
  /** `json`: one line. */
  message: (json: string, message: ToldAs) => string;
  /** `open` and `keepalive`. */
  sign: (event: string, json: string) => string;
}
interface ToldAs {
  id: string;
  event: string;
  text: string;
}

/** The charset is said because an older app reads Latin-1 without it. */
const WRITING: Readonly<Record<Shape, Writing>> = {
  json: {
    contentType: "application/x-ndjson; charset=utf-8",
    message: (json) => `${json}\n`,
    sign: (_, json) => `${json}\n`,
  },
  // ntfy gives events no id; with one, a browser that connects again resumes
  sse: {
    contentType: "text/event-stream; charset=utf-8",
    message: (json, { id }) => `id: ${id}\ndata: ${json}\n\n`,
    sign: (event, json) => `event: ${event}\ndata: ${json}\n\n`,
  },
  raw: {
    contentType: "text/plain; charset=utf-8",
    message: (_, { event, text }) => (event === "message" ? `${text.replaceAll(/\r?\n/g, " ")}\n` : "\n"),
    sign: () => "\n",
  },
  ws: { message: (json) => json, sign: (_, json) => json },
};

/** The content type of a shape; undefined: a WebSocket. */
export const typeOf = (shape: Shape): string | undefined => WRITING[shape].contentType;

/** Every third of peal's heartbeats, which come every 15 s: as often as ntfy sends one. WebSockets are pinged by Bun. */
const KEEPALIVE_EVERY = 3;

/** Less than this is not cut, whatever it looks like in ntfy's form. */
const SURELY_WHOLE = MAX_LINE_BYTES / 2;

const encoder = new TextEncoder();

function formatOf({ store: { epochs }, config }: FormatDeps, shape: Shape, name: Name): NtfyFormat {
  const { contentType, message: inShape, sign } = WRITING[shape];
  const frame = (text: string): Frame => (contentType === undefined ? text : encoder.encode(text));
  const signed = (event: "open" | "keepalive", { now, asked }: Particular) =>
    frame(sign(event, JSON.stringify({ id: newId(), time: Math.floor(now / SECOND), event, topic: asked })));
  const telling = (topic: TopicOfMessage, base: string) => ({
    ...{ topic, asked: name(topic), base, epochs, days: config.retention.days },
  });
  const framed = (object: NtfyObject, text: string, whole: string) =>
    frame(inShape(written(object, MAX_LINE_BYTES, whole), { id: object.id, event: object.event, text }));
  return {
    ...(contentType !== undefined && { contentType }),
    opening: (_, particular) => signed("open", particular),
    message: ({ topic, message, draft }: Told, base) =>
      framed(objectOf(message, telling(topic, base)), draft.message, wholeUrl(base, topic, message.id)),
    waiting: (scheduled, base) => {
      const { topic, draft } = scheduled;
      const object = objectOfScheduled(scheduled, idOfWaiting(scheduled), telling(topic, base));
      return framed(object, draft.message, wholeUrl(base, topic));
    },
    missing: (key, now) => framed(objectOfMissing(key, idOfNotice(key, now), now), MISSING, ""),
    isOfBase: (message: Message) => hasFiles(message) || Buffer.byteLength(message.json) > SURELY_WHOLE,
    heartbeat: (beat, particular) =>
      contentType === undefined || beat % KEEPALIVE_EVERY !== 0 ? undefined : signed("keepalive", particular),
  };
}
