/** Topics: the store's methods on them. */
import { and, asc, eq, gt, isNotNull, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { newTopicKey } from "../../../names/topic.ts";
import type { Topic, TopicId } from "../../../topics/topic.ts";
import { base32 } from "../../../util/ids.ts";
import type { Committed } from "../../store.ts";
import type { NewTopic, TopicPatch, TopicStore } from "../../topics.ts";
import { LIMIT, placeholders, prepared, pick } from "../statements.ts";
import { isAlike } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { check, namespace, topic } from "../schema/schema.ts";
import type { MakeTopic } from "./make.ts";
import { isLive, toTopic, topicByKey, topicByName, topicByRow, type TopicRow } from "./rows.ts";
import type { Parted, Subscriptions } from "../devices/subscriptions.ts";

const given = placeholders<typeof topic, "now" | "after" | "topicId">();

export function topicStore(engine: Engine, makeTopic: MakeTopic, subscriptions: Subscriptions): TopicStore {
  const q = queries(engine);
  return { ...reads(engine, q), ...changes(engine, q, makeTopic), rotate: rotation(engine, q, subscriptions) };
}

const topicOf = ({ namespaces }: Engine, row: TopicRow): Topic => toTopic(row, namespaces.name(row.namespaceId));

function reads(engine: Engine, q: Queries) {
  return {
    byKey: async (namespaceName, key) => {
      const [row] = q.byKey.all({ key });
      const found = row && topicOf(engine, row);
      return found?.namespace === namespaceName ? found : undefined;
    },

    byKeyAnywhere: async (key) => {
      const [row] = q.byKey.all({ key });
      return row === undefined || engine.namespaces.isGone(row.namespaceId) ? undefined : topicOf(engine, row);
    },

    byName: async (namespaceId, name) => {
      const [row] = q.byName.all({ namespaceId, name });
      return row === undefined || engine.namespaces.isGone(namespaceId) ? undefined : topicOf(engine, row);
    },

    list: async (namespaceId, { archived, after = "", limit }) =>
      q[archived ? "archived" : "active"].all({ namespaceId, after, limit }).map((row) => topicOf(engine, row)),

    namedAlike: async (namespaceId, name) => q.alike.all({ namespaceId, name })[0]?.name,
  } satisfies Partial<TopicStore>;
}

function changes(engine: Engine, q: Queries, makeTopic: MakeTopic) {
  const { writer, clock } = engine;
  return {
    create: async (namespaceId, spec) =>
      writer.run<Topic | "name_taken" | "too_many_topics">(() => {
        const name = freeName(q, namespaceId, spec);
        if (name === undefined) return { result: "name_taken" };
        const row = makeTopic(namespaceId, name, spec);
        return typeof row === "string" ? { result: row } : { result: topicOf(engine, row), events: changed(row) };
      }),

    patch: async (topicId, patch) =>
      writer.run<Topic | "name_taken" | undefined>(() => {
        const [before] = q.rowInJob.all({ topicId });
        if (before === undefined) return { result: undefined };
        const after = patched(before, patch, clock.now());
        if (after.name !== before.name && isTaken(q, before.namespaceId, after.name)) return { result: "name_taken" };
        return { result: topicOf(engine, q.update.get({ ...after, topicId })), events: changed(before) };
      }),

    remove: async (topicId) =>
      writer.run<boolean | "in_use">(() => {
        if (q.checks.all({ topicId }).length > 0) return { result: "in_use" };
        const [gone] = q.bury.all({ topicId, now: clock.now() });
        if (gone === undefined) return { result: false };
        q.uncount.run(gone);
        return { result: true, events: [{ kind: "gone", topicId }] };
      }),
  } satisfies Partial<TopicStore>;
}

const isTaken = (q: Queries, namespaceId: NamespaceId, name: string): boolean =>
  q.nameInJob.all({ namespaceId, name }).length > 0;

function freeName(q: Queries, namespaceId: NamespaceId, { name, prefix }: NewTopic): string | undefined {
  if (name !== undefined) return isTaken(q, namespaceId, name) ? undefined : name;
  if (prefix !== undefined && !isTaken(q, namespaceId, prefix)) return prefix;
  for (;;) {
    const made = `${(prefix ?? "topic").slice(0, NAME_LENGTH - TAIL_LENGTH - 1)}-${base32(TAIL_LENGTH)}`;
    if (!isTaken(q, namespaceId, made)) return made;
  }
}

/** Drops the subscriptions that are not kept, slice by slice, and then gives the topic a new key. */
function rotation(engine: Engine, q: Queries, subscriptions: Subscriptions): TopicStore["rotate"] {
  const slice = async (topicId: TopicId, isKept: (id: string) => boolean, from: number, known: ReadonlySet<string>) =>
    engine.writer.run<Rotation | undefined>(() => {
      if (q.rowInJob.all({ topicId }).length === 0) return { result: undefined };
      const part = subscriptions.removeOthers(topicId, isKept, from);
      const [row] = q.rowInJob.all({ topicId });
      // there are more than are kept: some came by the old key meanwhile, behind the place that this has reached
      if (row === undefined || part.after !== undefined || row.subscribers > known.union(new Set(part.kept)).size)
        return { result: part };
      const rotated = q.rotate.get({ topicId, key: newTopicKey(row.name) });
      return { result: { ...part, topic: topicOf(engine, rotated) }, events: [{ kind: "gone", topicId }] };
    });
  return async (topicId, isKept = () => false) => {
    const kept = new Set<string>();
    const dropped = new Set<string>();
    // the key comes last: a crash on the way leaves the old one, and a caller who got no answer rotates again
    for (let after = 0; ;) {
      const step = await slice(topicId, isKept, after, kept);
      if (step === undefined) return undefined;
      for (const id of step.kept) kept.add(id);
      for (const id of step.dropped) dropped.add(id);
      if (step.topic !== undefined) return { topic: step.topic, kept: [...kept], dropped: [...dropped] };
      after = step.after ?? 0;
    }
  };
}

/** For pages that show topics. */
const changed = ({ namespaceId }: TopicRow): Committed[] => [{ kind: "hint", of: "topic", namespaceId }];

/** A slice of a rotation; `topic`: it is the last slice, and this is the topic with its new key. */
type Rotation = Parted & { topic?: Topic };

const NAME_LENGTH = 64;
/** 20 random bits: a name, not a secret. */
const TAIL_LENGTH = 4;

function patched(row: TopicRow, patch: TopicPatch, now: number): TopicRow {
  const { archived, ...columns } = patch;
  const archivedAt = archived === undefined ? row.archivedAt : archived ? (row.archivedAt ?? now) : null;
  return { ...row, ...columns, archivedAt };
}

type Queries = ReturnType<typeof queries>;

function queries({ read, write }: Engine) {
  const ofNamespace = eq(topic.namespaceId, given.namespaceId);
  const list = (archived: SQL) =>
    prepared(() =>
      read
        .select()
        .from(topic)
        .where(and(ofNamespace, gt(topic.name, given.after), isLive, archived))
        .orderBy(asc(topic.name))
        .limit(LIMIT),
    );
  return {
    byKey: topicByKey(read),
    byName: topicByName(read),
    active: list(isNull(topic.archivedAt)),
    archived: list(isNotNull(topic.archivedAt)),
    alike: prepared(() =>
      read
        .select({ name: topic.name })
        .from(topic)
        .where(and(ofNamespace, ne(topic.name, given.name), isAlike(topic.name, given.name), isLive))
        .limit(1),
    ),
    nameInJob: topicByName(write),
    rowInJob: topicByRow(write),
    update: prepared(() =>
      write
        .update(topic)
        .set(pick(given, "name", "description", "retentionDays", "retentionMessages", "archivedAt", "mutedUntil"))
        .where(eq(topic.row, given.topicId))
        .returning(),
    ),
    rotate: prepared(() => write.update(topic).set({ key: given.key }).where(eq(topic.row, given.topicId)).returning()),
    checks: prepared(() =>
      write.select({ row: check.row }).from(check).where(eq(check.topicId, given.topicId)).limit(1),
    ),
    bury: prepared(() =>
      write
        .update(topic)
        .set({ deletedAt: given.now })
        .where(and(eq(topic.row, given.topicId), isLive))
        .returning({ namespaceId: topic.namespaceId }),
    ),
    uncount: prepared(() =>
      write
        .update(namespace)
        .set({ topics: sql`${namespace.topics} - 1` })
        .where(eq(namespace.row, given.namespaceId)),
    ),
  };
}
