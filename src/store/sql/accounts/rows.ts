/** People as they are in their rows, and what is announced about them. */
import { eq } from "drizzle-orm";
import type { Person } from "../../../accounts/person.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { person } from "../schema/accounts.ts";
import { withoutNulls } from "../columns.ts";
import type { Orm } from "../differences.ts";
import { placeholders, prepared } from "../statements.ts";

const given = placeholders<typeof person>();

export type PersonRow = typeof person.$inferSelect;

export function toPerson(row: PersonRow): Person {
  const { id, name, createdAt, lastSeenAt } = row;
  return {
    ...withoutNulls({ id, name, createdAt, lastSeenAt }),
    ...{ isAdmin: row.isAdmin === 1, hasPassword: row.passwordHash !== null },
    ...(row.namespaces !== null && { namespaces: JSON.parse(row.namespaces) as NamespaceId[] }),
  };
}

/** Finds a person; inside a job, on the connection that writes. */
export function personFinder(orm: Orm): (id: string) => PersonRow | undefined {
  const byId = prepared(() => orm.select().from(person).where(eq(person.id, given.id)));
  return (id) => byId.all({ id })[0];
}

/** A hint for pages that show people and sessions; what the person has open stays as it is. */
export const SHOWN = [{ kind: "hint", of: "person" }] as const;
/** What the person has open is checked again. */
export const changed = (personId: string) => [{ kind: "person", personId } as const];
