/** The alerter sends each alert once and at its time, whatever happens to the server meanwhile (CHECKINS.md §5). */
import { expect, test } from "bun:test";
import type { TestCheck } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { HOUR, MINUTE, SECOND, type Watched, watched } from "./watched.ts";

const START = "2026-01-01T00:00:00.000Z";
const after = (ms: number): string => new Date(Date.parse(START) + ms).toISOString();

/** Time and title of each alert. */
const told = async (on: Watched, check: TestCheck) =>
  (await on.alerts(check)).map(({ created_at, title }) => [created_at, title]);

test("a deadline alerts in its very millisecond, although no request is made in between", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: 10, grace: 2 });
  on.clock.advance(11_999);
  expect(await on.tickAge()).toBe(11.999);
  expect(await on.alerts(check)).toEqual([]);
  on.clock.advance(1);
  const [alert] = await on.alerted(check, 1);
  expect(alert).toMatchObject({ created_at: after(12_000), title: "nas missed its check-in", level: "error" });
  expect(await on.tickAge()).toBe(0);
  expect((await on.read(check)).state).toBe("down");
});

test("many checks alert each at its own time", async () => {
  await using on = await watched();
  const checks = [];
  for (const every of [51, 23, 37, 22, 38])
    checks.push({ every, check: await on.pinged({ name: `${every}`, topic: `t${every}`, every }) });
  await on.pass(MINUTE);
  for (const { every, check } of checks)
    expect(await told(on, check)).toEqual([[after(every * SECOND), `${every} missed its check-in`]]);
});

test("an earlier deadline that is written while the alerter waits is kept", async () => {
  await using on = await watched();
  await on.pinged({ name: "later", every: 14 });
  const sooner = await on.pinged({ name: "sooner", every: 10 });
  on.clock.advance(10 * SECOND);
  await on.alerted(sooner, 1);
  expect(await told(on, sooner)).toEqual([[after(10 * SECOND), "sooner missed its check-in"]]);
});

test("a ping in time puts the alert off", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: 10 });
  for (let n = 0; n < 5; n++) {
    on.clock.advance(9_999);
    await on.idle();
    await on.ping(check);
  }
  expect(await on.alerts(check)).toEqual([]);
  await on.pass(10 * SECOND);
  expect(await told(on, check)).toEqual([[after(5 * 9_999 + 10_000), "nas missed its check-in"]]);
});

test("a check that was never pinged alerts when it is armed", async () => {
  await using on = await watched();
  const check = await on.check({ name: "nas", every: 60, armed: true });
  await on.check({ name: "other", every: 60 });
  await on.pass(2 * MINUTE);
  expect(await told(on, check)).toEqual([[after(MINUTE), "nas missed its check-in"]]);
});

test("late, reminders, a run that takes too long and the end of a snooze alert at their times", async () => {
  await using on = await watched();
  const late = await on.pinged({ name: "late", topic: "a", every: 60, grace: 30, notify_late: true });
  const reminded = await on.pinged({ name: "nas", topic: "b", every: 60, remind_every: 120, remind_max: 2 });
  const run = await on.pinged({ name: "run", topic: "c", every: 3600, max_run: 45 });
  await on.ping(run, "/start");
  const muted = await on.pinged({ name: "muted", topic: "d", every: 60 });
  await on.act(muted, "snooze", { for: 200 });
  await on.pass(10 * MINUTE);
  expect(await told(on, late)).toEqual([
    [after(60_000), "late is late"],
    [after(90_000), "late missed its check-in"],
  ]);
  expect(await told(on, reminded)).toEqual([
    [after(60_000), "nas missed its check-in"],
    [after(180_000), "nas is still down"],
    [after(300_000), "nas is still down"],
  ]);
  expect(await told(on, run)).toEqual([[after(45_000), "run runs too long"]]);
  expect(await told(on, muted)).toEqual([[after(200_000), "muted missed its check-in"]]);
});

test("a restart inside the deadline changes nothing", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: 60 });
  await on.pass(30 * SECOND);
  await on.peal.restart();
  await on.pass(30 * SECOND);
  expect(await told(on, check)).toEqual([[after(60_000), "nas missed its check-in"]]);
  await on.peal.restart();
  await on.pass(MINUTE);
  expect(await on.alerts(check)).toHaveLength(1);
});

test("a short restart past the deadline alerts at once", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: 60 });
  await on.pass(50 * SECOND);
  await on.peal.running.stop();
  on.clock.advance(20 * SECOND);
  await on.peal.restart();
  const [alert] = await on.alerted(check, 1);
  expect(alert).toMatchObject({
    created_at: after(70_000),
    title: "nas missed its check-in",
    data: { deadline_at: after(60_000), server_gap: false },
  });
});

