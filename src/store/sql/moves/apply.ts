/** Imports: records are put in place in jobs of one transaction each, or only tried (docs/moving.md). */
import { count, eq } from "drizzle-orm";
import type { ApiKey } from "../../../keys/key.ts";
import type { Namespace, NamespaceId } from "../../../keys/namespace.ts";
import type { TopicRecord } from "../../../moves/record.ts";
import type { Imported, MoveStore, Prepared } from "../../moves.ts";
import type { Committed } from "../../store.ts";
import type { Admins } from "../accounts/accounts.ts";
import type { deviceTotals } from "../devices/totals.ts";
import type { Engine } from "../engine.ts";
import type { EnsureNamespace, KeysInMemory } from "../keys/keys.ts";
import type { Outcome } from "../job.ts";
import { withoutNulls } from "../columns.ts";
import { device } from "../schema/deliveries.ts";
import { namespace, scheduled, topic } from "../schema/schema.ts";
import type { Settings } from "../settings.ts";
import { finders } from "../topics/destination.ts";
import type { MakeTopic } from "../topics/make.ts";
import type { TopicRow } from "../topics/rows.ts";
import { checkImporter, historyImporter } from "./checks.ts";
import { messageImporter } from "./messages.ts";
import { at, deviceImporter, ownerImporter } from "./owners.ts";

interface Parts {
  keys: KeysInMemory;
  settings: Settings;
  ensureNamespace: EnsureNamespace;
  makeTopic: MakeTopic;
  admins: Admins;
  totals: ReturnType<typeof deviceTotals>;
}

/** Thrown at the end of a job that was only a try, so that its savepoint is rolled back. */
class Tried extends Error {
  readonly outcomes: Imported[];
  constructor(outcomes: Imported[]) {
    super("This was a try.");
    this.outcomes = outcomes;
  }
}

export function moveStore(engine: Engine, parts: Parts): MoveStore {
  const { write, writer } = engine;
  const importers = {
    messages: messageImporter(engine),
    owners: ownerImporter(engine),
    device: deviceImporter(engine, parts.totals),
    checks: checkImporter(engine, parts.settings),
    history: historyImporter(engine),
  };
  return {
    apply: async (records, { isDry, days }) => {
      const job = (): Outcome<Imported[]> => {
        const session = new Session(engine, parts, importers, days);
        const result = records.map((record) => session.put(record));
        if (isDry) throw new Tried(result);
        return { result, ...session.end() };
      };
      try {
        return await writer.run(job);
      } catch (error) {
        if (error instanceof Tried) return error.outcomes;
        throw error;
      }
    },

    keepVapid: async (text, isDry) =>
      writer.run(() => {
        if (parts.settings.get("vapid") === text) return { result: false };
        const isUsed = write.select({ row: device.row }).from(device).where(eq(device.platform, "web")).limit(1).all();
        if (isUsed.length > 0) return { result: false };
        if (!isDry) parts.settings.set("vapid", text);
        return { result: true };
      }),
  };
}

interface Importers {
  messages: ReturnType<typeof messageImporter>;
  owners: ReturnType<typeof ownerImporter>;
  device: ReturnType<typeof deviceImporter>;
  checks: ReturnType<typeof checkImporter>;
  history: ReturnType<typeof historyImporter>;
}

/** One job: what it has made so far, which no cache may show before it is on disk. */
class Session {
  readonly #engine: Engine;
  readonly #parts: Parts;
  readonly #importers: Importers;
  readonly #days: number;
  readonly #made: Namespace[] = [];
  readonly #keys: ApiKey[] = [];
  readonly #namespaces = new Map<string, NamespaceId>();
  readonly #topics = new Map<string, ReturnType<Importers["messages"]["filling"]>>();
  readonly #events: Committed[] = [];
  #hasAdmin = false;

  constructor(engine: Engine, parts: Parts, importers: Importers, days: number) {
    this.#engine = engine;
    this.#parts = parts;
    this.#importers = importers;
    this.#days = days;
  }

