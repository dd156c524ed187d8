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

type Found = Registered & { device: Forward };

interface Asked {
  deps: ForwardRouteDeps;
  request: Request;
  principal: Principal;
}

/** The forward of a path. @throws Problem 404 `unknown_forward` */
export const ownForward = async ({
  deps,
  principal,
  params,
}: Pick<Asked, "deps" | "principal"> & { params: { id: string } }): Promise<Found> =>
  required(await deps.store.forwards.find(principal.namespaceId, params.id));

/** @throws Problem 404 `unknown_forward` */
function required(found: Registered | undefined): Found {
  if (found === undefined || !isForward(found.device)) throw problem.unknownForward();
  return { ...found, device: found.device };
}

export async function recordOf({ deps, request, principal }: Asked, found: Registered): Promise<ForwardRecord> {
  const own = required(found);
  return forwardJson(own, {
    namespace: principal.namespace,
    base: baseUrl(deps, request),
    lastTest: await deps.delivery.lastTest(own.device.row),
    lane: deps.delivery.lane(laneOf(own.device)),
  });
}

/** The record has the keys of topics in it, so no cache may keep it. */
export const answerForward = async (asked: Asked, found: Registered, status = 200) =>
  json(await recordOf(asked, found), status, NO_STORE);
