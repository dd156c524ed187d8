/** A server that cannot start says why, and leaves nothing behind. */
import { expect, test } from "bun:test";
import { loadConfig } from "../../src/config/sources.ts";
import { startServer } from "../../src/server/serve.ts";
import { systemClock, type Clock } from "../../src/util/clock.ts";
import { inProcess } from "../support/server.ts";

test("a start that fails leaves no timer behind", async () => {
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

test("a PEAL_BASE_URL whose path would hide a namespace is refused, with both names", async () => {
  await using peal = await inProcess();
  await peal.running.deps.store.namespaces.create("media");
  const env = { PEAL_DATA_DIR: peal.dataDir, PEAL_LISTEN: "127.0.0.1:0" };
  const start = async (baseUrl: string) =>
    startServer(loadConfig({ flags: {}, env: { ...env, PEAL_LOG: "error", PEAL_BASE_URL: baseUrl } }).config);
  await peal.running.stop();
  const refusal: unknown = await start("https://x.test/media/peal").catch((error: unknown) => error);
  expect(refusal).toHaveProperty("name", "ConfigError");
  expect(String(refusal)).toContain("PEAL_BASE_URL");
  expect(String(refusal)).toContain("namespace `media`");
  const running = await start("https://x.test/peal/media");
  await running.stop();
});
