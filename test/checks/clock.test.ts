/** The wall clock is set back under the server: what waits still happens when it was due (CHECKINS.md §5). */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createHandler, startServer } from "../../src/server/serve.ts";
import { answer, type TestMessage } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { keptLog } from "../support/log.ts";
import { person } from "../support/signin.ts";
import { turns } from "../support/turns.ts";
import { HOUR, MINUTE, SECOND, type Watched, watched } from "./watched.ts";

const START = "2026-01-01T00:00:00.000Z";
const after = (ms: number): string => new Date(Date.parse(START) + ms).toISOString();

interface Health {
  status: string;
  checks: { clock: string };
  problems?: string[];
}
const health = async (on: Watched) => answer<Health>(200, await on.peal.request("/health"));
const noticed = async (on: Watched) =>
  eventually("it to be noticed", async () => (await health(on)).checks.clock === "degraded");
/** The messages to the operators. */
const toldOf = async (on: Watched): Promise<TestMessage[]> => {
  const { topics } = await answer<{ topics: { name: string; key: string }[] }>(
    200,
    await on.peal.api("GET", "/v1/home/topics"),
  );
  const topic = topics.find(({ name }) => name === "peal");
  return topic === undefined ? [] : on.peal.history({ namespace: "home", key: topic.key });
};

/** The ways in which a server can meet a clock that shows 3 h less. */
const ways: Record<string, (on: Watched) => Promise<void>> = {
  "while it runs": async (on) => {
    on.clock.jump(-3 * HOUR);
    await on.pass(0);
  },
  "and nobody asks anything until it ticks": async (on) => {
    on.clock.jump(-3 * HOUR);
    on.clock.advance(15 * SECOND);
    await on.pass(0);
  },
  "just before it is restarted": async (on) => {
    on.clock.jump(-3 * HOUR);
    await on.peal.restart();
  },
  "while it is down": async (on) => {
    await on.peal.running.stop();
    on.clock.jump(-3 * HOUR);
    await on.peal.restart();
  },
};

describe.each(Object.keys(ways))("set back %s", (way) => {
  const setBack = async (on: Watched) => {
    await ways[way]?.(on);
    await noticed(on);
    await on.idle();
  };

  test("a check alerts when it was due", async () => {
    await using on = await watched();
    const check = await on.pinged({ name: "nas", every: "2h" });
    const [muted, run] = [
      await on.pinged({ name: "muted", topic: "muted", every: "30m" }),
      await on.pinged({ name: "run", topic: "run", every: "1d", max_run: "70m" }),
    ];
    await on.ping(run, "/start");
    await on.act(muted, "snooze", { for: "90m" });
    await on.pass(HOUR);
    await setBack(on);
    await on.pass(Date.parse(after(-HOUR)) - SECOND - on.clock.now());
    expect(await on.alerts(check)).toEqual([]);
    await on.pass(SECOND);
    expect(await on.alerts(check)).toMatchObject([
      { created_at: after(-HOUR), title: "nas missed its check-in", level: "error", data: { server_gap: false } },
    ]);
    expect(await on.alerts(muted)).toMatchObject([{ created_at: after(-90 * MINUTE) }]);
    expect(await on.alerts(run)).toMatchObject([{ created_at: after(-110 * MINUTE), title: "run runs too long" }]);
  });

  test("a delayed message is sent after its delay, one for a time of day when the clock shows that time", async () => {
    await using on = await watched();
    await on.pinged({ name: "nas", every: "1d" });
    const send = async (body: object) => answer<{ topic: string }>(201, await on.peal.api("POST", "/home/later", body));
    const { topic: key } = await send({ message: "delayed", delay: 2 * 3600 });
    await send({ message: "at", at: after(90 * MINUTE) });
    const texts = async () =>
      (await on.peal.history({ namespace: "home", key })).map(({ created_at, message }) => [created_at, message]);
    await on.pass(HOUR);
    await setBack(on);
    await on.pass(2 * HOUR);
    await eventually("the delayed one", async () => (await texts()).length === 1);
    expect(await texts()).toEqual([[after(-HOUR), "delayed"]]);
    await on.pass(2 * HOUR);
    await eventually("the other", async () => (await texts()).length === 2);
    expect((await texts())[1]).toEqual([after(90 * MINUTE), "at"]);
  });

  test("is reported in /health until the clock has caught up, and once on topic `peal`", async () => {
    await using on = await watched();
    await on.pinged({ name: "nas", every: "1d" });
    await on.pass(HOUR);
    expect(await health(on)).toMatchObject({ status: "ok", checks: { clock: "ok" } });
    expect(await toldOf(on)).toEqual([]);
    await setBack(on);
    await eventually("the message", async () => (await toldOf(on)).length === 1);
    await on.peal.restart();
    await on.pass(MINUTE);
    const { status, checks, problems } = await health(on);
    expect([status, checks.clock, problems]).toEqual([
      "degraded",
      "degraded",
      [expect.stringMatching(/^The clock was set back by 3 h(?:, from .*\d\d:\d\d to .*\d\d:\d\d \((?!UTC).+\))?\.$/)],
    ]);
    await on.pass(3 * HOUR);
    expect(await health(on)).toMatchObject({ status: "ok", checks: { clock: "ok" } });
    const [told, ...others] = await toldOf(on);
    expect([told?.title, told?.["level"], others]).toEqual(["The clock was set back by 3 h", "warning", []]);
  });
});

