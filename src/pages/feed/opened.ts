/** What is open in topics, as pages show it: what asks and what fires, and what somebody is on. */
import type { Check } from "../../checks/check.ts";
import type { Deps } from "../../deps.ts";
import { draftOf } from "../../messages/message.ts";
import type { Draft } from "../../drafts/draft.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { OpenMessage, OpenScope, Taken } from "../../store/overview.ts";
import { DAY, type Millis } from "../../util/clock.ts";

export interface Opened {
  /** The urgent ones first. */
  open: OpenCard[];
  /** How many nobody has acknowledged, and how many fire: as many as are shown. */
  asking: number;
  firing: number;
  /** There are even more of these. */
  moreAsking: boolean;
  moreFiring: boolean;
  taken: OpenCard[];
}

export interface OpenCard extends OpenMessage {
  draft: Draft;
  /** It has fired since then; absent: it only asks, or that is too far back. */
  since?: Millis;
  taken?: Taken & {
    /** The check that it is of is quiet until then. */
    until?: Millis;
  };
}

/** Rows of each kind. */
export const MOST_OPEN = 5;
/** An urgent message is repeated for an hour; somebody who has not answered for a day will not. */
const ASKS_MS = DAY;
/** Not every tool says that it is over: an alert that fires for longer is only in the log. */
const FIRES_MS = 7 * ASKS_MS;

type OpenDeps = Pick<Deps["store"], "overview" | "messages" | "checks">;

/** What is open in a topic, or in namespaces. */
export async function openedOf(store: OpenDeps, of: OpenScope, now: Millis): Promise<Opened> {
  const query = { asksSince: now - ASKS_MS, firesSince: now - FIRES_MS, limit: MOST_OPEN + 1 };
  const { asking, firing, taken } = await store.overview.open(of, query);
  const cards = async (all: OpenMessage[]) =>
    Promise.all(all.slice(0, MOST_OPEN).map(async (one) => cardOf(store, one)));
  const [asks, fires, handled] = await Promise.all([cards(asking), cards(firing), cards(taken)]);
  const [alone, onIt] = [fires.filter((card) => card.taken === undefined), fires.filter(({ taken }) => taken)];
  return {
    open: [...asks, ...alone],
    asking: asks.length,
    firing: alone.length,
    moreAsking: asking.length > MOST_OPEN,
    moreFiring: firing.length > MOST_OPEN,
    taken: [...onIt, ...handled],
  };
}

/** All open messages of namespaces that nobody has taken, alerts of checks too, the newest first: at most `limit`. */
export async function unacknowledged(
  store: OpenDeps,
  namespaces: readonly NamespaceId[],
  { now, limit }: { now: Millis; limit: number },
): Promise<{ messages: OpenMessage[]; isMore: boolean }> {
  const query = { asksSince: now - ASKS_MS, firesSince: now - FIRES_MS, limit: limit + 1 };
  const { asking, firing } = await store.overview.open({ namespaces, checks: true }, query);
  const found = [...asking, ...firing].sort((a, b) => b.message.seq - a.message.seq);
  const checks = await Promise.all(found.map(async ({ message }) => checkOf(store, draftOf(message))));
  const alone = found.filter((_, n) => checks[n]?.standing.incident?.ackedAt === undefined);
  return { messages: alone.slice(0, limit), isMore: found.length > limit };
}

async function cardOf(store: OpenDeps, one: OpenMessage): Promise<OpenCard> {
  const draft = draftOf(one.message);
  const card: OpenCard = { ...one, draft };
  if (draft.dedup_key === undefined || draft.status !== "firing") return card;
  const since = await store.messages.firingSince(one.topic.id, draft.dedup_key, one.message.seq);
  const check = card.taken === undefined ? await checkOf(store, draft) : undefined;
  const { ackedAt: at, ackedBy: by } = check?.standing.incident ?? {};
  const { mutedUntil: until } = check?.standing ?? {};
  return {
    ...card,
    ...(since !== undefined && { since }),
    ...(at !== undefined && {
      taken: { at, ...(by !== undefined && { by }), ...(until !== undefined && { until }) },
    }),
  };
}

/** The check of an alert (checks/alerts/compose.ts); undefined if it is not a check's, or the check is deleted. */
export async function checkOf(
  { checks }: Pick<OpenDeps, "checks">,
  { source, dedup_key = "" }: Draft,
): Promise<Check | undefined> {
  const [, id] = source === "check" ? (/^check:([^:]+):/.exec(dedup_key) ?? []) : [];
  return id === undefined ? undefined : checks.byId(id);
}
