/** Publishing: one job that looks for a repeat, finds or makes the topic and stores the message under its next id. Plain ones: batch.ts. */
import { and, count, eq, sql } from "drizzle-orm";
import type { Attachment } from "../../../files/file.ts";
import type { Intake } from "../../../messages/intake.ts";
import type { Message } from "../../../messages/message.ts";
import type { Draft } from "../../../drafts/draft.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Topic } from "../../../topics/topic.ts";
import { recordId } from "../../../util/ids.ts";
import type { Use } from "../../hooks.ts";
import type { Committed } from "../../store.ts";
import type { Scheduled } from "../../scheduled.ts";
import type { Publication, Published } from "../../messages.ts";
import { execute } from "../differences.ts";
import { prepared } from "../statements.ts";
import { finders, takers, topicFinder } from "../topics/destination.ts";
import type { Engine } from "../engine.ts";
import { withOutbox } from "../deliveries/fanout.ts";
import { attacher } from "../files/files.ts";
import { hookNoter } from "../hooks/use.ts";
import { plainOf, publisherOfAll, singleAppender } from "./batch.ts";
import { intakeKeeper } from "./intake.ts";
import { idempotency, message, scheduled } from "../schema/schema.ts";
import type { MakeTopic } from "../topics/make.ts";
import { toTopic, topicByRow, type TopicRow } from "../topics/rows.ts";
import type { Outcome } from "../job.ts";

const { placeholder } = sql;

