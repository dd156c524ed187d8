/** Grafana's alerts: its contact point posts in Alertmanager's form. */
import type { Tool } from "../../tool.ts";
import { POST } from "../../tool-setup.ts";

export const grafana: Tool<"grafana"> = {
  name: "grafana",
  title: "Grafana",
  postsAs: "alertmanager",
  setup: {
    place: "Alerting, Contact points, New contact point",
    manual: { page: "grafana", topic: "grafana" },
    withKey: (url, key) => [
      { label: "Integration", value: "Webhook", isChoice: true },
      { label: "URL", value: url },
      POST,
      { label: "Authorization Header - Scheme", value: "Bearer" },
      { label: "Authorization Header - Credentials", value: key },
    ],
  },
};
