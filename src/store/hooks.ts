/** The part of the port that keeps hooks and what came to them. Each method that writes is one transaction. */
import type { CameBy, Hook, HookRow, HookSettings, KeptRequest } from "../hooks/hook.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

export const HOOKS_PER_TOPIC = 20;
export const HOOKS_PER_NAMESPACE = 200;
/** Of a hook: the ring is that long. Another number needs a migration of `hook_request`. */
export const REQUESTS_KEPT = 20;
/** For so long. */
export const REQUESTS_KEPT_MS = 7 * 24 * 3_600_000;

/** SHA-256 of the tokens of a hook. */
export interface HookHashes {
  tokenHash: string;
  gotifyHash: string;
}

export interface NewHook extends HookHashes {
  namespaceId: NamespaceId;
  /** By name: made when it is new. By key: must exist. */
  topic: { name: string } | { key: string };
  id: string;
  settings: HookSettings;
}

export type MadeHook =
  | { kind: "made"; hook: Hook }
  | { kind: "unknown_topic" | "too_many_topics" | "too_many_of_topic" | "too_many_of_namespace" };

/** A token as its SHA-256: of a URL, or of its second name. */
export type HookToken = { url: string } | { gotify: string };

/** What a publish by a hook leaves with it, in the transaction of its message. */
export interface Use {
  row: HookRow;
  /** It has to be the hook's then, too. */
  token: HookToken;
  /** `source` and `scheduled` are those of the message. */
  came: Omit<CameBy, "source" | "scheduled">;
  body?: Uint8Array;
}

export interface HookStore {
  create(hook: NewHook): Promise<MadeHook>;
  find(namespaceId: NamespaceId, id: string): Promise<Hook | undefined>;
  /** Of a live topic; also by the token before, for as long as that works. */
  byToken(token: HookToken): Promise<Hook | undefined>;
  /** In the order in which they were made; `topicId`: those of one topic. */
  list(namespaceId: NamespaceId, topicId?: TopicId): Promise<Hook[]>;
  /** `change` is asked inside the transaction. Undefined: the hook is gone. A hook that turns forgetful forgets what was kept. */
  change(
    namespaceId: NamespaceId,
    id: string,
    change: (settings: HookSettings) => HookSettings,
  ): Promise<Hook | undefined>;
  /**
   * New tokens for the hook as it was read; the old ones work until `oldUntil`, those before no longer. Undefined: the hook
   * is gone, or was rotated since.
   */
  rotate(hook: Hook, hashes: HookHashes, oldUntil: Millis): Promise<Hook | undefined>;
  /** With what came to it. False: it was gone already. */
  remove(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /** The latest ones, newest first. */
  requests(hook: Hook): Promise<KeptRequest[]>;
  /** Those that became these messages of a topic, by message id. */
  requestsOf(topicId: TopicId, messageIds: readonly number[]): Promise<ReadonlyMap<number, KeptRequest>>;
  /** Takes all of them away. */
  forget(hook: Hook): Promise<void>;
  /** Whether there is one, in whatever namespace. */
  exist(): Promise<boolean>;
}
