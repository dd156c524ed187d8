/** Synology's notifications, by a custom webhook of DSM. */
import type { Tool } from "../../tool.ts";
import { POST } from "../../tool-setup.ts";

export const synology: Tool<"synology"> = {
  name: "synology",
  title: "Synology",
  setup: {
    place: "Control Panel, Notification, Webhooks, Add, Custom",
    withKey: (url, key) => [
      { label: "Webhook URL", value: url },
      POST,
      { label: "Content Type", value: "application/json", isChoice: true },
      { label: "HTTP header Authorization", value: `Bearer ${key}` },
      { label: "HTTP body", value: '{"title": "Synology", "message": "@@TEXT@@"}' },
    ],
  },
};
