/** Watching: a hundred thousand checks at rest, ten thousand due at once, pings. The last two parts need the C client. */
import { Database } from "bun:sqlite";
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { CheckSettings } from "../../src/checks/check.ts";
import { dueAt } from "../../src/checks/decide/missed.ts";
import { decide, initial } from "../../src/checks/decide/decide.ts";
import { newToken } from "../../src/checks/token.ts";
import { openStore } from "../../src/store/sqlite/open.ts";
import { systemClock } from "../../src/util/clock.ts";
import { sha256 } from "../../src/util/ids.ts";
import type { Bench, Benchmark, Row } from "./bench.ts";
import { type Ack, load, readAcks } from "./load.ts";
import { freshDirectory, processorTime, type Tools } from "./machine.ts";
import { median, percentiles } from "./percentiles.ts";
import { startPeal } from "./servers.ts";
import { bystander } from "./stalls.ts";

const CHECKS = 100_000;
const DUE = 10_000;
/** A tenth of the checks is due at once, four in each topic, so that each gets a message of its own. */
const PER_TOPIC = 4;
const AT_ONCE = 1_000;
const CLIENTS = 64;
const DAY = 86_400_000;
/** Time for the code to be compiled and the load to settle before the checks are due. */
const LEAD_MS = 9_000;
const PATIENCE_MS = 60_000;

const settings: CheckSettings = {
  ...{ name: "nightly backup of the database", tags: ["backup"], schedule: { kind: "every", everyMs: DAY } },
  ...{ failAfter: 1, recoverAfter: 1, remindEveryMs: DAY, notifyLate: false, notifySuccess: false, postOnly: false },
  ...{ armed: false, graceMs: 0 },
};

export const watching: Benchmark = async (bench) => {
  const size = bench.isQuick ? { checks: CHECKS / 20, due: DUE / 20 } : { checks: CHECKS, due: DUE };
  const filled = await fill(size.checks, size.due);
  const rows = [await atRest(bench, filled), ...(await dueAtOnce(bench, filled))];
  const { tools } = bench;
  if (tools === undefined) return rows;
  return [...rows, ...(await besidePublishes(bench, tools, filled)), ...(await pings(bench, tools, filled))];
};

interface Filled {
  dataDir: string;
  checks: number;
  /** How many checks are due at once; `PER_TOPIC` of them share a topic. */
  due: number;
  /** The tokens of the checks' ping URLs. */
  tokens: readonly string[];
}

/** Makes a data directory with checks that are up and due in a day. */
async function fill(checks: number, due: number): Promise<Filled> {
  const dataDir = freshDirectory();
  const store = await openStore({
    dataDir,
    clock: systemClock,
    log: { info: () => undefined, error: () => undefined },
  });
  const home = await store.namespaces.create("home");
  if (home === "name_taken") throw new Error("the directory is not fresh");
  const now = Date.now();
  const tokens = Array.from({ length: checks }, newToken);
  const make = async (token: string, n: number) => {
    const at = now - n;
    const { after: standing } = decide(initial(settings, at), { kind: "ok" }, at);
    return store.checks.create({
      namespaceId: home.id,
      topic: { name: n < due ? `t${Math.floor(n / PER_TOPIC)}` : "rest" },
      ...{ id: newToken(), tokenHash: sha256(token), badgeToken: newToken(), standing, dueAt: dueAt(standing) ?? at },
    });
  };
  for (let n = 0; n < checks; n += AT_ONCE)
    await Promise.all(tokens.slice(n, n + AT_ONCE).map(async (token, index) => make(token, n + index)));
  await store.close();
  return { dataDir, checks, due, tokens };
}

