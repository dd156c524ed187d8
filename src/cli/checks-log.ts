/** `peal checks events`, `incidents` and `preview`: what happened, and what is expected. */
import type { EventRecord, IncidentRecord } from "../checks/schema.ts";
import { duration } from "../rewrites/times.ts";
import { systemClock } from "../util/clock.ts";
import { CHECK_ARG, CHECK_FLAGS, withCheck } from "./checks-ask.ts";
import { reasonOf } from "./checks-words.ts";
import { print, table, writeOut, type Command, type Invocation } from "./command.ts";
import { inNamespace } from "./in-namespace.ts";

const LIMIT_FLAG = {
  name: "limit",
  value: "n",
  description: "How many of the latest to list, at most 100; default: 50.",
};

const limited = ({ values: { limit } }: Invocation): string =>
  limit === undefined ? "" : `?limit=${encodeURIComponent(limit)}`;

const list = async <T>(
  { switches }: Invocation,
  head: string[],
  records: readonly T[],
  row: (record: T) => string[],
): Promise<number> => print(switches, records, () => table([head, ...records.map(row)]));

export const checksEvents: Command = {
  name: "checks events",
  args: [CHECK_ARG],
  summary: "List what happened to a check, latest first, or print its job's output.",
  flags: [
    LIMIT_FLAG,
    { name: "body", value: "n", description: "Print the job's output in this event, byte for byte." },
    ...CHECK_FLAGS,
  ],
  examples: ["peal checks events nas-backup --limit 10", "peal checks events nas-backup --body 17"],
  run: async (invocation) => {
    const { body } = invocation.values;
    if (body !== undefined) {
      const path = `/events/${encodeURIComponent(body)}/body`;
      return writeOut(await withCheck(invocation, async (local, check) => local.read(check + path)));
    }
    const { events } = await withCheck(invocation, async (local, path) =>
      local.ask<{ events: EventRecord[] }>("GET", `${path}/events${limited(invocation)}`),
    );
    return list(invocation, ["N", "TIME", "WHAT", "DETAILS"], events, (event) => [
      String(event.n),
      event.at,
      event.kind,
      detailsOf(event),
    ]);
  },
};

const detailsOf = ({ kind, exit, duration: took, reason, body_bytes: bytes, address, rid }: EventRecord): string =>
  [
    reason === undefined ? undefined : `${kind === "up" ? "was down: " : ""}${reasonOf({ reason })}`,
    exit === undefined ? undefined : `exit ${exit}`,
    took === undefined ? undefined : `took ${duration(took * 1000)}`,
    bytes === undefined ? undefined : `${bytes} bytes of output`,
    address === undefined ? undefined : `from ${address}`,
    rid === undefined ? undefined : `run ${rid}`,
  ]
    .filter((detail) => detail !== undefined)
    .join(", ");

export const checksIncidents: Command = {
  name: "checks incidents",
  args: [CHECK_ARG],
  summary: "List when a check was down, latest first.",
  flags: [LIMIT_FLAG, ...CHECK_FLAGS],
  examples: ["peal checks incidents nas-backup"],
  run: async (invocation) => {
    const { incidents } = await withCheck(invocation, async (local, path) =>
      local.ask<{ incidents: IncidentRecord[] }>("GET", `${path}/incidents${limited(invocation)}`),
    );
    const now = systemClock.now();
    return list(invocation, ["N", "DOWN AT", "FOR", "WHY", "MISSED"], incidents, (incident) => {
      const { opened_at: from, closed_at: to } = incident;
      const lasted = duration((to === undefined ? now : Date.parse(to)) - Date.parse(from));
      const why = incident.server_gap ? "the server was offline, a ping may have been lost" : reasonOf(incident);
      return [String(incident.n), from, to === undefined ? `${lasted}, still` : lasted, why, String(incident.missed)];
    });
  },
};

export const checksPreview: Command = {
  name: "checks preview",
  args: ["<cron>"],
  summary: "Print the next five times of a cron schedule.",
  flags: [
    { name: "timezone", value: "zone", description: "For example Europe/Berlin; default: the server's." },
    ...CHECK_FLAGS,
  ],
  examples: ["peal checks preview '30 2 * * *' --timezone Europe/Berlin"],
  run: async (invocation) => {
    const { positionals, values, switches } = invocation;
    const query = new URLSearchParams({
      cron: positionals[0] ?? "",
      ...(values["timezone"] !== undefined && { timezone: values["timezone"] }),
    });
    const preview = await inNamespace(invocation, async (local, namespace) =>
      local.ask<{ timezone: string; slots: string[] }>("GET", `/v1/${namespace}/checks/preview?${query.toString()}`),
    );
    const local = (slot: string) =>
      // as the zone's clock shows it: 2026-11-22 02:30:00 GMT+1
      new Date(slot).toLocaleString("sv-SE", { timeZone: preview.timezone, timeZoneName: "shortOffset" });
    return print(switches, preview, ({ slots }) => slots.map(local).join("\n"));
  },
};
