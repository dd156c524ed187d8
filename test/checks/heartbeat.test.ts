/** The server reports to an outside watcher once a minute that it works, and keeps the secret in the URL (CHECKINS.md §5). */
import { expect, test } from "bun:test";
import { startHeartbeat } from "../../src/checks/alerts/heartbeat.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { peal as command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { MINUTE, SECOND, watched } from "./watched.ts";

const SECRET = "5ecret-token";

/** Starts a server that sends heartbeats, and a watcher that receives them and answers as the test says. */
async function open() {
  const on = await watched();
  const heard: string[] = [];
  const lines: string[] = [];
  const beats: string[] = [];
  const asked = { answer: (): Response | Promise<Response> => new Response("ok") };
  const other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      heard.push(new URL(request.url).pathname);
      return asked.answer();
    },
  });
  const { deps } = on.peal.running;
  const log = createLog({ level: "debug", format: "text" }, on.clock, {
    write: (line) => {
      (line.includes(" debug ") ? beats : lines).push(line);
    },
  });
  const heartbeatUrl = `http://127.0.0.1:${other.port}/ping/${SECRET}`;
  const heartbeat = startHeartbeat({ ...deps, config: { ...deps.config, heartbeatUrl }, log });
  return {
    ...{ on, heard, asked, lines, heartbeat },
    /** Advances the clock and waits until `count` beats have ended. */
    pass: async (ms: number, count: number) => {
      const before = beats.length;
      on.clock.advance(ms);
      await eventually(`${count} beats`, () => beats.length === before + count);
    },
    silence: async () => other.stop(true),
    [Symbol.asyncDispose]: async () => {
      await heartbeat.stop();
      await other.stop(true);
      await on[Symbol.asyncDispose]();
    },
  };
}

test("it beats once a minute, and not any more after it was stopped", async () => {
  await using alive = await open();
  alive.on.clock.advance(MINUTE - 1);
  expect(alive.heard).toEqual([]);
  await alive.pass(1, 1);
  await alive.pass(MINUTE, 1);
  await alive.heartbeat.stop();
  alive.on.clock.advance(MINUTE);
  await alive.on.idle();
  expect(alive.heard).toEqual([`/ping/${SECRET}`, `/ping/${SECRET}`]);
  expect(alive.lines).toEqual([]);
});

test.each([
  ["the store takes no write", "setting", 0, "the store cannot take a write"],
  ["the alerter has not ticked for a minute", "check", 1, "the alerter does not tick"],
])("it does not beat while %s", async (_, table, before, reason) => {
  await using alive = await open();
  alive.on.clock.advance(45 * SECOND);
  await alive.on.idle();
  alive.on.tamper(`ALTER TABLE "${table}" RENAME TO hidden`);
  await alive.pass(15 * SECOND, 1);
  expect(alive.heard).toHaveLength(before);
  await alive.pass(MINUTE, 1);
  await alive.pass(MINUTE, 1);
  expect(alive.heard).toHaveLength(before);
  expect(alive.lines).toEqual([expect.stringContaining(reason) as string]);

  alive.on.tamper(`ALTER TABLE hidden RENAME TO "${table}"`);
  alive.on.clock.advance(30 * SECOND);
  await alive.on.idle();
  await alive.pass(30 * SECOND, 1);
  expect(alive.heard).toHaveLength(before + 1);
});

test.each([
  ["an error", () => new Response("no", { status: 500 }), "it answered 500"],
  ["another place", () => Response.redirect("/elsewhere", 302), "it answered 302"],
])("a watcher that answers with %s is reported once, and so is its recovery", async (_, badly, reason) => {
  await using alive = await open();
  const { answer } = alive.asked;
  alive.asked.answer = badly;
  for (let n = 0; n < 3; n++) await alive.pass(MINUTE, 1);
  alive.asked.answer = answer;
  for (let n = 0; n < 3; n++) await alive.pass(MINUTE, 1);
  expect(alive.lines).toEqual([
    expect.stringMatching(/warn .*heartbeats are missed host=127\.0\.0\.1:\d+/) as string,
    expect.stringContaining("the heart beats again") as string,
  ]);
  expect(alive.lines[0]).toContain(reason);
  expect(alive.lines.join("")).not.toContain(SECRET);
  expect(new Set(alive.heard)).toEqual(new Set([`/ping/${SECRET}`]));
});

test("a watcher that does not answer is given 10 s", async () => {
  await using alive = await open();
  alive.asked.answer = async () => new Promise<Response>(() => undefined);
  alive.on.clock.advance(MINUTE);
  await eventually("a beat", () => alive.heard.length === 1);
  alive.on.clock.advance(10 * SECOND - 1);
  await alive.on.idle();
  expect(alive.lines).toEqual([]);
  await alive.pass(1, 1);
  expect(alive.lines).toEqual([expect.stringContaining("no answer within 10 s") as string]);
});

test("a watcher that cannot be reached is reported without the secret", async () => {
  await using alive = await open();
  await alive.silence();
  await alive.pass(MINUTE, 1);
  expect(alive.lines).toEqual([expect.stringContaining("it cannot be reached") as string]);
  expect(alive.lines.join("")).not.toContain(SECRET);
});

test("the URL is masked where settings are shown, and has to be a URL", async () => {
  const shown = await command(["config"], { PEAL_HEARTBEAT_URL: `https://watch.example/ping/${SECRET}?x=1` });
  expect(shown.stdout).toMatch(/PEAL_HEARTBEAT_URL\s.*\*\*\*\*/);
  expect(shown.stdout).not.toContain(SECRET);
  for (const url of [`ftp://watch.example/${SECRET}`, SECRET, `https://user:${SECRET}@watch.example/`]) {
    const refused = await command(["config"], { PEAL_HEARTBEAT_URL: url });
    expect([refused.code, refused.stderr.includes("PEAL_HEARTBEAT_URL")]).toEqual([78, true]);
    expect(refused.stderr + refused.stdout).not.toContain(SECRET);
  }
});
