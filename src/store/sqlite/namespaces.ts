/** Namespaces. */
import { eq, sql } from "drizzle-orm";
import type { Namespace } from "../../keys/namespace.ts";
import type { NamespaceStore } from "../store.ts";
import { NAMESPACE_COLUMNS, toNamespace, type Engine } from "./engine.ts";
import { namespace } from "./schema.ts";

/** Finds or makes a namespace, inside a job; whoever calls it adds the made one to `Namespaces` after the commit. */
export type EnsureNamespace = (name: string) => { one: Namespace; isNew: boolean };

export function namespaceMaker({ write, clock }: Engine): EnsureNamespace {
  const insert = write
    .insert(namespace)
    .values({ name: sql.placeholder("name"), createdAt: sql.placeholder("createdAt") })
    .returning(NAMESPACE_COLUMNS)
    .prepare();
  const find = write
    .select(NAMESPACE_COLUMNS)
    .from(namespace)
    .where(eq(namespace.name, sql.placeholder("name")))
    .prepare();
  return (name) => {
    const [known] = find.all({ name });
    if (known !== undefined) return { one: toNamespace(known), isNew: false };
    return { one: toNamespace(insert.get({ name, createdAt: clock.now() })), isNew: true };
  };
}

export function namespaceStore({ write, writer, namespaces }: Engine, ensure: EnsureNamespace): NamespaceStore {
  const mute = write
    .update(namespace)
    .set({ mutedUntil: sql`${sql.placeholder("until")}` })
    .where(eq(namespace.row, sql.placeholder("id")))
    .returning(NAMESPACE_COLUMNS)
    .prepare();
  return {
    create: async (name) =>
      writer.run<Namespace | "name_taken">(() => {
        const { one, isNew } = ensure(name);
        if (!isNew) return { result: "name_taken" };
        return {
          result: one,
          after: () => {
            namespaces.add(one);
          },
        };
      }),
    mute: async (id, until) =>
      writer.run<Namespace | undefined>(() => {
        const [row] = mute.all({ id, until });
        if (row === undefined) return { result: undefined };
        const muted = toNamespace(row);
        return {
          result: muted,
          after: () => {
            namespaces.add(muted);
          },
        };
      }),
    byName: async (name) => namespaces.byName(name),
    list: async () => namespaces.all(),
  };
}