test("a clock that was set forward for a moment makes nothing happen early", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: "8h" });
  const later = { message: "delayed", delay: 6 * 3600 };
  const { topic: key } = await answer<{ topic: string }>(201, await on.peal.api("POST", "/home/later", later));
  await on.pass(HOUR);
  on.clock.jump(3 * HOUR);
  await on.pass(MINUTE);
  on.clock.jump(-3 * HOUR);
  await on.pass(Date.parse(after(6 * HOUR)) - SECOND - on.clock.now());
  expect(await on.peal.history({ namespace: "home", key })).toEqual([]);
  await on.pass(2 * SECOND);
  await eventually("the message", async () => (await on.peal.history({ namespace: "home", key })).length === 1);
  await on.pass(Date.parse(after(8 * HOUR)) - SECOND - on.clock.now());
  expect(await on.alerts(check)).toEqual([]);
  await on.pass(SECOND);
  expect(await on.alerts(check)).toMatchObject([{ created_at: after(8 * HOUR), title: "nas missed its check-in" }]);
});

test("nor does one that was ahead when the server started and is then corrected", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: "8h" });
  await on.pass(HOUR);
  await on.peal.running.stop();
  on.clock.jump(2 * HOUR);
  await on.peal.restart();
  await on.pass(MINUTE);
  on.clock.jump(-2 * HOUR);
  await on.pass(Date.parse(after(8 * HOUR)) - SECOND - on.clock.now());
  expect(await on.alerts(check)).toEqual([]);
});

test("what arrives right after the clock was set back counts by the new time", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: "2h" });
  await on.pass(HOUR);
  on.clock.jump(-3 * HOUR);
  await on.ping(check);
  await on.pass(2 * HOUR - SECOND);
  expect(await on.alerts(check)).toEqual([]);
  await on.pass(SECOND);
  expect(await on.alerts(check)).toMatchObject([{ created_at: after(0) }]);
});

test("a server that noted nothing lets no check wait longer than one period and its grace", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: "2h" });
  await on.peal.running.stop();
  on.tamper("DELETE FROM setting WHERE name IN ('alerter_seen_at', 'probed_at')");
  on.clock.jump(-30 * 24 * HOUR);
  const now = on.clock.now();
  await on.peal.restart();
  await noticed(on);
  await on.pass(2 * HOUR);
  expect(await on.alerts(check)).toMatchObject([{ created_at: new Date(now + 2 * HOUR).toISOString() }]);
  expect((await health(on)).problems).toEqual([expect.stringMatching(/^The clock was set back by 30 d/)]);
});

test("a cron schedule follows the clock: a slot that was met is not expected again, but the next one on the clock is", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", cron: "30 2 * * *", timezone: "UTC" });
  await on.pass(149 * MINUTE);
  await on.ping(check);
  await on.pass(31 * MINUTE);
  on.clock.jump(-3 * HOUR);
  await on.pass(26 * HOUR);
  expect(await on.alerts(check)).toEqual([]);
  await on.pass(HOUR);
  expect(await on.alerts(check)).toMatchObject([{ created_at: after(26.5 * HOUR) }]);
});

test("correcting a clock after it was set back raises one warning for the time that this skipped", async () => {
  await using on = await watched();
  const checks = [];
  for (let n = 0; n < 6; n++) checks.push(await on.pinged({ name: `check-${n}`, every: "2h" }));
  on.clock.jump(-3 * HOUR);
  await on.pass(HOUR);
  on.clock.jump(3 * HOUR);
  on.clock.advance(15 * SECOND);
  await on.pass(10 * MINUTE);
  const [check] = checks;
  if (check === undefined) throw new Error("no check");
  expect((await on.alerts(check)).map(({ level, title }) => [level, title])).toEqual([
    ["warning", "No check-in seen for 6 checks"],
  ]);
});

test("a store that cannot be written is tried again until it moves what waits", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: "2h" });
  await on.pass(HOUR);
  on.tamper("ALTER TABLE scheduled RENAME TO hidden");
  on.clock.jump(-3 * HOUR);
  on.clock.advance(30 * SECOND);
  await on.idle();
  on.tamper("ALTER TABLE hidden RENAME TO scheduled");
  on.clock.advance(SECOND);
  await eventually("the message", async () => (await toldOf(on)).length === 1);
  await on.pass(HOUR - 31 * SECOND);
  expect(await on.alerts(check)).toMatchObject([{ created_at: after(-HOUR) }]);
});

