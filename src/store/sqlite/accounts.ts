/** People and their sessions. */
import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, ne, sql } from "drizzle-orm";
import type { Person } from "../../accounts/person.ts";
import type { Session } from "../../accounts/session.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import { recordId } from "../../util/ids.ts";
import { foldName, MOST_SESSIONS, SESSION_IDLE_MS, type AccountStore, type NewPerson } from "../accounts.ts";
import { person, session } from "./accountschema.ts";
import { execute, prepared, type Orm } from "./connection.ts";
import type { Engine } from "./engine.ts";

const { placeholder } = sql;

type PersonRow = typeof person.$inferSelect;
type SessionRow = typeof session.$inferSelect;

function toPerson(row: PersonRow): Person {
  const { id, name, createdAt } = row;
  const made: Person = { id, name, isAdmin: row.isAdmin === 1, hasPassword: row.passwordHash !== null, createdAt };
  if (row.namespaces !== null) made.namespaces = JSON.parse(row.namespaces) as NamespaceId[];
  if (row.lastSeenAt !== null) made.lastSeenAt = row.lastSeenAt;
  return made;
}

const toSession = (row: SessionRow, personId: string): Session => {
  const { id, createdAt, seenAt, confirmedAt, address, agent } = row;
  return { id, personId, createdAt, seenAt, confirmedAt, address, agent };
};

const keptNamespaces = (ids: readonly NamespaceId[] | undefined): string | null =>
  ids === undefined ? null : JSON.stringify(ids);

/** Whether there is an admin. */
export interface Admins {
  /** From memory: every request to a server that nobody has claimed asks. */
  exist: boolean;
  /** Inside a job. */
  existNow(): boolean;
}

/** Makes a person, inside a job; whoever calls it notes a first admin in `Admins` after the commit. */
export type MakePerson = (spec: NewPerson) => Person | "name_taken";

export function personMaker({ write, clock }: Engine): MakePerson {
  const known = prepared(() =>
    write
      .select({ row: person.row })
      .from(person)
      .where(eq(person.folded, placeholder("folded"))),
  );
  const insert = prepared(() =>
    write
      .insert(person)
      .values({
        id: placeholder("id"),
        name: placeholder("name"),
        folded: placeholder("folded"),
        passwordHash: placeholder("passwordHash"),
        isAdmin: placeholder("isAdmin"),
        namespaces: placeholder("namespaces"),
        createdAt: placeholder("createdAt"),
      })
      .returning(),
  );
  return ({ name, passwordHash, isAdmin, namespaces }) => {
    const folded = foldName(name);
    if (known.all({ folded }).length > 0) return "name_taken";
    return toPerson(
      insert.get({
        ...{ id: recordId(), name, folded, passwordHash: passwordHash ?? null, isAdmin: isAdmin ? 1 : 0 },
        ...{ namespaces: keptNamespaces(namespaces), createdAt: clock.now() },
      }),
    );
  };
}

export function loadAdmins({ write }: Engine): Admins {
  const some = prepared(() => write.select({ row: person.row }).from(person).where(eq(person.isAdmin, 1)).limit(1));
  const existNow = () => some.all().length > 0;
  return { exist: existNow(), existNow };
}

/** Sessions that were idle for too long, inside a job; returns the rows that it took: fewer than `limit`, and nothing is left. */
export function sessionPurger({ write, clock }: Engine): (limit: number) => number {
  const purge = prepared(() =>
    write.delete(session).where(
      inArray(
        session.row,
        write
          .select({ row: session.row })
          .from(session)
          .where(lt(session.seenAt, placeholder("before")))
          .orderBy(asc(session.seenAt))
          .limit(placeholder("limit")),
      ),
    ),
  );
  return (limit) => execute(purge, { before: clock.now() - SESSION_IDLE_MS, limit }).changes;
}

/** For whoever looks at people and sessions: what the person has open stays as it is. */
const SHOWN = [{ kind: "hint", of: "person" }] as const;

interface Parts {
  admins: Admins;
  makePerson: MakePerson;
}

