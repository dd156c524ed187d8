/** What the resource files share. */
import { asc } from "drizzle-orm";
import type { Namespace, NamespaceId } from "../../keys/namespace.ts";
import type { Clock } from "../../util/clock.ts";
import type { Absences } from "./checks/absences.ts";
import type { Orm } from "./differences.ts";
import { namespace } from "./schema/schema.ts";
import type { Writer } from "./job.ts";

export interface Engine extends Limits {
  clock: Clock;
  writer: Writer;
  /** The connection that writes: used inside jobs only. */
  write: Orm;
  read: Orm;
  namespaces: Namespaces;
  /** When this server was away. */
  absences: Absences;
}

/** How much there may be. */
export interface Limits {
  /** Live topics that a namespace may have. */
  topicsPerNamespace: number;
  /** Messages that may wait in a namespace. */
  scheduledPerNamespace: number;
  /** Checks that a namespace may have. */
  checksPerNamespace: number;
  /** Devices that may subscribe to a topic, and topics that a device may subscribe to. */
  devicesPerTopic: number;
  topicsPerDevice: number;
  /** Devices that may follow topics of a namespace. */
  devicesPerNamespace: number;
  /** Devices that there may be, and of these, that follow nothing. */
  devicesInAll: number;
  idleDevices: number;
  /** Bytes that all files may have, and for how long each is kept. */
  filesInAll: number;
  fileMs: number;
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

/** No name begins so (`isNamespaceName`): no path leads to a namespace that was deleted, and its name is free again. */
const TOMB = "-";
export const tombstone = (id: NamespaceId): string => `${TOMB}${id}`;

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
    if (!one.name.startsWith(TOMB)) this.#byName.set(one.name, one);
  }

  /** After the commit that gave it another name. */
  rename(one: Namespace): void {
    this.#byName.delete(this.byId(one.id).name);
    this.add(one);
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
    return [...this.#byName.values()];
  }

  /** After the commit that deleted it: its row is known by its id for as long as others refer to it. */
  bury(id: NamespaceId): void {
    const one = this.byId(id);
    this.#byName.delete(one.name);
    this.#byId.set(id, { ...one, name: tombstone(id) });
  }

  isGone(id: NamespaceId): boolean {
    return this.#byId.get(id)?.name.startsWith(TOMB) !== false;
  }

  /** Those that were deleted, while something of them is left. */
  gone(): NamespaceId[] {
    return [...this.#byId.keys()].filter((id) => this.isGone(id));
  }

  /** After the commit that took the last of it. */
  forget(id: NamespaceId): void {
    this.#byId.delete(id);
  }
}
