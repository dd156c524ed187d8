/** The trigger `http` of What's up Docker (REWRITES.md §8). */
import { field, lineAt, object, objectAt, posted, postedList, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { counted, items, joined, resolved, testNotice } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { present, type Told } from "../../told.ts";
import { link } from "../../urls.ts";

export const wud: Source<"wud"> = {
  name: "wud",
  title: "What's up Docker",
  fits: (payload) => isContainer(payload) || isContainer(object(postedList(payload)[0])),
  tell: (payload) => (isContainer(payload) ? tellOne(payload) : tellAll(postedList(payload))),
};

const isContainer = (value: Fields): boolean =>
  typeof field(value, "watcher") === "string" &&
  (isObject(field(value, "updateKind")) ||
    (isObject(field(value, "image")) && Object.hasOwn(value, "updateAvailable")));

const SHORT = 19;
const short = (version: string | undefined): string | undefined =>
  version?.startsWith("sha256:") ? version.slice(0, SHORT) : version;

const isVersion = (text: string | undefined): text is string => text !== undefined && !text.startsWith("sha256:");

interface Versions {
  kind: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

/** Older versions post no `updateKind`. */
function versionsOf(container: Fields): Versions {
  const [update, result] = [objectAt(container, "updateKind"), objectAt(container, "result")];
  const image = objectAt(container, "image");
  return {
    kind: lineAt(update, "semverDiff") === "unknown" ? undefined : lineAt(update, "semverDiff"),
    from: short(lineAt(update, "localValue") ?? lineAt(objectAt(image, "tag"), "value")),
    to: short(lineAt(update, "remoteValue") ?? lineAt(result, "tag") ?? lineAt(result, "digest")),
  };
}

const nameOf = (container: Fields): string => lineAt(container, "displayName", "name") ?? "Container";

function tellOne(container: Fields): Told {
  const [watcher = "", image] = [lineAt(container, "watcher"), objectAt(container, "image")];
  const { kind, from, to } = versionsOf(container);
  // the form of its test has these values from the start
  if (lineAt(container, "name") === "container_test" && watcher === "watcher_test") return testNotice("wud", wud.title);
  const isNew = field(container, "updateAvailable") !== false;
  const error = lineAt(objectAt(container, "error"), "message");
  return {
    ...(isNew ? looks.QUIET : resolved(looks.QUIET)),
    title: `${nameOf(container)}: ${isNew ? `${isVersion(to) ? to : "a new image"} is available` : "up to date"}`,
    lines: [
      isNew ? joined([joined([from, to], " → "), kind && `(${kind})`], " ") : from,
      joined([lineAt(image, "name"), watcher && `watcher ${watcher}`]),
      error,
    ],
    tags: ["wud", watcher, kind],
    url: link(scalarAt(objectAt(container, "result"), "link")) ?? link(scalarAt(container, "link")),
    key: `wud:${watcher}:${lineAt(container, "name") ?? ""}`,
    data: present({ container: nameOf(container), image: lineAt(image, "name"), from, to, kind }),
  };
}

const MAX_ITEMS = 15;

/** In batch mode it posts a list. */
function tellAll(containers: readonly unknown[]): Told {
  const [only] = containers;
  if (containers.length === 1) return tellOne(posted(only));
  return {
    ...looks.QUIET,
    title: `${counted(containers.length, "update")} available`,
    lines: items(containers, MAX_ITEMS, (each) => {
      const { from, to } = versionsOf(object(each));
      return joined([nameOf(object(each)), joined([from, to], " → ")], ": ");
    }),
    tags: ["wud"],
    data: { updates: containers.length },
  };
}
