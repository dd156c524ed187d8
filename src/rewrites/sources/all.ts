/** All tools whose posts are read by their shape, those with the most telling shape first. A tool more is a file and a line here. */
import { alertmanager } from "./alertmanager/alertmanager.ts";
import { discord } from "./discord.ts";
import { gitea } from "./gitea.ts";
import { github } from "./github/github.ts";
import { gitlab } from "./gitlab.ts";
import { komodo } from "./komodo/komodo.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { uptimekuma } from "./uptimekuma.ts";

// prettier-ignore
export const sources = [
  alertmanager,
  uptimekuma,
  komodo,
  gitea,   // before GitHub, whose headers it sends too
  github,
  gitlab,
  teams,   // before Slack, which has attachments too
  discord,
  slack,
] as const;
