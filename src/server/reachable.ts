/** Whether every namespace can be reached by its address, which a word that peal keeps for itself may hide. */
import { ConfigError } from "../config/errors.ts";
import type { Deps } from "../deps.ts";
import { baseSegment } from "../http/urls.ts";
import { reservedAmong } from "../keys/namespace.ts";

type Opened = Pick<Deps, "config" | "store" | "log">;

/** A path of PEAL_BASE_URL may hide no namespace: the first part of a path is one or the other. @throws ConfigError */
export async function requireAllReachable({ config, store }: Opened): Promise<void> {
  const first = baseSegment(config);
  if (first === undefined || (await store.namespaces.byName(first)) === undefined) return;
  const detail = `its path would hide the namespace \`${first}\`. Choose another path.`;
  const source = `with the database in ${config.dataDir}`;
  throw new ConfigError([{ key: "PEAL_BASE_URL", value: config.baseUrl ?? "", source, detail }]);
}

/** Namespaces of a database from before their names were reserved; the log says what to do. */
export async function reservedNames({ store, log }: Opened): Promise<string[]> {
  const names = reservedAmong(await store.namespaces.list());
  for (const namespace of names)
    log.warn("a namespace has a name that peal keeps for itself: some of its addresses lead elsewhere", {
      namespace,
      rename: `peal namespaces rename ${namespace} <new-name>`,
    });
  return names;
}
