/** How a device is named to those who must not have its id, which opens its record with the keys of all its topics. */
import { Type } from "@sinclair/typebox";
import type { Principal } from "../keys/auth.ts";
import { deviceRef } from "../util/ids.ts";
import type { Device } from "./device.ts";

export const ref = Type.String({ description: "Identifies the device to those who must not have its id." });
/** What `namedTo` answers. */
export const named = { id: Type.Optional(Type.String({ description: "For the operator, over `peal.sock`." })), ref };

/** In answers about a topic: its ref, and only for the operator, who may try out any device, its id too. */
export const namedTo = ({ keyId }: Principal, { id }: Pick<Device, "id">): { id?: string; ref: string } => ({
  ...(keyId === undefined && { id }),
  ref: deviceRef(id),
});
