/** All tools whose posts are read by their shape, those with the most telling shape first. A tool more is a file and a line here. */
import { alertmanager } from "./monitoring/alertmanager/alertmanager.ts";
import { authentik } from "./machines/authentik.ts";
import { beszel } from "./monitoring/beszel.ts";
import { crowdsec } from "./machines/crowdsec.ts";
import { discord } from "./chats/discord.ts";
import { diun } from "./containers/diun.ts";
import { frigate } from "./home/frigate.ts";
import { gatus } from "./monitoring/gatus.ts";
import { gitea } from "./code/gitea.ts";
import { github } from "./code/github/github.ts";
import { gitlab } from "./code/gitlab.ts";
import { healthchecks } from "./monitoring/healthchecks.ts";
import { jellyfin } from "./media/jellyfin.ts";
import { komodo } from "./containers/komodo/komodo.ts";
import { netdata } from "./monitoring/netdata.ts";
import { plex } from "./media/plex.ts";
import { proxmox } from "./machines/proxmox.ts";
import { seerr } from "./media/seerr.ts";
import { servarr } from "./media/servarr.ts";
import { slack } from "./chats/slack.ts";
import { tautulli } from "./media/tautulli.ts";
import { teams } from "./chats/teams.ts";
import { truenas } from "./machines/truenas.ts";
import { unifi } from "./machines/unifi.ts";
import { uptimekuma } from "./monitoring/uptimekuma.ts";
import { uptimerobot } from "./monitoring/uptimerobot.ts";
import { watchtower } from "./containers/watchtower.ts";
import { wud } from "./containers/wud.ts";
import { zabbix } from "./monitoring/zabbix.ts";

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
