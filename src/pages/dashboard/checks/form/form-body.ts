/** Turns the form of a check into a body for the API, which checks it by the same rules. Pure. */
import type { Check, CheckSettings } from "../../../../checks/check.ts";
import { CheckBody } from "../../../../checks/schema.ts";
import { settingsOf } from "../../../../checks/settings.ts";
import { check as checked } from "../../../../http/body.ts";
import { Problem } from "../../../../http/problem.ts";
import { wholeDuration } from "../../../../rewrites/times.ts";
import type { Faults } from "../../../elements/field.tsx";

/** The form as a body of the API. Empty fields get their defaults. @throws Problem 422 */
export function bodyOf(form: URLSearchParams, before?: Pick<Check, "topic">): CheckBody {
  const text = (name: string) => (form.get(name) ?? "").trim();
  const orNull = (name: string) => text(name) || null;
  const whole = (name: string) => (/^\d+$/.test(text(name)) ? Number(text(name)) : text(name));
  const length = (name: string) => (text(name) === "" ? null : whole(name));
  const topic = text("topic");
  const kind = form.get("kind");
  return checked(CheckBody, {
    name: text("name"),
    slug: orNull("slug"),
    ...(topic !== "" && topic !== before?.topic.name && { topic }),
    tags: text("tags")
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
    every: kind === "every" ? whole("every") : null,
    cron: kind === "cron" ? text("cron") : null,
    timezone: kind === "cron" ? orNull("timezone") : null,
    ...{ grace: length("grace"), early: length("early"), max_run: length("max_run") },
    ...{ fail_after: length("fail_after") ?? 1, recover_after: length("recover_after") ?? 1 },
    ...{ remind_every: length("remind_every"), remind_max: length("remind_max") },
    ...{ notify_late: form.has("notify_late"), notify_success: form.has("notify_success") },
    ...{ post_only: form.has("post_only"), armed: form.has("armed"), resume_by_ping: form.has("resume_by_ping") },
    ...{ level: orNull("level"), priority: orNull("priority") },
  });
}

/** A form that nobody has filled in. */
export const emptyForm = (): URLSearchParams => new URLSearchParams({ kind: "every", every: "1 d" });

/** The form as a check has been set. */
export function formOf({ topic, standing: { settings } }: Pick<Check, "topic" | "standing">): URLSearchParams {
  const { schedule, name, slug = "", tags, level = "", priority = "", remindMax } = settings;
  const length = (ms: number | undefined) => (ms === undefined ? "" : ms === 0 ? "0" : wholeDuration(ms));
  const form = new URLSearchParams({
    ...{ name, slug, topic: topic.name, tags: tags.join(", "), kind: schedule.kind, level, priority },
    ...{ grace: length(settings.graceMs), early: length(settings.earlyMs), max_run: length(settings.maxRunMs) },
    ...{ fail_after: `${settings.failAfter}`, recover_after: `${settings.recoverAfter}` },
    ...{ remind_every: length(settings.remindEveryMs), remind_max: `${remindMax ?? ""}` },
    every: schedule.kind === "every" ? length(schedule.everyMs) : "",
    ...(schedule.kind === "cron" && { cron: schedule.expression, timezone: schedule.timezone }),
  });
  const boxes = {
    ...{ notify_late: settings.notifyLate, notify_success: settings.notifySuccess },
    ...{ post_only: settings.postOnly, armed: settings.armed, resume_by_ping: settings.resumeByPing === true },
  };
  for (const [box, isSet] of Object.entries(boxes)) if (isSet) form.set(box, "on");
  return form;
}

/** The settings that the form would make, stored by nobody. @throws Problem 422 */
export function settingsIn(form: URLSearchParams, before?: Check): CheckSettings {
  const settings = settingsOf(bodyOf(form, before), before?.standing.settings);
  if (Array.isArray(settings)) throw new Problem("validation_failed", "", { errors: settings });
  return settings;
}

const FIELD_OF = new Map([
  ["check_exists", "slug"],
  ["unknown_topic", "topic"],
  ["too_many_checks", ""],
  ["too_many_topics", ""],
]);

/** The faults of a refusal, by the name of the field; for none (`""`) the API's code. Other errors are thrown again. */
export function faultsOf(error: unknown): { faults: Faults; problem: Problem } {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  const { errors, code, detail } = error;
  if (errors !== undefined)
    return { faults: new Map(errors.map(({ path, message }) => [path.split("/")[1] ?? "", message])), problem: error };
  const field = FIELD_OF.get(code);
  if (field === undefined) throw error;
  return { faults: new Map([[field, field === "" ? code : detail]]), problem: error };
}
