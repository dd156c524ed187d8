/** Metrics use few labels, because each is a time series and push services of browsers may answer anything. */
import { randomBytes } from "node:crypto";
import { expect, test } from "bun:test";
import type { Lane as LaneName } from "../../src/delivery/delivery.ts";
import { count, countBreakers, reasonLabel, seriesOf } from "../../src/delivery/figures.ts";
import { Lane } from "../../src/delivery/lanes/lane.ts";
import type { DeviceRow } from "../../src/devices/device.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import type { Settled } from "../../src/store/deliveries.ts";
import { deliveriesOf, pushKeys, register } from "../support/devices.ts";
import { delivering } from "./delivering.ts";
import { aPending, MINUTE, NOW } from "./pendings.ts";

// prettier-ignore
test.each([
  ["apns:production",              410,       "Unregistered",                                    "Unregistered"],
  ["apns:sandbox",                 403,       "BadEnvironmentKeyIdInToken",                      "BadEnvironmentKeyIdInToken"],
  ["apns:production",              400,       "It was not you, it was me",                       "status_400"],
  ["apns:production",              400,       "A".repeat(41),                                    "status_400"],
  ["apns:production",              500,       "status 500",                                      "status_500"],
  ["fcm:project",                  404,       "UNREGISTERED",                                    "UNREGISTERED"],
  ["fcm:project",                  400,       "INVALID_ARGUMENT: Invalid value at 'message.x'",  "INVALID_ARGUMENT"],
  ["webpush:https://push.example", 410,       "push subscription has unsubscribed or expired.",  "status_410"],
  ["webpush:https://push.example", 403,       "BadJwtToken",                                     "status_403"],
  ["webpush:https://push.example", undefined, "no answer in 15 s",                               "no answer in 15 s"],
  ["webpush:https://push.example", undefined, "the endpoint doesn't belong to a known push service: the operator can allow a.example with PEAL_PUSH_HOSTS", "the endpoint doesn't belong to a known push service"],
  ["fcm:project",                  undefined, "could not be asked: ERR_STRANGE",                 "could not be asked"],
])("the answer of %s with %p, %p, is counted as %p", (lane, status, reason, label) => {
  expect(reasonLabel(lane, status, reason)).toBe(label);
});

test("a repeated delivery is counted when it is accepted, not when it ends", () => {
  const metrics = createMetrics({ version: "", startedAt: 0 });
  const pending = [aPending(1, {}, { acceptedAt: NOW })];
  const settled = ([undefined, 410, 200] as const).map((status) => ({
    rows: pending.map(({ row }) => row),
    outcome: { kind: "accepted" as const, ...(status !== undefined && { status }) },
  }));
  count(metrics, "fcm:project", { settled, pending, now: NOW });
  expect(metrics.deliveries.samples()).toEqual([['{lane="fcm:project",outcome="accepted",reason=""}', 1]]);
  expect(metrics.deliverySeconds.count).toBe(0);
});

test("outcomes of deliveries are counted, and the first acceptance records the time since the publish", () => {
  const metrics = createMetrics({ version: "1", startedAt: NOW });
  const pending = [
    aPending(1), // its message was stored a second ago
    aPending(2, {}, { message: undefined, kind: "test", createdAt: NOW - 250 }),
    aPending(3, {}, { acceptedAt: NOW - MINUTE }),
    aPending(4),
    aPending(5, {}, { createdAt: NOW - MINUTE }), // the age of the message counts, not that of its fan-out
  ];
  const rows = (...seqs: number[]) => pending.filter(({ row }) => seqs.includes(row)).map(({ row }) => row);
  const settled: Settled[] = [
    { rows: rows(1, 2), outcome: { kind: "accepted", status: 200 } },
    { rows: rows(3), outcome: { kind: "accepted", status: 200, repeatAt: NOW + MINUTE } },
    { rows: rows(4), outcome: { kind: "failed", status: 400, reason: "BadTopic" } },
    { rows: rows(5), outcome: { kind: "accepted", status: 200 } },
  ];
  count(metrics, "apns:production", { settled, pending, now: NOW });
  expect(metrics.deliveries.samples()).toEqual([
    ['{lane="apns:production",outcome="accepted",reason=""}', 4],
    ['{lane="apns:production",outcome="failed",reason="BadTopic"}', 1],
  ]);
  expect([metrics.deliverySeconds.count, metrics.deliverySeconds.sum]).toEqual([3, 2.25]);
});

