/** Makes the row of a device from a registration or a change. */
import { deviceId, deviceRef } from "../../../util/ids.ts";
import type { DevicePatch, NewDevice } from "../../devices.ts";
import type { StoredDevice } from "./rows.ts";

/** A device as it is stored before it has a row. */
type NewRow = Omit<StoredDevice, "row">;

const PLAIN = { namespaceId: null, forward: null, sealed: null };

/** `given`: the id and the columns of a forward. */
export const newRow = (
  spec: Omit<NewDevice, "topics">,
  now: number,
  { id = deviceId(), ...forward }: { id?: string } & Partial<NewRow> = {},
): NewRow => ({
  id,
  ref: deviceRef(id),
  platform: spec.platform,
  token: spec.token,
  p256dh: spec.keys?.p256dh ?? null,
  auth: spec.keys?.auth ?? null,
  name: spec.name ?? null,
  locale: spec.locale ?? null,
  quietHours: spec.quietHours === undefined ? null : JSON.stringify(spec.quietHours),
  minPriority: spec.minPriority ?? null,
  base: spec.base,
  createdAt: now,
  registeredAt: now,
  environment: "production",
  wasMoved: 0,
  lastSuccessAt: null,
  lastErrorAt: null,
  lastError: null,
  lostAt: null,
  lostReason: null,
  idleSince: now,
  ...PLAIN,
  ...forward,
});

export const hasOtherKeys = ({ p256dh, auth }: StoredDevice, { keys }: NewDevice): boolean =>
  keys !== undefined && (keys.p256dh !== p256dh || keys.auth !== auth);

/** What a registration gives again replaces what it gave before; what it leaves out stays. */
export function registered(known: StoredDevice, spec: NewDevice, now: number): StoredDevice {
  const { token, keys, name, locale, quietHours, minPriority } = spec;
  const again: DevicePatch = {
    token,
    ...(keys && { keys }),
    ...(name !== undefined && { name }),
    ...(locale !== undefined && { locale }),
    ...(quietHours && { quietHours }),
    ...(minPriority && { minPriority }),
  };
  return { ...patched(known, again, now), base: spec.base };
}

export function patched(row: StoredDevice, patch: DevicePatch, now: number): StoredDevice {
  const { token, keys, quietHours, ...columns } = patch;
  const after = { ...row, ...columns, ...keys, idleSince: row.idleSince === null ? null : now };
  if (quietHours !== undefined) after.quietHours = quietHours === null ? null : JSON.stringify(quietHours);
  if (token === undefined) return after;
  // an app stays in the environment that it was built for, so a new token is tried there first
  const isAnother = token !== row.token || row.lostAt !== null;
  const back = { ...after, token, registeredAt: now, lostAt: null, lostReason: null };
  return isAnother ? { ...back, wasMoved: 0, lastSuccessAt: null } : back;
}
