/** Pebble, the certificate authority for tests of Let's Encrypt, with a DNS server that tests write into. As child processes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { authority } from "./push/ca.ts";

export interface Pebble extends AsyncDisposable {
  /** Of the directory; its certificate is signed by `authority`. */
  readonly url: string;
  /** The port at which it looks for HTTP-01. */
  readonly httpPort: number;
  /** Where it is told when certificates are to be renewed: `POST /set-renewal-info/`. */
  readonly management: string;
  /** Where records are set: `POST /set-txt`. */
  readonly dns: string;
  stop(): Promise<void>;
  /** With no memory of what it issued. */
  start(): Promise<void>;
}

/** 90 days, as those of Let's Encrypt. */
const LIFE_S = 7_776_000;

/** `env`: `PEBBLE_WFE_NONCEREJECT=50` and others. */
export async function startPebble(
  env: Record<string, string> = {},
  program: "pebble" | "pebble-ari" = "pebble",
): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), "peal-pebble-"));
  const [port, management, httpPort, dnsPort, dnsManagement] = await freePorts(5);
  const { cert, key } = authority.issue();
  const [certFile, keyFile, config] = ["cert.pem", "key.pem", "config.json"].map((name) => join(folder, name));
  await writeFile(certFile ?? "", cert);
  await writeFile(keyFile ?? "", key);
  const pebble = {
    ...{ listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${management}` },
    ...{ certificate: certFile, privateKey: keyFile, httpPort, tlsPort: 1 },
    ...{
      retryAfter: { authz: 0, order: 0 },
      ...(program === "pebble" && isDebians()
        ? { certificateValidityPeriod: LIFE_S }
        : { profiles: { default: { description: "default", validityPeriod: LIFE_S } } }),
    },
  };
  await writeFile(config ?? "", JSON.stringify({ pebble }));
  const quiet = { stdio: ["ignore", "ignore", "ignore"] as ["ignore", "ignore", "ignore"] };
  const none = ["-http01", "", "-https01", "", "-tlsalpn01", "", ...(isDebians() ? [] : ["-doh", ""])];
  const dnsServer = Bun.spawn(
    [
      ...[
        "pebble-challtestsrv",
        isDebians() ? "-dns01" : "-dnsserver",
        `127.0.0.1:${dnsPort}`,
        "-management",
        `127.0.0.1:${dnsManagement}`,
        ...none,
      ],
      ...["-defaultIPv4", "127.0.0.1", "-defaultIPv6", ""],
    ],
    quiet,
  );
  let child: Bun.Subprocess | undefined;
  const url = `https://127.0.0.1:${port}/dir`;
  const start = async () => {
    child = Bun.spawn([program, "-config", config ?? "", "-dnsserver", `127.0.0.1:${dnsPort}`], {
      ...quiet,
      env: { ...process.env, PEBBLE_VA_ALWAYS_VALID: "0", PEBBLE_VA_NOSLEEP: "1", ...env },
    });
    await eventually(
      "Pebble",
      async () => (await fetch(url, { tls: { ca: authority.cert } }).catch(() => undefined))?.ok,
    );
  };
  const stop = async () => {
    child?.kill("SIGKILL");
    await child?.exited;
  };
  await start();
  const dns = `http://127.0.0.1:${dnsManagement}`;
  await eventually("its DNS", async () => fetch(dns).catch(() => undefined));
  return {
    ...{ url, httpPort: httpPort ?? 0, management: `https://127.0.0.1:${management}`, dns, start, stop },
    [Symbol.asyncDispose]: async () => {
      await stop();
      dnsServer.kill("SIGKILL");
      await dnsServer.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Debian 12 has 2.4.0, which names things otherwise and does not say when to renew (RFC 9773). */
const isDebians = (): boolean => !Bun.spawnSync(["pebble-challtestsrv", "-h"]).stderr.toString().includes("-dnsserver");

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      async () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => {
            resolve(server);
          });
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map(async (server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
