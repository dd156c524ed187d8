/** The frame of the dashboard, and what is said on all of its pages. */
import { number } from "./numbers.ts";

export const desk = {
  home: "peal, overview",
  main: "Main",
  namespace: "Namespace",
  noNamespace: "There is no namespace that you may see. An admin can change that.",
  all: "All",
  more: "More",
  close: "Close",
  undo: "Undo",
  signedOut: "You are signed out",
  offline: "Offline",
  changedMeanwhile:
    "Somebody has changed this since the page was loaded. Save once more to put what stands here in its place. {}",
  seeTheirs: "See how it is now",
  gone: "This page is not there any more",
  signOut: "Sign out",
  entries: {
    overview: "Overview",
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
  /** Behind a count, for those who hear it. */
  isDown: "down",
  hasFailed: "failed",
  typeBefore: "Type ",
  typeAfter: " to go on",
  typedWrong: (typed: string) =>
    typed === "" ? "Nothing was typed, so nothing was done." : `That says “${typed}”. Nothing was done.`,
  refused: {
    nothing: "There is nothing here",
    nothingWhy:
      "It was deleted, its link was replaced, the address is mistyped, or it belongs to a namespace that you may not see.",
    admins: "This page is for admins",
    adminsWhy: (name: string) =>
      `You are signed in as ${name}, who is no admin. An admin can change that under Settings, People.`,
    toOverview: "Go to the overview",
  },
  flash: {
    messageDeleted: (id: number) => `Message ${number(id)} is deleted.`,
    messageBack: (id: number) => `Message ${number(id)} is back.`,
    messageGone: (id: number) => `Message ${number(id)} cannot be taken back any more.`,
    acknowledged: (id: number) => `Message ${number(id)} is acknowledged. It no longer rings.`,
  },
};