test.each([
  [4, 4, /missed its check-in/],
  [5, 1, /^5 checks missed/],
  [50, 1, /^50 checks missed/],
])("%i checks that are due at once in one topic make %i message(s)", async (checks, messages, title) => {
  await using on = await watched();
  const made: TestCheck[] = [];
  for (let n = 0; n < checks; n++) made.push(await on.pinged({ name: `check-${n}`, every: 60 }));
  const [check] = made;
  if (check === undefined) throw new Error("no check");
  await on.pass(2 * MINUTE);
  const found = await told(on, check);
  expect(found).toHaveLength(messages);
  for (const [at, words] of found) expect([at, words]).toEqual([after(60_000), expect.stringMatching(title) as string]);
  for (const one of made) expect((await on.read(one)).state).toBe("down");
});

test("a store that fails delays an alert and loses none", async () => {
  await using on = await watched();
  const check = await on.pinged({ name: "nas", every: 60 });
  await on.pass(30 * SECOND);
  on.tamper('ALTER TABLE "check" RENAME TO hidden');
  on.clock.advance(40 * SECOND);
  await eventually("the alerter to notice", async () => (await on.tickAge()) >= 40);
  on.tamper('ALTER TABLE hidden RENAME TO "check"');
  on.clock.advance(15 * SECOND);
  const [alert] = await on.alerted(check, 1);
  expect(alert).toMatchObject({ title: "nas missed its check-in", data: { deadline_at: after(60_000) } });
  await on.pass(10 * MINUTE);
  expect(await on.alerts(check)).toHaveLength(1);

  const other = await on.pinged({ name: "other", topic: "others", every: 60 });
  on.clock.advance(2 * MINUTE); // like one long wait: the failure before does not count as a gap
  expect(await on.alerted(other, 1)).toMatchObject([{ level: "error", data: { server_gap: false } }]);
});

test("a check that throws is put off and reported, and does not stop the others", async () => {
  await using on = await watched();
  const broken = await on.pinged({ name: "broken", topic: "a", every: 60 });
  const fine = await on.pinged({ name: "fine", topic: "b", every: 60 });
  const standing = `(SELECT standing FROM "check" WHERE id = '${broken.id}')`;
  on.tamper(`CREATE TABLE kept AS SELECT ${standing} AS standing`);
  on.tamper(`UPDATE "check" SET standing = '{"state":' WHERE id = '${broken.id}'`);
  await on.pass(MINUTE);
  expect(await told(on, fine)).toEqual([[after(60_000), "fine missed its check-in"]]);
  expect(await metric(on.peal, "peal_checks_put_off_total")).toBe(1);
  const health = async () => answer<{ status: string; checks: object }>(200, await on.peal.request("/health"));
  expect(await health()).toMatchObject({ status: "degraded", checks: { alerter: "degraded" } });

  on.tamper(`UPDATE "check" SET standing = (SELECT standing FROM kept) WHERE id = '${broken.id}'`);
  await on.pass(HOUR);
  expect((await told(on, broken))[0]).toEqual([after(60_000 + HOUR), "broken missed its check-in"]);
  await on.pass(SECOND);
  expect(await health()).toMatchObject({ status: "ok", checks: { alerter: "ok" } });
});

test("health is 503 while the alerter does not tick", async () => {
  await using on = await watched();
  const alerter = async (status: number) =>
    (await answer<{ checks: { alerter: string } }>(status, await on.peal.request("/health"))).checks.alerter;
  await on.pass(2 * MINUTE);
  expect(await alerter(200)).toBe("ok");
  on.tamper('ALTER TABLE "check" RENAME TO hidden');
  for (const [seconds, status] of [
    [60, 200],
    [1, 503],
  ] as const) {
    on.clock.advance(seconds * SECOND);
    await alerter(status);
  }
  expect(await alerter(503)).toBe("failing");
  on.tamper('ALTER TABLE hidden RENAME TO "check"');
  on.clock.advance(15 * SECOND);
  await eventually("the alerter to tick", async () => (await on.tickAge()) === 0);
  expect(await alerter(200)).toBe("ok");
});

test("the metrics count checks by state and alerts by kind", async () => {
  await using on = await watched();
  for (let n = 0; n < 3; n++) await on.pinged({ name: `up-${n}`, every: HOUR / SECOND });
  const down = await on.pinged({ name: "down", every: 60 });
  await on.check({ name: "new", every: 60 });
  await on.pass(MINUTE);
  const text = await (await on.peal.request("/metrics")).text();
  for (const line of [
    ...['peal_checks{state="new"} 1', 'peal_checks{state="up"} 3', 'peal_checks{state="down"} 1'],
    ...['peal_checks{state="paused"} 0', 'peal_alerts_total{kind="down"} 1', "peal_checks_put_off_total 0"],
  ])
    expect(text).toContain(`\n${line}\n`);
  await on.ping(down);
  expect(await (await on.peal.request("/metrics")).text()).toContain('peal_alerts_total{kind="up"} 1\n');
});
