/** While the server is away nobody is called missing, and what it may have missed is told once (docs/design/CHECKINS.md §5). */
import { describe, expect, test } from "bun:test";
import { gapAtStart, gapSince, joined } from "../../src/checks/gap.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { HOUR, MINUTE, SECOND, type TestCheck, type Watched, watched } from "./watched.ts";

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
    // what                          wall     monotonic  failed  is one
    ["as time passes",               15_000,  15_000,    false,  false],
    ["an hour without a tick",       HOUR,    HOUR,      false,  false],
    ["5 s of difference",            20_000,  15_000,    false,  false],
    ["more: it slept",               20_001,  15_000,    false,  true],
    ["set back",                     -HOUR,   15_000,    false,  false],
    ["a store that failed for 90 s", 90_000,  90_000,    true,   false],
    ["for longer",                   90_001,  90_001,    true,   true],
  ])("between ticks: %s", (_, wall, monotonic, hasFailed, isGap) => {
    const then = { wall: last.wall + wall, monotonic: last.monotonic + monotonic };
    expect(gapSince(last, then, hasFailed)).toEqual(isGap ? { from: last.wall, to: then.wall } : undefined);
  });

  test("that follows another, before the other is worked off, is one with it", () => {
    const [one, other] = [{ from: 1, to: 2 }, { from: 3, to: 4 }];
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

/** Each way in which a server misses time. It is away for so long. */
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
      on.tamper(`UPDATE setting SET value = ${seen} WHERE name = 'alerter_seen_at'`); // a kill notes no end
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
    "without a store",
    async (on, ms) => {
      on.tamper('ALTER TABLE "check" RENAME TO hidden');
      for (let left = ms; left > 0; left -= 15 * SECOND) {
        on.clock.advance(15 * SECOND);
        await eventually("nothing to wait for", async () => (await on.peal.request("/ready")).ok);
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

  test("across deadlines: who checks in within the hold is up, the others are told in one message a topic", async () => {
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

    for (const [check, message] of [[nas[0], /^no check-in seen for a, b, c; the server was offline/], [vm, /^no check-in seen for d; the server was/]] as const) {
      const alerts = await on.alerts(check);
      expect(alerts).toEqual([
        expect.objectContaining({ level: "warning", message: expect.stringMatching(message) as string }),
      ]);
      expect(alerts[0]?.message).toEndWith("the ping may have been lost");
    }
    for (const check of [...nas, vm])
      expect(await on.read(check)).toMatchObject({ state: "down", incident: { server_gap: true } });
    expect((await on.read(pinger)).state).toBe("up");
    await on.pass(2 * HOUR);
    expect(await on.alerts(vm)).toHaveLength(1);
  });

  test("and back before the deadlines: they hold as ever", async () => {
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
});
