/** However often the server is killed in the middle of a fan-out: every device gets every message, on its screen once (docs/design/DELIVERY.md §1). */
import { expect, test } from "bun:test";
import type { TestTopic } from "../support/client.ts";
import { apnsToken, deliveriesOf, register } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { fakeApns } from "../support/push/apns.ts";
import { authority } from "../support/push/ca.ts";
import { type Peal, startPeal } from "../support/server.ts";

const ROUNDS = Number(process.env["PEAL_TEST_ROUNDS"] ?? 3);
const DEVICES = 3_000;
const REGISTER_AT_ONCE = 20;

async function registerAll(peal: Peal, topic: TestTopic, tokens: readonly string[]): Promise<void> {
  const left = [...tokens];
  const worker = async () => {
    for (let token = left.pop(); token !== undefined; token = left.pop())
      await register(peal, { platform: "ios", token }, [topic]);
  };
  await Promise.all(Array.from({ length: REGISTER_AT_ONCE }, worker));
}

test(
  `SIGKILL in the middle of ${DEVICES} sends, ${ROUNDS} times`,
  async () => {
    await using apns = await fakeApns();
    const env = { PEAL_LIMITS_REGISTER: "0", NODE_EXTRA_CA_CERTS: authority.file, ...apns.env };
    await using peal = await startPeal({ env });
    const topic = await peal.topic("nas");
    const tokens = Array.from({ length: DEVICES }, () => apnsToken());
    await registerAll(peal, topic, tokens);

    let killedInMidst = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const before = apns.received.length;
      const enough = Math.ceil(Math.random() * DEVICES * 0.9);
      const published = await peal.publish(topic, { message: `round ${round}` });
      if (published === null) throw new Error("the publish was refused");
      await eventually(`${enough} sends`, () => apns.received.length - before >= enough);
      await peal.kill("SIGKILL");
      if (apns.received.length - before < DEVICES) killedInMidst++;
      await peal.start();
      for (let part = 1; part <= 4; part++)
        await eventually(`quarter ${part} of round ${round}`, async () => {
          const { counts } = await deliveriesOf(peal, topic, published.id, "?limit=1");
          return (counts["accepted"] ?? 0) >= (part * DEVICES) / 4;
        });
      const { counts } = await deliveriesOf(peal, topic, published.id, "?limit=1");
      expect(counts).toMatchObject({ accepted: DEVICES, pending: 0, failed: 0, cancelled: 0, expired: 0 });
    }

    expect(killedInMidst).toBeGreaterThan(0);
    for (const token of tokens) {
      const accepted = apns.accepted(token);
      const bodies = apns.onScreen(token).map(({ aps }) => (aps as { alert: { body: string } }).alert.body);
      expect(bodies.toSorted()).toEqual(Array.from({ length: ROUNDS }, (_, n) => `round ${n + 1}`).toSorted());
      expect(new Set(accepted.map(({ id }) => id)).size).toBe(ROUNDS); // a repeat has the identity of what it repeats
    }
  },
  120_000 + ROUNDS * 60_000,
);
