/** Pushing: ten thousand devices on one topic, a push service that answers at once, and a bare `fetch` loop to compare with. */
import { Database } from "bun:sqlite";
import { createECDH } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NewDevice } from "../../src/store/devices.ts";
import { openStore } from "../../src/store/sqlite/open.ts";
import { systemClock } from "../../src/util/clock.ts";
import { randomBytes } from "../../src/util/ids.ts";
import { authority } from "../support/push/ca.ts";
import { fakeApns } from "../support/push/apns.ts";
import type { Bench, Benchmark, Row } from "./bench.ts";
import { type Ack, load, readAcks } from "./load.ts";
import { freshDirectory, memory, onCore, type Tools } from "./machine.ts";
import { median, percentiles } from "./percentiles.ts";
import { type Peal, startPeal } from "./servers.ts";
import { bystander } from "./stalls.ts";

const DEVICES = 10_000;
/** Devices that are registered in one commit. */
const AT_ONCE = 1_000;
const PATIENCE_MS = 120_000;
/** How the engine sends pushes, and about how large they are. */
const KINDS = {
  ios: { sink: "apns", protocol: "http2", atOnce: 50, bytes: 350 },
  web: { sink: "web", protocol: "http1.1", atOnce: 8, bytes: 650 },
} as const;
type Kind = keyof typeof KINDS;

export const pushing: Benchmark = async (bench) => {
  const count = bench.isQuick ? DEVICES / 20 : DEVICES;
  const rows = await answers(bench, count);
  for (const kind of ["ios", "web"] as const) rows.push(...(await fanOut(bench, kind, count)));
  return rows;
};

interface Sink extends AsyncDisposable {
  url: string;
  env: Record<string, string>;
}

/** Starts a push service that answers after `ms` milliseconds. */
async function startSink(kind: Kind, ms: number): Promise<Sink> {
  const { cert, key } = authority.issue();
  const directory = freshDirectory();
  const files = [join(directory, "cert.pem"), join(directory, "key.pem")] as const;
  writeFileSync(files[0], cert);
  writeFileSync(files[1], key, { mode: 0o600 });
  const command = [process.execPath, join(import.meta.dir, "sink.ts"), KINDS[kind].sink, ...files, String(ms)];
  // a low priority: another machine would do this work, so it must not keep the measuring client from its core
  const child = Bun.spawn(["nice", "-n", "19", ...onCore(1, command)], { stdio: ["ignore", "pipe", "inherit"] });
  const { value } = await child.stdout.getReader().read();
  const url = `https://localhost:${new TextDecoder().decode(value).trim()}`;
  await using apns = await fakeApns(); // only for its key: nothing is sent there
  return {
    url,
    env: {
      NODE_EXTRA_CA_CERTS: authority.file,
      ...(kind === "ios" ? { ...apns.env, PEAL_APNS_URL: url } : { PEAL_PUSH_HOSTS: new URL(url).host }),
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

type Registration = Pick<NewDevice, "platform" | "token" | "keys">;

function deviceOf(kind: Kind | "android", url: string): () => Registration {
  const hex = () => Buffer.from(randomBytes(32)).toString("hex");
  if (kind !== "web") return () => ({ platform: kind, token: hex() });
  const ecdh = createECDH("prime256v1");
  const keys = { p256dh: ecdh.generateKeys("base64url"), auth: Buffer.from(randomBytes(16)).toString("base64url") };
  return () => ({ platform: "web", token: `${url}/${hex()}`, keys });
}

/** Makes a data directory with this many devices on topic `pushed` of `home`, and none on topic `quiet`. */
async function filled(count: number, next: () => Registration): Promise<string> {
  const dataDir = freshDirectory();
  const store = await openStore({
    dataDir,
    clock: systemClock,
    log: { info: () => undefined, error: () => undefined },
  });
  const home = await store.namespaces.create("home");
  if (home === "name_taken") throw new Error("the directory is not fresh");
  const topic = await store.topics.create(home.id, { name: "pushed" });
  await store.topics.create(home.id, { name: "quiet" });
  if (typeof topic === "string") throw new Error(topic);
  const topics = [{ namespace: "home", key: topic.key }];
  for (let n = 0; n < count; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - n) }, async () =>
        store.devices.register({ ...next(), base: "http://localhost", topics }),
      ),
    );
  await store.close();
  return dataDir;
}

const publish = async (peal: Peal, topic: string): Promise<number> => {
  const startedAt = performance.now();
  await peal.publish(topic, "the backup of the database has ended");
  return performance.now() - startedAt;
};

/** What has not been sent yet, as another process sees it. */
function outbox(dataDir: string): Disposable & { left(): number; unmade(): number; accepted(): number } {
  const db = new Database(join(dataDir, "peal.db"), { readonly: true });
  const ask = (sql: string) => {
    const statement = db.query<{ n: number }, []>(sql);
    return () => statement.get()?.n ?? 0;
  };
  return {
    left: ask("SELECT (SELECT count(*) FROM fanout) + count(*) AS n FROM delivery WHERE state = 'pending'"),
    unmade: ask("SELECT count(*) AS n FROM fanout"),
    accepted: ask("SELECT count(*) AS n FROM delivery WHERE state = 'accepted'"),
    [Symbol.dispose]: () => {
      db.close();
    },
  };
}

async function until(isDone: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!isDone()) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error("not all pushes were sent");
    await Bun.sleep(5);
  }
}

