/** Frigate: the posts of frigate-notify, and MQTT messages of reviews and events that a bridge posts (REWRITES.md §8). */
import { field, hasOne, lineAt, list, objectAt, scalar, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { firing, inWords, joined, resolved, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { line } from "../../text.ts";
import { instant } from "../../times.ts";
import { present, type Told } from "../../told.ts";
import { bestLink } from "../../urls.ts";

export const frigate: Source<"frigate"> = {
  name: "frigate",
  title: "Frigate",
  fits: (payload) => isChange(payload) || isNotify(payload),
  tell: (payload, { now }) => (isChange(payload) ? tellChange(payload, now) : tellNotify(payload)),
};

const isChange = (payload: Fields): boolean =>
  Object.hasOwn(payload, "before") && typeof field(objectAt(payload, "after"), "camera") === "string";

const isNotify = (payload: Fields): boolean =>
  typeof field(payload, "camera") === "string" &&
  isObject(field(payload, "links")) &&
  hasOne(payload, "entered_zones", "has_snapshot");

const MAX_WORDS = 5;
const words = (value: unknown): string[] =>
  list(value)
    .slice(0, MAX_WORDS)
    .map((each) => line(scalar(each) ?? ""))
    .filter((each) => each !== "");

/** `front_door` as `Front door`. */
const spelled = (name: string | undefined): string | undefined => name && inWords(name);

/** A review has its objects in `data`; an event is one object. Each has one card until it has ended. */
function tellChange(payload: Fields, now: number): Told {
  const after = objectAt(payload, "after");
  const data = objectAt(after, "data");
  const [type, id, camera] = [lineAt(payload, "type"), lineAt(after, "id"), lineAt(after, "camera")];
  const severity = lineAt(after, "severity");
  const label = lineAt(after, "label");
  const objects = label === undefined ? words(field(data, "objects")) : [label];
  const sub = field(after, "sub_label");
  // older versions send a text, newer ones a pair with its score
  const known = label === undefined ? words(field(data, "sub_labels")) : words([list(sub)[0] ?? sub]);
  const zones = words(field(label === undefined ? data : after, label === undefined ? "zones" : "entered_zones"));
  const look: Look = severity === "detection" ? looks.QUIET : looks.NOTICE;
  return {
    ...(type === "end" ? resolved(looks.QUIET) : firing(look)),
    title: titleOf([...objects, ...words(field(data, "audio"))], camera),
    lines: [
      joined(known, ", "),
      inZones(zones),
      joined([
        severity && inWords(severity),
        type === "end" ? "ended" : undefined,
        lineAt(after, "recognized_license_plate"),
      ]),
    ],
    tags: ["frigate", camera, ...objects],
    key: id && `frigate:${id}`,
    at: secondsAt(field(after, type === "end" ? "end_time" : "start_time"), now),
    data: present({ kind: label === undefined ? "review" : "event", type, id, camera, severity, objects, zones }),
  };
}

const secondsAt = (value: unknown, now: number): number | undefined =>
  typeof value === "number" ? instant(Math.round(value * 1000), now) : undefined;

/** `Person, car: Front door`. */
const titleOf = (seen: string[], camera: string | undefined): string =>
  joined([joined([...new Set(seen)].map(inWords), ", ") ?? "Motion", spelled(camera)], ": ") ?? "Frigate";

function tellNotify(payload: Fields): Told {
  const [label, camera, id] = [lineAt(payload, "label"), lineAt(payload, "camera"), lineAt(payload, "id")];
  const zones = words(field(payload, "entered_zones"));
  const links = objectAt(payload, "links");
  const urls = ["review", "clip", "snapshot", "camera"].map((name) => scalarAt(links, name));
  return {
    ...looks.NOTICE,
    title: titleOf([label ?? lineAt(payload, "audio") ?? ""], camera),
    lines: [
      joined([lineAt(payload, "sublabel"), lineAt(payload, "license_plate")]),
      inZones(zones),
      joined([lineAt(payload, "score") && `Score ${lineAt(payload, "score") ?? ""}`, lineAt(payload, "time")]),
    ],
    tags: ["frigate", camera, label],
    url: bestLink(urls),
    key: id && `frigate:${id}`,
    data: present({ kind: "notify", id, camera, label, zones }),
  };
}

/** `In Front door, Drive`; undefined if it was in none. */
const inZones = (zones: readonly string[]): string | undefined =>
  zones.length === 0 ? undefined : `In ${zones.map((zone) => spelled(zone)).join(", ")}`;
