/** Upgrades by the real binary, from every earlier schema: what was there is served as before, whatever interrupts it. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { answer, type TestMessage } from "../support/client.ts";
import { peal as run } from "../support/command.ts";
import { apnsToken, register } from "../support/devices.ts";
import { withDice } from "../support/dice.ts";
import { smallDisk } from "../support/disk.ts";
import { IS_THOROUGH, ROUNDS } from "../support/rounds.ts";
import { cleanEnv, COMMAND, type Peal, startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { HELD, HOOK, KNOWN_RUN, MANY, PING, PING_KEY, writeOld } from "./oldrows.ts";

const NEWEST = migrations.length;
const EARLIER = Array.from({ length: NEWEST - 1 }, (_, n) => n + 1);
/** In a short run: the first, the last without checks' named pings, the one whose upgrade computes most, and the last. */
const TRIED = IS_THOROUGH ? EARLIER : [1, 2, 16, NEWEST - 1];
const COPY = `pre-${version}.db`;
/** As many as a topic keeps, so that the upgrade from schema 16 takes a while. */
const MANY_MORE = 9_000;

/** Each takes as long as four of the other crash tests. */
const KILLED_HOMES = Math.max(3, Math.ceil(ROUNDS / 4));

const NAS = { namespace: "home", key: HELD.topic, name: "nas", url: "" };
const startOn = async (dataDir: string): Promise<Peal> => startPeal({ dataDir, env: { PEAL_ADMIN_KEY: HELD.admin } });

function folder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "peal-upgrade-"));
  return {
    path,
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true });
    },
  };
}

/** What the holders of links and keys read of a home of `schema`, without what reading itself changes. */
async function readAll(peal: Peal, schema: number) {
  const get = async <T>(path: string): Promise<T> => answer<T>(200, await peal.api("GET", path));
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await peal.request(path, { headers })).status;
  const one = `/v1/home/${HELD.topic}/messages/2`;
  const checks = `/v1/home/checks/${HELD.down.id}`;
  const read = {
    topics: await get("/v1/home/topics"),
    history: await peal.history(NAS),
    urgent: await get<TestMessage>(one),
    waiting: await get("/v1/home/scheduled"),
    link: (await (await peal.request(`/home/nas/${HELD.topic}`)).text()).includes(`line ${MANY}`),
    publisher: await statusOf("/v1/home/topics", { authorization: `Bearer ${HELD.publisher}` }),
    expired: await statusOf("/v1/home/topics", { authorization: `Bearer ${HELD.expired}` }),
    ...(schema >= 2 && {
      checks: await get("/v1/home/checks"),
      events: await get(`${checks}/events`),
      incidents: await get(`${checks}/incidents`),
      output: await (await peal.api("GET", `/v1/home/checks/${HELD.up.id}/events/2/body`)).text(),
      badge: await statusOf(`/v1/home/badges/${HELD.down.badge}.svg`),
    }),
    ...(schema >= 4 && { device: await get(`/v1/devices/${HELD.device}`), deliveries: await get(`${one}/deliveries`) }),
    ...(schema >= 7 && { overview: await statusOf("/-/", { cookie: `peal=${HELD.session}` }) }),
    ...(schema >= 15 && {
      hooks: await get("/v1/home/hooks"),
      requests: await get(`/v1/home/hooks/${HELD.hook}/requests`),
    }),
    ...(schema >= 16 && { file: await (await peal.request(`/home/${HELD.topic}/${HELD.file.path}`)).text() }),
  };
  return JSON.parse(JSON.stringify(read).replaceAll(peal.url, "")) as typeof read;
}

