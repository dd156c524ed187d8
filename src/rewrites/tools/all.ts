/** All tools. A new tool is a file and a line here. */
import { discord } from "./chats/discord.ts";
import { slack } from "./chats/slack.ts";
import { teams } from "./chats/teams.ts";
import { gitea } from "./code/gitea.ts";
import { github } from "./code/github/github.ts";
import { gitlab } from "./code/gitlab.ts";
import { diun } from "./containers/diun.ts";
import { komodo } from "./containers/komodo/komodo.ts";
import { watchtower } from "./containers/watchtower.ts";
import { wud } from "./containers/wud.ts";
import { frigate } from "./home/frigate.ts";
import { homeassistant } from "./home/homeassistant.ts";
import { nodered } from "./home/nodered.ts";
import { apprise } from "./jobs/apprise.ts";
import { cron } from "./jobs/cron.ts";
import { githubactions } from "./jobs/githubactions.ts";
import { restic } from "./jobs/restic.ts";
import { smartd } from "./jobs/smartd.ts";
import { systemd } from "./jobs/systemd.ts";
import { authentik } from "./machines/authentik.ts";
import { crowdsec } from "./machines/crowdsec.ts";
import { proxmox } from "./machines/proxmox.ts";
import { synology } from "./machines/synology.ts";
import { truenas } from "./machines/truenas.ts";
import { unifi } from "./machines/unifi.ts";
import { jellyfin } from "./media/jellyfin.ts";
import { plex } from "./media/plex.ts";
import { seerr } from "./media/seerr.ts";
import { servarr } from "./media/servarr.ts";
import { tautulli } from "./media/tautulli.ts";
import { alertmanager } from "./monitoring/alertmanager/alertmanager.ts";
import { beszel } from "./monitoring/beszel.ts";
import { gatus } from "./monitoring/gatus.ts";
import { grafana } from "./monitoring/grafana.ts";
import { healthchecks } from "./monitoring/healthchecks.ts";
import { netdata } from "./monitoring/netdata.ts";
import { uptimekuma } from "./monitoring/uptimekuma.ts";
import { uptimerobot } from "./monitoring/uptimerobot.ts";
import { zabbix } from "./monitoring/zabbix.ts";
import type { Source } from "../tool.ts";

/** Shapes are tried in this order, the most distinctive first. */
// prettier-ignore
export const TOOLS = [
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
  // these post nothing that is known by its shape
  grafana,
  homeassistant,
  githubactions,
  apprise,
  systemd,
  cron,
  restic,
  smartd,
  synology,
  nodered,
] as const;

type Read = Extract<(typeof TOOLS)[number], Source>;
/** The tools whose posts are read. */
export const SOURCES: readonly Read[] = TOOLS.filter((tool): tool is Read => "fits" in tool);
