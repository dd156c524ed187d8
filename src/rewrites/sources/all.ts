/** All tools whose posts are read by their shape, those with the most telling shape first. A tool more is a file and a line here. */
import { alertmanager } from "./alertmanager/alertmanager.ts";
import { komodo } from "./komodo/komodo.ts";
import { uptimekuma } from "./uptimekuma.ts";

// prettier-ignore
export const sources = [
  alertmanager,
  uptimekuma,
  komodo,
] as const;
