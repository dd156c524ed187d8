/** What the API takes and answers about checks (CHECKINS.md §3): it checks bodies and is the source of the OpenAPI document. */
import { type Static, type TUnsafe, Type } from "@sinclair/typebox";
import { LEVELS, PRIORITIES } from "../drafts/draft.ts";
import { MAX_TAG_CHARACTERS, MAX_TAGS } from "../drafts/limits.ts";
import { choice, orNull, text, time } from "../util/schema.ts";

/** The longest name, slug, cron expression and zone, in characters. */
export const MAX_NAME_CHARACTERS = 100;
const MAX_SLUG_CHARACTERS = 64;
export const MAX_CRON_CHARACTERS = 100;
export const MAX_ZONE_CHARACTERS = 64;

export const SLUG = `^[a-z0-9][a-z0-9_-]{0,${MAX_SLUG_CHARACTERS - 1}}$`;
const STATES = ["new", "up", "down", "paused"] as const;
const REASONS = ["missed", "failed", "overrun"] as const;

/** Only for the document; settings.ts checks it. */
const duration = (description: string): TUnsafe<string | number> =>
  Type.Unsafe(
    Type.Any({
      anyOf: [
        { type: "integer", minimum: 0 },
        { type: "string", examples: ["90s", "15m", "26h", "1d"] },
      ],
      description: `${description} Seconds, or a duration like \`90s\`, \`15m\`, \`26h\`, \`1d\`.`,
    }),
  );
const seconds = (description: string) => Type.Integer({ minimum: 0, description: `${description} Seconds.` });
const count = (description: string) => Type.Integer({ minimum: 1, maximum: 100, description });

const name = text({ minLength: 1, maxLength: MAX_NAME_CHARACTERS });
const slug = text({
  minLength: 1,
  maxLength: MAX_SLUG_CHARACTERS,
  pattern: SLUG,
  description: "Its name in `/v1/ping/{ping-key}/{slug}`: not `start`, `fail`, `log` or digits alone.",
});
const topic = text({
  minLength: 1,
  description: "Where its alerts go: the name of a topic, which is created if it is new, or a topic key.",
});
const cron = text({
  minLength: 1,
  maxLength: MAX_CRON_CHARACTERS,
  description: "Five fields, or `@daily` and the like.",
});
const timezone = text({
  minLength: 1,
  maxLength: MAX_ZONE_CHARACTERS,
  description: "Of `cron`, for example Europe/Berlin.",
});
const level = choice(LEVELS, { description: "Of what is told when it goes down; nothing else is louder." });
const priority = choice(PRIORITIES, { description: "Of what is told when it goes down; nothing else is louder." });

/** Settings as they may be changed. `null` removes a value, so that its default applies. */
const changeable = {
  name: Type.Optional(name),
  slug: Type.Optional(orNull(slug)),
  topic: Type.Optional(topic),
  tags: Type.Optional(Type.Array(text({ minLength: 1, maxLength: MAX_TAG_CHARACTERS }), { maxItems: MAX_TAGS })),
  every: Type.Optional(orNull(duration("How long after a success the next one is expected: 10 s to 365 days."))),
  cron: Type.Optional(orNull(cron)),
  timezone: Type.Optional(orNull(timezone)),
  grace: Type.Optional(
    orNull(duration("How late a success can be. Default: a quarter of the interval, 1 min to 1 h.")),
  ),
  early: Type.Optional(
    orNull(duration("How early a success can be. Default: a quarter of the interval, at most 2 min.")),
  ),
  max_run: Type.Optional(orNull(duration("How long a run can take; 0: no limit. Default: the grace."))),
  fail_after: Type.Optional(count("Failures in a row until it is down. Default 1.")),
  recover_after: Type.Optional(count("Successes in a row until it is up again. Default 1.")),
  remind_every: Type.Optional(duration("While it is down, 1 min or more; 0: never. Default 24 h.")),
  remind_max: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 10_000, description: "Default: no limit." }))),
  notify_late: Type.Optional(Type.Boolean({ description: "Also alert when it is late, before the grace is over." })),
  notify_success: Type.Optional(Type.Boolean({ description: "Also notify on each success." })),
  post_only: Type.Optional(Type.Boolean({ description: "Only POST counts as a ping." })),
  armed: Type.Optional(Type.Boolean({ description: "Also alert if it never checks in." })),
  level: Type.Optional(orNull(level)),
  priority: Type.Optional(orNull(priority)),
  paused: Type.Optional(Type.Boolean({ description: "No alerts until it is resumed." })),
  muted_until: Type.Optional(
    orNull(text({ format: "date-time", description: "No alerts until then; the state is tracked." })),
  ),
};

/** The body for a new check and for a changed one. */
export const CheckBody = Type.Object(changeable, {
  description:
    "One of `every` and `cron`, or neither: then it alerts on failure only. `null` removes a value. If the slug exists, that " +
    "check is updated, and what is left out stays as it is.",
});
export type CheckBody = Static<typeof CheckBody>;

export const SnoozeBody = Type.Object(
  {
    for: Type.Optional(duration("From now on, up to 365 days.")),
    until: Type.Optional(text({ format: "date-time", description: "A time in the future, at most 365 days ahead." })),
  },
  { description: "One of the two." },
);

export const RotateBody = Type.Object({
  overlap: Type.Optional(duration("How long the old URL keeps working, up to 365 days. Default 7 days.")),
});

