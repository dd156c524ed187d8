/** A subscription or a poll of ntfy's: what is asked for, as a reader of the same feeds that peal's own event streams have (NTFY.md §6). */
import type { Deps } from "../../deps.ts";
import { contextOf } from "../../http/context.ts";
import { problem } from "../../http/problem.ts";
import { baseUrl } from "../../http/urls.ts";
import { wantsSocket } from "../../http/websocket.ts";
import type { Principal } from "../../keys/auth.ts";
import type { Opening } from "../../messages/events/connection.ts";
import type { Frame } from "../../messages/events/format.ts";
import { emptyStream } from "../../messages/events/reader.ts";
import { topicSource, topicsSource, type Source } from "../../messages/events/source.ts";
import { draftOf } from "../../messages/message.ts";
import type { Placed } from "../../store/messages.ts";
import type { Scheduled, ScheduledStore } from "../../store/scheduled.ts";
import { type AddressDeps, type AskedTopic, type Base, readableAt } from "../address.ts";
import { eventOf } from "../object.ts";
import { idOfWaiting, named } from "../id.ts";
import { filterOf, matching, passes, type Filter } from "./filter.ts";
import { type Formats, type NtfyFormat, type Shape, typeOf } from "./formats.ts";
import { isYes, paramsOf, type Param } from "./param.ts";
import { placeInTopic, placeInTopics, sinceOf, type Since } from "./since.ts";

export type ReadDeps = AddressDeps & Pick<Deps, "config" | "bus" | "streams" | "delivery">;

/** @throws Problem 400, 401, 403, 429, 503 */
export async function subscribe(
  deps: ReadDeps & { formats: Formats },
  request: Request,
  at: Base & { topics: string | null },
  shape: Shape,
): Promise<Response> {
  const readable = await readableAt(deps, request, at, at.topics);
  const param = paramsOf(request);
  const asked = askedOf(param, request, shape, deps.clock.now());
  const contentType = typeOf(shape);
  if (contentType === undefined && !wantsSocket(request))
    throw problem.badRequest("This address is for WebSockets: open it with `ws://` or `wss://`, or ask for `/json`.");
  if (contentType !== undefined && contextOf(request).head) return emptyStream(contentType);
  const { gone } = readable;
  if (asked.isPoll && gone.length > 0) throw problem.unknownTopic();
  const topics = eachOnce(readable.topics);
  if (asked.isPoll) for (const { topic } of topics) deps.delivery.ntfyPolled(topic.id);
  const format = deps.formats.of(shape, topics);
  const base = baseUrl(deps, request);
  const opening = await feedOf(deps, topics, asked);
  const beside = await besideOf(deps, topics, { ...asked, format, base, source: opening.source, from: opening.since });
  return deps.streams.open(request, {
    ...opening,
    // an app has one stream for all its topics: one that is no more must not make it deaf to the others
    beside: [...beside, ...gone.map((key) => format.missing(key, deps.clock.now()))],
    matches: asked.filter.id === "" ? matching(asked.filter) : isNoMessage,
    isPoll: asked.isPoll,
    key: keyOf(readable.principal),
    ...{ format, base, asked: at.topics ?? "" },
  });
}

interface Asked {
  isPoll: boolean;
  since: Since;
  /** Messages that wait for their time, too. */
  isWithWaiting: boolean;
  filter: Filter;
}

/** @throws Problem 400 */
function askedOf(param: Param, request: Request, shape: Shape, now: number): Asked {
  const isPoll = isYes(param("x-poll", "poll", "po"));
  // a browser that connects again says where it stopped
  const lastId = shape === "sse" ? (request.headers.get("last-event-id") ?? "") : "";
  return {
    isPoll,
    since: sinceOf(lastId === "" ? param("x-since", "since", "si") : lastId, {
      ...{ isPoll, now, userAgent: request.headers.get("user-agent") ?? "" },
    }),
    isWithWaiting: isYes(param("x-scheduled", "scheduled", "sched")),
    filter: filterOf(param),
  };
}

/** A topic that is named twice, by its key and its name, goes by the latter of them. */
const eachOnce = (topics: readonly AskedTopic[]): AskedTopic[] => [
  ...new Map(topics.map((one) => [one.topic.id, one])).values(),
];

