/** All tools whose posts are read by their shape, those with the most telling shape first. A tool more is a file and a line here. */
import { alertmanager } from "./alertmanager/alertmanager.ts";
import { discord } from "./discord.ts";
import { komodo } from "./komodo/komodo.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { uptimekuma } from "./uptimekuma.ts";

// prettier-ignore
export const sources = [
  alertmanager,
  uptimekuma,
  komodo,
  teams,   // before Slack, which has attachments too
  discord,
  slack,
] as const;
