/** @jsxImportSource #jsx */
/** A device in words. */
import { laneOf } from "../../../delivery/push/plan.ts";
import type { Device } from "../../../devices/device.ts";
import type { Millis } from "../../../util/clock.ts";
import { fill } from "../../elements/fill.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import type { Texts } from "../../texts/texts.ts";
import { Foreign, isGone, reasonOf } from "../deliveries/reasons.tsx";
import { serviceOf, titleOf } from "../deliveries/service.ts";
import { When } from "../deliveries/outcome-words.tsx";
import type { Desk } from "../signed-in.ts";

export const nameOf = (texts: Texts, { name, forward }: Pick<Device, "name" | "forward">): string =>
  name ?? (forward && titleOf(texts, forward.kind)) ?? texts.devices.unnamed;

/** `Browser, pushes by Mozilla`; of an app its platform says it all; of a forward, where it sends. */
export function kindOf(texts: Texts, device: Device): string {
  const { kind, kindOf: by, forwardTo } = texts.devices;
  const { forward } = device;
  if (forward !== undefined) return forwardTo(titleOf(texts, forward.kind) ?? forward.kind, forward.host);
  const own = kind[device.platform];
  return device.platform === "web" ? by(own, serviceOf(texts, laneOf(device))) : own;
}

/** What it receives: `4 topics, high and urgent only, quiet 22:00–07:00.` */
export function takesOf(
  { devices: words }: Texts,
  { minPriority = "low", quietHours }: Device,
  topics: number,
): string {
  const quiet = quietHours === undefined ? words.noQuiet : words.quiet(quietHours.from, quietHours.to);
  return `${words.topics(topics)}, ${words.takes[minPriority]}, ${quiet}.`;
}

/** When a push was last accepted, and what went wrong since. */
export function lastOf({ view }: Pick<Desk, "view">, device: Device): Child {
  const { devices: words } = view.texts;
  const { lastSuccessAt, lastError, lost } = device;
  const at = (time: Millis) => <When view={view} at={time} />;
  if (lost !== undefined) {
    const said = device.platform === "web" ? words.ended : words.gone;
    const why = isGone(lost.reason) ? said(serviceOf(view.texts, laneOf(device))) : <Foreign words={lost.reason} />;
    return [fill(words.lostAt, at(lost.at), why), ". ", words.lostDo];
  }
  const accepted = lastSuccessAt === undefined ? words.never : fill(words.accepted, at(lastSuccessAt));
  const isNews = lastError !== undefined && lastError.at > (lastSuccessAt ?? 0);
  return [accepted, isNews && [" ", fill(words.error, at(lastError.at), errorOf(view.texts, device, lastError.text))]];
}

/** The form in which delivery/push/outcome.ts keeps it: `APNs answered 400: BadDeviceToken`. */
const KEPT_ERROR = /^.+? (?:answered (\d{3})|could not be reached): ([^]+)$/;

function errorOf(texts: Texts, device: Device, text: string): Child {
  const [, status, lastReason] = KEPT_ERROR.exec(text) ?? [];
  if (lastReason === undefined) return [<Foreign words={text} />, "."];
  const answered = status !== undefined && { lastStatus: Number(status) };
  return reasonOf(texts, { lane: laneOf(device), attempts: 1, lastReason, ...answered });
}
