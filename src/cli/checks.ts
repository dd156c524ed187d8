/** `peal checks`: which there are, and how they are made, changed and deleted. */
import type { CheckRecord } from "../checks/schema.ts";
import { LEVELS, PRIORITIES } from "../drafts/draft.ts";
import { systemClock } from "../util/clock.ts";
import { allChecks, CHECK_ARG, CHECK_FLAGS, numberOrText, withCheck } from "./checks-ask.ts";
import { factsOf, relative, scheduleOf, stateOf } from "./checks-words.ts";
import { print, table, UsageError, type Command, type Flag, type Invocation } from "./command.ts";
import { inNamespace } from "./in-namespace.ts";

/** A field of the body, by the flag that sets it. */
interface Setting extends Flag {
  value: string;
  field: string;
  parse: (text: string) => unknown;
}

const text = (given: string): string => given;
const list = (given: string): string[] => given.split(",").map((item) => item.trim());
const WORDS = new Map([
  ["yes", true],
  ["no", false],
]);

const YES_NO = [...WORDS.keys()];

// prettier-ignore
const SETTINGS: readonly Setting[] = [
  { field: "slug",            name: "slug",           value: "slug",      parse: text, description: "Its name in ping URLs; if a check already has it, that check is changed." },
  { field: "description",     name: "description",    value: "text",      parse: text, description: "What it is, for people." },
  { field: "topic",           name: "topic",          value: "name|key",  parse: text, description: "Where its alerts go; default: checks." },
  { field: "tags",            name: "tags",           value: "a,b",       parse: list, description: "Labels to filter lists by." },
  { field: "every",           name: "every",          value: "duration",  parse: numberOrText, description: "How long after a success the next one is expected: 10s to 365d." },
  { field: "cron",            name: "cron",           value: "schedule",  parse: text, description: "Or the crontab line that runs it: '30 2 * * *'." },
  { field: "timezone",        name: "timezone",       value: "zone",      parse: text, description: "Time zone of --cron, for example Europe/Berlin; default: the server's." },
  { field: "grace",           name: "grace",          value: "duration",  parse: numberOrText, description: "How late a success can be; default: a quarter of the interval, 1m to 1h." },
  { field: "early",           name: "early",          value: "duration",  parse: numberOrText, description: "How early a success can be; default: a quarter of the interval, at most 2m." },
  { field: "max_run",         name: "max-run",        value: "duration",  parse: numberOrText, description: "How long a run can take, 0: no limit; default: the grace." },
  { field: "fail_after",      name: "fail-after",     value: "n",         parse: numberOrText, description: "Failures in a row until it's down; default: 1." },
  { field: "recover_after",   name: "recover-after",  value: "n",         parse: numberOrText, description: "Successes in a row until it's up again; default: 1." },
  { field: "remind_every",    name: "remind-every",   value: "duration",  parse: numberOrText, description: "How often to remind while it's down, 0: never; default: 24h." },
  { field: "remind_max",      name: "remind-max",     value: "n",         parse: numberOrText, description: "How many reminders at most; default: no limit." },
  { field: "notify_late",     name: "notify-late",    words: YES_NO, value: "yes|no", parse: text, description: "Also alert when it's late, before the grace is over." },
  { field: "notify_success",  name: "notify-success", words: YES_NO, value: "yes|no", parse: text, description: "Also notify on each success." },
  { field: "post_only",       name: "post-only",      words: YES_NO, value: "yes|no", parse: text, description: "Only POST counts as a ping." },
  { field: "armed",           name: "armed",          words: YES_NO, value: "yes|no", parse: text, description: "Also alert if it never checks in." },
  { field: "resume_by_ping",  name: "resume-by-ping", words: YES_NO, value: "yes|no", parse: text, description: "A ping ends a pause; default: no." },
  { field: "level",           name: "level",          words: LEVELS, value: "level", parse: text, description: "Level of its down alert; its other messages are never louder." },
  { field: "priority",        name: "priority",       words: PRIORITIES, value: "priority", parse: text, description: "Priority of its down alert; its other messages are never louder." },
];

const flagsOf = (settings: readonly Setting[]): Record<string, string> =>
  Object.fromEntries(settings.map(({ field, name }) => [field, `--${name}`]));

