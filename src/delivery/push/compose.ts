/** Composes what a device shows of one message, of many that waited, or of a test (DELIVERY.md §2). Pure. */
import { fileUrl, pictureOf } from "../../files/file.ts";
import { feedUrl, messageUrl } from "../../http/urls.ts";
import { draftOf, type Message } from "../../messages/message.ts";
import { type Action, type Draft, hasUrl, highest, LEVELS, PRIORITIES } from "../../drafts/draft.ts";
import { cut } from "../../rewrites/text.ts";
import type { Topic } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type { Pending } from "../delivery.ts";
import { isHeldBack } from "./outcome.ts";
import type { Notification } from "./push.ts";
import { quietUntil } from "./quiet-hours.ts";

interface Told<T = Topic> {
  message: Message;
  draft: Draft;
  topic: T;
}
type Names = Pick<Topic, "namespace" | "key" | "name">;

/**
 * `chosen`: one delivery, or several for a digest, the newest first. `base`: the server's address without a trailing
 * slash, empty if nobody knows it. @throws Error if all messages were deleted: owner-rules.ts drops those before
 */
export function compose(
  chosen: readonly [Pending, ...Pending[]],
  { base, now }: { base: string; now: Millis },
): Notification {
  if (chosen[0].kind === "test") return testOf(base, now);
  const told = chosen.flatMap(({ message, topic }) =>
    message === undefined || topic === undefined ? [] : [{ message, topic, draft: draftOf(message) }],
  );
  const [newest, ...others] = told;
  if (newest === undefined) throw new Error("a message that was deleted has nothing to show");
  return others.length === 0 ? messageOf(newest, base) : digestOf([newest, ...others], { base, why: whyOf(chosen) });
}

/** The priority is high, so that it comes at once: somebody is looking at the device. */
const testOf = (base: string, at: Millis): Notification => ({
  title: "Test notification",
  body: "Notifications reach this device.",
  ...{ level: "success", priority: "high", ack: false, at },
  ...(base !== "" && { url: `${base}/` }),
});

/** The notification for one message; `base` as in `compose`. */
export function messageOf({ message, draft, topic }: Told<Names>, base: string): Notification {
  const card = base === "" ? undefined : messageUrl(feedUrl(base, topic), message.id);
  const title = draft.title?.trim() ?? "";
  return defined<Notification>({
    title: title === "" ? topic.name : title,
    body: draft.message,
    level: draft.level,
    priority: draft.priority,
    topic: namesOf(topic),
    messageId: message.id,
    url: draft.url ?? card,
    feedUrl: card,
    ...imageOf(draft, topic, base),
    actions: actionsOf(draft),
    ack: draft.ack === true,
    at: draft.timestamp === undefined ? message.createdAt : Date.parse(draft.timestamp),
  });
}

/** Those that every device has. */
function actionsOf({ actions }: Draft): Action[] | undefined {
  const made = actions?.filter(hasUrl) ?? [];
  return made.length === 0 ? undefined : made;
}

/** The image that the sender names, else the first picture that came with the message. */
function imageOf(
  { image, attachments }: Draft,
  topic: Names,
  base: string,
): Pick<Notification, "image" | "isOwnImage"> {
  const picture = base === "" ? undefined : pictureOf(attachments);
  if (image !== undefined) return { image };
  return picture === undefined ? {} : { image: fileUrl(base, topic, picture), isOwnImage: true };
}

/** A digest of several topics opens the one with the newest message. */
function digestOf(told: readonly [Told, ...Told[]], { base, why }: { base: string; why: string }): Notification {
  const [newest] = told;
  const [levels, priorities] = [told.map(({ draft }) => draft.level), told.map(({ draft }) => draft.priority)];
  const topics = Map.groupBy(told, ({ topic }) => topic.id);
  const feed = base === "" ? undefined : feedUrl(base, newest.topic);
  return defined<Notification>({
    title: `${told.length} messages${why}`,
    body: topics.size === 1 ? headlines(told) : countsOf([...topics.values()]),
    level: highest(LEVELS, levels) ?? "info",
    priority: highest(PRIORITIES, priorities) ?? "normal",
    topic: topics.size === 1 ? namesOf(newest.topic) : undefined,
    url: feed,
    feedUrl: feed,
    ack: false,
    at: newest.message.createdAt,
    count: told.length,
  });
}

/**
 * Says why all of it waited. What an outage holds up stays due, and a failed try is counted: so what was put off
 * without a try was held by quiet hours. If the push service wanted no more for the device, nobody was offline either.
 */
function whyOf(chosen: readonly Pending[]): string {
  const due = new Map(chosen.map(({ dueAt, device }) => [dueAt, device.quietHours]));
  if ([...due].every(([dueAt, hours]) => hours !== undefined && quietUntil(hours, dueAt - 1) === dueAt))
    return " during quiet hours";
  const isPutOff = ({ attempts, createdAt, dueAt }: Pending) => attempts === 0 && dueAt > createdAt;
  return chosen.some((one) => isPutOff(one) || isHeldBack(one)) ? "" : " while offline";
}

const namesOf = ({ namespace, key, name }: Names) => ({ namespace, key, name });

/** A phone shows about four lines. */
const MOST_LINES = 3;
const HEADLINE_CHARACTERS = 80;

function headlines(told: readonly Told[]): string {
  const shown = told.slice(0, MOST_LINES).map(({ draft, topic }) => headlineOf(draft) || topic.name);
  return [...shown, ...more(told.length - shown.length, "")].join("\n");
}

function headlineOf({ title, message }: Draft): string {
  const line = title?.trim() ?? "";
  return cut(line === "" ? (message.trim().split("\n", 1)[0] ?? "") : line, HEADLINE_CHARACTERS);
}

function countsOf(topics: readonly (readonly Told[])[]): string {
  const busiest = topics.toSorted((a, b) => b.length - a.length).slice(0, MOST_LINES);
  const lines = busiest.flatMap((told) => told.slice(0, 1).map(({ topic }) => `${topic.name}: ${told.length}`));
  return [
    ...lines,
    ...more(topics.length - lines.length, topics.length - lines.length === 1 ? " topic" : " topics"),
  ].join("\n");
}

const more = (count: number, what: string): string[] => (count > 0 ? [`and ${count} more${what}`] : []);