test("a push service of browsers that answers differently each time adds no label and reveals no secret", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const said: string[] = [];
  for (const status of [400, 404, 410, 418, 429, 500])
    for (const form of ["word", "sentence"]) {
      const { token } = await at.device("web", [topic]);
      const letters = randomBytes(8).toString("hex").replaceAll(/\d/g, "x");
      const body = JSON.stringify({ reason: form === "word" ? letters : `${letters} at ${token}` });
      at.web.script.once(token, { status, body });
      said.push(letters, ...token.split("/").slice(-1));
    }
  const id = await at.publish(topic, "one");
  await at.when(topic, id, ({ attempts }) => attempts === 1);
  expect((await deliveriesOf(at.peal, topic, id)).counts).toMatchObject({ failed: 8, pending: 4 });

  const metrics = await (await at.peal.request("/metrics")).text();
  for (const words of said) expect(metrics).not.toContain(words);
  const reasons = [...metrics.matchAll(/^peal_(\w+)_total\{.*reason="([^"]+)"\} /gm)].map(
    ([, of, one]) => `${of} ${one}`,
  );
  expect(reasons.toSorted()).toEqual([
    ...["deliveries status_400", "deliveries status_404", "deliveries status_410", "deliveries status_418"],
    ...["deliveries status_429", "deliveries status_500", "pruned status_404", "pruned status_410"],
  ]);
});

// prettier-ignore
test.each([
  ["apns:production",                                "apns:production"],
  ["fcm:project",                                    "fcm:project"],
  ["webpush:https://fcm.googleapis.com",             "webpush:https://fcm.googleapis.com"],
  ["webpush:https://a.fcm.googleapis.com",           "webpush:*.fcm.googleapis.com"],
  ["webpush:https://updates.push.services.mozilla.com", "webpush:*.push.services.mozilla.com"],
  ["webpush:https://web.push.apple.com",             "webpush:*.push.apple.com"],
  ["webpush:https://made.up.push.apple.com",         "webpush:*.push.apple.com"],
  ["webpush:https://wns2-par02p.notify.windows.com", "webpush:*.notify.windows.com"],
  ["webpush:https://ntfy.home.example:8443",         "webpush:https://ntfy.home.example:8443"],
  ["webpush:https://web.push.apple.com.example",     "webpush:https://web.push.apple.com.example"],
])("pushes over %s are counted as %s", (lane, series) => {
  expect(seriesOf(lane)).toBe(series);
});

test("an invented host affects neither the state nor the metrics of real push services", () => {
  const metrics = createMetrics({ version: "", startedAt: 0 });
  const lane = (name: LaneName, isProven: boolean, isDown: boolean) => {
    const made = new Lane(name, 0);
    for (let n = 0; n < 5; n++) {
      const place = made.begin(0);
      if (place === undefined) throw new Error("the lane is not open");
      const verdict = isDown
        ? ({ kind: "retry", scope: "lane", reason: "down" } as const)
        : ({ kind: "fail", reason: "no" } as const);
      made.hear({ verdict, ...(!isDown && { status: 400 }) }, { ...place, device: n as DeviceRow, isProven }, 0);
      made.end(place);
    }
    return made;
  };
  const apple = (isDown: boolean) => lane("webpush:https://web.push.apple.com", true, isDown);
  const madeUp = (isDown: boolean) => lane("webpush:https://x.push.apple.com", false, isDown);
  const own = lane("webpush:https://ntfy.example", false, true);
  const said = (...lanes: Lane[]) => {
    countBreakers(metrics, lanes, String);
    return metrics.breakerOpen.samples();
  };
  const series = '{lane="webpush:*.push.apple.com"}';
  expect(said(apple(false), madeUp(true))).toEqual([[series, 0]]);
  expect(said(apple(true), madeUp(false))).toEqual([[series, 1]]);
  expect(said(own)).toEqual([['{lane="webpush:https://ntfy.example"}', 1]]);
});

test("invented endpoints add no labels", async () => {
  // nothing listens there, and so no name is looked up either
  await using at = await delivering({ env: { PEAL_HTTPS_PROXY: "http://127.0.0.1:9" } });
  const topic = await at.peal.topic("nas");
  const names = ["one", "two", "three"].map((name) => `${name}-${randomBytes(4).toString("hex")}`);
  for (const name of names)
    await register(at.peal, { platform: "web", token: `https://${name}.push.apple.com/x`, keys: pushKeys() }, [topic]);
  const id = await at.publish(topic, "one");
  await at.when(topic, id, ({ last_reason }) => last_reason !== undefined);
  const metrics = await (await at.peal.request("/metrics")).text();
  expect(metrics).toContain('peal_outbox_pending{lane="webpush:*.push.apple.com"} 3');
  expect(metrics).toMatch(/^peal_deliveries_total\{lane="webpush:\*\.push\.apple\.com",outcome="later",.*\} 3$/m);
  expect(metrics).toContain('peal_breaker_open{lane="webpush:*.push.apple.com"} 0');
  for (const name of names) expect(metrics).not.toContain(name);
});
