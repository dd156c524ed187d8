/** Healthchecks' checks (https://healthchecks.io/docs/api/, Management API v3, `GET /api/v3/checks/`). Pure. */
import { Type, type Static } from "@sinclair/typebox";
import { parseCron, parseZone } from "../../checks/schedule/cron.ts";
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
});
export type HealthchecksCheck = Static<typeof HealthchecksCheck>;

const YEAR = 31_536_000;
const within = (seconds: number, least: number): number => Math.min(Math.max(seconds, least), YEAR);

/** A sentence if peal has no such schedule. */
export function checkOf(
  check: HealthchecksCheck,
  { namespace, topic, slug }: { namespace: string; topic: string; slug: string | undefined },
): NewCheckRecord | string {
  const { name, tags, grace, status, ping_url: url = "", methods } = check;
  const when = scheduleOf(check);
  const title = checkName(name, slug ?? "unnamed");
  if (typeof when === "string") return `${title}: ${when}`;
  return {
    ...{ kind: "new_check", id: idOf(26, "healthchecks", namespace, url), namespace },
    body: {
      ...{ name: title, topic, tags: tagsOf(tags.split(/\s+/)), ...when, grace: within(grace, 0) },
      ...(slug !== undefined && { slug }),
      ...(methods === "POST" && { post_only: true }),
      ...(status === "paused" && { paused: true }),
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
