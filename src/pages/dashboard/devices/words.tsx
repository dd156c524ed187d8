/** @jsxImportSource #jsx */
/** A device in words. */
import { laneOf } from "../../../delivery/plan.ts";
import type { Device } from "../../../devices/device.ts";
import type { Millis } from "../../../util/clock.ts";
import { fill } from "../../fill.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import type { Texts } from "../../texts/texts.ts";
import { isGone, serviceOf, When } from "../deliveries/words.tsx";
import type { Desk } from "../desk.ts";

export const nameOf = ({ devices }: Texts, { name }: Pick<Device, "name">): string => name ?? devices.unnamed;

/** `Browser, pushes by Mozilla`; of an app its platform says it all. */
export function kindOf(texts: Texts, device: Device): string {
  const { kind, kindOf: by } = texts.devices;
  const own = kind[device.platform];
  return device.platform === "web" ? by(own, serviceOf(texts, laneOf(device))) : own;
}

/** What it takes: `4 topics, high and urgent only, quiet 22:00–07:00.` */
export function takesOf(
  { devices: words }: Texts,
  { minPriority = "low", quietHours }: Device,
  topics: number,
): string {
  const quiet = quietHours === undefined ? words.noQuiet : words.quiet(quietHours.from, quietHours.to);
  return `${words.topics(topics)}, ${words.takes[minPriority]}, ${quiet}.`;
}

/** When a push was last accepted, and what went wrong since. */
export function lastOf({ view, now }: Pick<Desk, "view" | "now">, device: Device): Child {
  const { devices: words } = view.texts;
  const { lastSuccessAt, lastError, lost } = device;
  const at = (time: Millis) => <When view={view} at={time} now={now} />;
  if (lost !== undefined) {
    const said = device.platform === "web" ? words.ended : words.gone;
    const why = isGone(lost.reason) ? said(serviceOf(view.texts, laneOf(device))) : lost.reason;
    return [fill(words.lostAt, at(lost.at), why), ". ", words.lostDo];
  }
  const accepted = lastSuccessAt === undefined ? words.never : fill(words.accepted, at(lastSuccessAt));
  const isNews = lastError !== undefined && lastError.at > (lastSuccessAt ?? 0);
  return [accepted, isNews && [" ", fill(words.error, at(lastError.at), lastError.text), "."]];
}
