/** What peal tells systemd (sd_notify(3)), heard on a socket that stands for systemd's. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeSupervisor } from "../../src/ops/systemd/notify.ts";
import { smallDisk } from "../support/disk.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal } from "../support/server.ts";
import { supervisor } from "../support/supervisor.ts";
import { testWith } from "../support/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-systemd-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

testWith("python3")(
  "READY when it answers, signs of life while it works, STOPPING when it is asked to end",
  async () => {
    const address = join(folder, "notify");
    await using systemd = await supervisor(address);
    await using peal = await startPeal({ env: { NOTIFY_SOCKET: address, WATCHDOG_USEC: "200000" } });
    await eventually("READY", () => systemd.count("READY=1") === 1);
    const ready = systemd.heard().find(([[first]]) => first === "READY=1");
    expect(ready).toEqual([["READY=1", `STATUS=Listening on port ${new URL(peal.url).port}`], 200]);

    await eventually("signs of life", () => systemd.count("WATCHDOG=1") >= 3);
    process.kill(peal.pid, "SIGSTOP"); // a loop that does not turn
    const state = () => /^State:\t(\w)/m.exec(readFileSync(`/proc/${peal.pid}/status`, "utf8"))?.[1];
    await eventually("a server that stands still", () => state() === "T");
    const [before, silences] = [systemd.count("WATCHDOG=1"), systemd.count("silence")];
    await eventually("silence, three times as long as systemd would wait", () => systemd.count("silence") > silences);
    expect(systemd.count("WATCHDOG=1") - before).toBeLessThanOrEqual(1); // it may have been on its way
    process.kill(peal.pid, "SIGCONT");
    await eventually("signs of life again", () => systemd.count("WATCHDOG=1") > before + 1);

    expect(await peal.kill("SIGTERM")).toBe(0);
    await eventually("STOPPING", () => systemd.count("STOPPING=1") === 1);
    const words = systemd.heard().map(([[first]]) => first);
    expect(words.filter((word) => word !== "silence").at(-1)).toBe("STOPPING=1");
  },
);

testWith("python3")(
  "an abstract socket; without a watchdog no signs of life; children cannot speak for it",
  async () => {
    const address = `@peal-test-${process.pid}`;
    await using systemd = await supervisor(address);
    // the watchdog is another process's
    const env = { NOTIFY_SOCKET: address, WATCHDOG_USEC: "20000", WATCHDOG_PID: "1" };
    await using peal = await startPeal({ env });
    await eventually("READY", () => systemd.count("READY=1") === 1);
    await eventually("a publish", async () => (await peal.publish(await peal.topic("one"), { message: "1" })) !== null);
    await peal.kill("SIGTERM");
    await eventually("STOPPING", () => systemd.count("STOPPING=1") === 1);
    expect(systemd.count("WATCHDOG=1")).toBe(0);
  },
);

testWith("python3", "mount")("a full disk is no reason to end it: it still answers reads", async () => {
  const address = join(folder, "full");
  using disk = smallDisk(8 * 1024 * 1024);
  await using systemd = await supervisor(address);
  await using peal = await startPeal({ dataDir: disk.path, env: { NOTIFY_SOCKET: address, WATCHDOG_USEC: "200000" } });
  const topic = await peal.topic("full");
  disk.fill(0);
  await eventually(
    "a refused publish",
    async () => (await peal.publish(topic, { message: "x".repeat(4000) })) === null,
  );
  const before = systemd.count("WATCHDOG=1");
  await eventually("signs of life", () => systemd.count("WATCHDOG=1") > before + 2);
});

test("a socket where nobody listens is a warning, and it serves all the same", async () => {
  await using peal = await startPeal({ env: { NOTIFY_SOCKET: join(folder, "nobody"), WATCHDOG_USEC: "20000" } });
  expect((await peal.request("/ready")).status).toBe(200);
  await eventually("a warning", () => peal.logs().includes("NOTIFY_SOCKET does not take"));
  expect(await peal.kill("SIGTERM")).toBe(0);
  expect(peal.logs().match(/NOTIFY_SOCKET/g)).toHaveLength(1);
});

test("the variables are taken from the environment, which children are given", () => {
  const env = { NOTIFY_SOCKET: "/run/x", WATCHDOG_USEC: "60000000", WATCHDOG_PID: "7", HOME: "/" };
  expect(takeSupervisor(env, 7)).toEqual({ socket: "/run/x", watchdogMs: 60_000 });
  expect(env as Record<string, string>).toEqual({ HOME: "/" });
});

test.each([
  ["no socket", { WATCHDOG_USEC: "1000000" }, undefined],
  ["an empty socket", { NOTIFY_SOCKET: "" }, undefined],
  ["no watchdog", { NOTIFY_SOCKET: "@x" }, { socket: "@x" }],
  [
    "a watchdog of another process",
    { NOTIFY_SOCKET: "@x", WATCHDOG_USEC: "1000", WATCHDOG_PID: "8" },
    { socket: "@x" },
  ],
  ["a time that is no number", { NOTIFY_SOCKET: "@x", WATCHDOG_USEC: "soon" }, { socket: "@x" }],
])("%s", (_, env, supervised) => {
  expect(takeSupervisor(env, 7)).toEqual(supervised as ReturnType<typeof takeSupervisor>);
});
