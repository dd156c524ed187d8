/** The life of a server, from its start to its end (OPERATIONS.md §4). */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { peal as run } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { begin } from "../support/raw.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

describe("a second server", () => {
  test("on the same data directory is refused with a sentence", async () => {
    await using peal = await startPeal();
    const { code, stdout, stderr } = await run(["serve"], { PEAL_DATA_DIR: peal.dataDir, PEAL_LISTEN: "127.0.0.1:0" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(peal.dataDir);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect((await peal.request("/health")).status).toBe(200);
  });
  test("on the same port is refused with a sentence", async () => {
    await using peal = await startPeal();
    const env = { PEAL_DATA_DIR: mkdtempSync(join(tmpdir(), "peal-port-")), PEAL_LISTEN: new URL(peal.url).host };
    const { code, stderr } = await run(["serve"], env);
    expect(code).toBe(1);
    expect(stderr).toContain(new URL(peal.url).port);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("a signal", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s ends streams and the server, exit 0", async (signal) => {
    await using peal = await startPeal();
    const topic = await peal.topic("streamed");
    const stream = await peal.request(`/home/${topic.key}/events`);
    expect(stream.status).toBe(200);
    const text = stream.text().catch(() => "cut off");
    expect(await peal.kill(signal)).toBe(0);
    expect(await text).toContain("retry:");
    expect(await Bun.file(join(peal.dataDir, "peal.db-wal")).exists()).toBe(false); // checkpointed and closed
  });
  test("leaves nothing that the next start trips over", async () => {
    await using peal = await startPeal();
    for (const signal of ["SIGTERM", "SIGKILL", "SIGTERM"] as const) {
      await peal.kill(signal);
      await peal.start();
      expect((await peal.local("/health")).status).toBe(200);
    }
  });
});

describe("a server that waits for a body that never ends", () => {
  const stuck = async (url: string, key: string) =>
    begin(url, "POST", "/home/hello", { authorization: `Bearer ${key}` }, "never sent");

  test("stops gracefully all the same, before it is killed: exit 0", async () => {
    await using peal = await startPeal();
    await stuck(peal.url, peal.adminKey);
    expect(await peal.kill("SIGTERM")).toBe(0); // 1 is what its own guard says after 9 s, null a SIGKILL
    expect(await Bun.file(join(peal.dataDir, "peal.db-wal")).exists()).toBe(false);
  });
  test.each(["SIGTERM", "SIGINT"] as const)("ends at once at a second signal, %s: exit 1", async (second) => {
    await using peal = await startPeal();
    await stuck(peal.url, peal.adminKey);
    process.kill(peal.pid, "SIGTERM");
    await eventually("closed doors", async () => (await peal.request("/health").catch(() => null)) === null);
    expect(await peal.kill(second)).toBe(1);
  });
});

describe("an error that nobody expected", () => {
  test.each([
    ["thrown", "setTimeout(() => { throw new Error('made up') })"],
    ["rejected", "void Promise.reject(new Error('made up'))"],
  ])("%s, it is logged and ends the server: exit 1", async (_, fault) => {
    const preload = join(mkdtempSync(join(tmpdir(), "peal-fault-")), "fault.js");
    writeFileSync(preload, `process.on("SIGUSR2", () => { ${fault} });`);
    await using peal = await startPeal({ env: { BUN_OPTIONS: `--preload ${preload}` } });
    await peal.topic("kept");
    expect(await peal.kill("SIGUSR2")).toBe(1);
    expect(peal.logs()).toMatch(/error +unexpected error, ending.*made up/);
    await peal.start();
    expect(await peal.api("GET", "/v1/home/topics").then(async (response) => response.text())).toContain('"kept"');
  });
});

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);
describe("it listens on", () => {
  test("[::] and there serves IPv4 too", async () => {
    await using peal = await startPeal({ env: { PEAL_LISTEN: "[::]:0" } });
    expect((await peal.request("/ready")).status).toBe(200); // 127.0.0.1
    if (hasIpv6) expect((await fetch(peal.url.replace("127.0.0.1", "[::1]"))).status).toBe(200);
  });
  test.skipIf(!hasIpv6)("[::1] and nowhere else", async () => {
    await using peal = await startPeal({ env: { PEAL_LISTEN: "[::1]:0" } });
    expect((await peal.request("/ready")).status).toBe(200); // [::1]
    expect(await fetch(peal.url.replace("[::1]", "127.0.0.1")).catch(() => "refused")).toBe("refused");
  });
});

test("the socket of the administrator and the database are for their owner alone", async () => {
  await using peal = await startPeal();
  const mode = (file: string) => (statSync(join(peal.dataDir, file)).mode & 0o777).toString(8);
  expect(mode("peal.sock")).toBe("600");
  expect(mode("peal.db")).toBe("600");
});

test("it listens on a unix socket too", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "peal-unix-")), "http.sock");
  await using peal = await startPeal({ env: { PEAL_LISTEN: `127.0.0.1:0,unix:${path}` } });
  expect(peal.output()).toContain(`unix:${path}`);
  // not the administrator's socket: a key is needed
  expect((await fetch("http://localhost/home/x", { method: "POST", body: "x", unix: path })).status).toBe(401);
});

