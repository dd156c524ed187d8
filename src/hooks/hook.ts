/** A hook: a URL that publishes to one topic, whatever is sent to it (API.md §9). */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { HookMap } from "./map.ts";

/** Row of a hook in the store; never leaves the server. */
export type HookRow = number & { readonly __brand: "HookRow" };

export const DIALECTS = ["slack", "discord", "github", "gotify", "apprise"] as const;
/** The service that a tool believes it is posting to. */
export type DialectName = (typeof DIALECTS)[number];

export interface HookSettings {
  name?: string;
  /** How its body is read and its client answered if the URL does not say; absent: by the shape of the body. */
  as?: DialectName;
  map?: HookMap;
  /** Fields of a publish that count if nobody gives others. */
  defaults?: Record<string, unknown>;
  /** A GET publishes too. */
  get?: true;
  /** Its requests are not kept beside the messages. */
  isForgetful?: true;
}

export interface Hook {
  row: HookRow;
  id: string;
  namespaceId: NamespaceId;
  namespace: string;
  topic: Pick<Topic, "id" | "key" | "name">;
  tokenGeneration: number;
  /** SHA-256 of the tokens that are valid now. */
  tokenHash: string;
  gotifyHash: string;
  oldTokenUntil?: Millis;
  settings: HookSettings;
  createdAt: Millis;
  /** How many requests became a message, or wait to become one. */
  requests: number;
  lastUsedAt?: Millis;
  lastUsedFrom?: string;
  lastSource?: string;
}

/** How a request came to a hook, without anything that could be a secret. */
export interface CameBy {
  method: string;
  /** The dialect that the URL named; absent: it named none. */
  dialect?: DialectName;
  contentType?: string;
  userAgent?: string;
  /** The client's address. */
  from: string;
  query?: string;
  /** By name in lower case. */
  headers?: Record<string, string>;
  /** The `source` of the message. */
  source: string;
  /** The id of the message while it waits for its time, if it does. */
  scheduled?: string;
  /** Size of the body in bytes as it was sent, decompressed; absent if there was none. */
  bodyBytes?: number;
  /** The body, without its files, was longer than what is kept. */
  isCut?: true;
  /** Names of the files that came with it. */
  files?: readonly string[];
}

/** A request that is kept for a while. */
export interface KeptRequest extends CameBy {
  /** Counted for each hook. */
  n: number;
  at: Millis;
  /** The id of the message that it became; absent while that waits for its time, or if it was cancelled. */
  messageId?: number;
  /** The body's beginning without files, at most 64 KiB; absent if there was none, or too much came at once. */
  body?: Uint8Array;
}
