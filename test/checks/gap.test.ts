/** While the server is away no check counts as missing, and what it may have missed is reported once (CHECKINS.md §5). */
import { describe, expect, test } from "bun:test";
import { daysUntil } from "../../src/checks/days/figures.ts";
import { gapAtStart, gapSince, joined } from "../../src/checks/alerts/gap.ts";
import { startServer } from "../../src/server/serve.ts";
import { turns } from "../support/turns.ts";
import { HOUR, MINUTE, SECOND, type Watched, watched } from "./watched.ts";

/** The server's local time stands in its messages, unless it is UTC (CHECKINS.md §7). */
const isUtc = new Intl.DateTimeFormat().resolvedOptions().timeZone === "UTC";
const OFFLINE = isUtc
  ? /the server was offline for (?:1 min 5\d s|2 min),/
  : /the server was offline \d\d:\d0–\d\d:\d2 \(/;

describe("a gap", () => {
  const now = { wall: HOUR, monotonic: 0 };
  // prettier-ignore
  test.each([
    ["never seen",             undefined,             undefined],
    ["90 s",                   HOUR - 90_000,         undefined],
    ["more",                   HOUR - 90_001,         { from: HOUR - 90_001, to: HOUR }],
    ["seen in time to come",   HOUR + 5 * HOUR,       undefined],
  ])("at the start: %s", (_, seenAt, gap) => {
    expect(gapAtStart(seenAt, now)).toEqual(gap);
  });

  const last = { wall: HOUR, monotonic: 1_000 };
  // prettier-ignore
  test.each([
    // what                             wall     monotonic  late     failed  is one
    ["as time passes",                  15_000,  15_000,    0,       false,  false],
    ["a loop that was busy",            20_000,  20_000,    5_000,   false,  false],
    ["it stood still for longer",       20_001,  20_001,    5_001,   false,  true],
    ["it stood still before its time",  7_001,   7_001,     5_001,   false,  true],
    ["an hour without a tick, as due",  HOUR,    HOUR,      0,       false,  false],
    ["5 s of difference",               20_000,  15_000,    0,       false,  false],
    ["more: it slept",                  20_001,  15_000,    0,       false,  true],
    ["set back",                        -HOUR,   15_000,    0,       false,  false],
    ["a store that failed for 90 s",    90_000,  90_000,    0,       true,   false],
    ["for longer",                      90_001,  90_001,    0,       true,   true],
  ])("between ticks: %s", (_, wall, monotonic, lateMs, hasFailed, isGap) => {
    const then = { wall: last.wall + wall, monotonic: last.monotonic + monotonic };
    const found = isGap ? { from: last.wall, to: then.wall } : undefined;
    expect(gapSince(last, then, { hasFailed, lateMs })).toEqual(found);
  });

  test("in which the clock is set back as well begins that much before the new time", () => {
    const then = { wall: last.wall - HOUR, monotonic: last.monotonic + 100_000 };
    const gap = gapSince(last, then, { hasFailed: false, lateMs: 90_000 });
    expect(gap).toEqual({ from: then.wall - 100_000, to: then.wall });
  });

  test("that follows another before that one is processed is joined with it", () => {
    const [one, other] = [
      { from: 1, to: 2 },
      { from: 3, to: 4 },
    ];
    expect([joined(one, undefined), joined(undefined, other), joined(one, other)]).toEqual([
      one,
      other,
      { from: 1, to: 4 },
    ]);
    expect(joined(undefined, undefined)).toBeUndefined();
  });
});

/** Checks whose deadline is 2 h after the start, in two topics. */
async function backups(on: Watched) {
  const make = async (name: string, topic: string) => on.pinged({ name, topic, every: "2h" });
  const [a, b, c] = [await make("a", "nas"), await make("b", "nas"), await make("c", "nas")];
  return { nas: [a, b, c] as const, vm: await make("d", "vm") };
}

/** The ways in which a server misses time, each for `ms` milliseconds. */
const ways = new Map<string, (on: Watched, ms: number) => Promise<void>>([
  [
    "down",
    async (on, ms) => {
      await on.peal.running.stop();
      on.clock.jump(ms);
      await on.peal.restart();
    },
  ],
  [
    "killed",
    async (on, ms) => {
      const seen = `(SELECT value FROM kept)`;
      on.tamper("CREATE TABLE kept AS SELECT value FROM setting WHERE name = 'alerter_seen_at'");
      await on.peal.running.stop();
      on.tamper(`UPDATE setting SET value = ${seen} WHERE name = 'alerter_seen_at'`); // a killed server does not note its end
      on.clock.jump(ms);
      await on.peal.restart();
    },
  ],
  [
    "asleep",
    async (on, ms) => {
      on.clock.jump(ms);
      on.clock.advance(15 * SECOND);
    },
  ],
  [
    "frozen",
    async (on, ms) => {
      on.clock.freeze(ms);
      on.clock.advance(0);
    },
  ],
  [
    "frozen, and pinged before it ticked",
    async (on, ms) => {
      on.clock.freeze(ms);
      await on.pinged({ name: "other", topic: "others", every: "1d" });
      on.clock.advance(0);
    },
  ],
  [
    "asleep, and restarted before it ticked",
    async (on, ms) => {
      on.clock.jump(ms);
      await on.peal.restart();
    },
  ],
  [
    "without a store",
    async (on, ms) => {
      on.tamper('ALTER TABLE "check" RENAME TO hidden');
      for (let left = ms; left > 0; left -= 15 * SECOND) {
        on.clock.advance(15 * SECOND);
        await turns();
      }
      on.tamper('ALTER TABLE hidden RENAME TO "check"');
      on.clock.advance(15 * SECOND);
    },
  ],
]);

describe.each([...ways.keys()])("%s", (way) => {
  const away = async (on: Watched, ms: number) => {
    await ways.get(way)?.(on, ms);
    await on.idle();
  };

  test("across deadlines: a check that pings within the hold is up, the others are reported in one message per topic", async () => {
    await using on = await watched();
    const { nas, vm } = await backups(on);
    const pinger = await on.pinged({ name: "pinger", topic: "nas", every: "2h" });
    await on.pass(100 * MINUTE);
    await away(on, 41 * MINUTE);
    expect(await on.alerts(nas[0])).toEqual([]);
    await on.pass(2 * MINUTE);
    await on.ping(pinger);
    await on.pass(150 * SECOND);
    expect(await on.alerts(nas[0])).toEqual([]);
    await on.pass(MINUTE);

    for (const [check, title, names] of [
      [nas[0], "No check-in seen for 3 checks", "a, b, c; "],
      [vm, "No check-in seen for d", ""],
    ] as const) {
      const [alert, ...others] = await on.alerts(check);
      expect([alert?.["level"], alert?.["title"], others]).toEqual(["warning", title, []]);
      expect(alert?.message).toMatch(new RegExp(`^${names}the server was offline .*, the ping may have been lost$`));
    }
    for (const check of [...nas, vm])
      expect(await on.read(check)).toMatchObject({ state: "down", incident: { server_gap: true } });
    expect((await on.read(pinger)).state).toBe("up");
    await on.pass(2 * HOUR);
    expect(await on.alerts(vm)).toHaveLength(1);
  });

  test("that ends before the deadlines leaves them as they are", async () => {
    await using on = await watched();
    const { nas } = await backups(on);
    await on.pass(60 * MINUTE);
    await away(on, 41 * MINUTE);
    await on.pass(HOUR);
    const alerts = await on.alerts(nas[0]);
    expect(alerts.map(({ created_at, title }) => [created_at, title])).toEqual(
      ["a", "b", "c"].map((name) => ["2026-01-01T02:00:00.000Z", `${name} missed its check-in`]),
    );
  });

  test("does not count as time that a check was up", async () => {
    await using on = await watched();
    const { vm } = await backups(on);
    const from = on.clock.now();
    await on.pass(30 * MINUTE);
    await away(on, 41 * MINUTE);
    await on.pass(10 * MINUTE);
    const { checks, days } = on.peal.running.deps.store;
    const check = await checks.byId(vm.id);
    const kept = check && (await days.ofChecks([check.row], 0)).get(check.row);
    if (check === undefined || kept === undefined) throw new Error("the check is gone");
    const now = on.clock.now();
    const spent = daysUntil(check.standing, kept, now);
    const sum = (of: "upMs" | "awayMs") => spent.reduce((ms, day) => ms + day[of], 0);
    // counted from the last tick that was noted, at most a minute earlier
    expect(sum("awayMs")).toBeGreaterThanOrEqual(41 * MINUTE);
    expect(sum("awayMs")).toBeLessThanOrEqual(42 * MINUTE + 15 * SECOND);
    expect(sum("upMs")).toBe(now - from - sum("awayMs"));
  });
});

test("a deadline before the gap alerts at once, with the time it really passed", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: 60 });
  await on.pass(30 * SECOND);
  await on.peal.running.stop();
  // it kept ticking after the deadline, and died before it could send the alert
  on.tamper(`UPDATE setting SET value = '${on.clock.now() + 40 * SECOND}' WHERE name = 'alerter_seen_at'`);
  on.clock.jump(HOUR);
  await on.peal.restart();
  const [alert] = await on.alerted(check, 1);
  expect(alert).toMatchObject({
    title: "nas missed its check-in",
    level: "error",
    data: { deadline_at: "2026-01-01T00:01:00.000Z", server_gap: false },
  });
});

