/** What a hook is: a URL that publishes to one topic, whatever is sent to it (API.md §9). */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { HookMap } from "./map.ts";

/** Row of a hook in the store; never leaves the server. */
export type HookRow = number & { readonly __brand: "HookRow" };

export const DIALECTS = ["slack", "discord", "github", "gotify", "apprise"] as const;
/** Whose webhooks a tool believes to post to. */
export type DialectName = (typeof DIALECTS)[number];

export interface HookSettings {
  name?: string;
  /** How its body is read and its client answered, where the URL does not say; absent: by the shape of the body. */
  as?: DialectName;
  map?: HookMap;
  /** Fields of a publish that hold where nobody says another. */
  defaults?: Record<string, unknown>;
  /** GET publishes too. */
  get?: true;
  /** What comes is not kept beside the message. */
  isForgetful?: true;
}

export interface Hook {
  row: HookRow;
  id: string;
  namespaceId: NamespaceId;
  namespace: string;
  topic: Pick<Topic, "id" | "key" | "name">;
  tokenGeneration: number;
  /** SHA-256 of the tokens that hold now. */
  tokenHash: string;
  gotifyHash: string;
  oldTokenUntil?: Millis;
  settings: HookSettings;
  createdAt: Millis;
  /** Requests that became a message, or wait to become one. */
  requests: number;
  lastUsedAt?: Millis;
  lastUsedFrom?: string;
  lastSource?: string;
}

/** How a request came to a hook: without what could be a secret. */
export interface CameBy {
  method: string;
  /** That the URL named; absent: none but the hook's own. */
  dialect?: DialectName;
  contentType?: string;
  userAgent?: string;
  /** The client's address. */
  from: string;
  query?: string;
  /** By their names in lower case. */
  headers?: Record<string, string>;
  /** `source` of the message. */
  source: string;
  /** Id of the message that waited for its time, where it was one. */
  scheduled?: string;
  /** Size of the body as it was sent, decompressed; absent: there was none. */
  bodyBytes?: number;
  /** Of the body, without its files, there was more than is kept. */
  isCut?: true;
  /** Names of the files that came with it. */
  files?: readonly string[];
}

/** A request that is kept for a while. */
export interface KeptRequest extends CameBy {
  /** Counted per hook. */
  n: number;
  at: Millis;
  /** Of the message that it became; absent: it waits for its time, or was cancelled before. */
  messageId?: number;
  /** Its beginning without files: at most 64 KiB; absent: there was none, or too much came at once. */
  body?: Uint8Array;
}