/** What the rows of a home of `schema` say (oldrows.ts). */
const told = (schema: number): object => ({
  topics: {
    topics: [
      { name: "lab", topic: HELD.muted, ...(schema >= 6 && { muted_until: expect.any(String) as string }) },
      { name: "nas", topic: HELD.topic, description: "What the NAS says", last_id: MANY, retention_days: 30 },
    ],
  },
  urgent: { id: 2, message: "sdc fails", priority: "urgent", status: "firing" },
  waiting: { scheduled: [{ message: "bins", topic_name: "nas", scheduled: { id: "w123456789abcdef" } }] },
  ...{ link: true, publisher: 403, expired: 401 },
  ...(schema >= 2 && {
    checks: {
      checks: [
        {
          name: "backup",
          state: "up",
          ping_url: `/v1/ping/${PING.up}`,
          every: 86_400,
          last_ok_at: expect.any(String) as string,
        },
        {
          name: "snapshot",
          state: "down",
          ping_url: `/v1/ping/${PING.down}`,
          incident: { n: 1, reason: "failed" },
        },
      ],
    },
    events: { events: [{ kind: "down" }, { kind: "fail", exit: 3 }] },
    incidents: { incidents: [{ n: 1, reason: "failed", exit: 3 }] },
    ...{ output: "done", badge: 200 },
  }),
  ...(schema >= 4 && {
    device: {
      id: HELD.device,
      platform: "ios",
      name: "Jonas’ iPhone",
      status: "active",
      topics: [{ topic: HELD.topic }],
    },
    deliveries: {
      acknowledged_at: expect.any(String) as string,
      counts: { accepted: 1 },
      deliveries: [{ state: "accepted" }],
    },
  }),
  ...(schema >= 7 && { overview: 200 }),
  ...(schema >= 15 && {
    hooks: { hooks: [{ id: HELD.hook, url: `/v1/hook/${HOOK}`, requests: 1 }] },
    requests: { requests: [{ n: 1, message_id: 4, body: "line 4" }] },
  }),
  ...(schema >= 16 && { file: HELD.file.content }),
});

/** Expects the whole history of the topic: the first messages, and the many after them in order. */
function expectHistory(history: readonly TestMessage[]): void {
  expect(history.map(({ id }) => id)).toEqual(Array.from({ length: MANY }, (_, n) => n + 1));
  expect(history.slice(0, 3)).toMatchObject([
    { message: "Größe: 3 TB 🗄", title: "Backup finished", tags: ["backup"] },
    { message: "sdc fails", dedup_key: "sdc" },
    { message: "reported a failure", source: "check" },
  ]);
  expect(history.slice(3).map(({ message }) => message)).toEqual(
    Array.from({ length: MANY - 3 }, (_, n) => `line ${n + 4}`),
  );
}

/** Expects that old keys, URLs and links still do what they did: publish, ping, take a hook, register a phone. */
async function expectUse(peal: Peal, schema: number): Promise<void> {
  const published = await peal.request("/home/nas", {
    ...{ method: "POST", body: "after the upgrade", headers: { authorization: `Bearer ${HELD.publisher}` } },
  });
  expect(await answer<TestMessage>(201, published)).toMatchObject({ id: MANY + 1 });
  const phone = await register(peal, { platform: "ios", token: apnsToken() }, [NAS]);
  expect(phone).toMatchObject({ status: "active", topics: [{ name: "nas" }] });
  if (schema >= 15)
    expect((await peal.request(`/v1/hook/${HOOK}`, { method: "POST", body: "by hook" })).status).toBe(201);
  if (schema < 2) return;
  const pings = async () =>
    (await answer<{ pings: number }>(200, await peal.api("GET", `/v1/home/checks/${HELD.up.id}`))).pings;
  const before = await pings();
  for (const path of [`${PING.up}?rid=${KNOWN_RUN}`, PING.up, `${PING_KEY}/snapshot`])
    expect((await peal.request(`/v1/ping/${path}`)).status).toBe(200);
  expect(await pings()).toBe(before + 1); // the run that had ended is known
  const { state } = await answer<{ state: string }>(200, await peal.api("GET", `/v1/home/checks/${HELD.down.id}`));
  expect(state).toBe("up");
}

function schemaOf(path: string): { schema: number; isWhole: boolean } {
  using db = new Database(path, { readonly: true });
  const schema = Number(db.query("PRAGMA user_version").values()[0]?.[0]);
  return { schema, isWhole: db.query("PRAGMA integrity_check").values()[0]?.[0] === "ok" };
}
const copiesIn = (dataDir: string): string[] =>
  existsSync(`${dataDir}/backups`) ? readdirSync(`${dataDir}/backups`).filter((name) => name.endsWith(".db")) : [];

test.each(TRIED)(
  "from schema %i everything is served as before and works on, and so it is after the copy is restored",
  async (schema) => {
    using home = folder();
    const dataDir = home.path;
    writeOld(dataDir, schema);
    let first: unknown;
    {
      await using peal = await startOn(dataDir);
      const read = await readAll(peal, schema);
      expect(read).toMatchObject(told(schema));
      expectHistory(read.history);
      first = read;
      await expectUse(peal, schema);
      await peal.kill("SIGTERM");
      expect(peal.logs()).not.toMatch(/level=(?:error|fatal)/);
    }
    expect(schemaOf(`${dataDir}/peal.db`)).toEqual({ schema: NEWEST, isWhole: true });
    expect(schemaOf(`${dataDir}/backups/${COPY}`)).toEqual({ schema, isWhole: true });
    expect(await run(["integrity", "--data-dir", dataDir])).toMatchObject({ code: 0, stderr: "" });

    expect(await run(["restore", `backups/${COPY}`, "--data-dir", dataDir])).toMatchObject({ code: 0 });
    expect(schemaOf(`${dataDir}/peal.db`).schema).toBe(schema);
    await using peal = await startOn(dataDir);
    expect(await readAll(peal, schema)).toEqual(first as Awaited<ReturnType<typeof readAll>>);
    await expectUse(peal, schema);
  },
  30_000,
);

