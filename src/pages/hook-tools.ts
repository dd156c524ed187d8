/** Tools whose settings take a URL and no header: what a hook's URL is pasted into. */
import { yaml } from "./quoting.ts";
import { POST, type Setting, type Words } from "./tools.ts";

export interface HookTool {
  name: string;
  place: Words;
  /** In the order of the tool's form. `url`: of the hook. */
  settings: (url: string) => Setting[];
}

export const HOOK_TOOLS: readonly HookTool[] = [
  {
    name: "Sonarr, Radarr, Lidarr, Readarr, Prowlarr",
    place: "Settings, Connect, Add, Webhook",
    settings: (url) => [
      { label: "Webhook URL", value: url },
      { ...POST, label: "Method" },
    ],
  },
  {
    name: "Seerr, Overseerr, Jellyseerr",
    place: "Settings, Notifications, Webhook",
    settings: (url) => [{ label: "Webhook URL", value: url }],
  },
  { name: "Plex", place: "Settings, Webhooks, Add Webhook", settings: (url) => [{ label: "URL", value: url }] },
  {
    name: "GitHub",
    place: "Settings, Webhooks, Add webhook",
    settings: (url) => [
      { label: "Payload URL", value: url },
      { label: "Content type", value: "application/json", isChoice: true },
    ],
  },
  {
    name: "Gitea, Forgejo",
    place: "Settings, Webhooks, Add Webhook",
    settings: (url) => [
      { label: "Target URL", value: url },
      { ...POST, label: "HTTP Method" },
    ],
  },
  { name: "GitLab", place: "Settings, Webhooks, Add new webhook", settings: (url) => [{ label: "URL", value: url }] },
  {
    name: "Komodo",
    place: "Alerters, New Alerter",
    settings: (url) => [
      { label: "Endpoint", value: "Custom", isChoice: true },
      { label: "URL", value: url },
    ],
  },
  {
    name: "Diun",
    place: "diun.yml",
    settings: (url) => [
      {
        label: "diun.yml",
        value: ["notif:", "  webhook:", `    endpoint: ${yaml(url)}`, "    method: POST"].join("\n"),
      },
    ],
  },
  {
    name: "Watchtower, Beszel (Shoutrrr)",
    place: (say) => say.shoutrrr,
    settings: (url) => [{ label: "URL", value: `generic+${url}` }],
  },
];
