/** Uptime Kuma's push monitors, from its database or from a backup of version 1 (`server/model/monitor.js`). Pure. */
import type { NewCheckRecord } from "../record.ts";
import { checkName, idOf, type Moved, pattern, tagsOf } from "./foreign.ts";

export interface PushMonitor {
  name: string;
  /** Seconds within which a push has to come. */
  interval: number;
  /** How often it is waited for another `retryInterval` seconds before it counts as down. */
  maxretries: number;
  retryInterval: number;
  pushToken: string;
  isActive: boolean;
  /** Names of its tags, with their values; and the group that it is in. */
  tags: readonly string[];
}

/** Pushes come a little late, on a busy machine more so. */
const LEAST_GRACE = 60;

export function checkOf(
  monitor: PushMonitor,
  { namespace, topic }: { namespace: string; topic: string },
): NewCheckRecord {
  const { name, interval, maxretries, retryInterval, pushToken, isActive, tags } = monitor;
  return {
    ...{ kind: "new_check", id: idOf(26, "uptime-kuma", namespace, pushToken), namespace },
    body: {
      ...{ name: checkName(name, "push"), topic, tags: tagsOf(tags), every: Math.max(interval, 10) },
      grace: Math.max(maxretries * retryInterval, LEAST_GRACE),
      ...(!isActive && { paused: true }),
    },
  };
}

/** The rest of a URL, up to the quote or blank behind it. */
const REST = `[^[:space:]"'<>]*`;

/**
 * Push URLs at any address of the server. What they say in the query goes: `status=down` becomes a failure, and everything else
 * a success.
 */
export const movedOf = (pushToken: string, url: string): Moved[] => {
  const old = `http[s]*://${REST}/api/push/${pattern(pushToken)}`;
  return [
    { old: { pattern: `${old}?${REST}status=down${REST}` }, new: `${url}/fail` },
    { old: { pattern: `${old}?${REST}` }, new: url },
    { old: { pattern: old }, new: url },
  ];
};
