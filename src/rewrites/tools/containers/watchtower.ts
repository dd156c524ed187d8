/** Watchtower's template `json.v1`, by shoutrrr's generic service (REWRITES.md §8). */
import { field, has, lineAt, listAt, object, proseAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { firing, items, joined, resolved, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { brief, cut } from "../../text.ts";
import { instant } from "../../times.ts";
import { present, type Told } from "../../told.ts";
import { yaml } from "../../../util/text/quoting.ts";

export const watchtower: Source<"watchtower"> = {
  name: "watchtower",
  title: "Watchtower",
  setup: {
    place: { en: "The environment of its container", de: "Die Umgebung des Containers" },
    withHook: (url) => [
      {
        label: "docker-compose.yml",
        value: [
          "environment:",
          '  WATCHTOWER_NOTIFICATION_REPORT: "true"',
          "  WATCHTOWER_NOTIFICATION_TEMPLATE: json.v1",
          `  WATCHTOWER_NOTIFICATION_URL: ${yaml(`generic+${url}`)}`,
        ].join("\n"),
      },
    ],
    notes: [
      "Each host has one card: an update run with failures opens it, one without closes it. Without the report and the template, Watchtower posts",
      "lines of its log, which arrive as a note without a level.",
    ],
  },
  fits: (payload) => has(payload, "report", "host", "title") && Array.isArray(field(payload, "entries")),
  tell(payload, { now }) {
    const report = field(payload, "report");
    const entries = listAt(payload, "entries");
    const host = lineAt(payload, "host");
    return {
      ...(isObject(report) ? tellReport(report, host) : tellEntries(entries, host, lineAt(payload, "title"))),
      tags: ["watchtower", host],
      at: instant(field(object(entries.at(-1)), "time"), now),
    };
  },
};

type Said = Omit<Told, "tags">;

const MAX_ITEMS = 10;
const IMAGE_DIGITS = 12;

/** One card for a host, which shows how its last session went. */
function tellReport(report: Fields, host: string | undefined): Said {
  const [failed, updated, skipped, scanned] = ["failed", "updated", "skipped", "scanned"].map((name) =>
    listAt(report, name),
  );
  const [bad, done] = [failed?.length ?? 0, updated?.length ?? 0];
  const said = [done > 0 ? `${done} updated` : undefined, bad > 0 ? `${bad} failed` : undefined];
  return {
    ...(bad > 0 ? firing(looks.TROUBLE) : resolved(looks.DONE)),
    title: joined([host ?? "Watchtower", joined(said, ", ") ?? "nothing to update"], ": "),
    lines: [
      ...items(failed ?? [], MAX_ITEMS, (each) => joined([nameOf(each), errorOf(each) ?? "failed"], ": ")),
      ...items(updated ?? [], MAX_ITEMS, (each) => joined([nameOf(each), imagesOf(each)], ": ")),
      ...(bad > 0
        ? items(skipped ?? [], MAX_ITEMS, (each) => joined([nameOf(each), "skipped", errorOf(each)], ": "))
        : []),
      `${scanned?.length ?? 0} scanned`,
    ],
    key: `watchtower:${host ?? ""}`,
    data: present({ host, scanned: scanned?.length ?? 0, updated: done, failed: bad }),
  };
}

const nameOf = (container: unknown): string | undefined => lineAt(object(container), "name");
const errorOf = (container: unknown): string | undefined => brief(lineAt(object(container), "error"));
const imagesOf = (container: unknown): string | undefined =>
  joined(
    ["currentImageId", "latestImageId"].map((name) => lineAt(object(container), name)?.slice(0, IMAGE_DIGITS)),
    " → ",
  );

/** The levels of logrus. */
const LEVELS = new Map<string, Look>([
  ["panic", looks.TROUBLE],
  ["fatal", looks.TROUBLE],
  ["error", looks.TROUBLE],
  ["warning", looks.WARNING],
]);

/** Log lines outside of a session. */
function tellEntries(entries: readonly unknown[], host: string | undefined, title: string | undefined): Said {
  const shown = entries.slice(0, MAX_ITEMS).map(object);
  const levels = shown.map((each) => LEVELS.get(lineAt(each, "level") ?? ""));
  const first = shown.map((each) => lineAt(each, "message")).find((text) => text !== undefined);
  return {
    ...(levels.find((look) => look?.level === "error") ?? levels.find((look) => look !== undefined) ?? looks.QUIET),
    title: first === undefined ? (title ?? "Watchtower") : joined([host, cut(first, MAX_TITLE)], ": "),
    lines:
      shown.length === 1 && (first?.length ?? 0) <= MAX_TITLE ? [title] : shown.map((each) => proseAt(each, "message")),
    data: present({ host }),
  };
}

const MAX_TITLE = 90;
