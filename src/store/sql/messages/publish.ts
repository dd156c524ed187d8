/** Publishes that are not plain (batch.ts): one job looks for a repeat, finds or makes the topic, and stores the message. */
import { and, count as countRows, eq, sql } from "drizzle-orm";
import type { Attachment } from "../../../files/file.ts";
import type { Intake } from "../../../messages/intake.ts";
import type { Draft } from "../../../drafts/draft.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { recordId } from "../../../util/ids.ts";
import { SHORT_ID } from "../../scheduled.ts";
import type { Use } from "../../hooks.ts";
import type { Publication, Published } from "../../messages.ts";
import { placeholders, prepared } from "../statements.ts";
import { jsonField } from "../differences.ts";
import { finders, takers, topicFinder } from "../topics/destination.ts";
import type { Engine } from "../engine.ts";
import { withOutbox } from "../deliveries/fanout.ts";
import { attacher } from "../files/files.ts";
import { hookNoter } from "../hooks/use.ts";
import { plainOf, publisherOfAll, singleAppender } from "./batch.ts";
import { type Answer, delayed, type Refused, replayer } from "./idempotency.ts";
import { intakeKeeper } from "./intake.ts";
import { scheduled } from "../schema/schema.ts";
import type { MakeTopic } from "../topics/make.ts";
import { toTopicOfMessage, type TopicRow } from "../topics/rows.ts";
import type { Outcome } from "../job.ts";

const given = placeholders<typeof scheduled>();

/** `publish` of the port. The draft is serialized here, once, before its job. */
export function publisher(engine: Engine, makeTopic: MakeTopic): (publication: Publication) => Promise<Published> {
  const { write, writer, clock } = engine;
  const take = takers(write);
  const find = finders(write);
  const topicFor = topicFinder(makeTopic);
  const append = singleAppender(engine);
  const storeAll = publisherOfAll(engine, makeTopic);
  const attach = attacher(engine);
  const keepIntake = intakeKeeper(write);
  const replays = replayer(engine);
  const notes = hookNoter(engine);
  const waiting = scheduler(engine);
  const store = (publication: Publication, given: Draft, written: string): Outcome<Answer | Refused> => {
    const { deliverAt, namespaceId, files, intake } = publication;
    const now = clock.now();
    if (deliverAt !== undefined && waiting.isFull(namespaceId)) return { result: { kind: "too_many_scheduled" } };
    const found = topicFor(deliverAt === undefined ? take : find, publication, now);
    if (typeof found === "string") return { result: { kind: found } };
    const { row, createdTopic } = found;
    if (publication.replaces === true) waiting.cancelAlike(row.row, given.dedup_key);
    const kept = files && attach(files, row.row, deliverAt ?? now);
    const draft = kept === undefined ? given : withFiles(given, kept.attachments);
    const json = draft === given ? written : JSON.stringify(draft);
    const leftOut = kept && { leftOut: kept.leftOut };
    if (deliverAt === undefined) {
      const event = append(row, draft, json, now, senderOf(publication));
      const stored = { topic: event.topic, message: event.message };
      if (intake !== undefined) keepIntake(stored.message.seq, row, intake);
      kept?.tie({ messageRow: stored.message.seq });
      const events = withOutbox([event], row.subscribers > 0);
      return { result: { kind: "stored", ...stored, createdTopic, replayed: false, ...leftOut }, events };
    }
    const { scheduledRow, scheduled } = waiting.store({ ...publication, draft, deliverAt }, row, json, now);
    kept?.tie({ scheduledRow });
    const { topic } = scheduled;
    return {
      result: { kind: "scheduled", topic, scheduled, createdTopic, replayed: false, ...leftOut },
      events: [{ kind: "scheduled", deliverAt }],
    };
  };

  /** With what it stores at its hook. */
  const noted = (by: Use, { namespaceId, draft }: Publication, outcome: Outcome<Answer | Refused>) => {
    const { result, events = [] } = outcome;
    if (result.kind !== "stored" && result.kind !== "scheduled") return outcome;
    const made = result.kind === "stored" ? { messageId: result.message.id } : { scheduled: result.scheduled.id };
    notes.keep(by, draft.source, made);
    return { ...outcome, events: [...events, { kind: "hint", of: "hook", namespaceId } as const] };
  };

  // eslint-disable-next-line @typescript-eslint/promise-function-async -- every publish would pay for a second promise
  return (publication) => {
    const draft = publication.deliverAt === undefined ? publication.draft : delayed(publication.draft);
    const json = JSON.stringify(draft);
    const plain = plainOf(publication, json);
    if (plain !== undefined) return writer.together(storeAll, plain);
    const { idempotency: repeatable } = publication;
    const once = (): Outcome<Answer | Refused> => {
      if (repeatable === undefined) return store(publication, draft, json);
      const before = replays.find(publication.namespaceId, repeatable, draft, json);
      // the request does not say for which files there was room, or how a hook was set
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

/** Stores messages that wait for their time, inside a job. */
function scheduler({ write, namespaces, scheduledPerNamespace }: Engine) {
  const insert = prepared(() =>
    write
      .insert(scheduled)
      .values({
        ...{ id: given.id, namespaceId: given.namespaceId, topicId: given.topicId, deliverAt: given.deliverAt },
        ...{ delayMs: given.delayMs, createdAt: given.createdAt, json: given.json },
        ...{ intake: given.intake, sender: given.sender },
      })
      .returning({ row: scheduled.row }),
  );
  const count = prepared(() =>
    write.select({ waiting: countRows() }).from(scheduled).where(eq(scheduled.namespaceId, given.namespaceId)),
  );
  const alike = prepared(() =>
    write
      .delete(scheduled)
      .where(
        and(
          eq(scheduled.topicId, given.topicId),
          sql`(${sql.raw(jsonField("json", "dedup_key"))} = ${given.id} OR substr(${scheduled.id}, 1, ${sql.raw(String(SHORT_ID))}) = ${given.id})`,
        ),
      ),
  );
  return {
    /** Those of the topic under this key, or whose short id it is. */
    cancelAlike: (topicId: TopicId, key = "") => {
      if (key !== "") alike.run({ topicId, id: key });
    },

    /** By counting, which takes 0.2 ms at 10,000: few messages are delayed. Those of a deleted topic count until the sweep. */
    isFull: (namespaceId: NamespaceId) => (count.all({ namespaceId })[0]?.waiting ?? 0) >= scheduledPerNamespace,

    store(publication: Publication & { deliverAt: Millis }, row: TopicRow, json: string, now: Millis) {
      const { namespaceId, draft, deliverAt, delayMs = null, intake } = publication;
      const made = { id: recordId(), deliverAt, createdAt: now };
      const beside = { intake: intakeJson(intake), sender: senderOf(publication) ?? null };
      const { row: scheduledRow } = insert.get({ ...made, delayMs, namespaceId, topicId: row.row, json, ...beside });
      const topic = toTopicOfMessage(row, namespaces.name(namespaceId));
      return { scheduledRow, scheduled: { ...made, topic, draft } };
    },
  };
}

/** As the table has it; undefined: the server itself, or a person. */
const senderOf = ({ by, key }: Publication): number | undefined => (by === undefined ? key : -Number(by.row));

const intakeJson = (intake: Intake | undefined): string | null =>
  intake === undefined ? null : JSON.stringify(intake);

/** Puts the files first, where `hasFiles` looks. */
const withFiles = (draft: Draft, attachments: Attachment[]): Draft =>
  attachments.length === 0 ? draft : { attachments, ...draft };
