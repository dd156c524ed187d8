/** `peal checks pause` and its kin: what its owner does to a check. */
import type { CheckRecord } from "../checks/schema.ts";
import { systemClock } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { CHECK_ARG, CHECK_FLAGS, numberOrText, withCheck } from "./checks-ask.ts";
import { stateOf } from "./checks-words.ts";
import { CommandFailed, print, type Command, type Flag, type Invocation } from "./command.ts";
import { inNamespace } from "./in-namespace.ts";

interface Act {
  word: string;
  summary: string;
  args?: readonly string[];
  flags?: readonly Flag[];
  examples?: readonly string[];
  /** What it sends, if that is more than its word, and the names of its fields here. */
  send?: (invocation: Invocation) => [method: string, suffix: string, body: object];
  names?: Readonly<Record<string, string>>;
  /** The words about the check afterwards. */
  say?: (check: CheckRecord) => string;
}

const act = ({ word, summary, args = [], flags = [], examples, send, names, say = nameAndState }: Act): Command => ({
  name: `checks ${word}`,
  args: [CHECK_ARG, ...args],
  summary,
  flags: [...flags, ...CHECK_FLAGS],
  examples: examples ?? [`peal checks ${word} nas-backup`],
  run: async (invocation) => {
    const [method, suffix, body] = send?.(invocation) ?? ["POST", `/${word}`];
    const check = await withCheck(
      invocation,
      async (local, path) => local.ask<CheckRecord>(method, path + suffix, body),
      names,
    );
    return print(invocation.switches, check, say);
  },
});

const nameAndState = (check: CheckRecord): string => `${check.name}: ${stateOf(check, systemClock.now())}`;

export const checksPause = act({ word: "pause", summary: "Record a check's pings, but send no alerts." });
export const checksResume = act({ word: "resume", summary: "Resume a paused check, from its next slot." });
export const checksAck = act({ word: "ack", summary: "Acknowledge that a check is down: send no more reminders." });
export const checksTest = act({
  word: "test",
  summary: "Send a check's test alert to its topic.",
  say: ({ name, topic_name: topic }) => `${name}: test alert sent to topic ${topic}`,
});
const UNTIL_ARG = "<duration|time|off>";
export const checksSnooze = act({
  word: "snooze",
  summary: "Send no alerts from a check for a while; if it's still down then, it alerts. `off` ends it.",
  args: [UNTIL_ARG],
  examples: [
    "peal checks snooze nas-backup 2h",
    "peal checks snooze nas-backup 2027-01-31T08:00:00Z",
    "peal checks snooze nas-backup off",
  ],
  names: { for: UNTIL_ARG, until: UNTIL_ARG },
  send: ({ positionals: [, until = ""] }) =>
    until === "off"
      ? ["PATCH", "", { muted_until: null }]
      : ["POST", "/snooze", until.includes(":") ? { until } : { for: numberOrText(until) }],
});
export const checksRotate = act({
  word: "rotate",
  summary: "Give a check a new ping URL, printed alone on standard output; the old one keeps working for a while.",
  flags: [
    {
      name: "overlap",
      value: "duration",
      description: "How long the old URL keeps working, 0: not at all; default: 7d.",
    },
  ],
  examples: ["peal checks rotate nas-backup", "peal checks rotate nas-backup --overlap 0"],
  names: { overlap: "--overlap" },
  send: ({ values: { overlap } }) => ["POST", "/rotate", defined({ overlap: overlap && numberOrText(overlap) })],
  say: ({ ping_url: url = "" }) => url,
});

export const checksPingKey: Command = {
  name: "checks ping-key",
  args: [],
  summary: "Print the URL that pings a namespace's checks: add a slash and a slug.",
  flags: [{ name: "rotate", description: "Create a new one; the old one stops working." }, ...CHECK_FLAGS],
  examples: ["peal checks ping-key", 'curl "$(peal checks ping-key)/nas-backup?create=1"'],
  run: async (invocation) => {
    const [method, path] = invocation.switches.has("rotate") ? ["POST", "/rotate"] : ["GET", ""];
    const made = await inNamespace(invocation, async (local, namespace) =>
      local.ask<{ ping_url?: string }>(method, `/v1/${namespace}/ping-key${path}`),
    );
    const { ping_url: url } = made;
    if (url === undefined) throw new CommandFailed("the server has lost its secret: --rotate creates a new ping key");
    return print(invocation.switches, made, () => url);
  },
};
