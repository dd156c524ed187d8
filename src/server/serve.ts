/** Starts and stops the whole server, its parts in order (OPERATIONS.md §4). */
import { rmSync, statSync } from "node:fs";
import { createBus } from "../bus/memory.ts";
import { createAlerter } from "../checks/alerts/alerter.ts";
import { startHeartbeat } from "../checks/alerts/heartbeat.ts";
import { localSocket, type Config, type ListenAddress, type TcpAddress } from "../config/config.ts";
import { openDelivery } from "../delivery/open.ts";
import { createPasswords } from "../accounts/passwords.ts";
import { createTries } from "../accounts/tries.ts";
import type { Deps } from "../deps.ts";
import { createDeviceCaps } from "../devices/caps.ts";
import { createFiles } from "../files/keep.ts";
import { createUploads } from "../files/reading.ts";
import { createAnswers } from "../http/answers.ts";
import { createLimits } from "../http/limits.ts";
import { ownOrigin } from "../http/urls.ts";
import { createKeyUse } from "../keys/use.ts";
import { Streams } from "../messages/events/hub.ts";
import { idAt } from "../ntfy/id.ts";
import { startSchedule } from "../messages/schedule.ts";
import { createBackups } from "../ops/backups.ts";
import { createClockWatch } from "../ops/clockwatch.ts";
import { createNightly } from "../ops/nightly.ts";
import { createNotices, type Notices } from "../ops/notices.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { startIntegrity } from "../ops/integrity.ts";
import { startSweeper } from "../ops/sweeper.ts";
import { createRendering } from "../pages/rendering.ts";
import { ensureFirstAdmin } from "../accounts/first-admin.ts";
import { forgetSetupCode, makeSetupCode, withdrawSetupCode } from "../accounts/setup-code-file.ts";
import { openStore } from "../store/sqlite/open.ts";
import { DAY, systemClock, type Clock } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { sha256 } from "../util/ids.ts";
import { noticing, type NoticingClock } from "../util/setback.ts";
import { VERSION } from "../util/version.ts";
import { createProxies } from "./context.ts";
import { createFront } from "./front.ts";
import { listenLocal } from "./listen.ts";
import { filesFor, openFilesLimit, streamsWithin } from "./open-files.ts";
import { requireAllReachable, reservedNames } from "./reachable.ts";

export interface Running {
  /** The port of the first TCP address, 0 if there is none. */
  port: number;
  /** The addresses on which it listens, with real ports instead of 0. */
  addresses: readonly ListenAddress[];
  /** The addresses with https. */
  tlsAddresses: readonly TcpAddress[];
  /** While nobody has claimed it. */
  setupCode?: string;
  deps: Deps;
  /** Stops gracefully: requests in flight are answered, streams are asked to reconnect, all is on disk. Within 10 s. */
  stop(): Promise<void>;
}

/** Requests in flight are given this long to end. */
const FLIGHT_MS = 6_000;

interface StartOptions {
  clock?: Clock;
  log?: Log;
  /** PEM: the authorities that are trusted for push services, and for that of certificates, instead of the machine's. */
  ca?: string;
  /** Instead of that of the machine's tailscaled. */
  tailscaleSocket?: string;
}

