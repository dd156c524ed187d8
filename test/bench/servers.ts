/** The servers that are measured: peal, and the bare C broadcaster to compare with. */
import { apiKeySecret } from "../../src/util/ids.ts";
import { eventually } from "../support/eventually.ts";
import { freePort, freshDirectory, onCore, ROOT, type Tools } from "./machine.ts";

/** The program under test: dist/peal, or the source under bun. */
export type Program = readonly string[];

/** The same key for the whole run, because a data directory keeps the admin key that it was first started with. */
const key = apiKeySecret();

export interface Peal extends AsyncDisposable {
  url: string;
  pid: number;
  key: string;
  dataDir: string;
  /** Milliseconds from exec to the first accepted connection. */
  startedMs: number;
  topic(name: string): Promise<string>;
  publish(name: string, message: string): Promise<void>;
}

const NO_LIMITS = {
  PEAL_LIMITS_PUBLISH: "0",
  PEAL_LIMITS_READ: "0",
  PEAL_LIMITS_STREAMS: "0",
  PEAL_RETENTION_DAYS: "0",
  PEAL_RETENTION_MESSAGES: "0",
};

interface Start {
  dataDir?: string;
  /** Settings beyond those that every benchmark uses. */
  env?: Record<string, string>;
  /** A unix socket to listen on too. */
  unix?: string;
}

/** Without the benchmarks' own variables: the server refuses settings that it does not know. */
const inherited = Object.fromEntries(
  Object.entries(process.env as Record<string, string>).filter(([name]) => !name.startsWith("PEAL_BENCH_")),
);

/** Starts peal pinned to the first core. */
export async function startPeal(
  program: Program,
  { dataDir = freshDirectory(), env = {}, unix }: Start = {},
): Promise<Peal> {
  const port = await freePort();

  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = Bun.spawn(onCore(0, [...program, "serve"]), {
    cwd: ROOT,
    env: {
      ...inherited,
      ...NO_LIMITS,
      PEAL_ADMIN_KEY: key,
      PEAL_DATA_DIR: dataDir,
      PEAL_LISTEN: `127.0.0.1:${port}${unix === undefined ? "" : `,unix:${unix}`}`,
      PEAL_LOG: "warn",
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await accepts(port))) if (child.exitCode !== null) throw new Error("peal ended at its start");
  const startedMs = performance.now() - startedAt;
  await eventually("/ready", async () => (await fetch(`${url}/ready`).catch(() => null))?.ok);
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { topic: string };
  };
  return {
    ...{ url, key, dataDir, startedMs, pid: child.pid },
    topic: async (name) => (await post("/v1/home/topics", { name })).topic,
    publish: async (name, message) => {
      await post(`/home/${name}`, { message });
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Starts the bare broadcaster; with `durable` it syncs each round of requests before it answers (group commit). */
export async function startRaw(tools: Tools, durable: boolean): Promise<AsyncDisposable & { url: string }> {
  const port = await freePort();
  const log = durable ? ["-g", "-d", `${freshDirectory()}/log`] : [];
  const child = Bun.spawn(onCore(0, [tools.rawsse, "-p", String(port), ...log]), {
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await accepts(port))) if (child.exitCode !== null) throw new Error("rawsse ended at its start");
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
