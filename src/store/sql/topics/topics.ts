/** Topics: the store's methods on them. */
import { and, asc, eq, gt, isNotNull, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { newTopicKey } from "../../../names/topic.ts";
import type { Topic } from "../../../topics/topic.ts";
import { base32 } from "../../../util/ids.ts";
import type { Committed } from "../../store.ts";
import type { NewTopic, TopicPatch, TopicStore } from "../../topics.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";
import { isAlike } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { check, namespace, topic } from "../schema/schema.ts";
import type { MakeTopic } from "./make.ts";
import { isLive, toTopic, topicByKey, topicByName, topicByRow, type TopicRow } from "./rows.ts";
import type { Parted, Subscriptions } from "../devices/subscriptions.ts";

const given = placeholders<typeof topic, "now" | "after" | "topicId">();

export function topicStore(engine: Engine, makeTopic: MakeTopic, subscriptions: Subscriptions): TopicStore {
  const { write, read, writer, clock, namespaces } = engine;
  const list = (archived: SQL) =>
    prepared(() =>
      read
        .select()
        .from(topic)
        .where(and(eq(topic.namespaceId, given.namespaceId), gt(topic.name, given.after), isLive, archived))
        .orderBy(asc(topic.name))
        .limit(LIMIT),
    );
  const q = {
    byKey: topicByKey(read),
    active: list(isNull(topic.archivedAt)),
    archived: list(isNotNull(topic.archivedAt)),
    alike: prepared(() =>
      read
        .select({ name: topic.name })
        .from(topic)
        .where(
          and(
            eq(topic.namespaceId, given.namespaceId),
            ne(topic.name, given.name),
            isAlike(topic.name, given.name),
            isLive,
          ),
        )
        .limit(1),
    ),
    nameInJob: topicByName(write),
    rowInJob: topicByRow(write),
    update: prepared(() =>
      write
        .update(topic)
        .set({
          name: given.name,
          description: given.description,
          retentionDays: given.retentionDays,
          retentionMessages: given.retentionMessages,
          archivedAt: given.archivedAt,
          mutedUntil: given.mutedUntil,
        })
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
  const topicOf = (row: TopicRow) => toTopic(row, namespaces.name(row.namespaceId));
  const isTaken = (namespaceId: NamespaceId, name: string) => q.nameInJob.all({ namespaceId, name }).length > 0;
  const freeName = (namespaceId: NamespaceId, spec: NewTopic): string | undefined => {
    if (spec.name !== undefined) return isTaken(namespaceId, spec.name) ? undefined : spec.name;
    if (spec.prefix !== undefined && !isTaken(namespaceId, spec.prefix)) return spec.prefix;
    for (;;) {
      const name = `${(spec.prefix ?? "topic").slice(0, NAME_LENGTH - TAIL_LENGTH - 1)}-${base32(TAIL_LENGTH)}`;
      if (!isTaken(namespaceId, name)) return name;
    }
  };

  return {
    create: async (namespaceId, spec) =>
      writer.run<Topic | "name_taken" | "too_many_topics">(() => {
        const name = freeName(namespaceId, spec);
        if (name === undefined) return { result: "name_taken" };
        const row = makeTopic(namespaceId, name, spec);
        return typeof row === "string" ? { result: row } : { result: topicOf(row), events: changed(row) };
      }),

    byKey: async (namespaceName, key) => {
      const [row] = q.byKey.all({ key });
      const found = row && topicOf(row);
      return found?.namespace === namespaceName ? found : undefined;
    },

    byKeyAnywhere: async (key) => {
      const [row] = q.byKey.all({ key });
      return row === undefined || namespaces.isGone(row.namespaceId) ? undefined : topicOf(row);
    },

    list: async (namespaceId, { archived, after = "", limit }) =>
      q[archived ? "archived" : "active"].all({ namespaceId, after, limit }).map(topicOf),

    namedAlike: async (namespaceId, name) => q.alike.all({ namespaceId, name })[0]?.name,

    patch: async (topicId, patch) =>
      writer.run<Topic | "name_taken" | undefined>(() => {
        const [before] = q.rowInJob.all({ topicId });
        if (before === undefined) return { result: undefined };
        const after = patched(before, patch, clock.now());
        if (after.name !== before.name && isTaken(before.namespaceId, after.name)) return { result: "name_taken" };
        return { result: topicOf(q.update.get({ ...after, topicId })), events: changed(before) };
      }),

    rotate: async (topicId, isKept = () => false) => {
      const kept = new Set<string>();
      const dropped = new Set<string>();
      // the key last: a crash on the way leaves the old one, and whoever was not answered rotates again
      let after = 0;
      for (;;) {
        const from = after;
        const step = await writer.run<Rotation | undefined>(() => {
          if (q.rowInJob.all({ topicId }).length === 0) return { result: undefined };
          const part = subscriptions.removeOthers(topicId, isKept, from);
          const [row] = q.rowInJob.all({ topicId });
          // more than are kept: some came by the old key meanwhile, behind where this is
          if (row === undefined || part.after !== undefined || row.subscribers > kept.union(new Set(part.kept)).size)
            return { result: part };
          const rotated = q.rotate.get({ topicId, key: newTopicKey(row.name) });
          return { result: { ...part, topic: topicOf(rotated) }, events: [{ kind: "gone", topicId }] };
        });
        if (step === undefined) return undefined;
        for (const id of step.kept) kept.add(id);
        for (const id of step.dropped) dropped.add(id);
        if (step.topic !== undefined) return { topic: step.topic, kept: [...kept], dropped: [...dropped] };
        after = step.after ?? 0;
      }
    },

    remove: async (topicId) =>
      writer.run<boolean | "in_use">(() => {
        if (q.checks.all({ topicId }).length > 0) return { result: "in_use" };
        const [gone] = q.bury.all({ topicId, now: clock.now() });
        if (gone === undefined) return { result: false };
        q.uncount.run(gone);
        return { result: true, events: [{ kind: "gone", topicId }] };
      }),
  };
}

/** For whoever looks at topics. */
const changed = ({ namespaceId }: TopicRow): Committed[] => [{ kind: "hint", of: "topic", namespaceId }];

/** A slice of it; `topic`: it is the last, and this is the topic with its new key. */
type Rotation = Parted & { topic?: Topic };

const NAME_LENGTH = 64;
/** 20 random bits: a name and not a secret. */
const TAIL_LENGTH = 4;

function patched(row: TopicRow, patch: TopicPatch, now: number): TopicRow {
  const { archived, ...columns } = patch;
  const archivedAt = archived === undefined ? row.archivedAt : archived ? (row.archivedAt ?? now) : null;
  return { ...row, ...columns, archivedAt };
}
