/** The identity of a push: the same at each try, so that a repeat replaces what it repeats (DELIVERY.md §2). Pure. */
import { draftOf } from "../../messages/message.ts";
import { sha256 } from "../../util/ids.ts";
import type { Pending } from "../delivery.ts";
import type { Push } from "./push.ts";

export type Identity = Required<Pick<Push, "id" | "collapseId" | "isCollapsible">>;

/** `chosen`: several for a digest. All has the device's id in it: rows are the same on other servers with the same app. */
export function identityOf(chosen: readonly [Pending, ...Pending[]]): Identity {
  const [newest] = chosen;
  const { device, kind, row, message, topic } = newest;
  const identity = (what: string, place: string, isCollapsible: boolean): Identity => ({
    id: uuidOf(`${device.id} delivery ${what}`),
    collapseId: Buffer.from(sha256(`${device.id} place ${place}`), "hex")
      .toString("base64url")
      .slice(0, 32),
    isCollapsible,
  });
  if (kind === "test" || message === undefined || topic === undefined) return identity(`test ${row}`, "test", true);
  if (chosen.length > 1) return identity(`digest ${message.seq} ${chosen.length}`, "digest", true);
  const { dedup_key, ack } = draftOf(message);
  const place = dedup_key === undefined ? `message ${message.id}` : `alert ${dedup_key}`;
  return identity(`message ${message.seq}`, `topic ${topic.id} ${place}`, dedup_key !== undefined || ack === true);
}

/** A UUID of version 8 (RFC 9562 §5.8), whose content is free to choose. */
function uuidOf(text: string): string {
  const hex = sha256(text);
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
