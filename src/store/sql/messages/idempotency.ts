/** Idempotency keys: a repeat of a publish under the same key stores nothing, and is answered as the first was (API.md §3). */
import { and, eq } from "drizzle-orm";
import type { Draft } from "../../../drafts/draft.ts";
import type { Message } from "../../../messages/message.ts";
import type { TopicOfMessage } from "../../../topics/topic.ts";
import type { Publication, Published } from "../../messages.ts";
import type { Scheduled } from "../../scheduled.ts";
import type { Engine } from "../engine.ts";
import { idempotency, message, scheduled } from "../schema/schema.ts";
import { placeholders, prepared, pick } from "../statements.ts";
import { topicByRow, toTopicOfMessage } from "../topics/rows.ts";
import { DAY } from "../../../util/clock.ts";

/** How long a repeat under the same idempotency key is recognized. */
export const IDEMPOTENCY_MS = DAY;

export type Refused = {
  kind: "unknown_topic" | "unknown_hook" | "too_many_topics" | "too_many_scheduled" | "idempotency_mismatch";
};
export type Answer = Exclude<Published, Refused>;

const given = placeholders<typeof idempotency>();

/** Remembers answers by reference, and makes them again from the reference and the repeated request. */
export function replayer({ write, clock, namespaces }: Engine) {
  const values = {
    ...pick(given, "hash", "topicId", "createdTopic", "createdAt", "messageId", "seq", "messageAt"),
    ...pick(given, "scheduledId", "deliverAt"),
  };
  const key = pick(given, "namespaceId", "key");
  const q = {
    find: prepared(() =>
      write
        .select()
        .from(idempotency)
        .where(and(eq(idempotency.namespaceId, given.namespaceId), eq(idempotency.key, given.key))),
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
        .where(eq(message.row, given.seq)),
    ),
    waiting: prepared(() =>
      write.select({ json: scheduled.json }).from(scheduled).where(eq(scheduled.id, given.scheduledId)),
    ),
  };

  return {
    /** The fields that the request alone does not give. If the message is gone, so are they. */
    asStored(before: Answer | Refused): Answer | Refused {
      if (before.kind === "stored") {
        const [first] = q.stored.all({ seq: before.message.seq });
        return first === undefined ? before : { ...before, message: { ...before.message, ...first } };
      }
      if (before.kind !== "scheduled") return before;
      const [first] = q.waiting.all({ scheduledId: before.scheduled.id });
      const draft = first && (JSON.parse(first.json) as Draft);
      return draft === undefined ? before : { ...before, scheduled: { ...before.scheduled, draft } };
    },

    find(namespaceId: Publication["namespaceId"], { key, hash }: Repeatable, draft: Draft, json: string) {
      const [seen] = q.find.all({ namespaceId, key });
      if (seen === undefined || seen.createdAt <= clock.now() - IDEMPOTENCY_MS) return undefined;
      if (seen.hash !== hash) return { kind: "idempotency_mismatch" } as const;
      const [row] = q.topic.all({ topicId: seen.topicId });
      if (row === undefined) return { kind: "unknown_topic" } as const; // the topic was deleted since: a retry stores nothing
      return answer(seen, toTopicOfMessage(row, namespaces.name(namespaceId)), draft, json);
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

/** The first answer again: the same request makes the same draft except for `asStored`, and the reference has the rest. */
function answer(seen: typeof idempotency.$inferSelect, of: TopicOfMessage, draft: Draft, json: string): Answer {
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

/** A message from the schedule says so, when it is answered and when it is sent. */
export const delayed = (draft: Draft): Draft => ({ ...draft, source: "schedule" });