/** A repeat under the same idempotency key is recognised for so long. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;

type Refused = {
  kind: "unknown_topic" | "unknown_hook" | "too_many_topics" | "too_many_scheduled" | "idempotency_mismatch";
};
type Answer = Exclude<Published, Refused>;

/** `publish` of the port. The draft is serialized here, once and before its job. */
export function publisher(engine: Engine, makeTopic: MakeTopic): (publication: Publication) => Promise<Published> {
  const { write, writer, clock, namespaces } = engine;
  const take = takers(write);
  const find = finders(write);
  const topicFor = topicFinder(makeTopic);
  const append = singleAppender(engine);
  const storeAll = publisherOfAll(engine, makeTopic);
  const attach = attacher(engine);
  const keepIntake = intakeKeeper(write);
  const replays = replayer(engine);
  const notes = hookNoter(engine);
  const insertScheduled = prepared(() =>
    write.insert(scheduled).values({
      id: placeholder("id"),
      namespaceId: placeholder("namespaceId"),
      topicId: placeholder("topicId"),
      deliverAt: placeholder("deliverAt"),
      delayMs: placeholder("delayMs"),
      createdAt: placeholder("createdAt"),
      json: placeholder("json"),
      intake: placeholder("intake"),
      sender: placeholder("sender"),
    }),
  );
  const countScheduled = prepared(() =>
    write
      .select({ waiting: count() })
      .from(scheduled)
      .where(eq(scheduled.namespaceId, placeholder("namespaceId"))),
  );
  /** By counting, 0.2 ms at 10,000: few messages are delayed. Those of a deleted topic count until the sweep. */
  const isFull = (namespaceId: NamespaceId) =>
    (countScheduled.all({ namespaceId })[0]?.waiting ?? 0) >= engine.scheduledPerNamespace;

  const store = (publication: Publication, given: Draft, written: string): Outcome<Answer | Refused> => {
    const { deliverAt, delayMs = null, namespaceId, files, intake } = publication;
    const now = clock.now();
    if (deliverAt !== undefined && isFull(namespaceId)) return { result: { kind: "too_many_scheduled" } };
    const found = topicFor(deliverAt === undefined ? take : find, publication, now);
    if (typeof found === "string") return { result: { kind: found } };
    const { row, createdTopic } = found;
    const kept = files && attach(files, row.row, deliverAt ?? now);
    const draft = kept === undefined ? given : withFiles(given, kept.attachments);
    const json = draft === given ? written : JSON.stringify(draft);
    const leftOut = kept && { leftOut: kept.leftOut };
    if (deliverAt === undefined) {
      const { event, ...stored } = append(row, draft, json, now, senderOf(publication));
      if (intake !== undefined) keepIntake(stored.message.seq, row, intake);
      kept?.tie({ messageRow: stored.message.seq });
      const events = withOutbox([event], row.subscribers > 0);
      return { result: { kind: "stored", ...stored, createdTopic, replayed: false, ...leftOut }, events };
    }
    const waiting = { id: recordId(), deliverAt, createdAt: now };
    const beside = { intake: intakeJson(intake), sender: senderOf(publication) ?? null };
    const values = { ...waiting, delayMs, namespaceId, topicId: row.row, json, ...beside };
    const scheduledRow = Number(execute(insertScheduled, values).lastInsertRowid);
    kept?.tie({ scheduledRow });
    return {
      result: {
        kind: "scheduled",
        topic: toTopic(row, namespaces.name(namespaceId)),
        scheduled: { ...waiting, topic: toTopic(row, namespaces.name(namespaceId)), draft },
        createdTopic,
        replayed: false,
        ...leftOut,
      },
      events: [{ kind: "scheduled", deliverAt }],
    };
  };

  /** With what it leaves at its hook. */
  const noted = (by: Use, { namespaceId, draft }: Publication, outcome: Outcome<Answer | Refused>) => {
    const { result, events = [] } = outcome;
    if (result.kind !== "stored" && result.kind !== "scheduled") return outcome;
    const made = result.kind === "stored" ? { messageId: result.message.id } : { scheduled: result.scheduled.id };
    notes.keep(by, draft.source, made);
    return { ...outcome, events: [...events, { kind: "hint", of: "hook", namespaceId } as const] };
  };

  return async (publication) => {
    const draft = publication.deliverAt === undefined ? publication.draft : delayed(publication.draft);
    const json = JSON.stringify(draft);
    const plain = plainOf(publication, json);
    if (plain !== undefined) return await writer.together(storeAll, plain);
    const { idempotency: repeatable } = publication;
    const once = (): Outcome<Answer | Refused> => {
      if (repeatable === undefined) return store(publication, draft, json);
      const before = replays.find(publication.namespaceId, repeatable, draft, json);
      // what files there was room for, and what a hook was set to, is not in the request
      const isSaidAgain = publication.files === undefined && publication.by === undefined;
      if (before !== undefined) return { result: isSaidAgain ? before : replays.asStored(before) };
      const outcome = store(publication, draft, json);
      replays.remember(publication.namespaceId, repeatable, outcome.result);
      return outcome;
    };
    const { by } = publication;
    if (by === undefined) return writer.run(once);
    return writer.run(() => (notes.isOf(by) ? noted(by, publication, once()) : { result: { kind: "unknown_hook" } }));
  };
}

/** As the table has it; undefined: the server itself, or a person. */
const senderOf = ({ by, key }: Publication): number | undefined => (by === undefined ? key : -Number(by.row));

const intakeJson = (intake: Intake | undefined): string | null =>
  intake === undefined ? null : JSON.stringify(intake);

/** What came from the schedule says so, when it is answered and when it fires. */
const delayed = (draft: Draft): Draft => ({ ...draft, source: "schedule" });

/** Its files first: that is where `hasFiles` looks. */
const withFiles = (draft: Draft, attachments: Attachment[]): Draft =>
  attachments.length === 0 ? draft : { attachments, ...draft };

