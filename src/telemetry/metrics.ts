/**
 * Metrics in Prometheus' text format (OPERATIONS.md §5). Each is declared once: its instrument, its HELP and TYPE (always in the
 * exposition) and docs/metrics.md come from that declaration. Seconds are seconds, bytes are bytes.
 */
import { Counter, CounterFamily, Histogram, Reading, type Instrument, type MetricType } from "./instruments.ts";

/** What a metric is called and what it is. */
export interface Metric {
  name: string;
  type: MetricType;
  help: string;
  labels: readonly string[];
}
interface Declared<T extends Instrument> extends Metric {
  make: () => T;
}

const counter = (name: string, help: string): Declared<Counter> => ({
  ...{ name, help, type: "counter", labels: [] },
  make: () => new Counter(),
});
const counters = (name: string, help: string, ...labels: string[]): Declared<CounterFamily> => ({
  ...{ name, help, type: "counter", labels },
  make: () => new CounterFamily(labels),
});
/** Values that are set at each scrape. */
const gauges = (...declared: Parameters<typeof counters>): Declared<CounterFamily> => ({
  ...counters(...declared),
  type: "gauge",
});
const histogram = (name: string, help: string, bounds: readonly number[]): Declared<Histogram> => ({
  ...{ name, help, type: "histogram", labels: [] },
  make: () => new Histogram(bounds),
});
const reading = (name: string, help: string, type: MetricType = "gauge"): Declared<Reading> => ({
  ...{ name, help, type, labels: [] },
  make: () => new Reading(),
});

/** A push may wait for the end of an outage. */
const WAITED_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3600, 14_400];
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const JOBS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

// prettier-ignore
const COUNTED = {
  published:       counters("peal_messages_published_total", "Messages committed.", "ns", "level", "source"),
  leftOut:         counter("peal_publishes_left_out_total", "Publishes of which something was left out."),
  hookRequests:    counters("peal_hook_requests_total", "Requests that hooks took.", "dialect"),
  hookMisses:      counters("peal_hook_misses_total", "Requests to unknown hooks.", "dialect"),
  publishSeconds:  histogram("peal_publish_seconds", "From the arrival of a publish to its answer.", SECONDS),
  commitSeconds:   histogram("peal_commit_seconds", "Time of a group commit, sync included.", SECONDS),
  commitBatch:     histogram("peal_commit_batch_size", "Writes in a group commit.", JOBS),
  sseDropped:      counter("peal_sse_dropped_total", "Readers cut off because they lagged."),
  rateLimited:     counters("peal_rate_limited_total", "Requests refused by a limit.", "limit"),
  requests:        counters("peal_http_requests_total", "Requests answered.", "status"),
  alerts:          counters("peal_alerts_total", "Alerts of checks committed.", "kind"),
  checksPutOff:    counter("peal_checks_put_off_total", "Checks put off for an hour."),
  checks:          gauges("peal_checks", "Checks.", "state"),
  checkUp:         gauges("peal_check_up", "1 while a check is up or late, 0 while it is down. New and paused checks have none.", "ns", "slug"),
  checkLate:       gauges("peal_check_late", "1 while a check is expected and not down yet.", "ns", "slug"),
  checkLastOk:     gauges("peal_check_last_success_timestamp_seconds", "When a check last succeeded, Unix time.", "ns", "slug"),
  checkDuration:   gauges("peal_check_last_duration_seconds", "How long the last run of a check took.", "ns", "slug"),
  deliveries:      counters("peal_deliveries_total", "What became of tries to push.", "lane", "outcome", "reason"),
  deliverySeconds: histogram("peal_delivery_seconds", "From a publish to its push being accepted.", WAITED_SECONDS),
  outboxPending:   gauges("peal_outbox_pending", "Deliveries that wait.", "lane"),
  breakerOpen:     gauges("peal_breaker_open", "1 while a push service is not asked.", "lane"),
  devices:         gauges("peal_devices", "Devices.", "platform", "state"),
  pruned:          counters("peal_pruned_total", "Devices called gone by their push service.", "reason"),
  devicesEvicted:  counter("peal_devices_evicted_total", "Idle devices that made room."),
  devicesRefused:  counters("peal_devices_refused_total", "Devices refused by a cap.", "cap"),
  health:          gauges("peal_health", "What /health says of each check: 0 ok, 1 degraded or low, 2 failing.", "check"),
};

