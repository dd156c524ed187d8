/** The life of a server, from its start to its end (OPERATIONS.md §4). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peal as run } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { begin } from "../support/raw.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { isMissing } from "../tools.ts";

/** The server for tests that leave it running. */
let peal: Peal;
const folder = mkdtempSync(join(tmpdir(), "peal-serve-"));
beforeAll(async () => {
  const preload = join(folder, "fault.js");
  writeFileSync(
    preload,
    `process.on("SIGUSR2", () => { setTimeout(() => { throw new Error("made up") }) });
    process.on("SIGWINCH", () => { void Promise.reject(new Error("made up")) });`,
  );
  peal = await startPeal({ env: { BUN_OPTIONS: `--preload ${preload}` } });
});
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Whether the database was checkpointed and closed. */
const isClosed = async () => !(await Bun.file(join(peal.dataDir, "peal.db-wal")).exists());

describe("a second server", () => {
  test("on the same data directory is refused with a sentence", async () => {
    const { code, stdout, stderr } = await run(["serve"], { PEAL_DATA_DIR: peal.dataDir, PEAL_LISTEN: "127.0.0.1:0" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(peal.dataDir);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect((await peal.request("/health")).status).toBe(200);
  });
  test("on the same port is refused with a sentence", async () => {
    const env = { PEAL_DATA_DIR: join(folder, "second"), PEAL_LISTEN: new URL(peal.url).host };
    const { code, stderr } = await run(["serve"], env);
    expect(code).toBe(1);
    expect(stderr).toContain(new URL(peal.url).port);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

/** Begins a request whose body never ends. */
const stuck = async () =>
  begin(peal.url, "POST", "/home/hello", { authorization: `Bearer ${peal.adminKey}` }, "never sent");

describe("a signal", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("%s ends streams and then the server, exit 0", async (signal) => {
    const topic = await peal.topic(`streamed-${signal}`);
    const stream = await peal.request(`/home/${topic.key}/events`);
    expect(stream.status).toBe(200);
    const text = stream.text().catch(() => "cut off");
    // a body that never ends does not delay it until it is killed: its own guard would exit with 1 after 9 s, a SIGKILL
    // with null
    if (signal === "SIGTERM") await stuck();
    expect(await peal.kill(signal)).toBe(0);
    expect(await text).toContain("retry:");
    expect(await isClosed()).toBe(true);
    expect((await run(["health"], { PEAL_DATA_DIR: peal.dataDir })).code).toBe(1);
    await peal.start();
    expect((await peal.local("/health")).status).toBe(200); // it left nothing that could stop the next start
  });
  test("SIGKILL leaves nothing that stops the next start", async () => {
    await peal.kill("SIGKILL");
    await peal.start();
    expect((await peal.local("/health")).status).toBe(200);
  });
  test.each(["SIGTERM", "SIGINT"] as const)("a second %s while it waits ends it at once: exit 1", async (second) => {
    await stuck();
    process.kill(peal.pid, "SIGTERM");
    await eventually("closed doors", async () => (await peal.request("/health").catch(() => null)) === null);
    expect(await peal.kill(second)).toBe(1);
    await peal.start();
  });
});

test.each([
  ["thrown", "SIGUSR2"],
  ["rejected", "SIGWINCH"],
] as const)("an unexpected error, %s, is logged and ends the server: exit 1", async (how, fault) => {
  await peal.topic(`kept-${how}`);
  const before = peal.logs().length;
  expect(await peal.kill(fault)).toBe(1);
  expect(peal.logs().slice(before)).toMatch(/error +unexpected error, ending.*made up/);
  await peal.start();
  const topics = await (await peal.api("GET", "/v1/home/topics")).text();
  expect(topics).toContain(`"kept-${how}"`);
});

describe("it listens on the configured addresses", () => {
  test("[::], which serves IPv4 too, and a unix socket; health says what needs fixing; the admin key works at once and after the next start", async () => {
    const path = join(folder, "http.sock");
    const fcm = { PEAL_FCM_CREDENTIALS: "{}" };
    const env = { PEAL_LISTEN: `[::]:0,unix:${path}`, PEAL_ADMIN_NAMESPACE: "media", ...fcm };
    await using peal = await startPeal({ env });
    expect((await peal.request("/ready")).status).toBe(200); // 127.0.0.1
    if (!isMissing("ipv6")) expect((await fetch(peal.url.replace("127.0.0.1", "[::1]"))).status).toBe(200);
    expect(peal.output()).toContain(`unix:${path}`);
    // not the administrator's socket: a key is needed
    expect((await fetch("http://localhost/home/x", { method: "POST", body: "x", unix: path })).status).toBe(401);

    const told = await run(["health"], { PEAL_DATA_DIR: peal.dataDir });
    const mend = "PEAL_FCM_CREDENTIALS is no JSON object: it has to be the file of a Firebase service account.";
    expect(told).toMatchObject({ code: 0, stdout: `degraded\n${mend}\n` });

    expect((await peal.api("POST", "/media/first", "hello")).status).toBe(201);
    await peal.kill("SIGTERM");
    await peal.start();
    expect((await peal.api("POST", "/media/first", "hello")).status).toBe(201);
    const { keys } = (await (await peal.api("GET", "/v1/keys")).json()) as { keys: unknown[] };
    expect(keys).toHaveLength(1);
  });
  testWith("ipv6")("[::1] and nowhere else", async () => {
    await using peal = await startPeal({ env: { PEAL_LISTEN: "[::1]:0" } });
    expect((await peal.request("/ready")).status).toBe(200); // [::1]
    // the IPv4 request is refused, unless another program's server has that port: then it does not know the key
    const headers = { authorization: `Bearer ${peal.adminKey}` };
    const other = await fetch(`${peal.url.replace("[::1]", "127.0.0.1")}/v1/keys`, { headers }).catch(() => null);
    expect(other?.status).not.toBe(200);
  });
});

test("only the owner may use the administrator's socket and the database", () => {
  const mode = (file: string) => (statSync(join(peal.dataDir, file)).mode & 0o777).toString(8);
  expect(mode("peal.sock")).toBe("600");
  expect(mode("peal.db")).toBe("600");
});

testWith("root")("started as root with PUID and PGID it hands the data over and gives root up", async () => {
  const folder = mkdtempSync("/tmp/peal-owner-"); // $TMPDIR may lie in a directory that only root may enter
  chmodSync(folder, 0o755);
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  await using peal = await startPeal({ dataDir, env: { PUID: "12345", PGID: "23456" } });
  const status = readFileSync(`/proc/${peal.pid}/status`, "utf8");
  expect(status).toMatch(/^Uid:\t12345\t12345\t12345\t12345$/m);
  expect(status).toMatch(/^Gid:\t23456\t23456\t23456\t23456$/m);
  expect(status).toMatch(/^Groups:\t23456 *$/m);
  const topic = await peal.topic("mine");
  expect(await peal.publish(topic, { message: "written as 12345" })).not.toBeNull();
  const owners = ["", "peal.db", "peal.sock"].map((file) => statSync(join(peal.dataDir, file)));
  expect(owners.map(({ uid, gid }) => [uid, gid])).toEqual(owners.map(() => [12345, 23456]));
  await peal.kill("SIGTERM");
  rmSync(folder, { recursive: true });
});

test("a directory that cannot be written is reported with its owner and a hint", async () => {
  // nobody may write into /proc, not even root
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
  const env = { PEAL_DATA_DIR: peal.dataDir };
  expect(await run(["health"], env)).toMatchObject({ code: 0, stdout: "ok\n" });
  expect(JSON.parse((await run(["health", "--json"], env)).stdout)).toMatchObject({ status: "ok" });
});
