/** What to set in the tools that post by themselves: one source for docs/ and the pages (docs/design/REWRITES.md §6). */
import type { Texts } from "../texts/texts.ts";

/** A tool's own words or the name of a file, in any language; what we say of it is in the catalogue. */
export type Words = string | ((say: Texts["recipes"]) => string);

export interface Setting {
  /** As the tool calls the field, or the file it stands in. */
  label: Words;
  value: string;
  /** Chosen from a list; else it is pasted. */
  isChoice?: true;
}

export interface Tool {
  /** Its file is docs/sources/<id>.md. */
  id: string;
  name: string;
  /** The topic that the manual uses. */
  topic: string;
  /** Where the settings are made. */
  place: Words;
  /** In the order of the tool's form. `url`: of the topic, absolute. `key`: may publish in its namespace. */
  settings: (url: string, key: string) => Setting[];
}

/** As most tools call it. */
export const POST: Setting = { label: "HTTP Method", value: "POST", isChoice: true };

/** For tools that send no header of ours: the key goes as the password of the address, which arrives as Basic. */
export const withKey = (url: string, key: string): string => url.replace("://", () => `://peal:${key}@`);

/** Of one of a tool's words. */
export const said = (words: Words, say: Texts["recipes"]): string => (typeof words === "string" ? words : words(say));

export const TOOLS: readonly Tool[] = [
  {
    id: "uptime-kuma",
    name: "Uptime Kuma",
    topic: "kuma",
    place: "Settings, Notifications, Set Up Notification",
    settings: (url, key) => [
      { label: "Notification Type", value: "Webhook", isChoice: true },
      { label: "Post URL", value: url },
      POST,
      { label: "Request Body", value: "Preset - application/json", isChoice: true },
      { label: "Additional Headers", value: JSON.stringify({ Authorization: `Bearer ${key}` }) },
    ],
  },
  {
    id: "alertmanager",
    name: "Alertmanager",
    topic: "alerts",
    place: (say) => say.alertmanager,
    settings: (url, key) => [
      {
        label: "alertmanager.yml",
        value: [
          "receivers:",
          "  - name: peal",
          "    webhook_configs:",
          `      - url: '${url}'`,
          "        http_config:",
          "          authorization:",
          `            credentials: '${key}'`,
        ].join("\n"),
      },
    ],
  },
  {
    id: "grafana",
    name: "Grafana",
    topic: "grafana",
    place: "Alerting, Contact points, New contact point",
    settings: (url, key) => [
      { label: "Integration", value: "Webhook", isChoice: true },
      { label: "URL", value: url },
      POST,
      { label: "Authorization Header - Scheme", value: "Bearer" },
      { label: "Authorization Header - Credentials", value: key },
    ],
  },
  {
    id: "komodo",
    name: "Komodo",
    topic: "komodo",
    place: "Alerters, New Alerter",
    settings: (url, key) => [
      { label: "Endpoint", value: "Custom", isChoice: true },
      { label: "URL", value: withKey(url, key) },
    ],
  },
];
