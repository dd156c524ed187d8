/** Turns a body into the settings of a check (CHECKINS.md §3). Pure. */
import type { FieldError } from "../http/problem.ts";
import { oneLine } from "../util/text/text.ts";
import { parseDuration } from "../util/time.ts";
import type { NewCheck } from "../store/checks.ts";
import { isTopicKey, isTopicName, looksLikeKey } from "../names/topic.ts";
import { serverZone } from "../util/calendar.ts";
import { defined } from "../util/defined.ts";
import type { CheckSettings, Schedule } from "./check.ts";
import { parseCron, parseZone } from "./schedule/cron.ts";
import { type CheckBody, SLUG } from "./schema.ts";

/** The topic of alerts by default. */
export const DEFAULT_TOPIC = "checks";

const DAY = 86_400;
/** The longest duration, in seconds. */
export const YEAR = 365 * DAY;
/** The range of each duration, in seconds; `or` is a value outside of it. */
const RANGES = {
  every: { min: 10, max: YEAR },
  grace: { min: 0, max: YEAR },
  early: { min: 0, max: YEAR },
  max_run: { min: 0, max: YEAR },
  remind_every: { min: 60, max: YEAR, or: 0 },
} as const;
export interface Range {
  min: number;
  max: number;
  or?: number;
}

const SLUG_FORM = new RegExp(SLUG);

/** Whether a text may name a check in a ping's path: it must not look like a suffix. */
export const isSlug = (text: string): boolean => SLUG_FORM.test(text) && !/^(?:start|fail|log|\d+)$/.test(text);

/** Reads seconds from a whole number, or from `90s`, `15m`, `26h`, `1d`; or says what is wrong with it. */
export function secondsOf(value: unknown, { min, max, or }: Range): number | string {
  const seconds = typeof value === "string" ? parseDuration(value) : value;
  if (Number.isInteger(seconds) && ((seconds as number) >= min || seconds === or) && (seconds as number) <= max)
    return seconds as number;
  const least = or === undefined ? `${min}` : `${or}, or ${min}`;
  return `must be ${least} to ${max} seconds, or a duration like 90s, 15m, 26h, 1d`;
}

/**
 * The settings of a new check or of a changed one. A field that the body leaves out stays as it is, and one that is
 * `null` gets its default. If fields are wrong, an entry for each.
 */
export function settingsOf(body: CheckBody, before?: CheckSettings): CheckSettings | FieldError[] {
  const errors: FieldError[] = [];
  const ms = (field: keyof typeof RANGES, known: number | undefined): number | undefined => {
    const value = body[field];
    if (value === undefined || value === null) return value === undefined ? known : undefined;
    const seconds = secondsOf(value, RANGES[field]);
    if (typeof seconds === "number") return seconds * 1000;
    errors.push({ path: `/${field}`, message: seconds });
    return undefined;
  };
  const settings = defined<CheckSettings>({
    name: body.name === undefined ? (before?.name ?? body.slug ?? "") : oneLine(body.name),
    description: kept(body.description, before?.description),
    slug: kept(body.slug, before?.slug),
    tags: body.tags?.map(oneLine) ?? before?.tags ?? [],
    schedule: scheduleOf(body, before?.schedule, ms("every", undefined), errors),
    graceMs: ms("grace", before?.graceMs),
    earlyMs: ms("early", before?.earlyMs),
    maxRunMs: ms("max_run", before?.maxRunMs),
    failAfter: body.fail_after ?? before?.failAfter ?? 1,
    recoverAfter: body.recover_after ?? before?.recoverAfter ?? 1,
    remindEveryMs: ms("remind_every", before?.remindEveryMs) ?? DAY * 1000,
    remindMax: kept(body.remind_max, before?.remindMax),
    notifyLate: body.notify_late ?? before?.notifyLate ?? false,
    notifySuccess: body.notify_success ?? before?.notifySuccess ?? false,
    postOnly: body.post_only ?? before?.postOnly ?? false,
    armed: body.armed ?? before?.armed ?? false,
    resumeByPing: (body.resume_by_ping ?? before?.resumeByPing) === true ? true : undefined,
    level: kept(body.level, before?.level),
    priority: kept(body.priority, before?.priority),
  });
  if (settings.name === "") errors.push({ path: "/name", message: "is required, or a `slug`" });
  if (settings.slug !== undefined && !isSlug(settings.slug))
    errors.push({ path: "/slug", message: "must not be start, fail, log or digits alone" });
  return errors.length > 0 ? errors : settings;
}

/** The topic that a text means; undefined if it means none. */
export function topicOf(text: string): NewCheck["topic"] | undefined {
  if (isTopicKey(text)) return { key: text };
  return isTopicName(text) && !looksLikeKey(text) ? { name: text } : undefined;
}

const kept = <T>(given: T | null | undefined, known: T | undefined): T | undefined =>
  given === undefined ? known : (given ?? undefined);

/** `everyMs`: the body's `every`, if that is right. */
function scheduleOf(
  { every, cron, timezone }: CheckBody,
  before: Schedule | undefined,
  everyMs: number | undefined,
  errors: FieldError[],
): Schedule {
  const isEvery = every !== undefined && every !== null;
  if (isEvery && cron !== undefined && cron !== null)
    errors.push({ path: "/cron", message: "can't be combined with `every`" });
  const known = before?.kind === "cron" && !isEvery ? before : undefined;
  const expression = kept(cron, known?.expression);
  if (expression === undefined) {
    if (timezone !== undefined && timezone !== null)
      errors.push({ path: "/timezone", message: "can only be used with `cron`" });
    if (everyMs !== undefined) return { kind: "every", everyMs };
    return before?.kind === "every" && every === undefined ? before : { kind: "manual" };
  }
  const parsed = parseCron(expression);
  if (parsed.kind === "refused") errors.push({ path: "/cron", message: parsed.message });
  const zone = parseZone((timezone === undefined ? known?.timezone : timezone) ?? serverZone());
  if (typeof zone !== "string") errors.push({ path: "/timezone", message: zone.message });
  return { kind: "cron", expression: expression.trim(), timezone: typeof zone === "string" ? zone : "" };
}
