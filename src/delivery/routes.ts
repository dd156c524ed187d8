/** What happened to a message on each device, and that somebody has seen it (docs/design/DELIVERY.md §2, §6). */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { known } from "../devices/act.ts";
import { authorize, requireStill } from "../keys/auth.ts";
import { readJson } from "../http/body.ts";
import { contextOf } from "../http/context.ts";
import { jsonBody, operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { integer, queryOf } from "../http/query.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { ANY_ID, messageAt } from "../messages/history.ts";
import type { TopicPath } from "../topics/lookup.ts";
import { draftOf } from "../messages/message.ts";
import { canAcknowledge } from "../drafts/draft.ts";
import { rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { deliveryJson } from "./json.ts";
import { retryMessage } from "./retry-message.ts";
import { Acknowledged, DeliveryList, Retried, RetryBody } from "./schema.ts";

type DeliveryDeps = Pick<Deps, "store" | "clock" | "limits" | "keyUse" | "log" | "delivery">;

interface Asking {
  request: Request;
  params: TopicPath & { id: string };
}

const MAX_LISTED = 200;

export const deliveryRoutes = (deps: DeliveryDeps) =>
  new Elysia({ prefix: "/v1/:ns/:key/messages/:id" })
    .get(
      "/deliveries",
      async ({ request, params }: Asking) => {
        const principal = await authorize(deps, request, params.ns, "full");
        const { message } = await messageAt(deps, params, params.id);
        const query = queryOf(request);
        const limit = integer(query, "limit", { min: 1, max: MAX_LISTED, default: 100 });
        const after = integer(query, "after", ANY_ID);
        const [page, acknowledgedAt] = await Promise.all([
          deps.store.deliveries.ofMessage(message.seq, { limit, ...(after !== undefined && { after }) }),
          deps.store.deliveries.acknowledgedAt(message.seq),
        ]);
        const { deliveries, hasMore, counts } = page;
        const answered = defined({
          counts,
          acknowledged_at: acknowledgedAt === undefined ? undefined : rfc3339(acknowledgedAt),
          deliveries: deliveries.map((delivery) => deliveryJson(principal, delivery, deps.delivery)),
          has_more: hasMore,
          next_after: hasMore ? deliveries.at(-1)?.row : undefined,
        });
        return json(answered, 200, NO_STORE);
      },
      {
        detail: operation({
          tag: "messages",
          summary: "What happened to a message on each device",
          key: true,
          parameters: [
            { name: "limit", schema: Type.Integer({ minimum: 1, maximum: MAX_LISTED, default: 100 }) },
            {
              name: "after",
              schema: Type.Integer({ minimum: 0 }),
              description: "The `next_after` of the page before.",
            },
          ],
          answers: { 200: { description: "A page of its deliveries.", schema: DeliveryList } },
          problems: [400, 404],
        }),
      },
    )
    .post(
      "/deliveries/retry",
      async ({ request, params }: Asking) => {
        const principal = await authorize(deps, request, params.ns, "full");
        const { message } = await messageAt(deps, params, params.id);
        const { device: ref } = await readJson(request, RetryBody);
        requireStill(deps, request, principal);
        const found = ref === undefined ? undefined : known(await deps.store.devices.byRef(ref));
        return json(await retryMessage(deps, message, found?.device.row), 202, NO_STORE);
      },
      {
        parse: "none",
        detail: operation({
          tag: "messages",
          summary: "Resend pushes that failed or expired",
          description:
            "To all devices, or to one, with as much time as when it was published. Accepted and cancelled pushes stay so, and nothing is shown twice.",
          key: true,
          body: jsonBody(RetryBody),
          answers: { 202: { description: "They are queued again, and sent immediately.", schema: Retried } },
          problems: [400, 404, 413, 415, 422],
        }),
      },
    )
    .post(
      "/ack",
      async ({ request, params }: Asking) => {
        deps.limits.take("read", contextOf(request).address);
        const { topic, message } = await messageAt(deps, params, params.id);
        if (!canAcknowledge(draftOf(message))) throw problem.ackNotAsked();
        await deps.store.deliveries.acknowledge(topic.id, message);
        const at = await deps.store.deliveries.acknowledgedAt(message.seq);
        if (at === undefined) throw problem.unknownMessage(); // deleted meanwhile
        return json({ acknowledged_at: rfc3339(at) }, 200, NO_STORE);
      },
      {
        parse: "none",
        detail: operation({
          tag: "messages",
          summary: "Acknowledge a message that asked for it, or a firing alert: it is no longer repeated",
          answers: {
            200: { description: "It is acknowledged, by this request or an earlier one.", schema: Acknowledged },
          },
          problems: [404, 409, 429],
        }),
      },
    );
