/** Which tools pages show the set-up of, and in which order; each says the rest in its own file (src/rewrites/tools). */
import type { Setup } from "../../rewrites/tool-setup.ts";
import type { Tool } from "../../rewrites/tool.ts";
import { TOOLS } from "../../rewrites/tools/all.ts";

/** The most popular are first; tools that are not named here come last, as they are registered. */
const FIRST: readonly string[] = [
  ...["servarr", "seerr", "plex", "github", "gitea", "gitlab", "uptimekuma", "alertmanager", "grafana", "komodo"],
  ...["diun", "watchtower", "beszel", "homeassistant", "githubactions", "apprise", "systemd", "cron", "restic"],
  ...["smartd", "proxmox", "synology", "truenas", "nodered", "authentik", "tautulli", "jellyfin"],
];
const rankOf = ({ name }: Tool): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

/** A tool and its set-up, with the name that pages have for it. */
export interface Shown extends Setup {
  name: string;
  title: string;
}
const SHOWN: readonly Shown[] = TOOLS.toSorted((one, other) => rankOf(one) - rankOf(other)).flatMap(
  ({ name, title, setup }: Tool) => (setup === undefined ? [] : [{ name, title, ...setup }]),
);

type WithKey = Shown & Required<Pick<Setup, "withKey">>;
type WithHook = Shown & Required<Pick<Setup, "withHook">>;

/** Tools that are given a key: those that the manual has a page for. */
export const MANUAL_TOOLS = SHOWN.filter(
  (tool): tool is WithKey & Required<Pick<Setup, "manual">> => tool.withKey !== undefined && tool.manual !== undefined,
);
/** All tools, those with a manual last. */
export const KEY_TOOLS: readonly WithKey[] = [
  ...SHOWN.filter((tool): tool is WithKey => tool.withKey !== undefined && tool.manual === undefined),
  ...MANUAL_TOOLS,
];
/** Tools that take the URL of a hook. */
export const HOOK_TOOLS = SHOWN.filter((tool): tool is WithHook => tool.withHook !== undefined);
