import { lasting } from "../lasting.ts";
import { form } from "./check-form.ts";
import { count, number } from "./numbers.ts";
import { capital, spelled } from "./spelled.ts";

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
const runs = (n: number): string => (n === 1 ? "The last run" : `The last ${number(n)} runs`);
const nth = (n: number): string =>
  `${n}${n % 10 === 1 && n !== 11 ? "st" : n % 10 === 2 && n !== 12 ? "nd" : n % 10 === 3 && n !== 13 ? "rd" : "th"}`;

/** Where a text has `{}`, a time or a part of the page follows. */
export const checks = {
  title: "Checks",
  heading: ({ down, late, all }: { down: number; late: number; all: number }) => {
    if (all === 0) return "No checks yet";
    const are = (n: number) => (n === 1 ? "is" : "are");
    const lateWords = late === 0 ? "" : `${spelled(late)} ${are(late)} late`;
    if (down > 0) {
      const words = `${capital(spelled(down))} ${down === 1 ? "check" : "checks"} ${are(down)} down`;
      return lateWords === "" ? words : `${words}, ${lateWords}`;
    }
    if (late > 0) return `Nothing is down, ${lateWords}`;
    return all === 1 ? "One check, and it is not down" : "No check is down";
  },
  sorted: (n: number) => `${number(n)} ${n === 1 ? "check" : "checks"}, sorted by name.`,
  more: "More checks",
  moreActs: "More",
  newOne: "New check",
  show: "Show",
  all: "All",
  tagged: "Tagged",
  noneLike: "No check like this",
  showAll: "Show all checks",
  state: { new: "New", up: "Up", late: "Late", running: "Running", down: "Down", paused: "Paused" },
  empty: {
    title: "A job that no longer runs sends no error",
    text: "So let it report: it asks for an address each time that it is done, and peal raises the alarm when it stays silent. What watches a job is a check.",
    then: "Make a check, then put its ping URL behind the job:",
  },

  /** `10 h 40 min`. */
  lasting,
  sentence: {
    never: "Never checked in. Paste its ping URL into the job.",
    neverArmed: (left: string) => `Never checked in. Alarm in ${left} if it stays silent.`,
    late: (ago: string, left: string) => `Expected ${ago} ago, alarm in ${left} if it stays silent.`,
    lateNow: (ago: string) => `Expected ${ago} ago, the alarm is due.`,
    running: (since: string) => `Running for ${since}.`,
    usually: (usual: string) => `Usually takes ${usual}.`,
    down: (since: string) => `Down for ${since}`,
    /** Followed by why. */
    because: ": ",
    exit: (code: number) => `exit ${code}`,
    failed: "it reported a failure",
    after: (took: string) => ` after ${took}`,
    missed: "no check-in at {}",
    neverSeen: "it never checked in",
    overrun: (allowed: string) => `runs since {}, and may take ${allowed}`,
    gap: "no check-in seen while this server was away",
    acked: (by: string | undefined) => (by === undefined ? "Somebody is on it." : `${by} is on it.`),
    muted: "Quiet until {}.",
    paused: (by: string | undefined) =>
      by === undefined
        ? "Paused on {}. Pings are kept, nobody is told."
        : `Paused by ${by} on {}. Pings are kept, nobody is told.`,
    pausedPlain: "Paused. Pings are kept, nobody is told.",
    next: (schedule: string, left: string) => `${schedule}, next in ${left}.`,
    nextSoon: (schedule: string) => `${schedule}, next any moment.`,
    manual: "Expected at no time: only failures alarm.",
    took: (took: string) => `Last took ${took}.`,
    zone: "Its pings come too early by whole hours, as if its time zone were another. See its schedule.",
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
    manual: "At no set time",
  },
  runs: {
    title: (n: number) => (n === 1 ? "Last run" : `Last ${number(n)} runs`),
    none: "No runs yet",
    usually: (from: string, to: string) => (from === to ? `usually ${from}` : `usually ${from} to ${to}`),
    /** Of a picture of them. */
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
      ok: "ok, height is how long it took",
      untimed: "ok, nobody said how long",
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
    gap: "missed, but this server was away",
    nothing: "The first ping draws the first bar.",
  },
  ping: {
    title: "Ping URL",
    lastUsed: "last used {}",
    from: (address: string) => `from ${address}`,
    copy: "Copy ping URL",
    lost: "The server has lost the secret that it was made from. The old URL still works, but cannot be shown again: make a new one.",
    tool: "Tool",
    command: (tool: string) => `Command, ${tool}`,
    hint: {
      before: "Add ",
      start: " to the URL and ask for it before the job to see how long it takes, ",
      or: " or ",
      end: " after it to say how it ended.",
    },
    key: "Whoever has this URL can ping the check and do nothing else.",
    postOnly: "Only POST counts for this check.",
  },
  incidents: {
    title: "Incidents",
    none: "It has never been down.",
    went: "Went down",
    why: "Why",
    downFor: "Down for",
    still: (since: string) => `${since}, still`,
    missed: "Missed {}",
    failed: "Reported a failure",
    overrun: "Took too long, since {}",
    exit: (code: number) => `Exit ${code}`,
    slots: (n: number) => `${number(n)} check-ins missed`,
    gap: "this server was offline {} to {}, not counted",
    acked: (by: string | undefined) => (by === undefined ? "acknowledged" : `${by} was on it`),
  },
  log: {
    title: "Log",
    none: "Nothing has happened yet.",
    older: "Older",
    newest: "Newest",
    output: "What it said",
    cut: (bytes: string) => `… ${bytes} bytes left out …`,
    by: (name: string) => `by ${name}`,
    kind: {
      ok: "ok",
      fail: "failed",
      start: "started",
      log: "noted something",
      ignored: "ping ignored",
      down: "went down",
      up: "came up",
      paused: "paused",
      resumed: "resumed",
      snoozed: "quiet for a while",
      unsnoozed: "no longer quiet",
      acked: "acknowledged",
      edited: "settings changed",
      tested: "alarm tested",
    },
    reason: { missed: "no check-in", failed: "failed", overrun: "took too long" },
  },
  plan: {
    title: "Schedule",
    edit: "Edit",
    runs: "Runs",
    zone: "Zone",
    grace: "Grace",
    atMost: "At most",
    perRun: (length: string) => `${length} per run`,
    anyTime: "any time per run",
    next: "Next five",
    zoneOfTimes: (zone: string) => `Times are in ${zone}.`,
    noGrace: "none",
    tags: "Tags",
    badge: "Badge",
    badgeHint: "Shows the state to anybody who has this address, and nothing else.",
    copyBadge: "Copy address of the badge",
  },
  told: {
    title: "If it stays silent",
    tells: (devices: string) => `Topic {} tells ${devices}.`,
    nobody: "Topic {} tells no device: nobody’s phone would ring.",
    devices: (n: number, more: boolean) =>
      more ? `more than ${number(n)} devices` : n === 1 ? "one device" : `${number(n)} devices`,
    as: (level: string, priority: string) => `As: ${level}, ${priority}.`,
    priority: { low: "low priority", normal: "normal priority", high: "high priority", urgent: "urgent" },
    lost: "lost",
    lastTest: "Last test {}.",
    accepted: (some: number, all: number) =>
      `The alarm was accepted for ${number(some)} of ${count(all, "device", "devices")}.`,
    toNobody: "No device was subscribed when the alarm went out.",
    reminder: "Next reminder {}.",
  },
  note: {
    missed: (grace: string | undefined) =>
      grace === undefined ? "No check-in at {}." : `No check-in at {}, nor in the ${grace} of grace after it.`,
    lastOk: (took: string | undefined) => (took === undefined ? "Last ok {}." : `Last ok {}, took ${took}.`),
  },
  act: {
    pause: "Pause",
    resume: "Resume",
    test: "Test the alarm",
    ack: "I am on it",
    quiet: "Quiet for 1 h",
    loud: "End the quiet",
    rotate: "New ping URL …",
    remove: "Delete check …",
  },
  flash: {
    pause: "Paused. Pings are kept, nobody is told.",
    resume: "Watched again, from the next slot on.",
    ack: "No more reminders of this incident.",
    over: "Its incident is over: there is nothing to remind of.",
    snooze: "Quiet for an hour. If it is down then, that is told.",
    unsnooze: "No longer quiet.",
    test: (topic: string, devices: number) =>
      devices === 0
        ? `A test went to topic ${topic}. No device has subscribed to it.`
        : `A test went to topic ${topic} and ${devices === 1 ? "one device" : `${number(devices)} devices`}.`,
    created: (name: string) => `${name} is watched from its first ping on.`,
    armed: (name: string) => `${name} is watched from now on.`,
    saved: "Saved.",
    rotated: (overlap: string) =>
      `This is the new ping URL. Paste it into the job. The old one ${overlap === "" ? "no longer works" : `works for another ${overlap}`}.`,
    removed: (name: string) => `${name} was deleted.`,
  },
  rotate: {
    title: (name: string) => `A new ping URL for ${name}?`,
    text: "The job has to be given the new one.",
    overlap: "The old one works for",
    hint: "Such as 7d, 12h or 0s: until then both count.",
    go: "Make a new URL",
  },
  remove: {
    title: (name: string) => `Delete ${name}?`,
    gone: (lines: number, incidents: number) =>
      `Its log of ${number(lines)} ${lines === 1 ? "line" : "lines"} and ${number(incidents)} ${incidents === 1 ? "incident" : "incidents"} go with it.`,
    url: "Its ping URL answers 404 from then on, and nobody is told when the job stays silent.",
    ends: "It is down: its alarm ends with a quiet message.",
    stays: (topic: string) => `Messages that it sent stay in topic ${topic}.`,
    go: "Delete check",
  },
  keep: "Keep it",
  form,
  /** What stands against all of it, by the API's code. */
  problems: new Map([
    ["too_many_checks", "The namespace takes no more checks. Delete some that are not needed."],
    ["too_many_topics", "The namespace takes no more topics. Choose one that exists."],
  ]),
};
