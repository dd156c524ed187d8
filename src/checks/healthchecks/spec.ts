/** Reads the body for a check, and says what is wrong in Healthchecks' words (`Spec` in hc/api/views.py; CHECKINS.md §10). Pure. */
import { Type, type Static } from "@sinclair/typebox";
import { problem } from "../../http/problem.ts";
import type { JsonObject } from "../../util/json.ts";
import { characters } from "../../util/schema.ts";
import { MAX_CRON_CHARACTERS, MAX_DESCRIPTION_CHARACTERS, MAX_NAME_CHARACTERS } from "../schema.ts";
import { parseCron, parseZone } from "../schedule/cron.ts";
import { isSlug, YEAR } from "../settings.ts";

const UNIQUE = ["name", "slug", "tags", "timeout", "grace"] as const;

/** For the document, and the source of the type. `readSpec` reads it. */
export const Spec = Type.Partial(
  Type.Object({
    name: Type.String(),
    slug: Type.String({ description: "`v1` and `v2` make it of the name." }),
    tags: Type.String({ description: "Separated by spaces." }),
    desc: Type.String(),
    timeout: Type.Integer({ description: "60 to 31536000 seconds. Default for a new check: 86400." }),
    grace: Type.Integer({ description: "60 to 31536000 seconds. Default for a new check: 3600." }),
    schedule: Type.String({ description: "A cron expression; beats `timeout`." }),
    tz: Type.String({ description: "Of `schedule`. Default: UTC." }),
    manual_resume: Type.Boolean({ description: "false: a ping ends a pause." }),
    methods: Type.String({ description: "Empty, or `POST`." }),
    channels: Type.String({ description: "The name of a topic, or its id in `/channels/`." }),
    unique: Type.Array(Type.String(), {
      description: `The check that has the same ${UNIQUE.join(", ")} is updated, as far as they are named here.`,
    }),
    api_key: Type.String({ description: "For clients that send no `X-Api-Key`." }),
  }),
);
export type Spec = Omit<Static<typeof Spec>, "unique" | "api_key"> & { unique?: readonly (typeof UNIQUE)[number][] };

/** What is wrong with a value, as the end of a sentence that begins with the name of its field. */
type Rule = (value: unknown) => string | undefined;

const text =
  (max = Infinity): Rule =>
  (value) =>
    typeof value !== "string" ? "is not a string" : characters(value) > max ? "is too long" : undefined;
const flag: Rule = (value) => (typeof value === "boolean" ? undefined : "is not a boolean");
const seconds: Rule = (value) => {
  if (!Number.isInteger(value)) return "is not a number";
  if ((value as number) < 60) return "is too small";
  return (value as number) > YEAR ? "is too large" : undefined;
};
const methods: Rule = (value) => (value === "" || value === "POST" ? undefined : "has unexpected value");
const slug: Rule = (value) =>
  text(100)(value) ??
  (!/^[a-z0-9_-]*$/.test(value as string)
    ? "does not match pattern"
    : value === "" || isSlug(value as string)
      ? undefined
      : "is not possible here: at most 64 characters, beginning with a letter or a digit; not start, fail, log or digits alone");
const zone: Rule = (value) =>
  text()(value) ?? (typeof parseZone(value as string) === "string" ? undefined : "is not a valid timezone");
const schedule: Rule = (value) => {
  const wrong = text(MAX_CRON_CHARACTERS)(value);
  if (wrong !== undefined) return wrong;
  const expression = value as string;
  if (parseCron(expression).kind === "cron") return undefined;
  const isCron = !expression.trim().includes("\n") && expression.trim().split(/\s+/).length === 5;
  return isCron
    ? "is not a valid cron or OnCalendar expression"
    : "looks like an OnCalendar expression, which peal does not read: use a cron expression";
};

/** In Healthchecks' order, in which it names the first field that is wrong. */
const RULES: Readonly<Record<string, Rule>> = {
  ...{ channels: text(), desc: text(MAX_DESCRIPTION_CHARACTERS), failure_kw: text(200) },
  ...{ filter_subject: flag, filter_body: flag, filter_http_body: flag, filter_default_fail: flag },
  ...{ grace: seconds, manual_resume: flag, methods, name: text(MAX_NAME_CHARACTERS), schedule, slug },
  ...{ start_kw: text(200), subject: text(200), subject_fail: text(200), success_kw: text(200) },
  ...{ tags: text(), timeout: seconds, tz: zone },
};

/** Fields that have no counterpart here, and do no harm if they are left out; `why` is told then. */
const WITHOUT: readonly { fields: readonly string[]; why: string }[] = [
  { fields: ["filter_subject", "filter_body", "subject", "subject_fail"], why: "peal takes no pings by mail" },
  {
    fields: ["start_kw", "success_kw", "failure_kw", "filter_default_fail"],
    why: "peal looks for no words in what a job sends",
  },
];

/** Something that a body asked for and that was not done. */
export interface Ignored {
  path: string;
  message: string;
}

/** The fields that mean something here, and those that were left out. @throws Problem 400 */
export function readSpec(body: JsonObject): { spec: Spec; ignored: Ignored[] } {
  for (const [name, rule] of Object.entries(RULES)) {
    const wrong = body[name] === undefined ? undefined : rule(body[name]);
    if (wrong !== undefined) throw problem.badRequest(`json validation error: ${name} ${wrong}`);
  }
  const { unique } = body;
  if (unique !== undefined) requireUnique(unique);
  // a failure that Healthchecks would see and peal would not must not be agreed to in silence
  if (body["filter_http_body"] === true)
    throw problem.badRequest(
      "filter_http_body: peal looks for no words in what a job sends; let the job ping /fail, or send its exit code",
    );
  const ignored = WITHOUT.flatMap(({ fields, why }) =>
    fields
      .filter((field) => body[field] !== undefined && body[field] !== "" && body[field] !== false)
      .map((field) => ({ path: `/${field}`, message: why })),
  );
  return { spec: body, ignored };
}

function requireUnique(unique: unknown): void {
  if (!Array.isArray(unique)) throw problem.badRequest("json validation error: unique is not an array");
  if (!unique.every((name) => UNIQUE.some((known) => known === name)))
    throw problem.badRequest("json validation error: an item in 'unique' has unexpected value");
}
