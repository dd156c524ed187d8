/** Namespaces. */
import { eq, sql } from "drizzle-orm";
import type { Namespace } from "../../keys/namespace.ts";
import type { NamespaceStore } from "../store.ts";
import type { Engine } from "./engine.ts";
import { namespace } from "./schema.ts";

/** Finds or makes a namespace, inside a job; whoever calls it adds the made one to `Namespaces` after the commit. */
export type EnsureNamespace = (name: string) => { one: Namespace; isNew: boolean };

export function namespaceMaker({ write, clock }: Engine): EnsureNamespace {
  const columns = { id: namespace.row, name: namespace.name, createdAt: namespace.createdAt };
  const insert = write
    .insert(namespace)
    .values({ name: sql.placeholder("name"), createdAt: sql.placeholder("createdAt") })
    .returning(columns)
    .prepare();
  const find = write
    .select(columns)
    .from(namespace)
    .where(eq(namespace.name, sql.placeholder("name")))
    .prepare();
  return (name) => {
    const [known] = find.all({ name });
    if (known !== undefined) return { one: known, isNew: false };
    return { one: insert.get({ name, createdAt: clock.now() }), isNew: true };
  };
}

export function namespaceStore({ writer, namespaces }: Engine, ensure: EnsureNamespace): NamespaceStore {
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
    byName: async (name) => namespaces.byName(name),
    list: async () => namespaces.all(),
  };
}