export function accountStore(engine: Engine, { admins, makePerson }: Parts): AccountStore {
  const { write, read, writer, clock } = engine;
  const q = queries(read, write);

  const stored = (id: string): PersonRow | undefined => q.byId.all({ id })[0];
  const isLastAdmin = (row: PersonRow): boolean => row.isAdmin === 1 && q.admins.all().length === 1;
  /** What the person has open looks again whom it is for. */
  const changed = (personId: string) => [{ kind: "person", personId } as const];

  return {
    people: async () => q.people.all().map(toPerson),
    person: async (id) => q.onRead.all({ id }).map(toPerson)[0],

    byName: async (name) => {
      const [row] = q.byName.all({ folded: foldName(name) });
      if (row === undefined) return undefined;
      return { person: toPerson(row), ...(row.passwordHash !== null && { passwordHash: row.passwordHash }) };
    },

    create: async (spec) =>
      writer.run(() => {
        const result = makePerson(spec);
        return {
          result,
          events: SHOWN,
          after: () => {
            admins.exist ||= result !== "name_taken" && result.isAdmin;
          },
        };
      }),

    change: async (id, patch) =>
      writer.run<Awaited<ReturnType<AccountStore["change"]>>>(() => {
        const row = stored(id);
        if (row === undefined) return { result: undefined };
        if (patch.isAdmin === false && isLastAdmin(row)) return { result: "last_admin" };
        const name = patch.name ?? row.name;
        const folded = foldName(name);
        if (q.others.all({ folded, id }).length > 0) return { result: "name_taken" };
        const { namespaces } = patch;
        const [next] = q.change.all({
          ...{ id, name, folded, isAdmin: (patch.isAdmin ?? row.isAdmin === 1) ? 1 : 0 },
          namespaces:
            namespaces === undefined ? row.namespaces : keptNamespaces(namespaces === "all" ? undefined : namespaces),
        });
        return {
          result: next && toPerson(next),
          events: changed(id),
          after: () => {
            admins.exist ||= patch.isAdmin === true;
          },
        };
      }),

    setPassword: async (id, passwordHash, keep) =>
      writer.run(() => {
        const row = stored(id);
        if (row === undefined) return { result: false };
        const renewed = keep && { id: keep.sessionId, person: row.row, hash: keep.hash, at: clock.now() };
        // first: whoever was signed out while the password was hashed sets none
        if (renewed !== undefined && execute(q.renew, renewed).changes === 0) return { result: false };
        q.setPassword.run({ id, passwordHash: passwordHash ?? null });
        q.closeOthers.run({ person: row.row, keep: keep?.sessionId ?? "" });
        return { result: true, events: changed(id) };
      }),

    remove: async (id) =>
      writer.run<boolean | "last_admin">(() => {
        const row = stored(id);
        if (row === undefined) return { result: false };
        if (isLastAdmin(row)) return { result: "last_admin" };
        q.closeOthers.run({ person: row.row, keep: "" });
        q.remove.run({ id });
        return { result: true, events: changed(id) };
      }),

    seen: async (id) =>
      writer.run(() => {
        q.seen.run({ id, at: clock.now() });
        return { result: undefined };
      }),

    open: async ({ personId, hash, address, agent, passwordHash }) =>
      writer.run(() => {
        const row = stored(personId);
        if (row === undefined || (passwordHash ?? row.passwordHash) !== row.passwordHash) return { result: undefined };
        const at = clock.now();
        const made = q.open.get({ id: recordId(), personRow: row.row, hash, at, address, agent });
        q.closeOldest.run({ person: row.row });
        q.seen.run({ id: personId, at });
        return { result: toSession(made, personId), events: SHOWN };
      }),

    bySession: async (hash) => {
      const [found] = q.bySession.all({ hash, after: clock.now() - SESSION_IDLE_MS });
      if (found === undefined) return undefined;
      return { session: toSession(found.session, found.person.id), person: toPerson(found.person) };
    },

    sessions: async (personId) => {
      const [row] = q.onRead.all({ id: personId });
      if (row === undefined) return [];
      const after = clock.now() - SESSION_IDLE_MS;
      return q.sessions.all({ person: row.row, after }).map((one) => toSession(one, personId));
    },

    touch: async (id, { address, agent }) =>
      writer.run(() => {
        const at = clock.now();
        const [touched] = q.touch.all({ id, at, address, agent });
        if (touched !== undefined) q.seenRow.run({ row: touched.personRow, at });
        return { result: undefined };
      }),

    confirm: async (id) => writer.run(() => ({ result: execute(q.confirm, { id, at: clock.now() }).changes > 0 })),

    close: async (personId, sessionId) =>
      writer.run(() => {
        const row = stored(personId);
        const closed = row !== undefined && execute(q.close, { person: row.row, id: sessionId }).changes > 0;
        return closed ? { result: true, events: changed(personId) } : { result: false };
      }),

    closeAll: async (personId, keep = "") =>
      writer.run(() => {
        const row = stored(personId);
        if (row === undefined) return { result: 0 };
        return { result: execute(q.closeOthers, { person: row.row, keep }).changes, events: changed(personId) };
      }),
  };
}

