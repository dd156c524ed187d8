/** Komodo's alerts, 2.x and 1.16 (REWRITES.md §5). */
import { field, lineAt, objectAt } from "../../../fields.ts";
import { isObject } from "../../../../util/json.ts";
import type { Source } from "../../../tool.ts";
import { present } from "../../../told.ts";
import { link } from "../../../urls.ts";
import { readAlert, type Alert } from "./alert.ts";
import { saidBy } from "./types.ts";
import { withPassword, type Setting } from "../../../tool-setup.ts";

export const komodo: Source<"komodo"> = {
  name: "komodo",
  title: "Komodo",
  setup: {
    place: "Alerters, New Alerter",
    manual: { page: "komodo", topic: "komodo" },
    withKey: (url, key) => customAlerter(withPassword(url, key)),
    withHook: (url) => customAlerter(url),
  },
  fits: (payload) => typeof field(objectAt(payload, "data"), "type") === "string" && isObject(field(payload, "target")),
  tell(payload, about) {
    const alert = readAlert(payload, about.now);
    if (alert.type === "None") return undefined;
    const { suffix, ...said } = saidBy(alert);
    const { type, target, fields } = alert;
    return {
      ...said,
      tags: ["komodo", target.type?.toLowerCase(), alert.server],
      url: about.link === undefined ? undefined : pageOf(alert, about.link),
      key: keyOf(alert, suffix ?? type),
      at: (alert.isResolved ? alert.resolvedAt : undefined) ?? alert.at,
      data: present({
        type,
        komodo_level: lineAt(payload, "level"),
        target: present({ type: target.type, id: target.id }),
        name: lineAt(fields, "name"),
        server: lineAt(fields, "server_name"),
        from: lineAt(fields, "from"),
        to: lineAt(fields, "to"),
      }),
    };
  },
};

/** Each message of these types stands alone. */
const KEYLESS = new Set(["Test", "Custom"]);

const keyOf = ({ type, target }: Alert, suffix: string): string | undefined =>
  target.id === undefined || KEYLESS.has(type) ? undefined : `komodo:${target.type ?? ""}:${target.id}:${suffix}`;

/** Komodo's own pages are `/stacks/{id}`, `/resource-syncs/{id}` and so on. */
function pageOf({ target }: Alert, address: string): string | undefined {
  const base = address.replace(/\/$/, "");
  if (target.id === undefined || target.type === undefined || target.type === "System") return link(base);
  const kind = target.type.replace(/([a-z])(?=[A-Z])/g, "$1-").toLowerCase();
  return link(`${base}/${encodeURIComponent(kind)}s/${encodeURIComponent(target.id)}`);
}

const customAlerter = (url: string): Setting[] => [
  { label: "Endpoint", value: "Custom", isChoice: true },
  { label: "URL", value: url },
];
