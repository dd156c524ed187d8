/** Opens the delivery of a server from its parts (DELIVERY.md §10). */
import type { Deps } from "../deps.ts";
import { createCourier } from "./courier.ts";
import { openCredentials } from "./credentials/credentials.ts";
import type { Lane as LaneName } from "./delivery.ts";
import { createEngine } from "./engine.ts";
import { createForwarder, type NtfyIdOf } from "./forwards/forwarder.ts";
import { countBreakers, seriesOf } from "./figures.ts";
import type { Lanes } from "./json.ts";
import { platformOf } from "./push/plan.ts";
import type { Delivery } from "./service.ts";
import { createStatus } from "./status.ts";
import { createTestPushes } from "./test-push.ts";
import { createUpstream } from "./upstream.ts";
import { createTransport } from "./transport/transport.ts";
import { sealOf } from "../tokens/secret.ts";
import { sha256 } from "../util/ids.ts";

/** Enough that no two servers have the same. */
const SERVER_ID_DIGITS = 12;

type DeliveryDeps = Pick<Deps, "config" | "store" | "clock" | "bus" | "log" | "metrics">;

interface Options {
  ntfyIdOf: NtfyIdOf;
  /** PEM certificates that are trusted instead of the machine's authorities. */
  ca?: string;
}

export async function openDelivery(deps: DeliveryDeps, { ntfyIdOf, ca }: Options): Promise<Delivery> {
  const { config, store, clock, log, metrics } = deps;
  const { push, imageHosts } = config;
  const { hosts, forwardHosts, proxy } = push;
  const transport = createTransport({ hosts, forwardHosts, proxy, clock, ...(ca !== undefined && { ca }) });
  const credentials = await openCredentials({
    config: push,
    imageHosts,
    store: store.deliveries,
    clock,
    log,
    transport,
  });
  const serverId = sha256(credentials.vapidPublicKey).slice(0, SERVER_ID_DIGITS);
  const forwarder = createForwarder({ config, clock, log, transport, seal: sealOf(deps), serverId, ntfyIdOf });
  const courier = createCourier({ config, clock, log, credentials, transport, forwarder });
  // which account a forward has is nobody's business
  const labelOf = (lane: LaneName) =>
    lane === "fcm" ? `fcm:${credentials.project ?? "unknown"}` : lane.replace(/#.*/, "");
  const countedAs = (lane: LaneName) => seriesOf(labelOf(lane));
  const status = createStatus({ store, log }, labelOf);
  const upstream = createUpstream(deps);
  const engine = createEngine({ ...deps, courier, credentials, status, labelOf: countedAs });
  metrics.gauge("pushes_in_flight", () => engine.inFlight());
  const wrong = (platform: ReturnType<typeof platformOf>) =>
    credentials.problems().find((problem) => problem.platform === platform);
  const lanes: Lanes = {
    labelOf,
    lane: (name) => {
      const platform = platformOf(name);
      if (!credentials.isConfigured(platform)) return { kind: "not_configured" };
      const tell = wrong(platform)?.tell;
      if (tell !== undefined) return { kind: "paused", reason: "invalid_credentials", tell };
      return engine.lane(name)?.status ?? { kind: "open" };
    },
    restsUntil: (device) => engine.restsUntil(device),
  };
  return {
    ...lanes,
    ...createTestPushes(deps, lanes),
    vapidPublicKey: credentials.vapidPublicKey,
    seriesOf: countedAs,
    ntfyPolled: (topicId) => {
      upstream.polled(topicId);
    },
    isAtWork: () => engine.isAtWork(),
    measure: () => {
      countBreakers(metrics, engine.lanes(), labelOf);
    },
    health: () => {
      const unreadable = credentials.problems().map(({ tell }) => tell);
      const lanes = [...engine.lanes()].filter(({ platform }) => wrong(platform) === undefined);
      const problems = [...unreadable, ...status.problems(lanes)];
      return { status: problems.length === 0 ? "ok" : "degraded", problems };
    },
    start: () => {
      upstream.start();
      engine.start();
    },
    stop: async () => {
      await Promise.all([upstream.stop(), engine.stop()]);
      transport.close();
    },
  };
}
