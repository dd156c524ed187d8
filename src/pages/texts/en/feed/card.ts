/** A message in a feed. */
import { count, number } from "../numbers.ts";

export const card = {
  message: (id: number) => `Message ${number(id)}`,
  resolved: "Resolved",
  firingSince: "firing since",
  /** `{}`: a duration. */
  firingFor: "firing for {}",
  happened: "happened",
  open: (host: string) => `Open ${host}`,
  write: (address: string) => `Email ${address}`,
  call: (telephone: string) => `Call ${telephone}`,
  image: (host: string) => `Image from ${host}`,
  /** After the name of a file. */
  expired: "the file has expired",
  showLines: (lines: number) => `Show all ${count(lines, "line", "lines")}`,
  showAll: "Show all",
  earlier: (n: number, more: boolean) => `${number(n)}${more ? "+" : ""} earlier`,
  menu: "More actions for this message",
  waiting: "unacknowledged",
  /** Followed by a time. */
  ringsUntil: "Rings every minute until someone acknowledges it, at most until",
  rangUntil: "Nobody acknowledged it. It rang until",
  acknowledge: "Acknowledge",
  needsConnection: "You need to be online to acknowledge.",
  notAcknowledged: "Not acknowledged: couldn’t reach the server. Try again.",
  /** Followed by a time. */
  acknowledged: "acknowledged",
  copyText: "Copy text",
  copyLink: "Copy link",
  copyCurl: "Copy as curl",
};