export const IncidentRecord = Type.Object({
  n: Type.Integer({ minimum: 1, description: "Counted per check: 1, 2, 3 …" }),
  reason: choice(REASONS),
  opened_at: time,
  closed_at: Type.Optional(time),
  expected_at: Type.Optional(time),
  deadline_at: Type.Optional(time),
  missed: Type.Integer({ minimum: 0, description: "Slots that passed without a success." }),
  exit: Type.Optional(Type.Integer()),
  server_gap: Type.Boolean({ description: "The server was offline at the deadline: not counted as downtime." }),
  acked_at: Type.Optional(time),
  acked_by: Type.Optional(Type.String({ description: "The person, where one did it in a page." })),
  reminders: Type.Integer({ minimum: 0 }),
});
export type IncidentRecord = Static<typeof IncidentRecord>;

export const CheckRecord = Type.Object({
  id: Type.String(),
  namespace: Type.String(),
  name: Type.String(),
  slug: Type.Optional(Type.String()),
  topic: Type.String({ description: "The key of the topic where its alerts go." }),
  topic_name: Type.String(),
  tags: Type.Array(Type.String()),
  every: Type.Optional(seconds("With `every`.")),
  cron: Type.Optional(Type.String()),
  timezone: Type.Optional(Type.String()),
  grace: seconds("As set, or what it comes to now."),
  early: seconds("As set, or what it comes to now."),
  max_run: seconds("As set, or what it comes to now; 0: any time."),
  fail_after: Type.Integer(),
  recover_after: Type.Integer(),
  remind_every: seconds("0: never."),
  remind_max: Type.Optional(Type.Integer()),
  notify_late: Type.Boolean(),
  notify_success: Type.Boolean(),
  post_only: Type.Boolean(),
  armed: Type.Boolean(),
  level: Type.Optional(choice(LEVELS)),
  priority: Type.Optional(choice(PRIORITIES)),
  paused: Type.Boolean(),
  paused_at: Type.Optional(time),
  paused_by: Type.Optional(Type.String({ description: "The person, where one did it in a page." })),
  muted_until: Type.Optional(time),
  state: choice(STATES),
  late: Type.Boolean({ description: "The slot has passed, the deadline not." }),
  running: Type.Boolean({ description: "A run has started and not ended." }),
  ping_url: Type.Optional(
    Type.String({
      description:
        "The capability of its pings. Left out for a key that only reads, and when the server has lost its secret: rotate to " +
        "get a new one.",
    }),
  ),
  badge_url: Type.String({ description: "Shows the state to anyone; `.json` instead of `.svg` for programs." }),
  pings: Type.Integer({ minimum: 0, description: "Events recorded so far." }),
  last_ok_at: Type.Optional(time),
  last_event_at: Type.Optional(time),
  last_duration: Type.Optional(Type.Number({ minimum: 0, description: "Of its last run, seconds." })),
  next_slot_at: Type.Optional(time),
  deadline_at: Type.Optional(time),
  incident: Type.Optional(IncidentRecord),
  hint: Type.Optional(Type.String({ description: "What looks wrong with its settings." })),
  created_at: time,
});
export type CheckRecord = Static<typeof CheckRecord>;

export const CheckList = Type.Object({
  checks: Type.Array(CheckRecord),
  has_more: Type.Boolean(),
  next_after: Type.Optional(Type.String({ description: "Pass as `after` for the next page." })),
});

const EventRecord = Type.Object({
  n: Type.Integer({ minimum: 1 }),
  kind: Type.String({
    description:
      "ok, fail, start, log, ignored; down, up; paused, resumed, snoozed, unsnoozed, acked, unacked, edited, tested",
  }),
  at: time,
  rid: Type.Optional(Type.String({ description: "The run that it belongs to." })),
  exit: Type.Optional(Type.Integer()),
  duration: Type.Optional(Type.Number({ minimum: 0, description: "Of the run that ended, seconds." })),
  reason: Type.Optional(choice(REASONS)),
  by: Type.Optional(Type.String({ description: "The person, where one did it in a page." })),
  method: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  user_agent: Type.Optional(Type.String()),
  body_bytes: Type.Optional(Type.Integer({ minimum: 1, description: "As it was sent; `…/body` has what was kept." })),
});
export type EventRecord = Static<typeof EventRecord>;

const paged = {
  has_more: Type.Boolean(),
  next_before: Type.Optional(Type.Integer({ description: "Pass as `before` for the next page." })),
};
export const EventList = Type.Object({ events: Type.Array(EventRecord), ...paged });
export const IncidentList = Type.Object({ incidents: Type.Array(IncidentRecord), ...paged });

export const Preview = Type.Object({
  cron: Type.String(),
  timezone: Type.String(),
  slots: Type.Array(time, { description: "The next five." }),
});

export const PingKey = Type.Object({
  ping_key: Type.Optional(
    Type.String({ description: "Left out when the server has lost its secret: rotate to get a new one." }),
  ),
  ping_url: Type.Optional(Type.String({ description: "Append `/` and a slug." })),
});

export const Badge = Type.Object({
  state: choice(["new", "up", "late", "down", "paused"]),
  // in the form that https://shields.io/badges/endpoint-badge reads
  schemaVersion: Type.Literal(1),
  label: Type.String(),
  message: Type.String(),
  color: Type.String(),
});
export type Badge = Static<typeof Badge>;
