/** What the files of the resources share. */
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
  /** The connection that writes: only used inside jobs. */
  write: Orm;
  read: Orm;
  namespaces: Namespaces;
  /** When this server was away. */
  absences: Absences;
}

/** The most that there may be of each. */
export interface Limits {
  /** The most live topics of a namespace. */
  topicsPerNamespace: number;
  /** The most waiting messages of a namespace. */
  scheduledPerNamespace: number;
  /** The most checks of a namespace. */
  checksPerNamespace: number;
  /** The most devices that subscribe to a topic, and the most topics of a device. */
  devicesPerTopic: number;
  topicsPerDevice: number;
  /** The most devices that follow topics of a namespace. */
  devicesPerNamespace: number;
  /** The most devices, and the most of these that follow nothing. */
  devicesInAll: number;
  idleDevices: number;
  /** The most forwards of a namespace. */
  forwardsPerNamespace: number;
  /** The most bytes of all files, and how long each is kept. */
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

/** No name begins with it (`isNamespaceName`): no path leads to a deleted namespace, and its name is free again. */
const TOMB = "-";
export const tombstone = (id: NamespaceId): string => `${TOMB}${id}`;

/** All namespaces, in memory: they are few, and every topic that is read needs its namespace's name. */
export class Namespaces {
  readonly #byId = new Map<NamespaceId, Namespace>();
  readonly #byName = new Map<string, Namespace>();

  constructor(orm: Orm) {
    const rows = orm.select(NAMESPACE_COLUMNS).from(namespace).orderBy(asc(namespace.row)).all();
    for (const row of rows) this.add(toNamespace(row));
  }

  /** Called after the commit that made or changed it. */
  add(one: Namespace): void {
    this.#byId.set(one.id, one);
    if (!one.name.startsWith(TOMB)) this.#byName.set(one.name, one);
  }

  /** Called after the commit that renamed it. */
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

  /** Called after the commit that deleted it: its row is known by its id while others refer to it. */
  bury(id: NamespaceId): void {
    const one = this.byId(id);
    this.#byName.delete(one.name);
    this.#byId.set(id, { ...one, name: tombstone(id) });
  }

  isGone(id: NamespaceId): boolean {
    return this.#byId.get(id)?.name.startsWith(TOMB) !== false;
  }

  /** Namespaces that were deleted, while something of them is left. */
  gone(): NamespaceId[] {
    return [...this.#byId.keys()].filter((id) => this.isGone(id));
  }

  /** Called after the commit that deleted the last of it. */
  forget(id: NamespaceId): void {
    this.#byId.delete(id);
  }
}
