/** Access to forwards: a key of their namespace with the scope `full`. */
import { laneOf } from "../delivery/push/plan.ts";
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import type { Principal } from "../keys/auth.ts";
import type { Registered } from "../store/devices.ts";
import { type Forward, type ForwardDeps, isForward } from "./act.ts";
import { forwardJson } from "./json.ts";
import type { ForwardRecord } from "./schema.ts";

export type ForwardRouteDeps = ForwardDeps & Pick<Deps, "clock" | "limits" | "keyUse" | "log" | "delivery">;

export type Found = Registered & { device: Forward };

interface Asked {
  deps: Pick<Deps, "store">;
  principal: Principal;
  params: { id: string };
}

/** The forward of a path. @throws Problem 404 `unknown_forward` */
export const ownForward = async ({ deps, principal, params }: Asked): Promise<Found> =>
  required(await deps.store.forwards.find(principal.namespaceId, params.id));

/** @throws Problem 404 `unknown_forward` */
function required(found: Registered | undefined): Found {
  if (found === undefined || !isForward(found.device)) throw problem.unknownForward();
  return { ...found, device: found.device };
}

export async function recordOf(deps: ForwardRouteDeps, request: Request, found: Registered): Promise<ForwardRecord> {
  const own = required(found);
  const namespaces = await deps.store.namespaces.list();
  return forwardJson(own, {
    namespace: namespaces.find(({ id }) => id === own.device.forward.namespaceId)?.name ?? "",
    base: baseUrl(deps, request),
    lastTest: await deps.delivery.lastTest(own.device.row),
    lane: deps.delivery.lane(laneOf(own.device)),
  });
}

/** The record has the keys of topics in it, so no cache may keep it. */
export const answerForward = async (deps: ForwardRouteDeps, request: Request, found: Registered, status = 200) =>
  json(await recordOf(deps, request, found), status, NO_STORE);
