/** Healthchecks' webhook with the body `$JSON`, or with that below `check` as its manual shows (REWRITES.md §8). */
import { MAX_TAGS } from "../../../drafts/limits.ts";
import { type Millis, SECOND } from "../../../util/clock.ts";
import { field, has, lineAt, objectAt, proseAt, scalarAt, type Fields } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { testNotice, type State } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { duration, instant, span } from "../../times.ts";
import { present } from "../../told.ts";
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
    if (name === "TEST" && field(check, "n_pings") === 42 && field(check, "slug") === "")
      return { ...testNotice("healthchecks", "Healthchecks"), lines: ["this notification works."], data: {} };
    const { says, ...look } = STATES.get(status) ?? { ...looks.NOTICE, says: ` is ${status}` };
    const ping = instant(field(check, "last_ping"), now);
    return {
      ...look,
      title: `${name}${says}`,
      lines: [proseAt(check, "desc"), status === "down" ? lastPing(ping, now) : undefined, scheduleOf(check)],
      tags: ["healthchecks", ...(lineAt(check, "tags")?.split(" ", MAX_TAGS) ?? [])],
      url: pageOf(check),
      key: `healthchecks:${id ?? name}`,
      at: instant(field(payload, "now"), now),
      data: present({ check: name, status, pings: lineAt(check, "n_pings") }),
    };
  },
};

const checkIn = (payload: Fields): Fields => (Object.hasOwn(payload, "check") ? objectAt(payload, "check") : payload);

const isCheck = (check: Fields): boolean => has(check, "status", "n_pings", "grace", "last_ping");

const STATES = new Map<string, State>([
  ["down", { ...looks.BROKEN, says: " is down" }],
  ["up", { ...looks.WELL, says: " is up again" }],
]);

function lastPing(at: Millis | undefined, now: Millis): string {
  const ago = span(at, now);
  return ago === undefined ? "No ping yet" : `Last ping ${duration(ago)} earlier`;
}

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
  const url = scalarAt(check, "update_url");
  const [, site, id] = /^(https?:\/\/.{1,500})\/api\/v\d\/checks\/([\da-f-]{36})$/.exec(url?.slice(0, 600) ?? "") ?? [];
  return site === undefined ? undefined : link(`${site}/checks/${id ?? ""}/details/`);
}
