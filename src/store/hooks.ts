/** The part of the port for hooks and their requests. Each method that writes is one transaction. */
import type { CameBy, Hook, HookRow, HookSettings, KeptRequest } from "../hooks/hook.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { TopicId } from "../topics/topic.ts";
import { DAY, type Millis } from "../util/clock.ts";

export const HOOKS_PER_TOPIC = 20;
export const HOOKS_PER_NAMESPACE = 200;
/** The length of a hook's ring of requests. Another number needs a migration of `hook_request`. */
export const REQUESTS_KEPT = 20;
/** How long they are kept. */
export const REQUESTS_KEPT_MS = 7 * DAY;

/** SHA-256 of the tokens of a hook. */
export interface HookHashes {
  tokenHash: string;
  gotifyHash: string;
}

export interface NewHook extends HookHashes {
  namespaceId: NamespaceId;
  /** By name: made if it is new. By key: must exist. */
  topic: { name: string } | { key: string };
  id: string;
  settings: HookSettings;
}

export type MadeHook =
  | { kind: "made"; hook: Hook }
  | { kind: "unknown_topic" | "too_many_topics" | "too_many_of_topic" | "too_many_of_namespace" };

/** A token as its SHA-256: that of the URL, or the one for Gotify's clients. */
export type HookToken = { url: string } | { gotify: string };

/** What a publish by a hook stores with the hook, in the transaction of its message. */
export interface Use {
  row: HookRow;
  /** It has to be the hook's at that time, too. */
  token: HookToken;
  /** `source` and `scheduled` are those of the message. */
  came: Omit<CameBy, "source" | "scheduled">;
  body?: Uint8Array;
}

export interface HookStore {
  create(hook: NewHook): Promise<MadeHook>;
  find(namespaceId: NamespaceId, id: string): Promise<Hook | undefined>;
  /** The hook of a live topic; its previous token is found too, for as long as it works. */
  byToken(token: HookToken): Promise<Hook | undefined>;
  /** In the order in which they were made; `topicId`: those of one topic. */
  list(namespaceId: NamespaceId, topicId?: TopicId): Promise<Hook[]>;
  /** `change` is called in the transaction. Undefined: the hook is gone. One that turns forgetful forgets what was kept. */
  change(
    namespaceId: NamespaceId,
    id: string,
    change: (settings: HookSettings) => HookSettings,
  ): Promise<Hook | undefined>;
  /**
   * Gives the hook, as it was read, new tokens; the old ones work until `oldUntil`, older ones no longer. Undefined: the hook is
   * gone, or was rotated since.
   */
  rotate(hook: Hook, hashes: HookHashes, oldUntil: Millis): Promise<Hook | undefined>;
  /** Deletes it with its requests. False: it was already gone. */
  remove(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /** The requests that are kept, newest first. */
  requests(hook: Hook): Promise<KeptRequest[]>;
  /** Requests that became these messages of a topic, by message id. */
  requestsOf(topicId: TopicId, messageIds: readonly number[]): Promise<ReadonlyMap<number, KeptRequest>>;
  /** Deletes its requests. */
  forget(hook: Hook): Promise<void>;
  /** Whether any namespace has a hook. */
  exist(): Promise<boolean>;
}
