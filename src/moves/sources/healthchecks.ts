/**
 * Healthchecks' checks (Management API v3, `GET /api/v3/checks/`: https://healthchecks.io/docs/api/; what it answers is
 * `Check.to_dict` in https://github.com/healthchecks/healthchecks, `hc/api/models.py`). Pure.
 */
import { Type, type Static } from "@sinclair/typebox";
import { parseCron, parseZone } from "../../checks/schedule/cron.ts";
import { MAX_DESCRIPTION_CHARACTERS } from "../../checks/schema.ts";
import { cut } from "../../util/text/text.ts";
import type { NewCheckRecord } from "../record.ts";
import { checkName, idOf, tagsOf } from "./foreign.ts";

export const HealthchecksCheck = Type.Object({
  ...{ name: Type.String(), slug: Type.Optional(Type.String()), tags: Type.String(), grace: Type.Integer() },
  ...{ desc: Type.Optional(Type.String()), status: Type.String(), methods: Type.Optional(Type.String()) },
  /** Absent if the key may only read. */
  ping_url: Type.Optional(Type.String()),
  /** Seconds; absent: it has a schedule, a cron expression or one of systemd's. */
  timeout: Type.Optional(Type.Integer()),
  ...{ schedule: Type.Optional(Type.String()), tz: Type.Optional(Type.String()) },
  /** A pause ends by hand only, not with the next ping. */
  manual_resume: Type.Optional(Type.Boolean()),
  /** Words in the body of a ping decide what it means. */
  filter_http_body: Type.Optional(Type.Boolean()),
});
export type HealthchecksCheck = Static<typeof HealthchecksCheck>;

const YEAR = 31_536_000;
const within = (seconds: number, least: number): number => Math.min(Math.max(seconds, least), YEAR);

/** A sentence if peal has no such schedule. */
export function checkOf(
  check: HealthchecksCheck,
  { namespace, topic, slug }: { namespace: string; topic: string; slug: string | undefined },
): NewCheckRecord | string {
  const { name, tags, desc = "", grace, status, ping_url: url = "", methods, manual_resume: isHeld = false } = check;
  const when = scheduleOf(check);
  const title = titleOf({ name, slug });
  if (typeof when === "string") return `${title}: ${when}`;
  return {
    ...{ kind: "new_check", id: idOf(26, "healthchecks", namespace, url), namespace },
    body: {
      ...{ name: title, topic, tags: tagsOf(tags.split(/\s+/)), ...when, grace: within(grace, 0) },
      ...(slug !== undefined && { slug }),
      ...(desc !== "" && { description: described(desc) }),
      ...(methods === "POST" && { post_only: true }),
      ...{ resume_by_ping: !isHeld, paused: status === "paused" },
    },
  };
}

function scheduleOf({ timeout, schedule, tz = "UTC" }: HealthchecksCheck): object | string {
  if (timeout !== undefined) return { every: within(timeout, 10) };
  if (schedule === undefined) return "it has neither a period nor a schedule";
  const cron = parseCron(schedule);
  if ("message" in cron)
    return `its schedule \`${schedule}\` isn't one that peal reads (${cron.message}); create it by hand`;
  const zone = parseZone(tz);
  if (typeof zone !== "string") return `its time zone ${tz} isn't known here`;
  return { cron: schedule, timezone: zone };
}

const described = (desc: string): string => cut(desc, MAX_DESCRIPTION_CHARACTERS);

const titleOf = ({ name, slug = "" }: { name: string; slug?: string | undefined }): string =>
  checkName(name, slug === "" ? "unnamed" : slug);

/** What stays behind, in sentences. `slugless`: the checks whose slug cannot be kept, or that have none. */
export function notesOn(
  checks: readonly HealthchecksCheck[],
  { topic, slugless }: { topic: string; slugless: readonly HealthchecksCheck[] },
): string[] {
  const shortened = checks.filter(({ desc = "" }) => described(desc) !== desc);
  const filtered = checks.filter(({ filter_http_body: isFiltered }) => isFiltered === true);
  return [
    ...slugless
      .filter(({ slug = "" }) => slug !== "")
      .map(
        (check) =>
          `${titleOf(check)}: its slug ${check.slug ?? ""} isn't kept, as another check has it or peal takes none like it; pings by that slug don't reach it`,
      ),
    ...filtered.map(
      (check) =>
        `${titleOf(check)}: Healthchecks looks for words in what the job sends; peal doesn't, so let the job ping /fail if it fails`,
    ),
    ...shortened.map(
      (check) => `${titleOf(check)}: its description is cut to ${MAX_DESCRIPTION_CHARACTERS} characters`,
    ),
    `all integrations stay behind; alerts go to the topic ${topic}`,
  ];
}
