/** The real server: as a separate process (`startPeal`), or inside the test with a clock that the test controls (`inProcess`). */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../src/config/sources.ts";
import { startServer, type Running } from "../../src/server/serve.ts";
import { apiKeySecret } from "../../src/util/ids.ts";
import { createClient, type Client } from "./client.ts";
import { eventually } from "./eventually.ts";

export interface Options {
  /** Added to the defaults of a test server, or replacing them: a free port on 127.0.0.1, a new directory, no limits. */
  env?: Record<string, string>;
  /** Kept when the server ends. Absent: a new one, which is then deleted. */
  dataDir?: string;
  /** Leaves the server unclaimed: no admin key, no namespace. */
  unclaimed?: true;
  /** Limits on open files as the shell sets them, `-n 64` or `-S -n 64`; for a separate process only. */
  ulimit?: string;
}

export interface TestServer extends Client, AsyncDisposable {
  /** `http://127.0.0.1:<port>`; stays the same across restarts. */
  readonly url: string;
  readonly dataDir: string;
  readonly adminKey: string;
  /** What must not appear in any log; tests add their own secrets. */
  readonly secrets: Set<string>;
  /** Sends a request over `peal.sock`, as the administrative commands do. */
  local(path: string, init?: RequestInit): Promise<Response>;
}
export interface Peal extends TestServer {
  readonly pid: number;
  /** Standard error so far, over all starts. */
  logs(): string;
  /** Standard output so far, over all starts. */
  output(): string;
  /** Sends the signal and waits for the end; returns the exit code, or null after a signal that it did not handle. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts it again on the same directory and port. */
  start(): Promise<void>;
}

const ROOT = join(import.meta.dir, "../..");
/** The compiled binary when test/run.ts has built it, otherwise the source. */
export const COMMAND: readonly string[] =
  process.env["PEAL_TEST_BINARY"] === undefined
    ? // bun looks for its JSX settings in the working directory
      [
        process.execPath,
        "--no-env-file",
        `--tsconfig-override=${join(ROOT, "tsconfig.json")}`,
        join(ROOT, "src/main.ts"),
      ]
    : [process.env["PEAL_TEST_BINARY"]];

const UNLIMITED = Object.fromEntries(
  ["PUBLISH", "READ", "PING", "AUTH", "REGISTER", "STREAMS"].map((limit) => [`PEAL_LIMITS_${limit}`, "0"]),
);

/** The environment of a server under test: without this process's `PEAL_` variables, then `set`. */
export function cleanEnv(set: Record<string, string> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([key]) => !key.startsWith("PEAL_") && key !== "STATE_DIRECTORY",
  );
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...set };
}

/** What both kinds of server need before they start. */
async function prepare({ env = {}, dataDir, unclaimed }: Options) {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), "peal-test-")));
  const adminKey = env["PEAL_ADMIN_KEY"] ?? apiKeySecret();
  return {
    dataDir: directory,
    adminKey,
    secrets: new Set([adminKey]),
    settings: {
      PEAL_LISTEN: "127.0.0.1:0",
      PEAL_DATA_DIR: directory,
      PEAL_BACKUP: "off", // tests that hold the clock cross many nights
      ...UNLIMITED,
      ...(unclaimed === undefined && { PEAL_ADMIN_KEY: adminKey }),
      ...env,
    },
    local: async (path: string, init: RequestInit = {}) =>
      fetch(new URL(path, "http://localhost"), { redirect: "manual", ...init, unix: join(directory, "peal.sock") }),
    tidy: async () => {
      if (dataDir === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Starts `peal serve` as a child process and waits until it is ready. */
export async function startPeal(options: Options = {}): Promise<Peal> {
  const { tidy, settings, local, ...shared } = await prepare(options);
  const limited = options.ulimit === undefined ? [] : ["sh", "-c", `ulimit ${options.ulimit}; exec "$0" "$@"`];
  let url = "";
  let logs = "";
  let output = "";
  let child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  let drained: Promise<unknown> = Promise.resolve();

  async function start() {
    // the port stays the same; there may be other addresses beside it
    const listen =
      url === "" ? settings.PEAL_LISTEN : settings.PEAL_LISTEN.replace(/:0(?=,|$)/, `:${new URL(url).port}`);
    const before = output.length;
    child = Bun.spawn([...limited, ...COMMAND, "serve"], {
      cwd: shared.dataDir,
      env: cleanEnv({ ...settings, PEAL_LISTEN: listen }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    drained = Promise.all([
      drain(child.stdout, (text) => (output += text)),
      drain(child.stderr, (text) => (logs += text)),
    ]);
    const requireRunning = () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`peal ended at its start:\n${output}${logs}`);
    };
    const port = await eventually("the port that the server listens on", () => {
      requireRunning();
      return /listening on .*port (\d+)/.exec(output.slice(before))?.[1];
    });
    url = `http://${listen.startsWith("[::1]") ? "[::1]" : "127.0.0.1"}:${port}`;
    await eventually("/ready", async () => {
      requireRunning();
      return (await fetch(`${url}/ready`).catch(() => null))?.ok;
    });
    const code = await readFile(join(shared.dataDir, "setup-code"), "utf8").catch(() => "");
    if (code !== "") shared.secrets.add(code.trim());
  }
  async function kill(signal: NodeJS.Signals) {
    child.kill(signal);
    await child.exited;
    await drained;
    return child.exitCode;
  }
  try {
    await start();
  } catch (error) {
    await kill("SIGKILL");
    await tidy();
    throw error;
  }
  return {
    ...createClient(() => url, shared.adminKey, shared.secrets),
    ...shared,
    local,
    get url() {
      return url;
    },
    get pid() {
      return child.pid;
    },
    logs: () => logs,
    output: () => output,
    kill,
    start,
    [Symbol.asyncDispose]: async () => {
      await kill("SIGKILL");
      await tidy();
    },
  };
}

async function drain(stream: ReadableStream<Uint8Array>, hear: (text: string) => void) {
  const decoder = new TextDecoder();
  for await (const chunk of stream) hear(decoder.decode(chunk, { stream: true }));
}

export interface InProcess extends TestServer {
  readonly running: Running;
  /** Stops it gracefully and starts it again on the same directory and port. */
  restart(): Promise<void>;
}

/** What replaces the machine's own. `ca`: PEM, the authorities that are trusted for push services. */
type InProcessOptions = Options & Parameters<typeof startServer>[1];

/** Starts the server inside the test, on a real port and a real file. */
export async function inProcess(options: InProcessOptions = {}): Promise<InProcess> {
  const { tidy, settings, local, ...shared } = await prepare(options);
  let url = "";
  let running: Running;

  async function start() {
    const listen = url === "" ? settings.PEAL_LISTEN : new URL(url).host;
    const { config } = loadConfig({ flags: {}, env: { PEAL_LOG: "error", ...settings, PEAL_LISTEN: listen } });
    running = await startServer(config, options);
    url = `http://127.0.0.1:${running.port}`;
  }
  try {
    await start();
  } catch (error) {
    await tidy();
    throw error;
  }
  return {
    ...createClient(() => url, shared.adminKey, shared.secrets),
    ...shared,
    local,
    get url() {
      return url;
    },
    get running() {
      return running;
    },
    restart: async () => {
      await running.stop();
      await start();
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      await tidy();
    },
  };
}