test(
  `killed at any moment of the upgrade, it starts again with nothing missing, ${KILLED_HOMES} times`,
  async () =>
    withDice(async (dice) => {
      const schema = 16;
      using home = folder();
      writeOld(home.path, schema, MANY_MORE);
      const tookMs = await upgradeMs(home.path, schema);
      for (let round = 0; round < KILLED_HOMES; round++) {
        using again = folder();
        const dataDir = again.path;
        writeOld(dataDir, schema, MANY_MORE);
        for (let kills = 0; kills < 3; kills++) await killed(dataDir, dice() * tookMs);
        const left = schemaOf(`${dataDir}/peal.db`);
        expect([schema, NEWEST]).toContain(left.schema);
        expect(left.isWhole).toBe(true);
        await using peal = await startOn(dataDir);
        const read = await readAll(peal, schema);
        expect(read).toMatchObject(told(schema));
        expectHistory(read.history);
        const lab = await peal.history({ namespace: "home", key: HELD.muted });
        expect(lab.map(({ id, message }) => [id, message])).toEqual(
          Array.from({ length: MANY_MORE }, (_, n) => [n + 1, `lab ${n + 1}`]),
        );
        await expectUse(peal, schema);
        // a machine that is killed over and over does not fill its disk with copies
        expect(copiesIn(dataDir)).toEqual([COPY]);
        expect(schemaOf(`${dataDir}/backups/${COPY}`)).toEqual({ schema, isWhole: true });
      }
    }),
  30_000 + KILLED_HOMES * 10_000,
);

// prettier-ignore
const full: [string, (databaseBytes: number) => number, string][] = [
  ["for the copy",    () => 100_000,           "could not be made; the database is as it was: the disk is full"],
  ["for the upgrade", (bytes) => bytes + 60_000, "the database is as it was: the disk of"],
];
testWith("mount").each(full)(
  "a disk without room %s leaves the old database, and with room it starts",
  async (_, left, words) => {
    const schema = 1; // from there the most tables are made
    using disk = smallDisk(12_000_000);
    const dataDir = join(disk.path, "data");
    mkdirSync(dataDir);
    writeOld(dataDir, schema, MANY_MORE);
    disk.fill(left(statSync(`${dataDir}/peal.db`).size));
    const { code, stderr } = await run(["serve", "--data-dir", dataDir, "--listen", "127.0.0.1:0"], {
      PEAL_ADMIN_KEY: HELD.admin,
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(words) as string });
    expect(schemaOf(`${dataDir}/peal.db`)).toEqual({ schema, isWhole: true });
    expect(copiesIn(dataDir)).toEqual([]);
    disk.free();
    await using peal = await startOn(dataDir);
    expect(await readAll(peal, schema)).toMatchObject(told(schema));
  },
);

/** Starts the server and kills it `ms` after it began to copy; resolves once it is gone. */
async function killed(dataDir: string, ms: number): Promise<void> {
  const child = serve(dataDir);
  const hadCopies = existsSync(`${dataDir}/backups`);
  while (!hadCopies && child.exitCode === null && !existsSync(`${dataDir}/backups`)) await Bun.sleep(0);
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
}

/** From the start of an upgrade that nobody disturbs until its schema is the newest. */
async function upgradeMs(dataDir: string, schema: number): Promise<number> {
  const startedAt = performance.now();
  const child = serve(dataDir);
  while (child.exitCode === null && schemaOf(`${dataDir}/peal.db`).schema === schema) await Bun.sleep(1);
  child.kill("SIGKILL");
  await child.exited;
  return performance.now() - startedAt;
}

const serve = (dataDir: string) =>
  Bun.spawn([...COMMAND, "serve"], {
    cwd: dataDir,
    env: cleanEnv({
      PEAL_DATA_DIR: dataDir,
      PEAL_LISTEN: "127.0.0.1:0",
      PEAL_ADMIN_KEY: HELD.admin,
      PEAL_BACKUP: "off",
    }),
    stdio: ["ignore", "ignore", "ignore"],
  });
