/** `peal deliveries`: what became of a message on each device. */
import type { Static } from "@sinclair/typebox";
import type { DeliveryList, DeliveryRecord, Retried } from "../delivery/schema.ts";
import { JSON_FLAG, print, table, type Command } from "./command.ts";
import { pagesOf } from "./pages.ts";
import { TOPIC_ARG, TOPIC_FLAGS, withTopic } from "./topic-ask.ts";

export const deliveriesRetry: Command = {
  name: "deliveries retry",
  args: [TOPIC_ARG, "<id>"],
  summary: "Send a message again to the devices where it failed or expired.",
  flags: [{ name: "device", value: "ref", description: "Only to this device: its REF in `peal devices`." }, JSON_FLAG],
  examples: [
    "peal deliveries retry home/backups 17",
    "peal deliveries retry home/backups 17 --device 8h2k9w0c3m5n7p8q",
  ],
  run: async (invocation) => {
    const { positionals, values, switches } = invocation;
    const [, id = ""] = positionals;
    const { device } = values;
    const retried = await withTopic(invocation, async (local, path) =>
      local.ask<Retried>("POST", `${path}/messages/${encodeURIComponent(id)}/deliveries/retry`, { device }),
    );
    return print(switches, retried, ({ retried: sent, left }) => `${sent} sent again, ${left} can't be sent`);
  },
};

type Page = Static<typeof DeliveryList>;

export const deliveries: Command = {
  name: "deliveries",
  args: [TOPIC_ARG, "<id>"],
  summary: "List what happened to a message on each device.",
  flags: TOPIC_FLAGS,
  examples: ["peal deliveries home/backups 17", "peal deliveries home/backups 17 --json"],
  run: async (invocation) => {
    const [, id = ""] = invocation.positionals;
    const pages = await withTopic(invocation, async (local, path) =>
      pagesOf<Page>(local, `${path}/messages/${encodeURIComponent(id)}/deliveries`),
    );
    const { counts, acknowledged_at } = pages[0];
    const listed = pages.flatMap((page) => page.deliveries);
    const found = { counts, ...(acknowledged_at !== undefined && { acknowledged_at }), deliveries: listed };
    return print(invocation.switches, found, () => textOf(found));
  },
};

function textOf({ counts, acknowledged_at: at, deliveries: listed }: Omit<Page, "has_more">): string {
  const told = Object.entries(counts).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
  const sum = told.length === 0 ? "no device was subscribed" : told.join(", ");
  const head = ["DEVICE", "STATE", "TRIES", "AT", "WHERE", "DETAILS"];
  const rows = listed.length === 0 ? [] : [table([head, ...listed.map(row)])];
  return [...rows, sum, ...(at === undefined ? [] : [`acknowledged at ${at}`])].join("\n");
}

const row = (delivery: DeliveryRecord): string[] => [
  delivery.device === undefined ? "removed" : (delivery.device.name ?? delivery.device.ref),
  delivery.state,
  String(delivery.attempts),
  delivery.accepted_at ?? delivery.settled_at ?? delivery.created_at,
  delivery.lane,
  detailsOf(delivery),
];

const detailsOf = ({ waits_for: waits, last_status: status, last_reason: reason, ...rest }: DeliveryRecord): string =>
  [
    waits,
    [status, reason].filter((part) => part !== undefined).join(" "),
    rest.provider_id === undefined ? undefined : `id ${rest.provider_id}`,
    rest.shown_at === undefined ? undefined : `shown at ${rest.shown_at}`,
  ]
    .filter((detail) => detail !== undefined && detail !== "")
    .join(", ");