function copyOf({ dataDir }: Filled): string {
  const copy = freshDirectory();
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

/** Copies the directory and makes the first checks due at this instant; with `inOne`, all in one topic. */
function withDue(filled: Filled, at: number, inOne = false): string {
  const copy = copyOf(filled);
  using db = new Database(join(copy, "peal.db"));
  db.run(
    `UPDATE "check" SET due_at = ?1, standing = json_set(standing, '$.slotAt', ?1, '$.deadlineAt', ?1)
     ${inOne ? ", topic_id = (SELECT min(row) FROM topic)" : ""} WHERE row <= ?2`,
    [at, filled.due],
  );
  return copy;
}

async function atRest({ program, isQuick }: Bench, filled: Filled): Promise<Row> {
  const share = async (dataDir: string) => {
    await using peal = await startPeal(program, { dataDir });
    await Bun.sleep(isQuick ? 1_000 : 5_000);
    const [before, startedAt] = [await processorTime(peal.pid), performance.now()];
    await Bun.sleep(isQuick ? 3_000 : 30_000);
    return (100 * ((await processorTime(peal.pid)) - before)) / (performance.now() - startedAt);
  };
  return {
    what: `processor at rest, ${filled.checks} checks, share of a core`,
    ...{ unit: "%", peal: await share(copyOf(filled)), target: "< 1 %" },
    beside: [{ what: "none", value: await share(freshDirectory()) }],
  };
}

/** Resolves to the time at which `count` checks were down, as another process sees it. */
async function allDown(dataDir: string, count: number, from: number): Promise<number> {
  using db = new Database(join(dataDir, "peal.db"), { readonly: true });
  const down = db.query<{ count: number }, []>(`SELECT count(*) AS count FROM "check" WHERE state = 'down'`);
  await Bun.sleep(from - Date.now());
  while ((down.get()?.count ?? 0) < count) {
    if (Date.now() > from + PATIENCE_MS) throw new Error("not all alerts came");
    await Bun.sleep(5);
  }
  return Date.now();
}

async function dueAtOnce({ program, rounds }: Bench, filled: Filled): Promise<Row[]> {
  /** How long it takes, and with `isWatched` the longest delay that a bystander sees. */
  const once = async (inOne: boolean, isWatched: boolean) => {
    const at = Date.now() + 3_000;
    const dataDir = withDue(filled, at, inOne);
    await using peal = await startPeal(program, { dataDir });
    await Bun.sleep(at - 500 - Date.now());
    const done = allDown(dataDir, filled.due, at);
    const stall = isWatched ? (await bystander(`${peal.url}/ready`, done)).max : NaN;
    return { took: (await done) - at, stall };
  };
  const rows: Row[] = [];
  for (const inOne of [false, true]) {
    const took: number[] = [];
    const stalls: number[] = [];
    for (let round = 0; round < rounds; round++) {
      took.push((await once(inOne, false)).took);
      stalls.push((await once(inOne, true)).stall);
    }
    const where = inOne ? "one topic, digests" : `topics of ${PER_TOPIC}`;
    const what = `${filled.due} of ${filled.checks} checks due at once, ${where}`;
    rows.push(
      { what: `${what}: all alerts stored`, unit: "ms", peal: median(took), target: "≤ 1000 ms" },
      { what: `${what}: longest stall`, unit: "ms", peal: median(stalls), target: "≤ 50 ms" },
    );
  }
  return rows;
}

async function besidePublishes({ program, rounds }: Bench, tools: Tools, filled: Filled): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { writers, rate } of [{ writers: CLIENTS }, { writers: 16, rate: 500 }]) {
    const during: Ack[] = [];
    const quiet: Ack[] = [];
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const at = Date.now() + LEAD_MS;
      const dataDir = withDue(filled, at);
      await using peal = await startPeal(program, { dataDir });
      await peal.topic("bench");
      const headers = { authorization: `Bearer ${peal.key}`, "content-type": "application/json" };
      const ackLog = join(freshDirectory(), "acks");
      const wanted = {
        publish: `${peal.url}/home/bench`,
        headers,
        writers,
        ackLog,
        ...(rate !== undefined && { rate }),
      };
      const publishing = load(tools, { ...wanted, seconds: (at - Date.now()) / 1000 + 3 });
      const done = await allDown(dataDir, filled.due, at);
      took.push(done - at);
      await publishing;
      const acks = await readAcks(ackLog);
      during.push(...acks.filter((ack) => ack.at >= at && ack.at - ack.ms <= done));
      quiet.push(...acks.filter((ack) => ack.at >= at - 3_000 && ack.at < at - 500));
    }
    const what = `${filled.due} due at once beside ${writers} writers${rate === undefined ? "" : ` at ${rate}/s`}`;
    const p99 = (acks: readonly Ack[]) => percentiles(acks.map(({ ms }) => ms)).p99;
    rows.push(
      { what: `${what}: all alerts stored`, unit: "ms", peal: median(took) },
      {
        ...{ what: `${what}: answer p99`, unit: "ms", peal: p99(during), target: "ratio ≤ 5" },
        beside: [{ what: "quiet", value: p99(quiet) }],
      },
    );
  }
  return rows;
}

async function pings({ program, seconds }: Bench, tools: Tools, filled: Filled): Promise<Row[]> {
  const names = { file: join(freshDirectory(), "tokens"), count: filled.checks };
  await Bun.write(names.file, filled.tokens.join("\n"));
  await using peal = await startPeal(program, { dataDir: copyOf(filled) });
  const rows: Row[] = [];
  for (const body of ["", "x".repeat(200)]) {
    // each ping goes to another check: a second success within 2 s would count as a repetition of the first
    const wanted = { publish: `${peal.url}/v1/ping/{T}`, names, writers: CLIENTS, body };
    await load(tools, { ...wanted, seconds: Math.min(seconds, 3) });
    const { acks_per_s, ack_ms } = await load(tools, { ...wanted, seconds });
    const output = body === "" ? "" : `, ${body.length} bytes of output`;
    rows.push({
      what: `pings, ${CLIENTS} clients, ${filled.checks} checks${output} (p99 ${ack_ms.p99.toFixed(1)} ms)`,
      ...{ unit: "1/s", peal: acks_per_s, ...(body === "" && { target: "≥ 10000" }) },
    });
  }
  return rows;
}
