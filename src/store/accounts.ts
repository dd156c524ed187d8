/** The part of the port that keeps people and their sessions. Each method is one transaction. */
import type { Person } from "../accounts/person.ts";
import type { Session } from "../accounts/session.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { fold } from "../util/text/fold.ts";

/** A session that nobody uses ends after this, and the sweeper takes it. */
export const SESSION_IDLE_MS = 30 * 24 * 3_600_000;
/** Of a person at the same time: the one that was not used for longest leaves. */
export const MOST_SESSIONS = 100;

/** Names that people would take for one another are one: without case, blanks around, and the ways to write a letter. */
export const foldName = (name: string): string => fold(name.trim());

export interface NewPerson {
  /** As `personName` gives it. */
  name: string;
  /** Absent: only a trusted proxy signs them in. */
  passwordHash?: string;
  isAdmin: boolean;
  /** Absent: all. */
  namespaces?: readonly NamespaceId[];
}

/** What is absent stays. */
export interface PersonPatch {
  name?: string;
  isAdmin?: boolean;
  namespaces?: readonly NamespaceId[] | "all";
}

export interface NewSession {
  personId: string;
  /** SHA-256 of what the cookie holds. */
  hash: string;
  address: string;
  agent: string;
  /** By which the password was found right: it has to hold still. */
  passwordHash?: string;
}

export interface AccountStore {
  /** By name. */
  people(): Promise<Person[]>;
  person(id: string): Promise<Person | undefined>;
  /** Without regard to case; with what their password is checked by. */
  byName(name: string): Promise<{ person: Person; passwordHash?: string } | undefined>;
  create(person: NewPerson): Promise<Person | "name_taken">;
  /** `last_admin`: there has to be one. */
  change(id: string, patch: PersonPatch): Promise<Person | "name_taken" | "last_admin" | undefined>;
  /**
   * A new password, or none: all sessions of the person end, but for `keep`, which goes on under a new `hash`. False: there
   * is no such person, or `keep` is no session of theirs any more; then nothing is changed.
   */
  setPassword(
    id: string,
    passwordHash: string | undefined,
    keep?: { sessionId: string; hash: string },
  ): Promise<boolean>;
  /** With all sessions. False: there is no such person. */
  remove(id: string): Promise<boolean | "last_admin">;
  /** A person without a session was seen. */
  seen(id: string): Promise<void>;

  /** Signs a person in; undefined: there is no such person any more, or another password. */
  open(session: NewSession): Promise<Session | undefined>;
  /** By SHA-256 of what the cookie holds; whoever is idle for too long is nobody. */
  bySession(hash: string): Promise<{ session: Session; person: Person } | undefined>;
  /** Those that are not idle for too long, the latest seen first. */
  sessions(personId: string): Promise<Session[]>;
  /** Is in use, from there. */
  touch(sessionId: string, from: Pick<Session, "address" | "agent">): Promise<void>;
  /** Its password was given. False: it has ended. */
  confirm(sessionId: string): Promise<boolean>;
  /** False: the person has no such session. */
  close(personId: string, sessionId: string): Promise<boolean>;
  /** All but `keep`; how many there were. */
  closeAll(personId: string, keep?: string): Promise<number>;
}
