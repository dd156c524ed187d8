/** Healthchecks' webhook with the body `$JSON`, or with that below `check` as its manual shows (REWRITES.md §8). */
import type { Level, Priority, Status } from "../../../drafts/draft.ts";
import { MAX_TAGS } from "../../../drafts/limits.ts";
import type { Millis } from "../../../util/clock.ts";
import { field, lineAt, object, proseAt, scalar, type Fields } from "../../fields.ts";
import type { Source } from "../../tool.ts";
import { brief } from "../../text.ts";
import { duration, instant, span } from "../../times.ts";
import type { Told } from "../../told.ts";
import { link } from "../../urls.ts";

export const healthchecks: Source<"healthchecks"> = {
  name: "healthchecks",
  title: "Healthchecks",
  fits: (payload) => isCheck(checkIn(payload)),
  tell(payload, { now }) {
    const check = checkIn(payload);
    const id = lineAt(check, "uuid", "unique_key");
    const name = lineAt(check, "name", "slug") ?? id ?? "Check";
    const status = lineAt(check, "status") ?? "";
    // the check that the test button makes up; no saved check has that name and that many pings without a slug
    if (name === "TEST" && field(check, "n_pings") === 42 && field(check, "slug") === "") return test;
    const state = STATES.get(status) ?? { says: ` is ${status}`, level: "info", priority: "normal" };
    const ping = instant(field(check, "last_ping"), now);
    return {
      title: `${name}${state.says}`,
      lines: [proseAt(check, "desc"), status === "down" ? lastPing(ping, now) : undefined, scheduleOf(check)],
      level: state.level,
      priority: state.priority,
      status: state.status,
      tags: ["healthchecks", ...(lineAt(check, "tags")?.split(" ", MAX_TAGS) ?? [])],
      url: pageOf(check),
      key: `healthchecks:${id ?? name}`,
      at: instant(field(payload, "now"), now),
      data: {
        source: "healthchecks",
        check: brief(name),
        status: brief(status),
        pings: brief(lineAt(check, "n_pings")),
      },
    };
  },
};

const checkIn = (payload: Fields): Fields =>
  Object.hasOwn(payload, "check") ? object(field(payload, "check")) : payload;

const isCheck = (check: Fields): boolean =>
  ["status", "n_pings", "grace", "last_ping"].every((name) => Object.hasOwn(check, name));

interface State {
  says: string;
  level: Level;
  priority: Priority;
  status?: Status;
}

const STATES = new Map<string, State>([
  ["down", { says: " is down", level: "error", priority: "high", status: "firing" }],
  ["up", { says: " is up again", level: "success", priority: "normal", status: "resolved" }],
]);

const test: Told = {
  title: "Healthchecks test",
  lines: ["this notification works."],
  level: "info",
  priority: "normal",
  tags: ["healthchecks", "test"],
  data: { source: "healthchecks" },
};

function lastPing(at: Millis | undefined, now: Millis): string {
  const ago = span(at, now);
  return ago === undefined ? "No ping yet" : `Last ping ${duration(ago)} earlier`;
}

const SECOND = 1_000;

/** `Every 1 d, grace 1 h`, or the schedule instead of the period. */
function scheduleOf(check: Fields): string | undefined {
  const [period, grace] = [secondsAt(check, "timeout"), secondsAt(check, "grace")];
  const schedule = lineAt(check, "schedule");
  const zone = lineAt(check, "tz");
  const expected =
    schedule === undefined ? period && `Every ${period}` : `Schedule ${schedule}${zone ? ` (${zone})` : ""}`;
  return expected === undefined || grace === undefined ? expected : `${expected}, grace ${grace}`;
}

function secondsAt(check: Fields, name: string): string | undefined {
  const seconds = field(check, name);
  return typeof seconds === "number" && seconds > 0 && seconds < 1e10 ? duration(seconds * SECOND) : undefined;
}

/** The page of the check; its other URLs would change it. */
function pageOf(check: Fields): string | undefined {
  const url = scalar(field(check, "update_url"));
  const [, site, id] = /^(https?:\/\/.{1,500})\/api\/v\d\/checks\/([\da-f-]{36})$/.exec(url?.slice(0, 600) ?? "") ?? [];
  return site === undefined ? undefined : link(`${site}/checks/${id ?? ""}/details/`);
}
