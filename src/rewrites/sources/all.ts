/** All tools whose posts are read by their shape, those with the most telling shape first. A tool more is a file and a line here. */
import { alertmanager } from "./alertmanager/alertmanager.ts";
import { authentik } from "./authentik.ts";
import { beszel } from "./beszel.ts";
import { crowdsec } from "./crowdsec.ts";
import { discord } from "./discord.ts";
import { diun } from "./diun.ts";
import { frigate } from "./frigate.ts";
import { gatus } from "./gatus.ts";
import { gitea } from "./gitea.ts";
import { github } from "./github/github.ts";
import { gitlab } from "./gitlab.ts";
import { healthchecks } from "./healthchecks.ts";
import { jellyfin } from "./jellyfin.ts";
import { komodo } from "./komodo/komodo.ts";
import { netdata } from "./netdata.ts";
import { plex } from "./plex.ts";
import { proxmox } from "./proxmox.ts";
import { seerr } from "./seerr.ts";
import { servarr } from "./servarr.ts";
import { slack } from "./slack.ts";
import { tautulli } from "./tautulli.ts";
import { teams } from "./teams.ts";
import { truenas } from "./truenas.ts";
import { unifi } from "./unifi.ts";
import { uptimekuma } from "./uptimekuma.ts";
import { uptimerobot } from "./uptimerobot.ts";
import { watchtower } from "./watchtower.ts";
import { wud } from "./wud.ts";
import { zabbix } from "./zabbix.ts";

// prettier-ignore
export const sources = [
  alertmanager,
  uptimekuma,
  komodo,
  gitea,   // before GitHub, whose headers it sends too
  github,
  gitlab,
  healthchecks,
  netdata,
  zabbix,
  uptimerobot,
  diun,
  seerr,
  servarr,
  jellyfin,
  watchtower,
  wud,
  crowdsec,
  unifi,
  tautulli,
  plex,
  authentik,
  frigate,
  proxmox,
  truenas, // before Slack, whose body it posts
  gatus,   // before the chats, whose bodies these two post
  beszel,
  teams,   // before Slack, which has attachments too
  discord,
  slack,
] as const;
