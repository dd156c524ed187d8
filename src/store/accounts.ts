/** The part of the port for people and their sessions. Each method is one transaction. */
import type { Person } from "../accounts/person.ts";
import type { Session } from "../accounts/session.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { fold } from "../util/text/fold.ts";
import { DAY } from "../util/clock.ts";

/** An idle session ends after this time, and the sweeper deletes it. */
export const SESSION_IDLE_MS = 30 * DAY;
/** The most sessions of a person; the one that was idle for longest is dropped. */
export const MOST_SESSIONS = 100;

/** Folds names that people would take for the same: case, blanks around them, and ways to write a letter. */
export const foldName = (name: string): string => fold(name.trim());

export interface NewPerson {
  /** In the form of `personName`. */
  name: string;
  /** Absent: only a trusted proxy signs the person in. */
  passwordHash?: string;
  isAdmin: boolean;
  /** Absent: all. */
  namespaces?: readonly NamespaceId[];
}

/** Absent fields stay. */
export interface PersonPatch {
  name?: string;
  isAdmin?: boolean;
  namespaces?: readonly NamespaceId[] | "all";
}

export interface NewSession {
  personId: string;
  /** SHA-256 of the cookie's content. */
  hash: string;
  address: string;
  agent: string;
  /** The hash that the password matched: it has to be the person's still. */
  passwordHash?: string;
}

export interface AccountStore {
  /** In the order of their names. */
  people(): Promise<Person[]>;
  person(id: string): Promise<Person | undefined>;
  /** Finds a person by name in any case, with the hash that a password is checked against. */
  byName(name: string): Promise<{ person: Person; passwordHash?: string } | undefined>;
  create(person: NewPerson): Promise<Person | "name_taken">;
  /** `last_admin`: nobody else is one, and there has to be one. */
  change(id: string, patch: PersonPatch): Promise<Person | "name_taken" | "last_admin" | undefined>;
  /**
   * Sets a new password, or none: all sessions of the person end but `keep`, which continues under a new `hash`. False: there is
   * no such person, or `keep` is no longer one of their sessions; then nothing is changed.
   */
  setPassword(
    id: string,
    passwordHash: string | undefined,
    keep?: { sessionId: string; hash: string },
  ): Promise<boolean>;
  /** Removes the person with all sessions. False: there is no such person. */
  remove(id: string): Promise<boolean | "last_admin">;
  /** Notes that a person was seen who has no session. */
  seen(id: string): Promise<void>;

  /** Signs a person in; undefined if the person is gone or has another password. */
  open(session: NewSession): Promise<Session | undefined>;
  /** By SHA-256 of the cookie's content; a session that was idle for too long is not found. */
  bySession(hash: string): Promise<{ session: Session; person: Person } | undefined>;
  /** Sessions that were not idle for too long, the latest seen first. */
  sessions(personId: string): Promise<Session[]>;
  /** Notes that it is in use, and from where. */
  touch(sessionId: string, from: Pick<Session, "address" | "agent">): Promise<void>;
  /** Notes that its password was given. False: it has ended. */
  confirm(sessionId: string): Promise<boolean>;
  /** Ends a session. False: the person has no such session. */
  close(personId: string, sessionId: string): Promise<boolean>;
  /** Ends all but `keep`; resolves to how many. */
  closeAll(personId: string, keep?: string): Promise<number>;
}