test.each(["down", "killed"])(
  "%s before the first tick after the first check is watched: that counts as absence too",
  async (way) => {
    await using on = await watched();
    await on.pass(2 * HOUR); // with nothing to watch, no tick is noted
    const checks = [];
    for (let n = 0; n < 30; n++) checks.push(await on.pinged({ name: `check-${n}`, every: 60 }));
    const [first] = checks;
    if (first === undefined) throw new Error("no check");
    on.clock.advance(5 * SECOND);
    await ways.get(way)?.(on, 115 * SECOND);
    await on.idle();
    expect(await on.alerts(first)).toEqual([]);
    await on.pass(MINUTE);
    const alerts = await on.alerts(first);
    expect(alerts.map(({ level, title }) => [level, title])).toEqual([["warning", "No check-in seen for 30 checks"]]);
    expect(alerts[0]?.message).toMatch(OFFLINE);
    for (const check of checks) expect(await on.read(check)).toMatchObject({ incident: { server_gap: true } });
  },
);

test("a server that had nothing to watch while it ran was not away", async () => {
  await using on = await watched();
  const other = await on.pinged({ name: "other", every: "1d" });
  await on.pass(MINUTE);
  await on.peal.api("DELETE", `/v1/home/checks/${other.id}`);
  await on.pass(2 * HOUR);
  const check = await on.pinged({ name: "nas", every: 60 });
  await on.pass(15 * SECOND);
  await ways.get("killed")?.(on, 70 * SECOND);
  expect((await on.alerted(check, 1))[0]).toMatchObject({ data: { server_gap: false } });
});

