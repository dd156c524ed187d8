/** All that the page of a check shows, read at once. */
import type { Check, PingBody } from "../../../checks/check.ts";
import { checkJson } from "../../../checks/json.ts";
import { type PastRun, pastRuns, SHOWN_RUNS } from "../../../checks/past-runs.ts";
import type { Tokens } from "../../../checks/token.ts";
import type { Delivery } from "../../../delivery/delivery.ts";
import type { Deps } from "../../../deps.ts";
import type { Device } from "../../../devices/device.ts";
import type { LoggedEvent, PastIncident } from "../../../store/checks.ts";
import { defined } from "../../../util/defined.ts";
import type { Desk } from "../desk.ts";

export interface Whole {
  check: Check;
  runs: readonly PastRun[];
  /** Absent: the server has lost its secret. */
  pingUrl?: string;
  badgeUrl: string;
  /** Newest first. */
  incidents: readonly PastIncident[];
  log: { events: readonly LoggedEvent[]; bodies: ReadonlyMap<number, PingBody>; before?: number; older?: number };
  /** The latest event that came from outside, for its address. */
  lastPing?: LoggedEvent;
  lastTest?: LoggedEvent;
  /** At most as many as are named; `more`: there are others. */
  devices: { named: readonly Device[]; more: boolean };
  /** What became of the alarm of the incident that is open. */
  alarm?: Readonly<Record<Delivery["state"], number>>;
}

/** Lines of the log on a page, incidents, and devices that are named. */
const LINES = 10;
const INCIDENTS = 10;
const DEVICES = 20;
/** All that is kept. */
const LOG = 100;

type WholeDeps = Pick<Deps, "store"> & { tokens: () => Promise<Tokens> };

/** `before`: only lines of the log that are older. */
export async function wholeOf({ store, tokens }: WholeDeps, desk: Desk, check: Check, before?: number): Promise<Whole> {
  const { now, view } = desk;
  const { incident } = check.standing;
  const [events, histories, incidents, devices, secrets] = await Promise.all([
    store.checks.events(check, { limit: LOG }),
    store.checks.histories([check], SHOWN_RUNS),
    store.checks.incidents(check, { limit: INCIDENTS }),
    store.devices.ofTopic(check.topic.id, { limit: DEVICES + 1 }),
    tokens(),
  ]);
  const told = incidents.find(({ n }) => n === incident?.n)?.downMessage;
  const alarm = told === undefined ? undefined : (await store.deliveries.ofMessage(told, { limit: 1 })).counts;
  const older = events.filter(({ n }) => n < (before ?? Infinity));
  const page = older.slice(0, LINES);
  const bodies = new Map<number, PingBody>();
  for (const { n, bodyBytes } of page) {
    const body = bodyBytes === undefined ? undefined : await store.checks.body(check, n);
    if (body !== undefined) bodies.set(n, body);
  }
  const { ping_url: pingUrl, badge_url: badgeUrl } = checkJson(check, { now, base: view.url, tokens: secrets });
  return defined<Whole>({
    ...{ check, pingUrl, badgeUrl, incidents, alarm },
    runs: pastRuns(check.standing, histories.get(check.row) ?? { ends: [], incidents: [] }, now),
    log: defined<Whole["log"]>({
      events: page,
      bodies,
      before,
      older: older.length > page.length ? page.at(-1)?.n : undefined,
    }),
    lastPing: events.find(({ kind }) => kind === "ok" || kind === "fail" || kind === "start"),
    lastTest: events.find(({ kind }) => kind === "tested"),
    devices: { named: devices.slice(0, DEVICES), more: devices.length > DEVICES },
  });
}