/** An empty text takes a value away. @throws UsageError */
function bodyOf(values: Invocation["values"], settings: readonly Setting[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { field, name, words, parse } of settings) {
    const given = values[name];
    if (given === undefined) continue;
    const isSwitch = words === YES_NO;
    if (isSwitch && !WORDS.has(given)) throw new UsageError(`--${name} ${given}: must be yes or no`);
    body[field] = given === "" ? null : isSwitch ? WORDS.get(given) : parse(given);
  }
  return body;
}

const show = async (check: CheckRecord, switches: ReadonlySet<string>): Promise<number> =>
  print(switches, check, () => table(factsOf(check, systemClock.now())));

export const checksList: Command = {
  name: "checks list",
  args: [],
  summary: "List a namespace's checks with their state.",
  flags: [{ name: "tag", value: "tag", description: "Only checks with this tag." }, ...CHECK_FLAGS],
  examples: ["peal checks list", "peal checks list --tag nas --json"],
  run: async (invocation) => {
    const { values, switches } = invocation;
    const checks = await inNamespace(invocation, async (local, ns) => allChecks(local, ns, values["tag"]));
    const now = systemClock.now();
    const rows = checks.map((check) => [
      check.name,
      check.slug ?? "–",
      stateOf(check, now),
      scheduleOf(check),
      relative(check.last_ok_at, now),
      relative(check.next_slot_at, now),
      check.id,
    ]);
    const head = ["CHECK", "SLUG", "STATE", "SCHEDULE", "LAST SUCCESS", "EXPECTED", "ID"];
    return print(switches, checks, () => table([head, ...rows]));
  },
};

export const checksShow: Command = {
  name: "checks show",
  args: [CHECK_ARG],
  summary: "Show a check's state, settings and ping URL.",
  flags: CHECK_FLAGS,
  examples: ["peal checks show nas-backup", "peal checks show nas-backup --json"],
  run: async (invocation) =>
    show(await withCheck(invocation, async (local, path) => local.ask("GET", path)), invocation.switches),
};

export const checksCreate: Command = {
  name: "checks create",
  args: ["<name>"],
  summary: "Create a check; its ping URL is printed alone on standard output.",
  flags: [...SETTINGS, ...CHECK_FLAGS],
  examples: [
    "URL=$(peal checks create nas-backup --slug nas-backup --every 1d --grace 2h)",
    "peal checks create nightly --cron '30 2 * * *' --timezone Europe/Berlin --topic backups",
  ],
  run: async (invocation) => {
    const { positionals, values, switches } = invocation;
    const body = { name: positionals[0], ...bodyOf(values, SETTINGS) };
    const made = await inNamespace(
      invocation,
      async (local, namespace) => local.ask<CheckRecord>("POST", `/v1/${namespace}/checks`, body),
      { name: "<name>", ...flagsOf(SETTINGS) },
    );
    return print(switches, made, ({ ping_url: url = "" }) => url);
  },
};

// prettier-ignore
const CHANGES: readonly Setting[] = [
  { field: "name", name: "name", value: "text", parse: text, description: "Its name in alerts." },
  ...SETTINGS,
];

export const checksUpdate: Command = {
  name: "checks update",
  args: [CHECK_ARG],
  summary: "Change a check's settings; the rest stay as they are. An empty value removes one.",
  flags: [...CHANGES, ...CHECK_FLAGS],
  examples: [
    "peal checks update nas-backup --grace 3h --notify-late yes",
    "peal checks update nas-backup --max-run ''",
  ],
  run: async (invocation) => {
    const body = bodyOf(invocation.values, CHANGES);
    if (Object.keys(body).length === 0) throw new UsageError("nothing to change: name a setting");
    const changed = await withCheck(
      invocation,
      async (local, path) => local.ask<CheckRecord>("PATCH", path, body),
      flagsOf(CHANGES),
    );
    return show(changed, invocation.switches);
  },
};

export const checksDelete: Command = {
  name: "checks delete",
  args: [CHECK_ARG],
  summary: "Delete a check with its log; its ping URL stops working.",
  flags: CHECK_FLAGS,
  examples: ["peal checks delete nas-backup"],
  run: async (invocation) => {
    const [named = ""] = invocation.positionals;
    await withCheck(invocation, async (local, path) => local.ask("DELETE", path));
    return print(invocation.switches, { deleted: named }, () => `deleted ${named}`);
  },
};
