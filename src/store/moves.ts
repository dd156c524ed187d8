/** The part of the port for imports: records of another server, or of another time, are put in place (docs/moving.md). */
import type { StoredFile } from "../files/file.ts";
import type { FilePiece, MoveRecord, NewCheckRecord, ServerSecretRecord } from "../moves/record.ts";
import type { Millis } from "../util/clock.ts";

/** Why a record was left out. */
export type LeftOut =
  /** The topic has newer messages already, and its order is that of time. */
  | "older"
  /** Retention would delete it at once. */
  | "expired"
  /** Its time has passed, or its check, topic or namespace is not there. */
  | "passed"
  | "unknown_check"
  | "unknown_topic"
  /** It needs a secret that the export does not have. */
  | "no_secret"
  /** Somebody else has its slug, name, key or token. */
  | "taken"
  | "too_many_topics"
  | "too_many_checks"
  | "too_many_hooks"
  | "too_many_scheduled"
  | "too_many_devices"
  /** A file for which `PEAL_FILES` or the disk has no room. */
  | "no_room"
  /** A setting of it is wrong here. */
  | "invalid";

export type Imported = "created" | "exists" | LeftOut;

/** What the store cannot work out: it is given with each record that needs it. */
export type Prepared = Exclude<MoveRecord, NewCheckRecord | ServerSecretRecord | FilePiece> & {
  /** For a message: the files that are on disk for it, held. */
  files?: readonly StoredFile[];
  /** For a check: when it is due. */
  dueAt?: Millis | undefined;
  /** For a topic that comes without its key, a check or a hook that comes without its token. */
  made?: { tokenHash: string; gotifyHash: string; badgeToken: string };
};

export interface MoveStore {
  /**
   * Puts records in place, in their order and in one transaction; answers what became of each. Nobody is notified, and nothing
   * that is there is changed. `isDry`: nothing is stored. `days`: the server's own retention; 0 is none.
   */
  apply(records: readonly Prepared[], how: { isDry: boolean; days: number }): Promise<Imported[]>;
  /** The key pair for browsers, for a server that has none. False: it has one. */
  keepVapid(text: string, isDry: boolean): Promise<boolean>;
}
