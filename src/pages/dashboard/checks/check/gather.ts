/** Everything that the page of a check shows, read at once. */
import { type DayPicture, dayPicture } from "../../../../checks/days/figures.ts";
import type { Check, PingBody } from "../../../../checks/check.ts";
import { checkJson } from "../../../../checks/json.ts";
import { type PastRun, pastRuns, SHOWN_RUNS } from "../../../../checks/days/past-runs.ts";
import type { Tokens } from "../../../../tokens/tokens.ts";
import type { Delivery } from "../../../../delivery/delivery.ts";
import type { Deps } from "../../../../deps.ts";
import type { Device } from "../../../../devices/device.ts";
import { LOG_LINES, type LoggedEvent, type PastIncident } from "../../../../store/checks.ts";
import { utcDay } from "../../../../util/calendar.ts";
import { defined } from "../../../../util/defined.ts";
import type { Millis } from "../../../../util/clock.ts";
import type { Desk } from "../../signed-in.ts";
import { mutedUntil } from "../../topics/glance.ts";
import { type LogRow, logRows } from "./log-rows.ts";
import { saidBy } from "../said.ts";

export interface Whole {
  check: Check;
  runs: readonly PastRun[];
  /** The last line that its job printed before it failed. */
  said?: string;
  days: DayPicture;
  /** Absent: the server has lost its secret. */
  pingUrl?: string;
  badgeUrl: string;
  /** Newest first. */
  incidents: readonly PastIncident[];
  log: {
    rows: readonly LogRow[];
    bodies: ReadonlyMap<number, PingBody | undefined>;
    before?: number;
    older?: number;
  };
  /** The latest event that came from outside, for its address. */
  lastPing?: LoggedEvent;
  lastTest?: LoggedEvent;
  told: Told;
  /** Nothing of its topic is pushed until then. */
  topicMutedUntil?: Millis;
  /** The deliveries of the alarm of the open incident, by state. */
  alarm?: Readonly<Record<Delivery["state"], number>>;
  /** The latest alarm; absent if there was none, or it was deleted. */
  lastAlarm?: Alarm;
}

/** What each part of the page is given. */
export interface Shown {
  desk: Desk;
  whole: Whole;
}

/** Rows of the log and incidents on a page. */
const ROWS = 10;
/** The days of the picture, those before them that its figures need, and one more for any zone. */
const DAYS = 92;
const INCIDENTS = 10;
/** Devices that are counted. */
export const MOST_COUNTED = 1_000;

/** Who is notified of a check; lost devices are not. */
export interface Told {
  reached: readonly Device[];
  lost: readonly Device[];
}

/** The first `MOST_COUNTED` devices of its topic. */
export async function toldBy({ store }: Pick<Deps, "store">, { topic }: Check): Promise<Told> {
  const devices = await store.devices.ofTopic(topic.id, { limit: MOST_COUNTED });
  return {
    reached: devices.filter(({ lost }) => lost === undefined),
    lost: devices.filter(({ lost }) => lost !== undefined),
  };
}

type Alarm = Awaited<ReturnType<Deps["store"]["messages"]["pageNamespace"]>>[number];

/** Found by its `seq`, even if the check has another topic now. */
async function alarmOf({ messages }: Deps["store"], { namespaceId }: Check, seq: number): Promise<Alarm | undefined> {
  const [found] = await messages.pageNamespace(namespaceId, seq - 1, 1);
  return found?.message.seq === seq ? found : undefined;
}

type WholeDeps = Pick<Deps, "store"> & { tokens: () => Promise<Tokens> };

/** `before`: only lines of the log that are older. */
export async function wholeOf({ store, tokens }: WholeDeps, desk: Desk, check: Check, before?: number): Promise<Whole> {
  const { now, view } = desk;
  const { incident } = check.standing;
  const [events, histories, incidents, told, secrets, topic, kept] = await Promise.all([
    store.checks.events(check, { limit: LOG_LINES }),
    store.checks.histories([check], SHOWN_RUNS),
    store.checks.incidents(check, { limit: INCIDENTS }),
    toldBy({ store }, check),
    tokens(),
    store.topics.byKey(check.namespace, check.topic.key),
    store.days.ofChecks([check.row], utcDay(now) - DAYS),
  ]);
  const down = incidents.find(({ n }) => n === incident?.n)?.downMessage;
  const lastDown = incidents.find(({ downMessage }) => downMessage !== undefined)?.downMessage;
  const alarm = down === undefined ? undefined : (await store.deliveries.ofMessage(down, { limit: 1 })).counts;
  const older = logRows(events).filter(({ event }) => event.n < (before ?? Infinity));
  const page = older.slice(0, ROWS);
  const lines = page.flatMap(({ event, start }) => (start === undefined ? [event] : [event, start]));
  const withBody = lines.filter(({ bodyBytes }) => bodyBytes !== undefined);
  const runs = pastRuns(check.standing, histories.get(check.row) ?? { ends: [], incidents: [] }, now);
  const bodies = await Promise.all(withBody.map(async ({ n }) => [n, await store.checks.body(check, n)] as const));
  const { ping_url: pingUrl, badge_url: badgeUrl } = checkJson(check, { now, base: view.url, tokens: secrets });
  return defined<Whole>({
    ...{ check, pingUrl, badgeUrl, incidents, alarm, told, topicMutedUntil: mutedUntil(topic ?? {}, now) },
    lastAlarm: lastDown === undefined ? undefined : await alarmOf(store, check, lastDown),
    ...{ runs, said: (await saidBy(store.checks, [{ check, runs }])).get(check.row) },
    days: dayPicture(check.standing, kept.get(check.row) ?? { days: [], countedTo: now, away: [] }, now),
    log: defined<Whole["log"]>({
      rows: page,
      bodies: new Map(bodies),
      before,
      older: older.length > page.length ? page.at(-1)?.event.n : undefined,
    }),
    lastPing: events.find(({ kind }) => kind === "ok" || kind === "fail" || kind === "start"),
    lastTest: events.find(({ kind }) => kind === "tested"),
  });
}