test("the alerter notes its ticks once a minute, and not while there is nothing to watch, so that a disk can sleep", async () => {
  await using on = await watched();
  const { checks } = on.peal.running.deps.store;
  await on.check({ name: "not pinged yet", every: 60 });
  await on.pass(5 * MINUTE);
  expect(await checks.seenAt()).toBeUndefined();
  await on.pinged({ name: "nas", every: "1d" });
  await on.pass(15 * SECOND);
  const first = on.clock.now();
  for (const [ms, seenAt] of [
    [0, first],
    [45 * SECOND, first],
    [15 * SECOND, first + MINUTE],
  ] as const) {
    await on.pass(ms);
    expect(await checks.seenAt()).toBe(seenAt);
  }
});

test("the absence that a message names begins when the server stopped", async () => {
  await using on = await watched();
  await on.pass(35 * SECOND); // so that no tick is noted at a full minute
  const { vm } = await backups(on);
  await on.pass(100 * MINUTE - 15 * SECOND);
  await ways.get("down")?.(on, 40 * MINUTE);
  await on.pass(5 * MINUTE);
  const local = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" }); // in the server's own zone
  const [from, to] = [100, 140].map((minutes) => local.format(Date.UTC(2026, 0, 1) + minutes * MINUTE));
  const said = isUtc ? "for 40 min" : `${from}–${to} (`;
  expect((await on.alerts(vm))[0]?.message).toContain(`the server was offline ${said}`);
  expect((await on.read(vm)).incident).toMatchObject({ server_gap: true, opened_at: "2026-01-01T02:00:35.000Z" });
});

test("a restart within the hold does not make it longer", async () => {
  await using on = await watched();
  const { vm } = await backups(on);
  await on.pass(100 * MINUTE);
  await ways.get("down")?.(on, 41 * MINUTE);
  await on.pass(2 * MINUTE);
  await on.peal.restart();
  await on.pass(2 * MINUTE + 59 * SECOND);
  expect(await on.alerts(vm)).toEqual([]);
  await on.pass(SECOND);
  expect(await on.alerts(vm)).toMatchObject([{ created_at: "2026-01-01T02:26:00.000Z", level: "warning" }]);
});

test("a command that runs while the server is away neither reports a check as missing nor notes a tick", async () => {
  await using on = await watched();
  const { vm } = await backups(on);
  await on.pass(100 * MINUTE);
  await on.peal.running.stop();
  on.clock.jump(41 * MINUTE);
  const { config } = on.peal.running.deps;
  const offline = await startServer({ ...config, listen: [] }, { clock: on.clock });
  on.clock.advance(MINUTE);
  await offline.deps.store.probe();
  await offline.stop();
  on.clock.jump(HOUR);
  await on.peal.restart();
  await on.idle();
  expect(await on.alerts(vm)).toEqual([]);
  await on.pass(5 * MINUTE);
  expect(await on.alerts(vm)).toMatchObject([{ level: "warning" }]);
});
