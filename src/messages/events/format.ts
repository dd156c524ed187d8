/** How a stream is written: as peal's own events (frame.ts), or as those of another server that its readers know. */
import type { Draft } from "../../drafts/draft.ts";
import type { TopicOfMessage } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import type { Message } from "../message.ts";
import type { Position } from "./resume.ts";

/** Bytes of a stream, or a text message of a WebSocket. */
export type Frame = Uint8Array | string;

/** What a feed says about itself; topics by their keys. */
export type About = { namespace: string; topic?: string } | { topics: readonly string[] };

/** How a stream begins. */
export interface Beginning {
  /** A reader who is cut off before the first message resumes there. */
  place: Required<Position>;
  about: About;
  /** The newest id of the feed. */
  lastId: number;
  /** This database lacks what the reader resumes from. */
  isReset: boolean;
}

/** What the frames of one stream alone depend on. */
export interface Particular {
  now: Millis;
  /** The feed, as the reader named it. */
  asked: string;
}

/** A message as formats see it. */
export interface Told {
  readonly place: Required<Position>;
  readonly topic: TopicOfMessage;
  readonly message: Message;
  /** Parsed when it is first asked for. */
  readonly draft: Draft;
}

/** One object for all its readers: they share the bytes of a message. */
export interface Format {
  /** The type of the answer; absent: the stream is a WebSocket. */
  readonly contentType?: string;
  /** First in a stream; undefined: nothing. */
  opening(beginning: Beginning, particular: Particular): Frame | undefined;
  message(told: Told, base: string): Frame;
  /** The frame of a message differs from base to base. */
  isOfBase(message: Message): boolean;
  /** Keeps a silent connection open, if this is the turn for it: `beat` counts every 15 s. */
  heartbeat(beat: number, particular: Particular): Frame | undefined;
  /** Last, when a topic's key no longer works; absent: the stream just ends. */
  readonly gone?: Frame;
  /** Last before a shutdown: the reader is to connect again after so many milliseconds. */
  retry?(ms: number): Frame;
}
