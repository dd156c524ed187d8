/** What the rooms are given: built once in `server/serve.ts`, passed down, never imported as a value. */
import type { Bus } from "./bus/bus.ts";
import type { Alerter } from "./checks/alerter.ts";
import type { Config } from "./config/config.ts";
import type { Delivery } from "./delivery/service.ts";
import type { Limits } from "./http/limits.ts";
import type { KeyUse } from "./keys/use.ts";
import type { Streams } from "./messages/events/hub.ts";
import type { Log } from "./ops/log.ts";
import type { Metrics } from "./ops/metrics.ts";
import type { Store } from "./store/store.ts";
import type { Clock } from "./util/clock.ts";

export interface Deps {
  config: Config;
  clock: Clock;
  store: Store;
  bus: Bus;
  /** The open event streams; `endAll` when the server stops. */
  streams: Streams;
  limits: Limits;
  /** Notes which key was used when; written to the store lazily. */
  keyUse: KeyUse;
  /** Whether the checks are watched. */
  alerter: Pick<Alerter, "health">;
  /** What is on its way to devices. */
  delivery: Delivery;
  log: Log;
  metrics: Metrics;
}