testWith(process.getuid?.() === 0 ? undefined : "only root can give root up (PUID, PGID)")(
  "started as root with PUID and PGID it hands the data over and gives root up",
  async () => {
    await using peal = await startPeal({ env: { PUID: "12345", PGID: "23456" } });
    const status = readFileSync(`/proc/${peal.pid}/status`, "utf8");
    expect(status).toMatch(/^Uid:\t12345\t12345\t12345\t12345$/m);
    expect(status).toMatch(/^Gid:\t23456\t23456\t23456\t23456$/m);
    expect(status).toMatch(/^Groups:\t23456 *$/m);
    const topic = await peal.topic("mine");
    expect(await peal.publish(topic, { message: "written as 12345" })).not.toBeNull();
    const owners = ["", "peal.db", "peal.sock"].map((file) => statSync(join(peal.dataDir, file)));
    expect(owners.map(({ uid, gid }) => [uid, gid])).toEqual(owners.map(() => [12345, 23456]));
  },
);

test("a directory that cannot be written is told with its owner and the way out", async () => {
  // nobody may write into /proc, root neither
  for (const [directory, told] of [
    ["/proc/peal", "cannot be made"],
    ["/proc/sys", "belongs to 0:0"],
  ] as const) {
    const { code, stderr } = await run(["serve"], { PEAL_DATA_DIR: directory, PEAL_LISTEN: "127.0.0.1:0" });
    expect(code).toBe(1);
    expect(stderr).toContain(`${directory} ${told}`);
    expect(stderr).toContain(`chown -R ${process.getuid?.()}:${process.getgid?.()} ${directory}`);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});

test("health asks the running server", async () => {
  await using peal = await startPeal();
  const env = { PEAL_DATA_DIR: peal.dataDir };
  expect(await run(["health"], env)).toMatchObject({ code: 0, stdout: "ok\n" });
  expect(JSON.parse((await run(["health", "--json"], env)).stdout)).toMatchObject({ status: "ok" });
  await peal.kill("SIGTERM");
  expect((await run(["health"], env)).code).toBe(1);
});

test("health says what has to be mended, which is no failure of the server", async () => {
  await using peal = await startPeal({ env: { PEAL_FCM_CREDENTIALS: "{}" } });
  const told = await run(["health"], { PEAL_DATA_DIR: peal.dataDir });
  const mend = "PEAL_FCM_CREDENTIALS is no JSON object: it has to be the file of a Firebase service account.";
  expect(told).toMatchObject({ code: 0, stdout: `degraded\n${mend}\n` });
});

test("an admin key from the environment works at once, and again after the next start", async () => {
  await using peal = await startPeal({ env: { PEAL_ADMIN_NAMESPACE: "media" } });
  expect((await peal.api("POST", "/media/first", "hello")).status).toBe(201);
  await peal.kill("SIGTERM");
  await peal.start();
  expect((await peal.api("POST", "/media/first", "hello")).status).toBe(201);
  const { keys } = (await (await peal.api("GET", "/v1/keys")).json()) as { keys: unknown[] };
  expect(keys).toHaveLength(1);
});
