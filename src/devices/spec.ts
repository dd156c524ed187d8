/** Turns the bodies of requests about devices into what the store takes. Pure. */
import { parseZone } from "../checks/schedule/cron.ts";
import { type FieldError, problem } from "../http/problem.ts";
import { oneLine } from "../util/text/text.ts";
import { parseTime } from "../util/time.ts";
import type { DevicePatch, NewDevice, SubscriptionPatch } from "../store/devices.ts";
import type { Millis } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import type { Platform, PushKeys, QuietHours } from "./device.ts";
import type { DevicePatchBody, NewDeviceBody, SubscriptionPatchBody } from "./schema.ts";
import { tokenOf } from "./token.ts";

/** The setting `PEAL_PUSH_HOSTS`, which web endpoints are checked against. */
type Hosts = readonly string[];

/** `base`: the server's address, as this device reached it. @throws Problem 422 */
export function newDevice(body: NewDeviceBody, hosts: Hosts, base: string): NewDevice {
  const { platform, topics = [] } = body;
  const errors: FieldError[] = [];
  const device = defined<NewDevice>({
    platform,
    ...tokenIn(platform, body, hosts, errors),
    name: nameIn(body.name, errors) ?? undefined,
    locale: localeIn(body.locale, errors) ?? undefined,
    quietHours: quietHoursIn(body.quiet_hours, errors) ?? undefined,
    minPriority: body.min_priority,
    base,
    topics: topics.map(({ namespace, topic }) => ({ namespace, key: topic })),
  });
  return unless(errors, device);
}

/** @throws Problem 422 */
export function devicePatch(platform: Platform, body: DevicePatchBody, hosts: Hosts): DevicePatch {
  const { token, keys, min_priority: minPriority } = body;
  const errors: FieldError[] = [];
  if (token === undefined && keys !== undefined)
    errors.push({ path: "/keys", message: "can only be used with `token`" });
  const patch = defined<DevicePatch>({
    ...(token === undefined ? {} : tokenIn(platform, { token, keys }, hosts, errors)),
    name: nameIn(body.name, errors),
    locale: localeIn(body.locale, errors),
    quietHours: quietHoursIn(body.quiet_hours, errors),
    minPriority,
  });
  return unless(errors, patch);
}

/** @throws Problem 422 */
export function subscriptionPatch({ muted_until, min_priority }: SubscriptionPatchBody): SubscriptionPatch {
  const errors: FieldError[] = [];
  const patch = defined<SubscriptionPatch>({
    mutedUntil: timeIn("/muted_until", muted_until, errors),
    minPriority: min_priority,
  });
  return unless(errors, patch);
}

/** @throws Problem 422 if there are any */
function unless<T>(errors: FieldError[], value: T): T {
  if (errors.length > 0) throw problem.validationFailed(errors);
  return value;
}

function tokenIn(
  platform: Platform,
  given: { token: string; keys?: PushKeys | undefined },
  hosts: Hosts,
  errors: FieldError[],
): Pick<NewDevice, "token" | "keys"> {
  const found = tokenOf(platform, given, hosts);
  if (!Array.isArray(found)) return found;
  errors.push(...found);
  return { token: "" };
}

type Given<T> = T | null | undefined;

function nameIn(given: Given<string>, errors: FieldError[]): Given<string> {
  if (given === undefined || given === null) return given;
  const name = oneLine(given).trim();
  if (name === "") errors.push({ path: "/name", message: "must not be empty" });
  return name;
}

function localeIn(given: Given<string>, errors: FieldError[]): Given<string> {
  if (given === undefined || given === null) return given;
  try {
    return Intl.getCanonicalLocales(given)[0];
  } catch {
    errors.push({ path: "/locale", message: "must be a language tag, for example de-AT" });
    return undefined;
  }
}

function quietHoursIn(given: Given<QuietHours>, errors: FieldError[]): Given<QuietHours> {
  if (given === undefined || given === null) return given;
  const { from, to, timezone } = given;
  const zone = parseZone(timezone);
  if (typeof zone !== "string") errors.push({ path: "/quiet_hours/timezone", message: zone.message });
  if (from === to) errors.push({ path: "/quiet_hours/to", message: "must not be the same as `from`" });
  return { from, to, timezone: typeof zone === "string" ? zone : "" };
}

function timeIn(path: string, given: Given<string>, errors: FieldError[]): Given<Millis> {
  if (given === undefined || given === null) return given;
  const at = parseTime(given);
  if (at === undefined) errors.push({ path, message: "must be an RFC 3339 time" });
  return at;
}
