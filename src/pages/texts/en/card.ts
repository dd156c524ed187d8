/** A message in a feed. */
import { count, number } from "./numbers.ts";

export const card = {
  message: (id: number) => `Message ${number(id)}`,
  resolved: "Resolved",
  firingSince: "firing since",
  /** `{}`: a duration. */
  firingFor: "firing for {}",
  happened: "happened",
  open: (host: string) => `Open ${host}`,
  write: (address: string) => `Write to ${address}`,
  call: (telephone: string) => `Call ${telephone}`,
  image: (host: string) => `Image from ${host}`,
  /** Behind the name of a file. */
  expired: "the file has expired",
  showLines: (lines: number) => `Show all ${count(lines, "line", "lines")}`,
  showAll: "Show all",
  earlier: (n: number, more: boolean) => (more ? `the ${number(n)} before, and more` : `${number(n)} earlier`),
  menu: "More for this message",
  waiting: "waiting for someone",
  /** Followed by a time. */
  ringsUntil: "Rings every minute until someone acknowledges, at the latest until",
  rangUntil: "Nobody acknowledged it. It rang until",
  acknowledge: "Acknowledge",
  needsConnection: "To acknowledge, this device must be online.",
  notAcknowledged: "That did not reach the server. Try again.",
  /** Followed by a time. */
  acknowledged: "acknowledged",
  copyText: "Copy text",
  copyLink: "Copy link",
  copyCurl: "Copy as curl",
};
