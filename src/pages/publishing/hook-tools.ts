/** Tools whose settings take a URL and no header: what a hook's URL is pasted into. */
import { yaml } from "../../util/text/quoting.ts";
import { POST, type Setting, type Words } from "./tools.ts";

export interface HookTool {
  name: string;
  place: Words;
  /** In the order of the tool's form. `url`: of the hook. */
  settings: (url: string) => Setting[];
}

export const PROXMOX = "Proxmox VE, Backup Server";
export const PROXMOX_PLACE = "Datacenter (Backup Server: Configuration), Notifications, Add, Webhook";

/** Level, card and what closes it are in `severity` and `fields` (docs/design/REWRITES.md §8). `headers`: beside the type. */
export const proxmoxSettings = (url: string, headers: readonly Setting[] = []): Setting[] => [
  { ...POST, label: "Method" },
  { label: "URL", value: url },
  ...headers,
  { label: "Header Content-Type", value: "application/json" },
  {
    label: "Body",
    value: [
      '{"title": "{{ escape title }}", "message": "{{ escape message }}", "severity": "{{ severity }}",',
      ' "timestamp": {{ timestamp }}, "fields": {{ json fields }}}',
    ].join("\n"),
  },
];

export const TRUENAS = "TrueNAS";
export const TRUENAS_PLACE = "System, Alert Settings, Alert Services, Add, Type: Slack";

/** Its service for Slack posts to any address what is new, what is left and what was cleared. */
export const trueNasSettings = (url: string): Setting[] => [{ label: "Webhook URL", value: url }];

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
    name: "Watchtower",
    place: (say) => say.watchtower,
    settings: (url) => [
      {
        label: "docker-compose.yml",
        value: [
          "environment:",
          '  WATCHTOWER_NOTIFICATION_REPORT: "true"',
          "  WATCHTOWER_NOTIFICATION_TEMPLATE: json.v1",
          `  WATCHTOWER_NOTIFICATION_URL: ${yaml(`generic+${url}`)}`,
        ].join("\n"),
      },
    ],
  },
  {
    name: "Beszel",
    place: "Settings, Notifications, Webhook / Push notifications, Add URL",
    settings: (url) => [{ label: "URL", value: beszelUrl(url) }],
  },
  {
    name: PROXMOX,
    place: PROXMOX_PLACE,
    settings: (url) => proxmoxSettings(url),
  },
  { name: TRUENAS, place: TRUENAS_PLACE, settings: trueNasSettings },
  {
    name: "authentik",
    place: (say) => say.authentik,
    settings: (url) => [
      { label: "Mode", value: "Webhook (generic)", isChoice: true },
      { label: "Webhook URL", value: url },
      { label: (say) => say.switchOn, value: "Send once", isChoice: true },
    ],
  },
  {
    name: "Tautulli",
    place: "Settings, Notification Agents",
    settings: (url) => [
      { label: "Agent", value: "LunaSea", isChoice: true },
      { label: "LunaSea Webhook URL", value: url },
      { label: (say) => say.switchOn, value: "Include Subject Line", isChoice: true },
      {
        label: "Triggers",
        value: "Plex Server Down, Plex Server Back Up, Plex Remote Access Down, Plex Remote Access Back Up",
        isChoice: true,
      },
    ],
  },
  {
    name: "Jellyfin",
    place: (say) => say.jellyfin,
    settings: (url) => [
      { label: "Webhook Url", value: url },
      { label: (say) => say.switchOn, value: "Send All Properties (ignores template)", isChoice: true },
    ],
  },
];

/**
 * Only for this form of address Beszel sends its title apart from the text (`SendShoutrrrAlert`, internal/alerts/alerts.go).
 * A title with a message is JSON of ours too, so the address names the sender; shoutrrr hands that part of the query on.
 */
function beszelUrl(url: string): string {
  const plain = url.startsWith("http://") ? "&disabletls=yes" : "";
  return `${url.replace(/^https?/, "generic")}?template=json&rewrite=beszel${plain}`;
}
