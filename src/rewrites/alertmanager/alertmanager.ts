/** Prometheus Alertmanager's webhook, version 4, and Grafana's (docs/design/REWRITES.md §3). */
import { field } from "../fields.ts";
import type { Source } from "../source.ts";

export const alertmanager: Source<"alertmanager"> = {
  name: "alertmanager",
  title: "Alertmanager",
  fits: (payload) => Array.isArray(field(payload, "alerts")),
  tell: () => undefined,
};
