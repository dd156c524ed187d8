/** Access to devices: anybody who knows the id of one may read, change and remove it (API.md §5). */
import type { Deps } from "../deps.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import type { Registered } from "../store/devices.ts";
import { known } from "./act.ts";
import { deviceJson } from "./json.ts";

export type DeviceDeps = Pick<
  Deps,
  "config" | "clock" | "store" | "limits" | "keyUse" | "log" | "delivery" | "deviceCaps"
>;

/** The device of a path; a forward is its namespace's, and no id opens it. @throws Problem 404 `unknown_device` */
export async function ownDevice({ deps, params }: Named): Promise<Registered> {
  const found = await deps.store.devices.find(params.id);
  return known(found?.device.platform === "forward" ? undefined : found);
}

interface Named {
  deps: Pick<Deps, "store">;
  params: { id: string };
}

/** The record contains the device's id and the keys of its topics, so no cache may keep it. */
export async function answerDevice(deps: DeviceDeps, request: Request, found: Registered, status = 200) {
  const shown = { base: baseUrl(deps, request), lastTest: await deps.delivery.lastTest(found.device.row) };
  return json(deviceJson(found, shown), status, NO_STORE);
}