function queries(read: Orm, write: Orm) {
  const byId = eq(person.id, placeholder("id"));
  const sessionById = eq(session.id, placeholder("id"));
  const ofPerson = eq(session.personRow, placeholder("person"));
  const at = sql`${placeholder("at")}`;
  return {
    people: prepared(() => read.select().from(person).orderBy(asc(person.folded))),
    onRead: prepared(() => read.select().from(person).where(byId)),
    byName: prepared(() =>
      read
        .select()
        .from(person)
        .where(eq(person.folded, placeholder("folded"))),
    ),
    bySession: prepared(() =>
      read
        .select({ session: getTableColumns(session), person: getTableColumns(person) })
        .from(session)
        .innerJoin(person, eq(person.row, session.personRow))
        .where(and(eq(session.hash, placeholder("hash")), gt(session.seenAt, placeholder("after")))),
    ),
    sessions: prepared(() =>
      read
        .select()
        .from(session)
        .where(and(ofPerson, gt(session.seenAt, placeholder("after"))))
        .orderBy(desc(session.seenAt), desc(session.row)),
    ),

    byId: prepared(() => write.select().from(person).where(byId)),
    admins: prepared(() => write.select({ row: person.row }).from(person).where(eq(person.isAdmin, 1)).limit(2)),
    others: prepared(() =>
      write
        .select({ row: person.row })
        .from(person)
        .where(and(eq(person.folded, placeholder("folded")), ne(person.id, placeholder("id")))),
    ),
    change: prepared(() =>
      write
        .update(person)
        .set({
          name: sql`${placeholder("name")}`,
          folded: sql`${placeholder("folded")}`,
          isAdmin: sql`${placeholder("isAdmin")}`,
          namespaces: sql`${placeholder("namespaces")}`,
        })
        .where(byId)
        .returning(),
    ),
    setPassword: prepared(() =>
      write
        .update(person)
        .set({ passwordHash: sql`${placeholder("passwordHash")}` })
        .where(byId),
    ),
    remove: prepared(() => write.delete(person).where(byId)),
    seen: prepared(() => write.update(person).set({ lastSeenAt: at }).where(byId)),
    seenRow: prepared(() =>
      write
        .update(person)
        .set({ lastSeenAt: at })
        .where(eq(person.row, placeholder("row"))),
    ),

    open: prepared(() =>
      write
        .insert(session)
        .values({
          id: placeholder("id"),
          personRow: placeholder("personRow"),
          hash: placeholder("hash"),
          createdAt: placeholder("at"),
          seenAt: placeholder("at"),
          confirmedAt: placeholder("at"),
          address: placeholder("address"),
          agent: placeholder("agent"),
        })
        .returning(),
    ),
    closeOldest: prepared(() =>
      write.delete(session).where(
        inArray(
          session.row,
          write
            .select({ row: session.row })
            .from(session)
            .where(ofPerson)
            .orderBy(desc(session.seenAt), desc(session.row))
            .limit(1) // the one too many that was just made
            .offset(MOST_SESSIONS),
        ),
      ),
    ),
    touch: prepared(() =>
      write
        .update(session)
        .set({ seenAt: at, address: sql`${placeholder("address")}`, agent: sql`${placeholder("agent")}` })
        .where(sessionById)
        .returning({ personRow: session.personRow }),
    ),
    confirm: prepared(() => write.update(session).set({ confirmedAt: at }).where(sessionById)),
    renew: prepared(() =>
      write
        .update(session)
        .set({ hash: sql`${placeholder("hash")}`, confirmedAt: at })
        .where(and(sessionById, ofPerson)),
    ),
    close: prepared(() => write.delete(session).where(and(sessionById, ofPerson))),
    closeOthers: prepared(() => write.delete(session).where(and(ofPerson, ne(session.id, placeholder("keep"))))),
  };
}
