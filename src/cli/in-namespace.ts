/** Commands about what a namespace has: asked in the namespace that was named, with a key in that of the key. */
import { CommandFailed, type Invocation } from "./command.ts";
import { openLocal, Refused, type Local } from "./local.ts";

export const namespaceFlag = (of: string) => ({
  name: "namespace",
  value: "name",
  description: `Namespace of ${of}; default: that of your key, on the server itself PEAL_ADMIN_NAMESPACE.`,
});

/**
 * The result of `use`. `names`: those of its arguments and flags, by field.
 * @throws Refused, which says how to create the namespace if there is none with that name
 */
export async function inNamespace<T>(
  { values, load }: Pick<Invocation, "values" | "load">,
  use: (local: Local, namespace: string) => Promise<T>,
  names: Readonly<Record<string, string>> = {},
): Promise<T> {
  await using local = await openLocal(load);
  const namespace = values["namespace"] ?? local.namespace ?? (await load()).config.adminNamespace;
  if (local.namespace !== undefined && namespace !== local.namespace)
    throw new CommandFailed(`the key belongs to namespace ${local.namespace}: use a key of ${namespace}`);
  try {
    return await use(local, encodeURIComponent(namespace));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (local.namespace !== undefined) throw error.calling(names);
    const { namespaces } = await local.ask<{ namespaces: { name: string }[] }>("GET", "/-/local/namespaces");
    if (namespaces.some(({ name }) => name === namespace)) throw error.calling(names);
    throw new Refused(
      "unknown_namespace",
      `there is no namespace ${namespace}; create it: peal namespaces create ${namespace}`,
    );
  }
}
