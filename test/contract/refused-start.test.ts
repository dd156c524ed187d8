/** A server that cannot start says why, and leaves nothing behind. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { startServer } from "../../src/server/serve.ts";
import { systemClock, type Clock } from "../../src/util/clock.ts";
import { peal as run } from "../support/command.ts";
import { inProcess, startPeal } from "../support/server.ts";

test("a failed start leaves no timer behind", async () => {
  await using peal = await inProcess();
  await using other = await inProcess();
  const { config } = other.running.deps;
  await other.running.stop();
  const waiting = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    after: (ms, wake) => {
      const cancel = systemClock.after(ms, () => {
        waiting.delete(wake);
        wake();
      });
      waiting.add(wake);
      return () => {
        waiting.delete(wake);
        cancel();
      };
    },
  };
  const taken = {
    ...config,
    listen: peal.running.deps.config.listen.map((one) => ({ ...one, port: peal.running.port })),
  };
  const refusal: unknown = await startServer(taken, { clock }).catch((error: unknown) => error);
  expect(String(refusal)).toContain("Another program listens on");
  expect(waiting.size).toBe(0);
});

test("a port in use is reported with an explanation, and the data directory is free again", async () => {
  await using peal = await inProcess();
  const { config } = peal.running.deps;
  const dataDir = join(peal.dataDir, "other");
  const taken = { ...config, dataDir, listen: [{ kind: "tcp", host: "127.0.0.1", port: peal.running.port }] as const };
  for (let n = 0; n < 2; n++) {
    const failure = await startServer(taken).catch((error: unknown) => error);
    expect(String(failure)).toContain(`Another program listens on 127.0.0.1:${peal.running.port}.`);
  }
});

test("a PEAL_BASE_URL whose path would hide a namespace is refused, and the message names both", async () => {
  await using peal = await startPeal({ env: { PEAL_ADMIN_NAMESPACE: "media" } });
  await peal.kill("SIGTERM");
  const start = async (baseUrl: string) =>
    run(["serve"], { PEAL_DATA_DIR: peal.dataDir, PEAL_LISTEN: "127.0.0.1:0", PEAL_BASE_URL: baseUrl });
  const { code, stderr } = await start("https://x.test/media/peal");
  expect(code).toBe(78);
  expect(stderr).toContain("PEAL_BASE_URL");
  expect(stderr).toContain("namespace `media`");
  await using other = await startPeal({ dataDir: peal.dataDir, env: { PEAL_BASE_URL: "https://x.test/peal/media" } });
  expect((await other.request("/ready")).status).toBe(200);
});
