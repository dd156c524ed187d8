/** However the server ends in the middle of a fan-out: every device shows every message exactly once (DELIVERY.md §1, §7). */
import { expect, test } from "bun:test";
import { withDice } from "../support/dice.ts";
import { IS_THOROUGH, ROUNDS } from "../support/rounds.ts";
import { fleet } from "./pushing.ts";

const KILLS = Math.min(ROUNDS, 10);
const DEVICES = IS_THOROUGH ? 3_000 : 300;

test(
  `SIGKILL in the middle of ${DEVICES} sends, ${KILLS} times`,
  async () =>
    withDice(async (dice) => {
      await using all = await fleet(DEVICES);
      const { peal, apns } = all;
      apns.latencyMs = 20; // so that most kills come before the last answer
      const messages: string[] = [];
      let killedInMidst = 0;
      for (let round = 1; round <= KILLS; round++) {
        messages.push(`round ${round}`);
        const before = apns.received.length;
        const id = await all.publish(`round ${round}`, Math.ceil(dice() * DEVICES * 0.7));
        await peal.kill("SIGKILL");
        if (apns.received.length - before < DEVICES) killedInMidst++;
        await peal.start();
        await all.accepted(id);
      }
      expect(killedInMidst).toBeGreaterThan(0);
      all.expectOnScreen(messages);
    }),
  60_000 + KILLS * 20_000,
);

test(`SIGTERM in the middle of ${DEVICES} sends ends the server by itself, and the next start sends the rest`, async () => {
  await using all = await fleet(DEVICES);
  const { peal, apns } = all;
  apns.latencyMs = 100; // 50 are in flight at any time
  const id = await all.publish("one", DEVICES / 10);
  expect(await peal.kill("SIGTERM")).toBe(0);
  expect(apns.received.length).toBeLessThan(DEVICES / 2);
  const { status } = apns.received.at(-1) ?? {};
  expect(status).toBe(200);

  const sent = apns.received.length;
  apns.latencyMs = 0;
  await peal.start();
  await all.accepted(id);
  all.expectOnScreen(["one"]);
  expect(apns.received.length - sent).toBe(DEVICES - sent); // what was in flight was noted before the end
});
