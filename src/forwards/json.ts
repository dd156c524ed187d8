/** The JSON of forwards (API.md §5), which never has a secret in it. */
import type { LaneStatus } from "../delivery/service.ts";
import { deviceJson, type Shown } from "../devices/json.ts";
import type { Registered } from "../store/devices.ts";
import { defined } from "../util/defined.ts";
import type { Forward } from "./act.ts";
import type { ForwardRecord } from "./schema.ts";

interface ShownForward extends Shown {
  namespace: string;
  lane: LaneStatus;
}

export function forwardJson(
  { device, subscriptions }: Registered & { device: Forward },
  { namespace, lane, ...shown }: ShownForward,
): ForwardRecord {
  const { kind, host, settings, secrets } = device.forward;
  const of = deviceJson({ device, subscriptions }, shown);
  return defined<ForwardRecord>({
    ...{ id: of.ref, namespace, kind, name: of.name, host, settings: { ...settings }, secrets: [...secrets] },
    ...{ topics: of.topics, quiet_hours: of.quiet_hours, min_priority: of.min_priority, created_at: of.created_at },
    trouble: troubleOf(lane),
    ...{ last_success_at: of.last_success_at, last_error_at: of.last_error_at, last_error: of.last_error },
    last_test: of.last_test,
  });
}

function troubleOf(status: LaneStatus): string | undefined {
  switch (status.kind) {
    case "paused":
      return status.tell;
    case "unreachable":
      return `It cannot be reached: ${status.reason}.`;
    case "open":
    case "not_configured":
      return undefined;
  }
}