/** Values that are read when they are asked for: the part that knows one says how (`gauge`). */
// prettier-ignore
const READ = {
  checks_unlisted:          reading("peal_checks_unlisted", "Checks that the four metrics per check leave out, because they show the oldest 500."),
  sse_connections:          reading("peal_sse_connections", "Open event streams."),
  db_bytes:                 reading("peal_db_bytes", "Size of the database file in bytes."),
  wal_bytes:                reading("peal_wal_bytes", "Size of the write-ahead log in bytes."),
  backup_timestamp_seconds: reading("peal_backup_timestamp_seconds", "When the latest backup was made, Unix time; 0 if there is none."),
  disk_free_bytes:          reading("peal_disk_free_bytes", "Free space on the disk of the data directory in bytes."),
  files:                    reading("peal_files", "Files of messages."),
  files_bytes:              reading("peal_files_bytes", "Size of all files of messages in bytes."),
  pushes_in_flight:         reading("peal_pushes_in_flight", "Pushes under way, until it is written what became of them."),
  outbox_oldest_seconds:    reading("peal_outbox_oldest_seconds", "Age of the oldest delivery that waits, 0 when none does."),
  alerter_tick_age_seconds: reading("peal_alerter_tick_age_seconds", "Since the alerter last looked at what is due: below 20 while it watches."),
};
export type GaugeName = keyof typeof READ;

/** Metrics of the process itself. */
const PROCESS = {
  build: gauges("peal_build_info", "Always 1; the version is its label.", "version"),
  startedAt: reading("process_start_time_seconds", "Start of the process, Unix time."),
  memory: reading("process_resident_memory_bytes", "Resident memory."),
  cpu: reading("process_cpu_seconds_total", "Processor time, user and system.", "counter"),
};

/** All metrics, in the order of the exposition. */
export const METRICS: readonly Metric[] = [COUNTED, READ, PROCESS].flatMap((all) => Object.values<Metric>(all));

type Made<T extends Readonly<Record<string, Declared<Instrument>>>> = {
  readonly [Key in keyof T]: ReturnType<T[Key]["make"]>;
};

/** What the server counts. */
export interface Metrics extends Made<typeof COUNTED> {
  /** Says how a value is read. The latest call for a name counts. */
  gauge(name: GaugeName, read: () => number): void;
  /** The text for `/metrics`. */
  render(): string;
}

/** `startedAt`: epoch ms of the start of the process. */
export function createMetrics({ version, startedAt }: { version: string; startedAt: number }): Metrics {
  const [counted, read, process_] = [made(COUNTED), made(READ), made(PROCESS)];
  process_.build.of(version).inc();
  process_.startedAt.read = () => startedAt / 1000;
  process_.memory.read = () => process.memoryUsage().rss;
  process_.cpu.read = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const instruments: readonly Instrument[] = [counted, read, process_].flatMap((all) => Object.values<Instrument>(all));
  return {
    ...counted,
    gauge: (name, asked) => {
      read[name].read = asked;
    },
    render: () => {
      const lines = METRICS.flatMap(({ name, type, help }, i) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...(instruments[i]?.lines(name) ?? []),
      ]);
      return `${lines.join("\n")}\n`;
    },
  };
}

const made = <T extends Readonly<Record<string, Declared<Instrument>>>>(declared: T): Made<T> =>
  Object.fromEntries(Object.entries(declared).map(([key, { make }]) => [key, make()])) as Made<T>;