/** Remembers answers by reference, and makes them again from it and the repeated request. */
function replayer({ write, clock, namespaces }: Engine) {
  const values = {
    hash: sql`${placeholder("hash")}`,
    topicId: sql`${placeholder("topicId")}`,
    createdTopic: sql`${placeholder("createdTopic")}`,
    createdAt: sql`${placeholder("createdAt")}`,
    messageId: sql`${placeholder("messageId")}`,
    seq: sql`${placeholder("seq")}`,
    messageAt: sql`${placeholder("messageAt")}`,
    scheduledId: sql`${placeholder("scheduledId")}`,
    deliverAt: sql`${placeholder("deliverAt")}`,
  };
  const key = {
    namespaceId: sql`${placeholder("namespaceId")}`,
    key: sql`${placeholder("key")}`,
  };
  const q = {
    find: prepared(() =>
      write
        .select()
        .from(idempotency)
        .where(and(eq(idempotency.namespaceId, placeholder("namespaceId")), eq(idempotency.key, placeholder("key")))),
    ),
    remember: prepared(() =>
      write
        .insert(idempotency)
        .values({ ...key, ...values })
        .onConflictDoUpdate({ target: [idempotency.namespaceId, idempotency.key], set: values }),
    ),
    topic: topicByRow(write),
    stored: prepared(() =>
      write
        .select({ json: message.json, level: message.level, priority: message.priority })
        .from(message)
        .where(eq(message.row, placeholder("seq"))),
    ),
    waiting: prepared(() =>
      write
        .select({ json: scheduled.json })
        .from(scheduled)
        .where(eq(scheduled.id, placeholder("id"))),
    ),
  };

  return {
    /** Of what the request does not say alone. Where the message is gone, so is that. */
    asStored(before: Answer | Refused): Answer | Refused {
      if (before.kind === "stored") {
        const [first] = q.stored.all({ seq: before.message.seq });
        return first === undefined ? before : { ...before, message: { ...before.message, ...first } };
      }
      if (before.kind !== "scheduled") return before;
      const [first] = q.waiting.all({ id: before.scheduled.id });
      const draft = first && (JSON.parse(first.json) as Draft);
      return draft === undefined ? before : { ...before, scheduled: { ...before.scheduled, draft } };
    },

    find(namespaceId: Publication["namespaceId"], { key, hash }: Repeatable, draft: Draft, json: string) {
      const [seen] = q.find.all({ namespaceId, key });
      if (seen === undefined || seen.createdAt <= clock.now() - IDEMPOTENCY_MS) return undefined;
      if (seen.hash !== hash) return { kind: "idempotency_mismatch" } as const;
      const [row] = q.topic.all({ topicId: seen.topicId });
      if (row === undefined) return { kind: "unknown_topic" } as const; // deleted since: a retry stores nothing
      return answer(seen, toTopic(row, namespaces.name(namespaceId)), draft, json);
    },

    remember(namespaceId: Publication["namespaceId"], { key, hash }: Repeatable, published: Answer | Refused) {
      if (published.kind !== "stored" && published.kind !== "scheduled") return;
      const nothing = { messageId: null, seq: null, messageAt: null, scheduledId: null, deliverAt: null };
      q.remember.run({
        ...nothing,
        namespaceId,
        key,
        hash,
        topicId: published.topic.id,
        createdTopic: published.createdTopic ? 1 : 0,
        createdAt: clock.now(),
        ...reference(published),
      });
    },
  };
}

type Repeatable = NonNullable<Publication["idempotency"]>;

const reference = (published: Answer) =>
  published.kind === "stored"
    ? { messageId: published.message.id, seq: published.message.seq, messageAt: published.message.createdAt }
    : {
        scheduledId: published.scheduled.id,
        deliverAt: published.scheduled.deliverAt,
        messageAt: published.scheduled.createdAt,
      };

/** The first answer again: the same request makes the same draft but for `asStored`, the rest is in the reference. */
function answer(seen: typeof idempotency.$inferSelect, of: Topic, draft: Draft, json: string): Answer {
  const { createdTopic, createdAt } = seen;
  if (seen.scheduledId !== null) {
    const waiting: Scheduled = {
      id: seen.scheduledId,
      deliverAt: seen.deliverAt ?? 0,
      createdAt: seen.messageAt ?? createdAt,
      topic: of,
      draft: delayed(draft),
    };
    return { kind: "scheduled", topic: of, scheduled: waiting, createdTopic, replayed: true };
  }
  const { level, priority } = draft;
  const first: Message = {
    id: seen.messageId ?? 0,
    seq: seen.seq ?? 0,
    createdAt: seen.messageAt ?? createdAt,
    level,
    priority,
    json,
  };
  return { kind: "stored", topic: of, message: first, createdTopic, replayed: true };
}
