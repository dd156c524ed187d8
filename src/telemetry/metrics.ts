/** Metrics in Prometheus' text format (OPERATIONS.md §5): HELP and TYPE of every one are always there. */

export class Counter {
  value = 0;
  inc(n = 1): void {
    this.value += n;
  }
}

/** Cumulative buckets by upper bound, as Prometheus wants them. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;
  count = 0;
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length);
  }
  observe(value: number): void {
    this.sum += value;
    this.count++;
    const bucket = this.bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }
}

/** One counter for each combination of label values; beyond the cap all further ones share `other`. */
export class CounterFamily {
  readonly #labels: readonly string[];
  readonly #children = new Map<string, { text: string; counter: Counter }>();
  constructor(...labels: string[]) {
    this.#labels = labels;
  }
  /** Label values in the order of the constructor's names. A look-up: cheap enough for every publish. */
  of(...values: string[]): Counter {
    const key = values.join("\0");
    const known = this.#children.get(key);
    if (known !== undefined) return known.counter;
    if (this.#children.size >= MAX_CHILDREN && values.some((value) => value !== "other"))
      return this.of(...values.map(() => "other"));
    const counter = new Counter();
    this.#children.set(key, { text: labelText(this.#labels, values), counter });
    return counter;
  }
  /** Of what is counted anew each time. */
  clear(): void {
    this.#children.clear();
  }
  samples(): Sample[] {
    return [...this.#children.values()].map(({ text, counter }) => [text, counter.value]);
  }
}

/** A label set from outside (namespaces) must not make memory grow without bound. */
const MAX_CHILDREN = 5_000;

/** What the server counts. Seconds are seconds, bytes are bytes. */
export interface Metrics {
  /** Messages committed, by namespace, level and source. */
  readonly published: CounterFamily;
  /** Publishes of which something could not be used. */
  readonly leftOut: Counter;
  /** Requests that hooks took, and those to unknown ones, by dialect. */
  readonly hookRequests: CounterFamily;
  readonly hookMisses: CounterFamily;
  /** From the arrival of a publish to its answer, seconds. */
  readonly publishSeconds: Histogram;
  readonly commitSeconds: Histogram;
  /** Jobs in a commit. */
  readonly commitBatch: Histogram;
  /** Readers cut off because they did not keep up. */
  readonly sseDropped: Counter;
  /** Requests refused, by limit. */
  readonly rateLimited: CounterFamily;
  /** Requests answered, by status. */
  readonly requests: CounterFamily;
  /** Alerts committed, by kind. */
  readonly alerts: CounterFamily;
  /** Checks that threw when they were looked at. */
  readonly checksPutOff: Counter;
  /** Checks by state, as of the latest look at all of them. */
  readonly checks: CounterFamily;
  /** What became of tries to push, by lane, outcome and reason. */
  readonly deliveries: CounterFamily;
  /** From the publish to the push service's word that it was accepted, seconds. */
  readonly deliverySeconds: Histogram;
  /** Deliveries that wait, by lane, as of the latest look. */
  readonly outboxPending: CounterFamily;
  /** 1 while its push service is not asked, by lane. */
  readonly breakerOpen: CounterFamily;
  /** Devices by platform and state, as of the latest look. */
  readonly devices: CounterFamily;
  /** Devices that their push service called gone, by its reason. */
  readonly pruned: CounterFamily;
  /** Devices that followed nothing and made room for a new one. */
  readonly devicesEvicted: Counter;
  /** Devices that a full topic, namespace or server refused. */
  readonly devicesRefused: CounterFamily;
  /** A value that is read when somebody asks. The last one to register a name is read. */
  gauge(name: GaugeName, read: () => number): void;
  /** The text for `/metrics`. */
  render(): string;
}

type Sample = readonly [labels: string, value: number];

const GAUGES = {
  sse_connections: "Open event streams.",
  db_bytes: "Size of the database file in bytes.",
  wal_bytes: "Size of the write-ahead log in bytes.",
  files: "Files of messages.",
  files_bytes: "Size of all files of messages in bytes.",
  pushes_in_flight: "Pushes under way, until it is written what became of them.",
  outbox_oldest_seconds: "Age of the oldest delivery that waits, 0 when none does.",
  alerter_tick_age_seconds: "Since the alerter last looked at what is due: below 20 while it watches.",
} as const;
export type GaugeName = keyof typeof GAUGES;

/** A push may wait for the end of an outage. */
const WAITED_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3600, 14_400];
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** `startedAt`: epoch ms of the start of the process. */
export function createMetrics({ version, startedAt }: { version: string; startedAt: number }): Metrics {
  const gauges = new Map<GaugeName, () => number>();
  const metrics = {
    published: new CounterFamily("ns", "level", "source"),
    leftOut: new Counter(),
    hookRequests: new CounterFamily("dialect"),
    hookMisses: new CounterFamily("dialect"),
    publishSeconds: new Histogram(SECONDS),
    commitSeconds: new Histogram(SECONDS),
    commitBatch: new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]),
    sseDropped: new Counter(),
    rateLimited: new CounterFamily("limit"),
    requests: new CounterFamily("status"),
    alerts: new CounterFamily("kind"),
    checksPutOff: new Counter(),
    checks: new CounterFamily("state"),
    deliveries: new CounterFamily("lane", "outcome", "reason"),
    deliverySeconds: new Histogram(WAITED_SECONDS),
    outboxPending: new CounterFamily("lane"),
    breakerOpen: new CounterFamily("lane"),
    devices: new CounterFamily("platform", "state"),
    pruned: new CounterFamily("reason"),
    devicesEvicted: new Counter(),
    devicesRefused: new CounterFamily("cap"),
    gauge: (name: GaugeName, read: () => number) => void gauges.set(name, read),
  };
  const render = (): string => {
    const memory = process.memoryUsage();
    const cpu = process.cpuUsage();
    return [
      family("peal_messages_published_total", "counter", "Messages committed.", metrics.published.samples()),
      single(
        "peal_publishes_left_out_total",
        "counter",
        "Publishes of which something was left out.",
        metrics.leftOut.value,
      ),
      family("peal_hook_requests_total", "counter", "Requests that hooks took.", metrics.hookRequests.samples()),
      family("peal_hook_misses_total", "counter", "Requests to unknown hooks.", metrics.hookMisses.samples()),
      histogram("peal_publish_seconds", "From the arrival of a publish to its answer.", metrics.publishSeconds),
      histogram("peal_commit_seconds", "Time of a group commit, sync included.", metrics.commitSeconds),
      histogram("peal_commit_batch_size", "Writes in a group commit.", metrics.commitBatch),
      single("peal_sse_dropped_total", "counter", "Readers cut off because they lagged.", metrics.sseDropped.value),
      family("peal_rate_limited_total", "counter", "Requests refused by a limit.", metrics.rateLimited.samples()),
      family("peal_http_requests_total", "counter", "Requests answered.", metrics.requests.samples()),
      family("peal_alerts_total", "counter", "Alerts of checks committed.", metrics.alerts.samples()),
      single("peal_checks_put_off_total", "counter", "Checks put off for an hour.", metrics.checksPutOff.value),
      family("peal_checks", "gauge", "Checks.", metrics.checks.samples()),
      family("peal_deliveries_total", "counter", "What became of tries to push.", metrics.deliveries.samples()),
      histogram("peal_delivery_seconds", "From a publish to its push being accepted.", metrics.deliverySeconds),
      family("peal_outbox_pending", "gauge", "Deliveries that wait.", metrics.outboxPending.samples()),
      family("peal_breaker_open", "gauge", "1 while a push service is not asked.", metrics.breakerOpen.samples()),
      family("peal_devices", "gauge", "Devices.", metrics.devices.samples()),
      family("peal_pruned_total", "counter", "Devices called gone by their push service.", metrics.pruned.samples()),
      single("peal_devices_evicted_total", "counter", "Idle devices that made room.", metrics.devicesEvicted.value),
      family("peal_devices_refused_total", "counter", "Devices refused by a cap.", metrics.devicesRefused.samples()),
      ...(Object.entries(GAUGES) as [GaugeName, string][]).map(([name, help]) =>
        single(`peal_${name}`, "gauge", help, gauges.get(name)?.() ?? 0),
      ),
      family("peal_build_info", "gauge", "Always 1; the version is its label.", [
        [labelText(["version"], [version]), 1],
      ]),
      single("process_start_time_seconds", "gauge", "Start of the process, Unix time.", startedAt / 1000),
      single("process_resident_memory_bytes", "gauge", "Resident memory.", memory.rss),
      single("process_cpu_seconds_total", "counter", "Processor time, user and system.", (cpu.user + cpu.system) / 1e6),
      "",
    ].join("\n");
  };
  return { ...metrics, render };
}

function family(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}

const single = (name: string, type: "counter" | "gauge", help: string, value: number): string =>
  family(name, type, help, [["", value]]);

function histogram(name: string, help: string, { bounds, counts, sum, count }: Histogram): string {
  let below = 0;
  const buckets = bounds.map((bound, i) => `${name}_bucket{le="${bound}"} ${(below += counts[i] ?? 0)}`);
  return [
    family(name, "histogram", help, []),
    ...buckets,
    `${name}_bucket{le="+Inf"} ${count}`,
    `${name}_sum ${sum}`,
    `${name}_count ${count}`,
  ].join("\n");
}

const labelText = (names: readonly string[], values: readonly string[]): string =>
  `{${names.map((name, i) => `${name}="${escapeLabel(values[i] ?? "")}"`).join(",")}}`;

const escapeLabel = (text: string): string => text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`));
