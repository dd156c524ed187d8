import { lasting } from "../../lasting.ts";
import { form } from "./check-form.ts";
import { glance } from "./check-glance.ts";
import { count, number } from "../numbers.ts";
import { capital, spelled } from "../spelled.ts";

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
const runs = (n: number): string => (n === 1 ? "The last run" : `The last ${number(n)} runs`);
const nth = (n: number): string =>
  `${n}${n % 10 === 1 && n !== 11 ? "st" : n % 10 === 2 && n !== 12 ? "nd" : n % 10 === 3 && n !== 13 ? "rd" : "th"}`;

/** `{}` in a text stands for a time or a part of the page. */
export const checks = {
  heading: ({ down, late, all }: { down: number; late: number; all: number }) => {
    if (all === 0) return "No checks yet";
    const are = (n: number) => (n === 1 ? "is" : "are");
    const lateWords = late === 0 ? "" : `${spelled(late)} ${are(late)} late`;
    if (down > 0) {
      const words = `${capital(spelled(down))} ${down === 1 ? "check" : "checks"} ${are(down)} down`;
      return lateWords === "" ? words : `${words}, ${lateWords}`;
    }
    if (late > 0) return `Nothing is down, ${lateWords}`;
    return all === 1 ? "Your one check is up" : "No checks are down";
  },
  more: "More checks",
  moreActs: "More",
  newOne: "New check",
  noneLike: "No matching checks",
  showAll: "Show all checks",
  state: { new: "New", up: "Up", late: "Late", running: "Running", down: "Down", paused: "Paused" },
  empty: {
    title: "A job that stops running can’t send an error",
    text: "Have it call a URL each time it finishes; peal alerts you when the call doesn’t come. Each job you monitor has a check.",
    then: "Create a check, then call its ping URL at the end of the job:",
  },

  /** `10 h 40 min`. */
  lasting,
  sentence: {
    never: "Never checked in. Add its ping URL to the job.",
    neverArmed: (left: string) => `Never checked in. Alerts in ${left} if still silent.`,
    late: (ago: string, left: string) => `Expected ${ago} ago, alerts in ${left} if still silent.`,
    lateNow: (ago: string) => `Expected ${ago} ago, alerting now.`,
    running: (since: string) => `Running for ${since}.`,
    usually: (usual: string) => `Usually takes ${usual}.`,
    down: (since: string) => `Down for ${since}`,
    /** Followed by why. */
    because: ": ",
    exit: (code: number) => `exit ${code}`,
    failed: "it reported a failure",
    after: (took: string) => ` after ${took}`,
    missed: "no check-in, expected {}",
    neverSeen: "it never checked in",
    overrun: (allowed: string) => `running since {}, limit ${allowed}`,
    gap: "no check-in seen while this server was offline",
    acked: (by: string | undefined) => (by === undefined ? "Acknowledged." : `${by} is on it.`),
    muted: "Snoozed until {}.",
    paused: (by: string | undefined) =>
      by === undefined
        ? "Paused since {}. Pings are recorded; no alerts are sent."
        : `Paused by ${by} since {}. Pings are recorded; no alerts are sent.`,
    pausedPlain: "Paused. Pings are recorded; no alerts are sent.",
    next: (schedule: string, left: string) => `${schedule}, next in ${left}.`,
    nextSoon: (schedule: string) => `${schedule}, next one any moment.`,
    manual: "No schedule: alerts on failure only.",
    zone: "Pings arrive whole hours early. Is the time zone in its schedule right?",
  },
  schedule: {
    every: (length: string) =>
      `Every ${
        new Map([
          ["1\u00a0d", "day"],
          ["1\u00a0h", "hour"],
          ["1\u00a0min", "minute"],
        ]).get(length) ?? length
      }`,
    daily: (time: string) => `Daily at ${time}`,
    weekly: (days: readonly number[], time: string) =>
      `${listed(days.map((day) => ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"][day] ?? ""))} ${time}`,
    workdays: (time: string) => `Weekdays at ${time}`,
    monthly: (day: number, time: string) => `${nth(day)} of the month, ${time}`,
    hourly: (minute: string) => `Hourly at :${minute}`,
    cron: (expression: string) => `Cron: ${expression}`,
    manual: "No schedule",
  },
  runs: {
    title: (n: number) => (n === 1 ? "Last run" : `Last ${number(n)} runs`),
    none: "No runs yet",
    usually: (from: string, to: string) => (from === to ? `usually ${from}` : `usually ${from} to ${to}`),
    /** For a picture of them. */
    label: ({
      name,
      all,
      failed,
      missed,
      running,
    }: {
      name: string;
      all: number;
      failed: number;
      missed: number;
      running: number;
    }) => {
      if (all === 0) return `No runs of ${name} yet`;
      const parts = [
        failed === 0 ? "" : `${number(failed)} failed`,
        missed === 0 ? "" : `${number(missed)} missed`,
        running === 0 ? "" : `${number(running)} running now`,
      ].filter((part) => part !== "");
      const ok = all - failed - missed - running;
      if (parts.length === 0) return `${runs(all)} of ${name}: all ok`;
      return `${runs(all)} of ${name}: ${[`${number(ok)} ok`, ...parts].join(", ")}`;
    },
    key: {
      ok: "ok, height shows duration",
      untimed: "ok, no duration",
      fail: "failed",
      miss: "missed",
      run: "running",
    },
    asList: "As a list",
    started: "Started",
    result: "Result",
    took: "Took",
    kind: { ok: "ok", failed: "Failed", missed: "Missed", overrun: "Took too long", running: "Running" },
    exit: (code: number) => `exit ${code}`,
    okTook: (took: string) => `ok, took ${took}`,
    failedAfter: (what: string, took: string) => `${what} after ${took}`,
    overran: (took: string) => `over its ${took}`,
    runningFor: (since: string) => `running for ${since}`,
    gap: "missed, but this server was offline",
    nothing: "The first bar appears with the first ping.",
  },
  ping: {
    title: "Ping URL",
    copy: "Copy ping URL",
    lost: "The server has lost the secret behind this URL. The old URL still works but can’t be shown again: create a new one.",
    tool: "Tool",
    command: (tool: string) => `Command, ${tool}`,
    hint: {
      before: "Call the URL with ",
      start: " before the job to time it, and with ",
      or: " or ",
      end: " after it to report the result.",
    },
    key: "Anyone with this URL can ping this check, and nothing more.",
    postOnly: "Only POST counts for this check.",
    noBinary: "Where you can’t install peal, {} does what {} does; on Windows, {}.",
  },
  incidents: {
    title: "Incidents",
    none: "Never down so far.",
    went: "Went down",
    why: "Why",
    downFor: "Down for",
    still: (since: string) => `${since}, still`,
    missed: "Missed {}",
    failed: "Reported a failure",
    overrun: "Took too long, started {}",
    exit: (code: number) => `Exit ${code}`,
    slots: (n: number) => `${number(n)} check-ins missed`,
    gap: "this server was offline from {} to {}, not counted",
    acked: (by: string | undefined) => (by === undefined ? "acknowledged" : `acknowledged by ${by}`),
  },
  log: {
    title: "Log",
    none: "Nothing logged yet.",
    newest: "Newest",
    output: "Output",
    cut: (bytes: string) => `… ${bytes} bytes left out …`,
    by: (name: string) => `by ${name}`,
    kind: {
      ok: "ok",
      fail: "failed",
      start: "started",
      log: "log entry",
      ignored: "ping ignored",
      down: "went down",
      up: "came back up",
      paused: "paused",
      resumed: "resumed",
      snoozed: "snoozed",
      unsnoozed: "snooze ended",
      acked: "acknowledged",
      unacked: "acknowledgement undone",
      edited: "settings changed",
      tested: "test alert sent",
    },
    reason: { missed: "no check-in", failed: "failed", overrun: "took too long" },
  },
  plan: {
    title: "Schedule",
    runs: "Runs",
    atMost: "Max run time",
    perRun: (length: string) => `${length} per run`,
    anyTime: "no limit",
    next: "Next five runs",
    zoneOfTimes: (zone: string) => `Times are in ${zone}.`,
    noGrace: "none",
    badge: "Badge",
    badgeHint: "Shows the state to anyone with this address, and nothing else.",
    copyBadge: "Copy badge address",
  },
  told: {
    title: "If it stays silent",
    tells: (devices: string) => `Topic {} notifies ${devices}.`,
    nobody: "No device follows {}, so nobody would be notified.",
    devices: (n: number, more: boolean) =>
      more ? `more than ${number(n)} devices` : n === 1 ? "one device" : `${number(n)} devices`,
    as: (level: string, priority: string) => `Sent as ${level}, ${priority}.`,
    priority: { low: "low priority", normal: "normal priority", high: "high priority", urgent: "urgent" },
    lost: "lost",
    lastTest: "Last test {}.",
    accepted: (some: number, all: number) =>
      `The alert was accepted for ${number(some)} of ${count(all, "device", "devices")}.`,
    toNobody: "No device was subscribed when the alert was sent.",
    reminder: "Next reminder {}.",
  },
  note: {
    missed: (grace: string | undefined) =>
      grace === undefined
        ? "Expected {}; no check-in."
        : `Expected {}; no check-in then or within the ${grace} grace period.`,
    lastOk: (took: string | undefined) => (took === undefined ? "Last ok {}." : `Last ok {}, took ${took}.`),
  },
  act: {
    pause: "Pause",
    resume: "Resume",
    test: "Send test alert",
    ack: "I’m on it",
    quiet: "Snooze 1 h",
    loud: "End snooze",
    rotate: "New ping URL …",
    remove: "Delete check …",
  },
  flash: {
    pause: "Paused. Pings are recorded; no alerts are sent.",
    resume: "Resumed. Monitoring starts with the next expected run.",
    ack: "Acknowledged. No more reminders for this incident.",
    over: "This incident is already over: there’s nothing to acknowledge.",
    snooze: "Snoozed for an hour. If it’s still down then, you’ll be alerted.",
    unsnooze: "Snooze ended.",
    test: (topic: string, devices: number) =>
      devices === 0
        ? `Test alert sent to topic ${topic}. No device follows it.`
        : `Test alert sent to topic ${topic} and ${devices === 1 ? "one device" : `${number(devices)} devices`}.`,
    created: (name: string) => `${name} will be monitored from its first ping.`,
    armed: (name: string) => `${name} is now monitored.`,
    saved: "Saved.",
    rotated: (overlap: string) =>
      `This is the new ping URL. Add it to the job. The old one ${overlap === "" ? "no longer works" : `works for another ${overlap}`}.`,
    removed: (name: string) => `${name} deleted.`,
  },
  rotate: {
    title: (name: string) => `Create a new ping URL for ${name}?`,
    text: "Update the job with the new URL.",
    overlap: "Keep the old URL working for",
    hint: "For example 7d, 12h or 0s. Until then, both URLs work.",
    go: "Create new URL",
  },
  remove: {
    gone: (lines: number, incidents: number) =>
      `Its log (${number(lines)} ${lines === 1 ? "line" : "lines"}) and ${number(incidents)} ${incidents === 1 ? "incident" : "incidents"} will be deleted too.`,
    url: "Its ping URL will return 404, and nobody will be alerted when the job stops.",
    ends: "It’s down now: its open alert will be closed with a low-priority message.",
    stays: (topic: string) => `Messages it has sent stay in topic ${topic}.`,
    go: "Delete check",
  },
  form,
  glance,
  /** Reasons against the form as a whole, by the API's code. */
  problems: new Map([
    ["too_many_checks", "This namespace has reached its check limit. Delete checks you don’t need."],
    ["too_many_topics", "This namespace has reached its topic limit. Choose an existing topic."],
  ]),
};
