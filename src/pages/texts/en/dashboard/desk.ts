/** The frame of the dashboard, and what is said on all of its pages. */
import { number } from "../numbers.ts";

export const desk = {
  home: "peal, overview",
  main: "Main",
  noNamespace: "There’s no namespace you can see. An admin can change that.",
  more: "More",
  signedOut: "You’re signed out",
  offline: "Offline",
  changedMeanwhile: "Someone has changed this since the page was loaded. Save again to overwrite it. {}",
  seeTheirs: "See the current version",
  gone: "This page no longer exists",
  entries: {
    overview: "Overview",
    messages: "Messages",
    topics: "Topics",
    checks: "Checks",
    devices: "Devices",
    keys: "Keys",
    deliveries: "Deliveries",
    settings: "Settings",
  },
  admin: (name: string) => `${name}, admin`,
  /** At the start of a window's title. */
  down: (checks: number) => `${number(checks)} down`,
  /** After a count, for screen readers. */
  isDown: "down",
  hasFailed: "failed",
  typeBefore: "Type ",
  typeAfter: " to continue",
  typedWrong: (typed: string) =>
    typed === ""
      ? "You didn’t type anything, so nothing was changed."
      : `“${typed}” doesn’t match. Nothing was changed.`,
  refused: {
    nothing: "There’s nothing here",
    nothingWhy:
      "It was deleted, its link was replaced, the address is mistyped, or it belongs to a namespace you can’t see.",
    admins: "This page is for admins",
    adminsWhy: (name: string) =>
      `You’re signed in as ${name}, who isn’t an admin. An admin can change that under Settings, People.`,
    toOverview: "Go to overview",
  },
  flash: {
    messageDeleted: (id: number) => `Message ${number(id)} deleted.`,
    messageBack: (id: number) => `Message ${number(id)} restored.`,
    messageGone: (id: number) => `Message ${number(id)} can no longer be restored.`,
    acknowledged: (id: number) => `Message ${number(id)} acknowledged. It no longer rings.`,
    unacknowledged: (id: number) => `Message ${number(id)} is unacknowledged again and keeps ringing.`,
    stillAcknowledged: (id: number) =>
      `Message ${number(id)} stays acknowledged: that can be undone for two minutes only.`,
  },
};
