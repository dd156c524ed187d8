/** The form of a check. */
import { capital } from "../spelled.ts";

export const form = {
  create: "Create check",
  preview: "Preview next runs",
  nameHint: "Shown in alerts.",
  how: "How it runs",
  every: "At regular intervals",
  cron: "At set times (cron)",
  manual: "No schedule (alert on failure only)",
  everyField: "How often",
  everyHint: "For example 90s, 15m, 26h or 1d after the last success.",
  cronField: "Cron line",
  cronHint: "Minute, hour, day, month, weekday, as in a crontab.",
  timezoneHint: "For example Europe/Berlin. Leave blank for the server’s.",
  graceHint: "How late it can be before you’re alerted. Leave blank for a quarter of the interval (1 min to 1 h).",
  alarm: "Alerts",
  topic: "Topic",
  topicHint: "Where its alerts go. A new name creates a new topic.",
  newTopicHint: (topic: string) =>
    `Where its alerts go. A new name creates a new topic. Leave blank for topic ${topic}.`,
  usual: (what: string) => `Default (${what})`,
  armed: "Also alert if it never checks in",
  notifyLate: "Also alert when it’s late",
  notifySuccess: "Also notify on success",
  more: "More settings",
  slug: "Slug",
  slugHint: "Its name in URLs that use the namespace’s ping key.",
  early: "Allow early pings by",
  earlyHint: "A ping this early still counts as on time. Leave blank for a quarter of the interval, at most 2 minutes.",
  maxRun: "Max run time",
  maxRunHint: "Leave blank for the same as the grace. 0: no limit.",
  failAfter: "Down after this many failures in a row",
  recoverAfter: "Up after this many successes in a row",
  remindEvery: "Remind every",
  remindEveryHint: "While it’s down. 0: never.",
  remindMax: "Max reminders",
  remindMaxHint: "Leave blank for no limit.",
  postOnly: "Only POST counts as a ping",
  resumeByPing: "A ping ends a pause",
  wrong: "Not saved. Check the highlighted fields.",
  /** The API's words about a field; forms only have strings. */
  refused: (field: string, message: string) =>
    field === "slug" && message.includes(" matches ")
      ? "Lowercase letters, digits, - and _, at most 64."
      : `${capital(message.replace("a string of ", ""))}${/[.?]$/.test(message) ? "" : "."}`,
};
