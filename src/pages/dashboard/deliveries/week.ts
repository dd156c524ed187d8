/** The outcomes of pushes in the last 7 days, by device and hour: the days are the reader's. */
import type { Deps } from "../../../deps.ts";
import type { Device } from "../../../devices/device.ts";
import type { DeviceHour } from "../../../store/days.ts";
import { type Day, dayIn } from "../../../util/calendar.ts";
import type { Millis } from "../../../util/clock.ts";
import type { Desk } from "../signed-in.ts";
import { among, type Wanted } from "./wanted.ts";

export interface DeviceWeek {
  device: Device;
  /** Keyed by the hour since 1970. */
  hours: ReadonlyMap<number, DeviceHour>;
  accepted: number;
  failed: number;
  /** Approximate: the median of its hours' medians, each weighted by its pushes. Absent: none was accepted. */
  medianMs?: number;
}

export interface Week {
  /** The oldest first, today the last. */
  days: readonly Day[];
  /** Devices with a push in these days, the latest first. */
  devices: readonly DeviceWeek[];
  /** There are more than were looked at. */
  isCut: boolean;
}

const DAYS = 7;
/** Devices that are looked at, up to 1,000 pushes each. */
const MOST_ACTIVE = 8;
const MOST_LOST = 2;

/** Undefined if the page is about a topic: pushes are counted by device. */
export async function weekOf(
  { devices: store, days: figures }: Pick<Deps["store"], "devices" | "days">,
  desk: Desk,
  { device, platform, topic }: Wanted,
): Promise<Week | undefined> {
  if (topic !== undefined) return undefined;
  const namespaces = among(desk);
  const asked = { ...(platform !== undefined && { platform }), ...(namespaces !== undefined && { namespaces }) };
  const list = async (isLost: boolean, limit: number) => store.list({ ...asked, isLost }, { limit });
  const lists = device === undefined ? await Promise.all([list(false, MOST_ACTIVE), list(true, MOST_LOST)]) : [];
  const devices = device === undefined ? lists.flatMap((one) => one.devices.map((found) => found.device)) : [device];
  const days = daysOf(desk.view.zone, desk.now);
  const found = await figures.ofDevices(
    devices.map(({ row }) => row),
    days[0]?.from ?? desk.now,
    namespaces,
  );
  return {
    days,
    devices: devices.flatMap((one) => weekOfDevice(one, found.get(one.row) ?? new Map<number, DeviceHour>())),
    isCut: lists.some(({ next }) => next !== undefined),
  };
}

function daysOf(zone: string, now: Millis): Day[] {
  const days = [dayIn(zone, now)];
  for (let [first] = days; first !== undefined && days.length < DAYS; [first] = days)
    days.unshift(dayIn(zone, first.from - 1));
  return days;
}

function weekOfDevice(device: Device, hours: DeviceWeek["hours"]): DeviceWeek[] {
  const all = [...hours.values()];
  if (all.length === 0) return [];
  const sum = (what: "accepted" | "failed") => all.reduce((total, hour) => total + hour[what], 0);
  const medianMs = medianOf(all);
  return [
    {
      ...{ device, hours, accepted: sum("accepted"), failed: sum("failed") },
      ...(medianMs !== undefined && { medianMs }),
    },
  ];
}

/** Pure. Of each hour as many as it has. */
export function medianOf(hours: readonly DeviceHour[]): number | undefined {
  const timed = hours.filter(({ medianMs }) => medianMs !== undefined);
  let left = timed.reduce((sum, { accepted }) => sum + accepted, 0) / 2;
  for (const { medianMs, accepted } of timed.toSorted((a, b) => (a.medianMs ?? 0) - (b.medianMs ?? 0))) {
    left -= accepted;
    if (left <= 0) return medianMs;
  }
  return undefined;
}
