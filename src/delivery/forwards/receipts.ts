/** Receipts of services that ring by themselves until somebody acknowledges (DELIVERY.md §11). Pure. */
import type { Pending } from "../delivery.ts";
import { kindNamed } from "./kinds.ts";

/** The receipt of a delivery that a service rings for; undefined if it has none. */
export function receiptOf({
  acceptedAt,
  providerId,
  device,
}: Pick<Pending, "acceptedAt" | "providerId" | "device">): string | undefined {
  if (acceptedAt === undefined || device.forward === undefined) return undefined;
  return kindNamed(device.forward.kind)?.receipt === undefined ? undefined : providerId;
}
