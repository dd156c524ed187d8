/** Refs name devices to those who must not have their ids: an id opens the device's record with the keys of all its topics. */
import { Type } from "@sinclair/typebox";
import type { Principal } from "../keys/auth.ts";
import { deviceRef } from "../util/ids.ts";
import type { Device } from "./device.ts";

export const ref = Type.String({ description: "Identifies the device to those who must not have its id." });
/** The schema of what `namedTo` returns. */
export const named = { id: Type.Optional(Type.String({ description: "For the operator, over `peal.sock`." })), ref };

/** Names a device in answers about a topic: by its ref, and for the operator, who may test any device, by its id too. */
export const namedTo = (
  { keyId }: Principal,
  { id, platform }: Pick<Device, "id" | "platform">,
): { id?: string; ref: string } => ({
  ...(keyId === undefined && platform !== "forward" && { id }),
  ref: deviceRef(id),
});
