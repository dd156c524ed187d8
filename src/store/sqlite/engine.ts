/** What the resource files share. */
import { asc } from "drizzle-orm";
import type { Namespace, NamespaceId } from "../../keys/namespace.ts";
import type { Clock } from "../../util/clock.ts";
import type { Orm } from "./connection.ts";
import { namespace } from "./schema.ts";
import type { Writer } from "./writer.ts";

export interface Engine {
  clock: Clock;
  writer: Writer;
  /** The connection that writes: used inside jobs only. */
  write: Orm;
  read: Orm;
  namespaces: Namespaces;
  /** Live topics that a namespace may have. */
  topicsPerNamespace: number;
  /** Messages that may wait in a namespace. */
  scheduledPerNamespace: number;
  /** Checks that a namespace may have. */
  checksPerNamespace: number;
  /** Devices that may subscribe to a topic, and topics that a device may subscribe to. */
  devicesPerTopic: number;
  topicsPerDevice: number;
}

export const NAMESPACE_COLUMNS = {
  id: namespace.row,
  name: namespace.name,
  createdAt: namespace.createdAt,
  mutedUntil: namespace.mutedUntil,
};

export const toNamespace = ({
  mutedUntil,
  ...row
}: Omit<Namespace, "mutedUntil"> & { mutedUntil: number | null }): Namespace =>
  mutedUntil === null ? row : { ...row, mutedUntil };

/** All namespaces, in memory: they are few, and every topic that is read needs the name of its own. */
export class Namespaces {
  readonly #byId = new Map<NamespaceId, Namespace>();
  readonly #byName = new Map<string, Namespace>();

  constructor(orm: Orm) {
    const rows = orm.select(NAMESPACE_COLUMNS).from(namespace).orderBy(asc(namespace.row)).all();
    for (const row of rows) this.add(toNamespace(row));
  }

  /** After the commit that made or changed it. */
  add(one: Namespace): void {
    this.#byId.set(one.id, one);
    this.#byName.set(one.name, one);
  }

  byName(name: string): Namespace | undefined {
    return this.#byName.get(name);
  }

  byId(id: NamespaceId): Namespace {
    const found = this.#byId.get(id);
    if (found === undefined) throw new Error(`no namespace ${id}`);
    return found;
  }

  name(id: NamespaceId): string {
    return this.byId(id).name;
  }

  all(): Namespace[] {
    return [...this.#byId.values()];
  }
}