test("a ping that arrives between two tries counts by the new time, and is not moved with the rest", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: "2h" });
  await on.pinged({ name: "stuck", every: "2h" });
  await on.pass(HOUR);
  on.tamper(
    `CREATE TRIGGER stuck BEFORE UPDATE ON "check" WHEN old.name = 'stuck' BEGIN SELECT RAISE(ABORT, 'not now'); END`,
  );
  on.clock.jump(-3 * HOUR);
  await on.pass(0);
  await on.ping(check);
  on.tamper("DROP TRIGGER stuck");
  on.clock.advance(SECOND);
  await eventually("the message", async () => (await toldOf(on)).length === 1);
  await on.pass(2 * HOUR - 2 * SECOND);
  const missed = async () => (await on.alerts(check)).map(({ created_at, title }) => [created_at.slice(11, 16), title]);
  expect(await missed()).toEqual([["23:00", "stuck missed its check-in"]]);
  await on.pass(MINUTE);
  expect((await missed())[1]).toEqual(["00:00", "nas missed its check-in"]);
});

test("operators get one message about it, even where the server could not note that it was sent", async () => {
  await using on = await watched();
  await on.pinged({ name: "nas", every: "1d" });
  await on.pass(HOUR);
  on.tamper(
    `CREATE TRIGGER untold BEFORE UPDATE ON setting WHEN new.name = 'clock_set_back' AND new.value LIKE '%"isTold":true%'
     BEGIN SELECT RAISE(ABORT, 'not now'); END`,
  );
  on.clock.jump(-3 * HOUR);
  await on.pass(MINUTE);
  expect((await toldOf(on)).length).toBe(1);
  on.tamper("DROP TRIGGER untold");
  await on.peal.restart();
  await on.pass(MINUTE);
  expect((await toldOf(on)).length).toBe(1);
});

/** When the only check is due, and when the alerter last noted that it ticked. */
const stored = ({ peal: { dataDir } }: Watched): Record<"due" | "seen", number> | null => {
  using database = new Database(join(dataDir, "peal.db"), { readonly: true });
  return database
    .prepare<Record<"due" | "seen", number>, []>(
      `SELECT due_at AS due, (SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'alerter_seen_at') AS seen FROM "check"`,
    )
    .get();
};

test("a server that starts answers no request before it has moved what waits", async () => {
  await using on = await watched();
  await on.pinged({ name: "nas", every: "2h" });
  await person(on.peal);
  await on.pass(HOUR);
  const { config } = on.peal.running.deps;
  await on.peal.running.stop();
  on.clock.jump(-3 * HOUR);
  const starting = startServer(config, { clock: on.clock, log: keptLog(on.clock).log });
  using other = new Database(join(on.peal.dataDir, "peal.db"));
  other.run("BEGIN IMMEDIATE"); // this lock keeps the server from committing
  const opened = async () => ((await starting).port > 0 ? "open" : "without a door");
  expect(await Promise.race([opened(), turns(200).then(() => "shut")])).toBe("shut");
  other.run("ROLLBACK");
  on.clock.advance(SECOND);
  expect(await opened()).toBe("open");
  const { due = 0, seen = 0 } = stored(on) ?? {};
  expect(Math.floor((due - seen) / SECOND)).toBe(HOUR / SECOND);
  expect(seen).toBeLessThanOrEqual(on.clock.now());
  await (await starting).stop();
});

test("a server that could not move what waits starts all the same, and tries again", async () => {
  await using on = await watched();
  await on.pinged({ name: "nas", every: "2h" });
  await on.pass(HOUR);
  const { config } = on.peal.running.deps;
  await on.peal.running.stop();
  on.clock.jump(-3 * HOUR);
  on.tamper(
    `CREATE TRIGGER stuck BEFORE UPDATE ON setting WHEN new.name = 'alerter_seen_at'
     BEGIN SELECT RAISE(ABORT, 'not now'); END`,
  );
  const { log, lines } = keptLog(on.clock);
  const running = await startServer(config, { clock: on.clock, log });
  on.tamper("DROP TRIGGER stuck");
  expect(lines.filter((line) => line.includes("cannot be moved along with the clock")).length).toBe(1);
  on.clock.advance(SECOND);
  await eventually("the move", () => stored(on)?.due === Date.parse(after(-HOUR)));
  await running.stop();
});

test("a command without a server moves what waits before it does anything else", async () => {
  await using on = await watched();
  await on.pinged({ name: "nas", every: "2h" });
  const { config } = on.peal.running.deps;
  await on.peal.running.stop();
  const ahead = Date.now(); // ahead of the machine's own clock, which the command uses
  on.tamper(`UPDATE setting SET value = value + ${ahead} WHERE name = 'alerter_seen_at'`);
  on.tamper(`UPDATE "check" SET due_at = due_at + ${ahead},
    standing = json_set(standing, '$.deadlineAt', standing ->> '$.deadlineAt' + ${ahead}, '$.slotAt', standing ->> '$.slotAt' + ${ahead})`);
  const before = stored(on);
  const handler = await createHandler(config);
  const moved = stored(on);
  await handler.close();
  expect(moved?.due).toBeLessThan(before?.due ?? 0);
});
