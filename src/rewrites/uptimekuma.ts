/** Uptime Kuma's webhook, 1.23 and 2 (docs/design/REWRITES.md §4). */
import { field, scalar } from "./fields.ts";
import type { Source } from "./source.ts";

export const uptimekuma: Source<"uptimekuma"> = {
  name: "uptimekuma",
  title: "Uptime Kuma",
  fits: (payload) =>
    scalar(field(payload, "msg")) !== undefined &&
    (Object.hasOwn(payload, "heartbeat") || Object.hasOwn(payload, "monitor")),
  tell: () => undefined,
};
