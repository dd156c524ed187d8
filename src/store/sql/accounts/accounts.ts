/** People: their rows, and the store's methods on them. */
import { and, asc, eq, ne } from "drizzle-orm";
import type { Person } from "../../../accounts/person.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { recordId } from "../../../util/ids.ts";
import { foldName, type AccountStore, type NewPerson } from "../../accounts.ts";
import { person } from "../schema/accounts.ts";
import { withoutNulls } from "../columns.ts";
import { placeholders, prepared, pick } from "../statements.ts";
import { silently } from "../job.ts";
import type { Engine } from "../engine.ts";
import { changed, personFinder, SHOWN, toPerson, type PersonRow } from "./rows.ts";
import { sessionsOn, type Sessions } from "./sessions.ts";

const given = placeholders<typeof person, "at">();

const keptNamespaces = (ids: readonly NamespaceId[] | undefined): string | null =>
  ids === undefined ? null : JSON.stringify(ids);

/** Knows whether there is an admin. */
export interface Admins {
  /** From memory: every request to an unclaimed server asks. */
  exist: boolean;
  /** Inside a job. */
  existNow(): boolean;
}

/** Makes a person, inside a job; the caller notes a first admin in `Admins` after the commit. */
export type MakePerson = (spec: NewPerson) => Person | "name_taken";

export function personMaker({ write, clock }: Engine): MakePerson {
  const known = prepared(() => write.select({ row: person.row }).from(person).where(eq(person.folded, given.folded)));
  const insert = prepared(() =>
    write
      .insert(person)
      .values(pick(given, "id", "name", "folded", "passwordHash", "isAdmin", "namespaces", "createdAt"))
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

interface Parts {
  admins: Admins;
  makePerson: MakePerson;
}

export function accountStore(engine: Engine, parts: Parts): AccountStore {
  const q = queries(engine);
  const stored = personFinder(engine.write);
  const sessions = sessionsOn(engine, stored);
  return { ...reads(engine, q), ...changes(engine, q, { ...parts, ...sessions, stored }), ...sessions.store };
}

function reads({ read }: Engine, q: Queries) {
  const known = personFinder(read);
  return {
    people: async () => q.people.all().map(toPerson),
    person: async (id) => {
      const row = known(id);
      return row && toPerson(row);
    },

    byName: async (name) => {
      const [row] = q.byName.all({ folded: foldName(name) });
      if (row === undefined) return undefined;
      return { person: toPerson(row), ...withoutNulls({ passwordHash: row.passwordHash }) };
    },
  } satisfies Partial<AccountStore>;
}

/** `stored`: finds a person inside a job. */
type Jobs = Parts & Pick<Sessions, "renew" | "closeOthers"> & { stored: (id: string) => PersonRow | undefined };

function changes({ writer, clock }: Engine, q: Queries, jobs: Jobs) {
  const { admins, makePerson, stored, renew, closeOthers } = jobs;
  const isLastAdmin = (row: PersonRow): boolean => row.isAdmin === 1 && q.admins.all().length === 1;
  return {
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
        // first: somebody who was signed out while the password was hashed sets none
        if (keep !== undefined && !renew(row, keep)) return { result: false };
        q.setPassword.run({ id, passwordHash: passwordHash ?? null });
        closeOthers(row, keep?.sessionId);
        return { result: true, events: changed(id) };
      }),

    remove: async (id) =>
      writer.run<boolean | "last_admin">(() => {
        const row = stored(id);
        if (row === undefined) return { result: false };
        if (isLastAdmin(row)) return { result: "last_admin" };
        closeOthers(row);
        q.remove.run({ id });
        return { result: true, events: changed(id) };
      }),

    seen: async (id) => silently(writer, () => q.seen.run({ id, at: clock.now() })),
  } satisfies Partial<AccountStore>;
}

type Queries = ReturnType<typeof queries>;

function queries({ read, write }: Engine) {
  const byId = eq(person.id, given.id);
  return {
    people: prepared(() => read.select().from(person).orderBy(asc(person.folded))),
    byName: prepared(() => read.select().from(person).where(eq(person.folded, given.folded))),

    admins: prepared(() => write.select({ row: person.row }).from(person).where(eq(person.isAdmin, 1)).limit(2)),
    others: prepared(() =>
      write
        .select({ row: person.row })
        .from(person)
        .where(and(eq(person.folded, given.folded), ne(person.id, given.id))),
    ),
    change: prepared(() =>
      write
        .update(person)
        .set(pick(given, "name", "folded", "isAdmin", "namespaces"))
        .where(byId)
        .returning(),
    ),
    setPassword: prepared(() => write.update(person).set({ passwordHash: given.passwordHash }).where(byId)),
    remove: prepared(() => write.delete(person).where(byId)),
    seen: prepared(() => write.update(person).set({ lastSeenAt: given.at }).where(byId)),
  };
}