/** Opens the store, starts the workers, listens. @throws StoreError, ConfigError, ListenError, with a sentence for operators */
export async function startServer(config: Config, options: StartOptions = {}): Promise<Running> {
  const clock = noticing(options.clock ?? systemClock);
  const log = options.log ?? createLog(config.log, clock);
  const store = await openStore({ dataDir: config.dataDir, clock, log, ...fileCaps(config) });
  try {
    return await assemble({ config, store, log }, clock, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

const fileCaps = ({ files }: Config) => files && { filesInAll: files.all, fileMs: files.days * DAY };

type Opened = Pick<Deps, "config" | "store" | "log">;

async function assemble(opened: Opened, clock: NoticingClock, options: StartOptions): Promise<Running> {
  const { config, store, log } = opened;
  await requireAllReachable(opened);
  await ensureAdmin(opened);
  const metrics = createMetrics({ version: VERSION, startedAt: clock.now() });
  const passwords = createPasswords({ clock, log, metrics });
  await ensureFirstAdmin({ ...opened, passwords });
  const setupCode = await offerSetup(opened);

  const openFiles = openFilesLimit();
  if (config.listen.length > 0) warnOfFew(openFiles, opened);
  const deps = await createDeps({ ...opened, clock, metrics, passwords, openFiles }, options);
  const { alerter, clockWatch, delivery, nightly } = deps;
  followCommits(deps);

  const { edge, doors, tlsDoors } = await createFront(deps, openFiles, await reservedNames(opened));
  const socket = localSocket(config);
  let local: ReturnType<typeof listenLocal>;
  try {
    await clockWatch.start();
    if (config.listen.length > 0) await alerter.look();
    await doors.open(config.listen);
    tlsDoors?.probe();
    if (tlsDoors !== undefined) await deps.tls?.start(tlsDoors);
    local = listenLocal(socket, edge.through("local", ownOrigin(doors.addresses)));
  } catch (error) {
    await deps.tls?.stop();
    await doors.stop(true);
    await clockWatch.stop();
    deps.keyUse.stop();
    throw error;
  }
  // else for one command: pings cannot come, so nobody may be called missing, and it ends before a push is answered
  if (config.listen.length > 0) {
    alerter.start();
    delivery.start();
    nightly.start();
  }
  const socketMade = statSync(socket).ino;
  const workers = [
    startSchedule(deps),
    startSweeper(deps),
    startIntegrity(deps),
    startHeartbeat(deps),
    alerter,
    nightly,
  ];

  async function stop(): Promise<void> {
    edge.drain();
    const tlsStopped = deps.tls?.stop();
    const delivered = delivery.stop(); // beside the requests in flight: both have to end within 10 s
    // a second server that was started after `peal.lock` was deleted has its own socket there, and to stop ours would unlink it
    const isOurs = statSync(socket, { throwIfNoEntry: false })?.ino === socketMade;
    if (!isOurs) local.unref();
    const stopAll = async (isAbrupt: boolean) =>
      Promise.all([doors.stop(isAbrupt), isOurs ? local.stop(isAbrupt) : undefined]);
    const idle = stopAll(false);
    await deps.streams.endAll(); // a server waits for its streams
    await Promise.race([idle, new Promise<void>((late) => systemClock.after(FLIGHT_MS, late))]);
    await stopAll(true);
    await Promise.all([delivered, tlsStopped, ...workers.map(async (worker) => worker.stop())]);
    await clockWatch.stop(); // last: the alerter looks at the clock once more
    deps.keyUse.stop();
    await deps.keyUse.flush().catch((error: unknown) => {
      log.warn("key use not written", { error });
    });
    for (const address of doors.addresses) if (address.kind === "unix") rmSync(address.path, { force: true });
    await store.close();
  }
  let stopped: Promise<void> | undefined;
  return {
    port: doors.addresses.find((address) => address.kind === "tcp")?.port ?? 0,
    addresses: doors.addresses,
    tlsAddresses: tlsDoors?.addresses ?? [],
    deps,
    ...(setupCode !== undefined && { setupCode }),
    stop: async () => (stopped ??= stop()),
  };
}

type Begun = Opened & Pick<Deps, "metrics" | "passwords"> & { clock: NoticingClock; openFiles: number };

/** What the rooms are given. None of it runs yet. */
async function createDeps({ openFiles, ...begun }: Begun, options: StartOptions) {
  const { config, clock, store, log, metrics } = begun;
  const bus = createBus();
  const limits = createLimits(config, clock, metrics);
  const backups = createBackups({ config, clock, log });
  const notices = createNotices({ store, log });
  return {
    ...{ ...begun, bus, limits },
    alerter: createAlerter({ store, clock, bus, log, metrics }),
    clockWatch: createClockWatch({ store, clock, log }),
    backups,
    nightly: createNightly({ config, clock, log, backups, notices }),
    delivery: await openDelivery(
      { config, clock, store, bus, log, metrics },
      { ...options, ntfyIdOf: (topicId, message) => idAt(store.epochs, topicId, message) },
    ),
    streams: new Streams({ config, clock, bus, log, metrics, room: streamsWithin(openFiles) }),
    tries: createTries({ limits, clock }),
    deviceCaps: createDeviceCaps({ clock, log, metrics }),
    answers: createAnswers({ clock, metrics }),
    files: createFiles({ config, clock, log, store }),
    uploads: createUploads({ clock, metrics }),
    rendering: createRendering({ clock, metrics }),
    keyUse: createKeyUse({ keys: store.keys, clock, log }),
    proxies: createProxies(config, { clock, log }),
    tls: await createTls({ ...begun, notices }, options),
  } satisfies Deps;
}

/** Loaded only where it is wanted: it takes memory, and time of the start. A server for one command has no https. */
async function createTls(
  { config, clock, log, notices }: Pick<Begun, "config" | "clock" | "log"> & { notices: Notices },
  { ca, tailscaleSocket }: StartOptions,
) {
  if (config.tls === undefined || config.listen.length === 0) return undefined;
  const { openTls } = await import("../tls/open.ts");
  const parts = { dataDir: config.dataDir, clock, log, notices };
  return openTls(config.tls, { ...parts, ...defined({ ca, tailscaleSocket }) });
}

/** The same routes for one command, if no server holds the data directory: asked as the operator, then closed. */
export async function createHandler(config: Config): Promise<{
  handle(request: Request): Promise<Response>;
  close(): Promise<void>;
}> {
  const running = await startServer({ ...config, listen: [] });
  const socket = localSocket(config);
  return { handle: async (request) => fetch(request, { unix: socket }), close: async () => running.stop() };
}

/** Passes each commit to those who listen, and counts it. */
function followCommits({ store, bus, metrics, backups, alerter }: Awaited<ReturnType<typeof createDeps>>): void {
  store.onCommitted((events) => {
    bus.announce(events);
    for (const event of events) {
      if (event.kind !== "message") continue;
      metrics.published.of(event.topic.namespace, event.message.level, event.source).inc();
      if (event.alerts !== undefined) for (const kind of event.alerts) metrics.alerts.of(kind).inc();
    }
  });
  store.onCommit(({ jobs, ms }) => {
    metrics.commitSeconds.observe(ms / 1000);
    metrics.commitBatch.observe(jobs);
  });
  metrics.gauge("db_bytes", () => store.stats().databaseBytes);
  metrics.gauge("wal_bytes", () => store.stats().walBytes);
  metrics.gauge("files", () => store.stats().files);
  metrics.gauge("files_bytes", () => store.stats().fileBytes);
  metrics.gauge("backup_timestamp_seconds", () => (backups.list()[0]?.madeAt ?? 0) / 1000);
  metrics.gauge("alerter_tick_age_seconds", () => alerter.tickAgeMs() / 1000);
}

/** An operator who set no limit on streams expects at least some hundreds. */
const MANY_STREAMS = 1_000;

/** Fewer open files than streams need: said before the readers come that will be refused. */
function warnOfFew(openFiles: number, { config, log }: Opened): void {
  const streams = config.limits.streams.all || MANY_STREAMS;
  const room = streamsWithin(openFiles);
  if (room >= streams) return;
  log.warn("the limit on open files is too low for PEAL_LIMITS_STREAMS", {
    open_files: openFiles,
    ...{ streams, room_for: room },
    advice:
      `Allow ${filesFor(streams)}: LimitNOFILE= of the systemd unit, --ulimit nofile= of the container, ulimit -n of ` +
      "the shell. Or lower PEAL_LIMITS_STREAMS.",
  });
}

/** PEAL_ADMIN_KEY is read only while there is no admin key: a restart does not restore one that was revoked. */
async function ensureAdmin({ config, store, log }: Opened): Promise<void> {
  if (config.adminKey === undefined || store.keys.find(sha256(config.adminKey)) !== undefined) return;
  const namespaces = await store.namespaces.list();
  const keys = (await Promise.all(namespaces.map(async ({ id }) => store.keys.list(id)))).flat();
  if (keys.some(({ scope }) => scope === "admin"))
    log.warn("PEAL_ADMIN_KEY is not used: there is an admin key already");
  else if ((await store.keys.ensureAdmin(config.adminNamespace, config.adminKey)) === "revoked")
    log.warn("PEAL_ADMIN_KEY is not used: it was revoked. Choose another one");
}

/**
 * Makes a new code at each start while nobody has claimed the server and no key works. A code from before there were keys ends:
 * it may be in a log, and anybody who finds it would be an admin.
 */
async function offerSetup(deps: Opened): Promise<string | undefined> {
  const { claimed, keys } = deps.store.setup.state();
  if (!claimed && !keys) return makeSetupCode(deps);
  if (claimed) forgetSetupCode(deps);
  else await withdrawSetupCode(deps);
  return undefined;
}
