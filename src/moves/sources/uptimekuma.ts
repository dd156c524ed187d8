/**
 * Uptime Kuma's push monitors, from its database or from a backup of version 1 (https://github.com/louislam/uptime-kuma,
 * `server/model/monitor.js`, and what a push says: `server/routers/api-router.js`). Pure.
 */
import type { NewCheckRecord } from "../record.ts";
import { checkName, idOf, pattern, substitution, tagsOf } from "./foreign.ts";

export interface PushMonitor {
  name: string;
  /** Seconds within which a push has to come. */
  interval: number;
  /** How often it is waited for another `retryInterval` seconds before it counts as down; 0: for another interval. */
  maxretries: number;
  retryInterval: number;
  pushToken: string;
  isActive: boolean;
  /** A push is bad news, and none is good news. */
  isUpsideDown: boolean;
  /** Names of its tags, with their values; and the groups that it is in. */
  tags: readonly string[];
}

/** Pushes come a little late, on a busy machine more so. */
const LEAST_GRACE = 60;

/** A sentence if peal has no such check. */
export function checkOf(
  monitor: PushMonitor,
  { namespace, topic }: { namespace: string; topic: string },
): NewCheckRecord | string {
  const { interval, maxretries, retryInterval, pushToken, isActive, isUpsideDown, tags } = monitor;
  const name = checkName(monitor.name, "push");
  if (isUpsideDown)
    return `${name}: it is upside down, so a push is bad news; let its sender publish to a topic instead`;
  return {
    ...{ kind: "new_check", id: idOf(26, "uptime-kuma", namespace, pushToken), namespace },
    body: {
      ...{ name, topic, tags: tagsOf(tags), every: Math.max(interval, 10) },
      grace: Math.max(maxretries * (retryInterval > 0 ? retryInterval : interval), LEAST_GRACE),
      ...(!isActive && { paused: true }),
    },
  };
}

/** What the query of a URL is made of in scripts, plain variables included, but no command whose output becomes part of it. */
const PLAIN = "A-Za-z0-9%&=._~+:/,@{}$?!*-";
const REST = `[${PLAIN}]*`;

/**
 * Commands of sed for push URLs at any address of the server. Kuma takes `status=up`, or none, for a success and every other
 * status for a failure. The rest of the query goes. A line that only its shell can understand is left as it is: one whose status
 * is a variable, or whose query has a command or blanks in it.
 */
export function movedOf(pushToken: string, url: string): string[] {
  const old = `http[s]*://[^[:space:]"'<>]*/api/push/${pattern(pushToken)}/\\{0,1\\}`;
  const query = `${old}?\\(${REST}&\\)\\{0,1\\}`;
  return [
    `\\|["']${old}?${REST}[^"'${PLAIN}]|b`,
    `\\|${old}?${REST}[(\`]|b`,
    `\\|${query}status=[^A-Za-z0-9&"'[:space:]]|b`,
    substitution(`${query}status=up${REST}`, url),
    substitution(`${query}status=[A-Za-z0-9]${REST}`, `${url}/fail`),
    substitution(`${old}?${REST}`, url),
    substitution(`${old}$`, url),
    substitution(`${old}\\([^A-Za-z0-9]\\)`, url, "\\1"),
  ];
}