/** Devices without credentials, so that nothing but the publish and its fan-out is measured. */
async function answers({ program, isQuick }: Bench, count: number): Promise<Row[]> {
  const dataDir = await filled(count, deviceOf("android", ""));
  await using peal = await startPeal(program, { dataDir });
  using sent = outbox(dataDir);
  const took = { pushed: [] as number[], quiet: [] as number[] };
  const warmUp = 200;
  for (let n = 0; n < warmUp; n++) await publish(peal, "quiet");
  for (let n = 0; n < (isQuick ? 10 : 100); n++) {
    took.quiet.push(await publish(peal, "quiet"));
    took.pushed.push(await publish(peal, "pushed"));
    await until(() => sent.unmade() === 0);
  }
  return (["p50", "p99"] as const).map((p) => ({
    what: `a publish to ${count} devices, answer ${p}`,
    ...{ unit: "ms", peal: percentiles(took.pushed)[p], ...(p === "p99" && { target: "ratio ≤ 1.5" }) },
    beside: [{ what: "to none", value: percentiles(took.quiet)[p] }],
  }));
}

/** Real push services answer in 20 to 100 ms; one that answers at once shows what a push costs here. */
const FAR_MS = 20;

async function fanOut(bench: Bench, kind: Kind, count: number): Promise<Row[]> {
  await using far = await startSink(kind, FAR_MS);
  await using near = await startSink(kind, 0);
  const name = kind === "ios" ? "APNs" : "Web Push";
  const { tools } = bench;
  const rows: Row[] = [];
  for (const [sink, answered] of [
    [far, `after ${FAR_MS} ms`],
    [near, "at once"],
  ] as const) {
    const { rates, bare, grown, stalls } = await measure(bench, sink, kind, sink === far ? count / 5 : count);
    rows.push({
      ...{ what: `${name}: pushes, answered ${answered}`, unit: "1/s", peal: median(rates) },
      ...(sink === far && { target: "ratio ≥ 0.6" }),
      beside: [{ what: "bare fetch loop", value: median(bare) }],
    });
    if (tools !== undefined)
      rows.push(await besidePublishes(bench, tools, { sink, kind, name, answered, isFar: sink === far, count }));
    if (sink === far) continue;
    rows.push(
      {
        what: `${name}: resident memory grows by, ${count} devices`,
        unit: "MB",
        peal: median(grown),
        target: "≤ 30 MB",
      },
      { what: `${name}: longest stall meanwhile`, unit: "ms", peal: median(stalls), target: "≤ 50 ms" },
    );
  }
  return rows;
}

async function measure({ program, rounds }: Bench, sink: Sink, kind: Kind, count: number) {
  const { protocol, atOnce, bytes } = KINDS[kind];
  const figures = { rates: [] as number[], bare: [] as number[], grown: [] as number[], stalls: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const dataDir = await filled(count, deviceOf(kind, sink.url));
    await using peal = await startPeal(program, { dataDir, env: sink.env });
    using sent = outbox(dataDir);
    const { resident: before } = await memory(peal.pid);
    let most = before;
    const watching = setInterval(() => {
      void memory(peal.pid).then(({ resident }) => (most = Math.max(most, resident)));
    }, 50);
    await publish(peal, "pushed"); // compiles the code too
    figures.stalls.push(
      (
        await bystander(
          `${peal.url}/ready`,
          until(() => sent.left() === 0),
        )
      ).max,
    );
    clearInterval(watching);
    figures.grown.push((most - before) / 1e6);
    const startedAt = performance.now();
    await publish(peal, "pushed");
    await until(() => sent.left() === 0);
    figures.rates.push((1000 * count) / (performance.now() - startedAt));
    if (sent.accepted() !== 2 * count) throw new Error("not all pushes were accepted");
    figures.bare.push(await fetchLoop([protocol, sink.url, String(count), String(atOnce), String(bytes)], sink.env));
  }
  return figures;
}

async function fetchLoop(args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = Bun.spawn(onCore(0, [process.execPath, join(import.meta.dir, "fetchloop.ts"), ...args]), {
    env: { ...(process.env as Record<string, string>), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Number(await new Response(child.stdout).text());
}

interface Beside {
  sink: Sink;
  kind: Kind;
  name: string;
  answered: string;
  isFar: boolean;
  count: number;
}

/** What publishers to another topic notice of a fan-out to `count` devices, or to fewer browsers where each push takes longer. */
async function besidePublishes(
  { program, rounds }: Bench,
  tools: Tools,
  { sink, kind, name, answered, isFar, count }: Beside,
): Promise<Row> {
  const quiet: Ack[] = [];
  const during: Ack[] = [];
  for (let round = 0; round < rounds; round++) {
    const devices = isFar && kind === "web" ? count / 5 : count;
    const dataDir = await filled(devices, deviceOf(kind, sink.url));
    await using peal = await startPeal(program, { dataDir, env: sink.env });
    using sent = outbox(dataDir);
    const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
    const ackLog = join(freshDirectory(), "acks");
    const wanted = {
      publish: `${peal.url}/home/quiet`,
      headers,
      writers: 16,
      rate: 500,
      ackLog,
      seconds: isFar ? 25 : 12,
    };
    const publishing = load(tools, wanted);
    await Bun.sleep(5_000); // warm
    const at = Date.now();
    await publish(peal, "pushed");
    await until(() => sent.left() === 0);
    const done = Date.now();
    await publishing;
    const acks = await readAcks(ackLog);
    during.push(...acks.filter((ack) => ack.at >= at && ack.at - ack.ms <= done));
    quiet.push(...acks.filter((ack) => ack.at >= at - 2_500 && ack.at < at - 200));
  }
  const p99 = (acks: readonly Ack[]) => percentiles(acks.map(({ ms }) => ms)).p99;
  return {
    what: `${name}, answered ${answered}: p99 of 16 other writers at 500/s`,
    ...{ unit: "ms", peal: p99(during), ...(isFar && { target: "ratio ≤ 3" }) },
    beside: [{ what: "quiet", value: p99(quiet) }],
  };
}
