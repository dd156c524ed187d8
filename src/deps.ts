/** What the rooms are given: built once in `server/serve.ts`, passed down, never imported as a value. */
import type { Passwords } from "./accounts/passwords.ts";
import type { Tries } from "./accounts/tries.ts";
import type { Bus } from "./bus/bus.ts";
import type { Alerter } from "./checks/alerts/alerter.ts";
import type { Config } from "./config/config.ts";
import type { Delivery } from "./delivery/service.ts";
import type { DeviceCaps } from "./devices/caps.ts";
import type { Answers } from "./http/answers.ts";
import type { Files } from "./files/keep.ts";
import type { Limits } from "./http/limits.ts";
import type { Places } from "./http/places.ts";
import type { KeyUse } from "./keys/use.ts";
import type { Streams } from "./messages/events/hub.ts";
import type { Backups } from "./ops/backups.ts";
import type { ClockWatch } from "./ops/clockwatch.ts";
import type { Nightly } from "./ops/nightly.ts";
import type { Log } from "./telemetry/log.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import type { Proxies } from "./server/context.ts";
import type { Rendering } from "./pages/rendering.ts";
import type { Store } from "./store/store.ts";
import type { Tls } from "./tls/tls.ts";
import type { Clock } from "./util/clock.ts";

export interface Deps {
  config: Config;
  clock: Clock;
  store: Store;
  bus: Bus;
  /** The open event streams; `endAll` when the server stops. */
  streams: Streams;
  limits: Limits;
  /** Whose forwarding headers are believed. */
  proxies: Proxies;
  /** Failed sign-ins and tries of the set-up code. */
  tries: Tries;
  passwords: Passwords;
  /** Files of messages, on disk. */
  files: Files;
  /** Places of those who send files. */
  uploads: Places;
  /** Sends answers that may be large. */
  answers: Answers;
  /** Pages of messages while they are made. */
  rendering: Rendering;
  /** Notes when a key was used; written to the store later. */
  keyUse: KeyUse;
  /** Whether the checks are being watched. */
  alerter: Pick<Alerter, "health">;
  /** The most devices there may be. */
  deviceCaps: DeviceCaps;
  /** Whether the clock was set back. */
  clockWatch: Pick<ClockWatch, "problem">;
  backups: Backups;
  /** Whether a backup was made last night. */
  nightly: Pick<Nightly, "problem">;
  /** The pushes to devices. */
  delivery: Delivery;
  /** Undefined: http alone. */
  tls: Tls | undefined;
  log: Log;
  metrics: Metrics;
}
