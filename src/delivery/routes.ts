/** What happened to a message on each device, and that somebody has seen it (DELIVERY.md §2, §6). */
import type { Deps } from "../deps.ts";
import { known } from "../devices/act.ts";
import { canAcknowledge } from "../drafts/draft.ts";
import { jsonBody } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { NEXT_AFTER, whole } from "../http/query.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { namedMessage } from "../messages/history.ts";
import { draftOf } from "../messages/message.ts";
import { optionalRfc3339, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { deliveryJson } from "./json.ts";
import { retryMessage } from "./retry-message.ts";
import { Acknowledged, DeliveryList, Retried, RetryBody } from "./schema.ts";

type DeliveryDeps = Pick<Deps, "store" | "clock" | "limits" | "keyUse" | "log" | "delivery">;

const MAX_LISTED = 200;

const endpoint = endpointsOf<DeliveryDeps>("messages");

const list = endpoint("GET /v1/:ns/:key/messages/:id/deliveries", {
  summary: "What happened to a message on each device",
  scope: "full",
  find: namedMessage,
  query: { limit: whole(1, MAX_LISTED, 100), after: whole(0, Number.MAX_SAFE_INTEGER, NEXT_AFTER) },
  answers: { 200: { description: "A page of its deliveries.", schema: DeliveryList } },
  handle: async ({ deps, principal, found: { message }, query }) => {
    const [page, acknowledgedAt] = await Promise.all([
      deps.store.deliveries.ofMessage(message.seq, query),
      deps.store.deliveries.acknowledgedAt(message.seq),
    ]);
    const { deliveries, hasMore, counts } = page;
    const answered = defined({
      counts,
      acknowledged_at: optionalRfc3339(acknowledgedAt),
      deliveries: deliveries.map((delivery) => deliveryJson(principal, delivery, deps.delivery)),
      has_more: hasMore,
      next_after: hasMore ? deliveries.at(-1)?.row : undefined,
    });
    return json(answered, 200, NO_STORE);
  },
});

const retry = endpoint("POST /v1/:ns/:key/messages/:id/deliveries/retry", {
  summary: "Resend pushes that failed or expired",
  description:
    "To all devices, or to one, with as much time as when it was published. Accepted and cancelled pushes stay so, and nothing is shown twice.",
  scope: "full",
  find: namedMessage,
  body: jsonBody(RetryBody),
  answers: { 202: { description: "They are queued again, and sent immediately.", schema: Retried } },
  handle: async ({ deps, found: { message }, body: { device: ref } }) => {
    const found = ref === undefined ? undefined : known(await deps.store.devices.byRef(ref));
    return json(await retryMessage(deps, message, found?.device.row), 202, NO_STORE);
  },
});

const acknowledge = endpoint("POST /v1/:ns/:key/messages/:id/ack", {
  summary: "Acknowledge a message that asked for it, or a firing alert: it is no longer repeated",
  scope: "topic key",
  limit: ["read"],
  find: namedMessage,
  answers: { 200: { description: "It is acknowledged, by this request or an earlier one.", schema: Acknowledged } },
  problems: [404, 409],
  handle: async ({ deps, found: { topic, message } }) => {
    if (!canAcknowledge(draftOf(message))) throw problem.ackNotAsked();
    await deps.store.deliveries.acknowledge(topic.id, message);
    const at = await deps.store.deliveries.acknowledgedAt(message.seq);
    if (at === undefined) throw problem.unknownMessage(); // deleted meanwhile
    return json({ acknowledged_at: rfc3339(at) }, 200, NO_STORE);
  },
});

export const deliveryRoutes = (deps: DeliveryDeps) => routesOf(deps, [list, retry, acknowledge]);
