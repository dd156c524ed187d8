/** An alert of Komodo as it was posted. Source: client/core/rs/src/entities/alert.rs of 2.3.2 and of 1.16. */
import type { Millis } from "../../../../util/clock.ts";
import { field, lineAt, objectAt, type Fields } from "../../../fields.ts";
import * as looks from "../../../looks.ts";
import type { Look } from "../../../looks.ts";
import { instant } from "../../../times.ts";

/** How bad Komodo says it is. */
const LEVELS = new Map<string, Look>([
  ["CRITICAL", looks.TROUBLE],
  ["WARNING", looks.WARNING],
  ["OK", looks.NOTICE],
]);

export interface Alert {
  type: string;
  /** The fields of its type. */
  fields: Fields;
  target: { type: string | undefined; id: string | undefined };
  name: string;
  /** The name, with the region of a server. */
  site: string;
  server: string | undefined;
  /** `on {server}` or `swarm {name}`. */
  place: string | undefined;
  /** It lasts until Komodo says that it is over; all others are events. */
  isCondition: boolean;
  /** Only read of conditions: an event is `resolved` from the start, and so is an outage. */
  isResolved: boolean;
  at: Millis | undefined;
  resolvedAt: Millis | undefined;
  look: Look;
}

export function readAlert(payload: Fields, now: Millis): Alert {
  const data = objectAt(payload, "data");
  const fields = objectAt(data, "data");
  const target = objectAt(payload, "target");
  const id = lineAt(target, "id") ?? lineAt(fields, "id");
  const type = lineAt(data, "type") ?? "Alert";
  const name = lineAt(fields, "name") ?? id ?? "";
  const region = lineAt(fields, "region");
  const [server, swarm] = [lineAt(fields, "server_name"), lineAt(fields, "swarm_name")];
  const isCondition = /^(?:Server|Swarm)/.test(type);
  return {
    type,
    fields,
    target: { type: lineAt(target, "type"), id },
    name,
    site: region === undefined ? name : `${name} (${region})`,
    server: server ?? (type.startsWith("Server") ? name : undefined),
    place: server !== undefined ? `on ${server}` : swarm !== undefined ? `swarm ${swarm}` : undefined,
    isCondition,
    isResolved: isCondition && field(payload, "resolved") === true,
    at: instant(field(payload, "ts"), now),
    resolvedAt: instant(field(payload, "resolved_ts"), now),
    look: LEVELS.get(lineAt(payload, "level")?.toUpperCase() ?? "") ?? looks.WARNING,
  };
}
