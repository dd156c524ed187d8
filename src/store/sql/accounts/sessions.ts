/** Sessions of people: their rows, and the store's methods on them. */
import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, ne } from "drizzle-orm";
import type { Session } from "../../../accounts/session.ts";
import { recordId } from "../../../util/ids.ts";
import { MOST_SESSIONS, SESSION_IDLE_MS, type AccountStore } from "../../accounts.ts";
import { person, session } from "../schema/accounts.ts";
import { execute } from "../differences.ts";
import { deleteSome, placeholders, prepared } from "../statements.ts";
import { silently } from "../job.ts";
import type { Engine } from "../engine.ts";
import { changed, personFinder, SHOWN, toPerson, type PersonRow } from "./rows.ts";

const given = placeholders<typeof session, "at" | "before" | "person" | "after" | "keep">();

function toSession(row: typeof session.$inferSelect, personId: string): Session {
  const { id, createdAt, seenAt, confirmedAt, address, agent } = row;
  return { id, personId, createdAt, seenAt, confirmedAt, address, agent };
}

export interface Sessions {
  store: Pick<AccountStore, "open" | "bySession" | "sessions" | "touch" | "confirm" | "close" | "closeAll">;
  /** Inside a job: gives the session another hash, its password confirmed. False: it is not a session of this person. */
  renew: (of: PersonRow, session: { sessionId: string; hash: string }) => boolean;
  /** Inside a job: ends all but `keep`; returns how many. */
  closeOthers: (of: PersonRow, keep?: string) => number;
}

/** `stored`: finds a person inside a job. */
export function sessionsOn(engine: Engine, stored: (id: string) => PersonRow | undefined): Sessions {
  const { read, writer, clock } = engine;
  const q = queries(engine);
  const known = personFinder(read);
  const closeOthers: Sessions["closeOthers"] = ({ row }, keep = "") =>
    execute(q.closeOthers, { person: row, keep }).changes;

  return {
    renew: ({ row }, { sessionId, hash }) =>
      execute(q.renew, { id: sessionId, person: row, hash, at: clock.now() }).changes > 0,
    closeOthers,
    store: {
      open: async ({ personId, hash, address, agent, passwordHash }) =>
        writer.run(() => {
          const row = stored(personId);
          if (row === undefined || (passwordHash ?? row.passwordHash) !== row.passwordHash)
            return { result: undefined };
          const at = clock.now();
          const made = q.open.get({ id: recordId(), personRow: row.row, hash, at, address, agent });
          q.closeOldest.run({ person: row.row });
          q.seen.run({ row: row.row, at });
          return { result: toSession(made, personId), events: SHOWN };
        }),

      bySession: async (hash) => {
        const [found] = q.bySession.all({ hash, after: clock.now() - SESSION_IDLE_MS });
        if (found === undefined) return undefined;
        return { session: toSession(found.session, found.person.id), person: toPerson(found.person) };
      },

      sessions: async (personId) => {
        const row = known(personId);
        if (row === undefined) return [];
        const after = clock.now() - SESSION_IDLE_MS;
        return q.sessions.all({ person: row.row, after }).map((one) => toSession(one, personId));
      },

      touch: async (id, { address, agent }) =>
        silently(writer, () => {
          const at = clock.now();
          const [touched] = q.touch.all({ id, at, address, agent });
          if (touched !== undefined) q.seen.run({ row: touched.personRow, at });
        }),

      confirm: async (id) => writer.run(() => ({ result: execute(q.confirm, { id, at: clock.now() }).changes > 0 })),

      close: async (personId, sessionId) =>
        writer.run(() => {
          const row = stored(personId);
          const closed = row !== undefined && execute(q.close, { person: row.row, id: sessionId }).changes > 0;
          return closed ? { result: true, events: changed(personId) } : { result: false };
        }),

      closeAll: async (personId, keep) =>
        writer.run(() => {
          const row = stored(personId);
          if (row === undefined) return { result: 0 };
          return { result: closeOthers(row, keep), events: changed(personId) };
        }),
    },
  };
}

/** Deletes sessions that were idle for too long, inside a job; returns how many rows: if fewer than `limit`, none is left. */
export function sessionPurger({ write, clock }: Engine): (limit: number) => number {
  const purge = prepared(() => deleteSome(write, session, lt(session.seenAt, given.before), asc(session.seenAt)));
  return (limit) => execute(purge, { before: clock.now() - SESSION_IDLE_MS, limit }).changes;
}

function queries({ read, write }: Engine) {
  const byId = eq(session.id, given.id);
  const ofPerson = eq(session.personRow, given.person);
  return {
    bySession: prepared(() =>
      read
        .select({ session: getTableColumns(session), person: getTableColumns(person) })
        .from(session)
        .innerJoin(person, eq(person.row, session.personRow))
        .where(and(eq(session.hash, given.hash), gt(session.seenAt, given.after))),
    ),
    sessions: prepared(() =>
      read
        .select()
        .from(session)
        .where(and(ofPerson, gt(session.seenAt, given.after)))
        .orderBy(desc(session.seenAt), desc(session.row)),
    ),

    open: prepared(() =>
      write
        .insert(session)
        .values({
          ...{ id: given.id, personRow: given.personRow, hash: given.hash, createdAt: given.at },
          ...{ seenAt: given.at, confirmedAt: given.at, address: given.address, agent: given.agent },
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
            .limit(1) // the session beyond the limit, which was just made
            .offset(MOST_SESSIONS),
        ),
      ),
    ),
    touch: prepared(() =>
      write
        .update(session)
        .set({ seenAt: given.at, address: given.address, agent: given.agent })
        .where(byId)
        .returning({ personRow: session.personRow }),
    ),
    confirm: prepared(() => write.update(session).set({ confirmedAt: given.at }).where(byId)),
    renew: prepared(() =>
      write.update(session).set({ hash: given.hash, confirmedAt: given.at }).where(and(byId, ofPerson)),
    ),
    close: prepared(() => write.delete(session).where(and(byId, ofPerson))),
    closeOthers: prepared(() => write.delete(session).where(and(ofPerson, ne(session.id, given.keep)))),
    seen: prepared(() => write.update(person).set({ lastSeenAt: given.at }).where(eq(person.row, given.row))),
  };
}