  put(record: Prepared): Imported {
    const { owners, checks, messages } = this.#importers;
    switch (record.kind) {
      case "namespace":
        return this.#namespaceOf(record);
      case "topic":
        return this.#topicOf(record);
      case "message": {
        const to = this.#filling(record);
        return typeof to === "string" ? to : messages.add(to, record, this.#days);
      }
      case "topic_ids": {
        const of = this.#filling(record);
        if (typeof of === "string") return of;
        this.#events.push(...messages.note(of));
        this.#topics.delete(keyOf(record.namespace, record.topic));
        messages.ids(of.row, record.last_id, record.pruned_to);
        return "created";
      }
      case "scheduled":
        return this.#scheduled(record);
      case "check": {
        const of = this.#filling(record);
        if (typeof of === "string") return of;
        const done = checks.check(record, of.row, record);
        if (done === "created") {
          this.#events.push({ kind: "hint", of: "check", namespaceId: of.row.namespaceId });
          if (record.dueAt !== undefined) this.#events.push({ kind: "due", at: record.dueAt });
        }
        return done;
      }
      case "check_event":
        return this.#importers.history.event(record);
      case "check_incident":
        return this.#importers.history.incident(record, {
          down: this.#messageOf(record, "down"),
          up: this.#messageOf(record, "up"),
        });
      case "check_day":
        return this.#importers.history.day(record);
      case "hook": {
        const of = this.#filling(record);
        if (typeof of === "string") return of;
        this.#events.push({ kind: "hint", of: "hook", namespaceId: of.row.namespaceId });
        return owners.hook(record, of.row, record.made);
      }
      case "key": {
        const done = owners.key(record, this.#namespace(record.namespace));
        if (typeof done === "string") return done;
        this.#keys.push(done);
        this.#events.push({ kind: "hint", of: "key", namespaceId: done.namespaceId });
        return "created";
      }
      case "person": {
        const done = owners.person(record, this.#places);
        this.#hasAdmin ||= done === "created" && record.is_admin;
        this.#events.push({ kind: "hint", of: "person" });
        return done;
      }
      case "device":
        this.#events.push({ kind: "device" });
        return this.#importers.device(record, this.#places, this.#engine.clock.now());
    }
  }

  end(): Pick<Outcome<unknown>, "events" | "after"> {
    for (const of of this.#topics.values()) this.#events.push(...this.#importers.messages.note(of));
    const { keys, admins } = this.#parts;
    return {
      events: this.#events,
      after: () => {
        for (const one of this.#made) this.#engine.namespaces.add(one);
        for (const key of this.#keys) keys.set(key.hash, key);
        admins.exist ||= this.#hasAdmin;
      },
    };
  }

  readonly #places = {
    namespace: (name: string): NamespaceId => this.#namespace(name),
    topic: (namespaceName: string, name: string): TopicRow | undefined => {
      const of = this.#filling({ namespace: namespaceName, topic: name }, false);
      return typeof of === "string" ? undefined : of.row;
    },
  };

  #namespaceOf(record: Extract<Prepared, { kind: "namespace" }>): Imported {
    const before = this.#made.length;
    const id = this.#namespace(record.name);
    if (this.#made.length === before) return "exists";
    const { ping_key: key, muted_until: mutedUntil, created_at: createdAt } = record;
    const [row] = this.#engine.write
      .update(namespace)
      .set({
        ...{ createdAt: Date.parse(createdAt), mutedUntil: at(mutedUntil) },
        ...(key !== undefined && { pingKeyHash: key.hash, pingKeyGeneration: key.generation }),
      })
      .where(eq(namespace.row, id))
      .returning({ createdAt: namespace.createdAt, mutedUntil: namespace.mutedUntil })
      .all();
    const made = { id, name: record.name, createdAt: row?.createdAt ?? 0 };
    this.#made.splice(-1, 1, row === undefined ? made : { ...made, ...withoutNulls(row) });
    return "created";
  }

  #namespace(name: string): NamespaceId {
    const known = this.#namespaces.get(name);
    if (known !== undefined) return known;
    const { one, isNew } = this.#parts.ensureNamespace(name);
    if (isNew) {
      this.#made.push(one);
      this.#events.push({ kind: "hint", of: "namespace", namespaceId: one.id });
    }
    this.#namespaces.set(name, one.id);
    return one.id;
  }

  #topicOf(record: TopicRecord): Imported {
    const { write } = this.#engine;
    if (typeof this.#filling(record, false) !== "string") return "exists";
    const isKeyTaken = record.key !== undefined && rowsOfKey(write, record.key) > 0;
    const of = this.#filling(record);
    if (typeof of === "string") return of;
    const [row] = write
      .update(topic)
      .set({
        ...{ description: record.description ?? null, createdAt: Date.parse(record.created_at) },
        ...{ retentionDays: record.retention_days ?? null, retentionMessages: record.retention_messages ?? null },
        ...{ archivedAt: at(record.archived_at), mutedUntil: at(record.muted_until) },
        ...(record.key !== undefined && !isKeyTaken && { key: record.key }),
      })
      .where(eq(topic.row, of.row.row))
      .returning()
      .all();
    if (row !== undefined) of.row = row;
    return "created";
  }

  /** `mayMake`: a new name makes a topic. */
  #filling(place: { namespace: string; topic: string }, mayMake = true) {
    const key = keyOf(place.namespace, place.topic);
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const namespaceId = this.#namespace(place.namespace);
    const found =
      finders(this.#engine.write).byName(namespaceId, place.topic, 0, 0) ??
      (mayMake ? this.#parts.makeTopic(namespaceId, place.topic) : "unknown_topic");
    if (typeof found === "string") return found;
    const of = this.#importers.messages.filling(found);
    this.#topics.set(key, of);
    this.#events.push({ kind: "hint", of: "topic", namespaceId });
    return of;
  }

  #scheduled(record: Extract<Prepared, { kind: "scheduled" }>): Imported {
    const { write, clock, scheduledPerNamespace } = this.#engine;
    const { id, delay_ms: delayMs = null, created_at: createdAt } = record;
    if (write.select({ row: scheduled.row }).from(scheduled).where(eq(scheduled.id, id)).all().length > 0)
      return "exists";
    const deliverAt = Date.parse(record.deliver_at);
    if (deliverAt <= clock.now()) return "passed";
    const of = this.#filling(record);
    if (typeof of === "string") return of;
    const { row: topicId, namespaceId } = of.row;
    const isOf = eq(scheduled.namespaceId, namespaceId);
    const [found] = write.select({ waiting: count() }).from(scheduled).where(isOf).all();
    if ((found?.waiting ?? 0) >= scheduledPerNamespace) return "too_many_scheduled";
    const times = { deliverAt, delayMs, createdAt: Date.parse(createdAt) };
    const { json, kept } = this.#importers.messages.withFiles(record, of.row, deliverAt);
    const { row: scheduledRow } = write
      .insert(scheduled)
      .values({ id, namespaceId, topicId, ...times, json })
      .returning({ row: scheduled.row })
      .get();
    kept.tie({ scheduledRow });
    this.#events.push({ kind: "scheduled", deliverAt });
    return "created";
  }

  #messageOf(record: Extract<Prepared, { kind: "check_incident" }>, which: "down" | "up"): number | null {
    const told = record[which];
    if (told === undefined) return null;
    const namespaceName = this.#importers.history.namespaceOf(record.check);
    const row = namespaceName === undefined ? undefined : this.#places.topic(namespaceName, told.topic);
    return row === undefined ? null : this.#importers.messages.rowOf(row.row, told.id);
  }
}

const keyOf = (namespaceName: string, name: string): string => `${namespaceName}/${name}`;

const rowsOfKey = (write: Engine["write"], key: string): number =>
  write.select({ row: topic.row }).from(topic).where(eq(topic.key, key)).all().length;
