/** `peal serve`: starts the server and sees it off. */
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { isUnknownZone, serverZone } from "../util/calendar.ts";
import { ListenError } from "../server/listen.ts";
import { notifierOf, takeSupervisor, type Notifier } from "../ops/systemd/notify.ts";
import { startServer, type Running } from "../server/serve.ts";
import { StoreError } from "../store/store.ts";
import { MINUTE } from "../util/clock.ts";
import { VERSION } from "../util/version.ts";
import { banner, placesOf } from "./banner.ts";
import { CommandFailed, EXIT, type Command } from "./command.ts";
import { dropRoot, requireWritable } from "./identity.ts";

/** Docker and systemd send SIGKILL after 10 s and 90 s: be gone before the first. */
const STOP_WITHIN_MS = 9_000;

/** How long code is compiled as soon as usual, and how many times as often it has to run afterwards. */
const WARM_UP_MS = 10 * MINUTE;
const RELUCTANCE = 100;

export const serve: Command = {
  name: "serve",
  args: [],
  summary: "Start the server (same as `peal` alone).",
  flags: [],
  examples: [
    "peal",
    "peal serve --listen 127.0.0.1:8080 --data-dir /var/lib/peal",
    "PEAL_BASE_URL=https://peal.example.org peal",
  ],
  run: async ({ load }) => {
    const supervisor = takeSupervisor(process.env, process.pid);
    const { config } = await load();
    dropRoot(config.dataDir, process.env);
    requireWritable(config.dataDir);
    const isNew = !existsSync(join(config.dataDir, "peal.db"));
    const running = await started(config);
    warnOfZone(running);
    endOnUnexpected(running);
    const notifier = supervisor && (await notifierOf(supervisor, running.deps));
    const stopped = endOnSignal(running, notifier);
    notifier?.ready(`Listening on ${placesOf(running.addresses)}`);
    console.log(
      banner({
        version: VERSION,
        dataDir: config.dataDir,
        isNew,
        listen: running.addresses,
        tls: running.tlsAddresses,
        baseUrl: config.baseUrl,
        inContainer: isContainer(),
        interfaces: networkInterfaces(),
        setupCode: running.setupCode,
        hasAdmin: running.deps.store.setup.state().claimed,
      }),
    );
    compileWhatIsHot();
    await stopped;
    return EXIT.ok;
  },
};

/** A zone that nobody knows is UTC without a word: quiet hours and schedules would be off by hours. */
function warnOfZone({ deps: { log } }: Running): void {
  const { TZ } = process.env;
  // the zone is asked for only where one is named: the first question takes 10 ms (measured)
  if (TZ !== undefined && isUnknownZone(TZ, serverZone()))
    log.warn("TZ is not a time zone peal knows, so peal uses UTC. Use a name like Europe/Berlin", { TZ });
}

/** What a person can mend (a data directory in use, a port taken) is reported as a sentence; a defect keeps its stack. */
const started = async (config: Config): Promise<Running> =>
  startServer(config).catch((error: unknown) => {
    if (error instanceof StoreError || error instanceof ListenError) {
      const isForPeople = error instanceof StoreError && error.kind === "refused"; // a supervisor that tries again changes nothing
      throw new CommandFailed(error.message, { cause: error }, isForPeople ? EXIT.config : EXIT.failed);
    }
    throw error;
  });

/** Resolves when the server has stopped gracefully after SIGTERM or SIGINT. A second signal ends the process at once. */
async function endOnSignal(running: Running, notifier: Notifier | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (stopping) process.exit(EXIT.failed);
      stopping = true;
      notifier?.stopping();
      setTimeout(() => {
        running.deps.log.warn("ended before everything had stopped", { after_s: STOP_WITHIN_MS / 1_000 });
        process.exit(EXIT.failed);
      }, STOP_WITHIN_MS).unref();
      running.stop().then(() => {
        resolve(undefined);
      }, reject);
    });
  await promise;
}

/**
 * Until the server listened, hardly anything was compiled (src/build/binary.ts). From here on what runs often is. Later only what is
 * really hot: code that runs a few times a minute would be optimized in the end too, and its memory grows for days (PLATFORM.md §8).
 */
function compileWhatIsHot(): void {
  Bun.unsafe.setJITPolicy(1);
  setTimeout(() => {
    Bun.unsafe.setJITPolicy(RELUCTANCE);
  }, WARM_UP_MS).unref();
}

/** An error that nobody expected leaves a state that nobody knows: the supervisor starts a fresh one. */
function endOnUnexpected({ deps: { log } }: Running): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => {
      log.error("unexpected error, ending", { error: error instanceof Error ? error : String(error) });
      process.exit(EXIT.failed);
    });
}

const isContainer = (): boolean =>
  existsSync("/.dockerenv") ||
  existsSync("/run/.containerenv") ||
  (process.env["container"] ?? process.env["KUBERNETES_SERVICE_HOST"]) !== undefined;
