/** What is due is sent at once, whatever happened in between, without waiting for the engine's next look (DELIVERY.md §2). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TestTopic } from "../support/client.ts";
import { deliveriesOf } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { refused } from "../support/push/apns.ts";
import { examples } from "../support/rounds.ts";
import { type Delivering, delivering } from "./delivering.ts";

/** Waits without moving the clock, so that no timer causes the sending. */
const areSent = async (at: Delivering, topic: TestTopic, ids: readonly number[]) =>
  eventually("all to be accepted", async () => {
    const pages = await Promise.all(ids.map(async (id) => deliveriesOf(at.peal, topic, id, "?limit=1")));
    return pages.every(({ counts }) => (counts["accepted"] ?? 0) > 0 && counts["pending"] === 0);
  });

test("a turn whose time is over before it begins still starts something", async () => {
  await using at = await delivering({ stepMs: 3 });
  const topic = await at.peal.topic("nas");
  for (const platform of ["ios", "android", "web"] as const) await at.device(platform, [topic]);
  await areSent(at, topic, [await at.publish(topic, "one")]);
});

const steps = fc.array(
  fc.record({
    urgent: fc.boolean(),
    latencies: fc.tuple(fc.nat(8), fc.nat(8), fc.nat(8)),
    /** The iPhones whose token belongs to the other environment from now on. */
    moves: fc.subarray([0, 1, 2]),
    /** Whether the others are told to wait, by the answer to this message. */
    waits: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

test("in whatever order messages and answers arrive, nothing that is due stays unsent", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(0, 0, 3), async (all, stepMs) => {
      await using at = await delivering({ stepMs });
      const topic = await at.peal.topic("nas");
      const phones = [];
      for (let n = 0; n < 3; n++) phones.push(await at.device("ios", [topic]));
      for (const platform of ["android", "web", "web"] as const) await at.device(platform, [topic]);
      const moved = new Set<number>();
      const ids: number[] = [];
      for (const { urgent, latencies, moves, waits } of all) {
        [at.apns.latencyMs, at.fcm.latencyMs, at.web.latencyMs] = latencies;
        for (const n of moves) {
          const { token } = phones[n] ?? { token: "" };
          if (!moved.has(n)) at.apns.script.once(token, refused("BadDeviceToken")); // twice would end the device
          moved.add(n);
        }
        ids.push(await at.publish(topic, `${ids.length}`, { priority: urgent ? "urgent" : "normal" }));
        if (waits) await areSent(at, topic, ids);
      }
      await areSent(at, topic, ids);
      for (const id of ids) expect((await deliveriesOf(at.peal, topic, id)).counts["accepted"]).toBe(6);
    }),
    { numRuns: examples(12) },
  );
}, 120_000);