const keyOf = (principal: Principal | undefined): Opening["key"] =>
  principal?.keyId === undefined
    ? undefined
    : { id: principal.keyId, ...(principal.expiresAt !== undefined && { expiresAt: principal.expiresAt }) };

/** With a filter by an id, its message is all that is sent. */
const isNoMessage: NonNullable<Opening["matches"]> = ({ draft }) => eventOf(draft) !== "message";

/** The feed, and where in it to begin. */
async function feedOf(
  deps: ReadDeps,
  asked: readonly AskedTopic[],
  { since, filter }: Asked,
): Promise<Pick<Opening, "feed" | "source" | "since">> {
  const topics = asked.map(({ topic }) => topic);
  const [only, ...others] = topics;
  const from = filter.id === "" ? since : "none";
  if (only !== undefined && others.length === 0) {
    const place = await placeInTopic(deps.store, only, from);
    return { feed: only.key, source: topicSource(deps, only), since: positionAt(place) };
  }
  const place = await placeInTopics(deps.store, topics, from);
  const feed = topics
    .map(({ key }) => key)
    .toSorted()
    .join(",");
  return { feed, source: topicsSource(deps, topics), since: positionAt(place) };
}

const positionAt = (id: number | undefined): Opening["since"] => (id === undefined ? undefined : { id });

interface Beside extends Asked {
  format: NtfyFormat;
  base: string;
  source: Source;
  from: Opening["since"];
}

/** What comes beside the feed: one message by its id, the newest of several topics, messages that wait for their time. */
async function besideOf(
  deps: ReadDeps,
  topics: readonly AskedTopic[],
  { since, isWithWaiting, filter, format, base, source, from }: Beside,
): Promise<Frame[]> {
  if (since === "none") return [];
  const isLatest = since === "latest";
  const stored =
    filter.id !== ""
      ? await messageById(deps, topics, filter.id)
      : isLatest && topics.length > 1
        ? await newestOf(deps, topics, from?.id ?? 0)
        : [];
  const waiting = isWithWaiting && !isLatest ? await waitingIn(deps, topics) : [];
  return [
    ...stored
      .filter(({ message }) => passes(filter, draftOf(message)))
      .map((one) => source.entry(one).frame(format, base)),
    ...waiting
      .filter((one) => (filter.id === "" || idOfWaiting(one) === filter.id) && passes(filter, one.draft))
      .map((one) => format.waiting(one, base)),
  ];
}

async function messageById(
  { store: { messages, epochs } }: ReadDeps,
  topics: readonly AskedTopic[],
  id: string,
): Promise<Placed[]> {
  const known = named(id);
  const topic = topics.find((asked) => asked.topic.id === known?.topicId)?.topic;
  if (known === undefined || topic === undefined) return [];
  const message = await messages.find(topic.id, known.messageId);
  return message !== undefined && known.isOf(epochs.of(message.seq)) ? [{ topic, message }] : [];
}

/** `upTo`: a `seq`; what is later comes by the feed. */
async function newestOf(
  { store: { messages } }: ReadDeps,
  topics: readonly AskedTopic[],
  upTo: number,
): Promise<Placed[]> {
  const found = await Promise.all(
    topics.map(async ({ topic }): Promise<Placed[]> => {
      const page = await messages.page(topic.id, { limit: 1 });
      return page.messages.map((message) => ({ topic, message }));
    }),
  );
  return found
    .flat()
    .filter(({ message }) => message.seq <= upTo)
    .toSorted((one, other) => one.message.seq - other.message.seq);
}

/** How many waiting messages are read at once. */
const PAGE = 200;
type ScheduledPage = Awaited<ReturnType<ScheduledStore["list"]>>;

async function waitingIn({ store: { scheduled } }: ReadDeps, asked: readonly AskedTopic[]): Promise<Scheduled[]> {
  const topics = new Set(asked.map(({ topic }) => topic.id));
  const found: Scheduled[] = [];
  for (const namespaceId of new Set(asked.map(({ topic }) => topic.namespaceId))) {
    let after: ScheduledPage["next"];
    do {
      const page: ScheduledPage = await scheduled.list(namespaceId, { ...(after && { after }), limit: PAGE });
      // those of other topics are let go at once: a namespace may have 10,000 of 32 KiB
      found.push(...page.scheduled.filter(({ topic }) => topics.has(topic.id)));
      after = page.next;
    } while (after !== undefined);
  }
  return found;
}
