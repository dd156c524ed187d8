/** However often the server ends, and whatever the other side does meanwhile: a forward hands on every message (DELIVERY.md §1). */
import { expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { deliveriesOf } from "../support/devices.ts";
import { withDice } from "../support/dice.ts";
import { eventually } from "../support/eventually.ts";
import { forward } from "../support/forwards.ts";
import { createPushover, PUSHOVER_APP, PUSHOVER_USER } from "../support/forwards/pushover.ts";
import { fakeService } from "../support/push/service.ts";
import { IS_THOROUGH, ROUNDS } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";

const KILLS = Math.min(ROUNDS, 5);
const MESSAGES = IS_THOROUGH ? 200 : 40;

test(
  `SIGKILL ${KILLS} times in the middle of ${MESSAGES} messages, some of them in an outage`,
  async () =>
    withDice(async (dice) => {
      await using service = await fakeService();
      await using peal = await startPeal({ env: service.env });
      const topic = await peal.topic("nas");
      await forward(peal, "webhook", { url: `${service.origin}/hook` }, [topic]);
      const acknowledged: number[] = [];
      for (let round = 0; round < KILLS; round++) {
        const isDown = dice() < 0.5;
        if (isDown) await service.wire.stop();
        const killed = Math.ceil(dice() * MESSAGES);
        for (let n = 0; n < MESSAGES; n++) {
          const message = await peal.publish(topic, { message: `message ${round} ${n}` });
          if (message !== null) acknowledged.push(message.id);
          if (n === killed) {
            await peal.kill("SIGKILL");
            await peal.start();
          }
        }
        if (isDown) await service.wire.start();
      }
      const arrived = () =>
        new Map(service.received.map(({ headers, body, status }) => [headers["webhook-id"], { body, status }]));
      await eventually("the last to be settled", async () => {
        const { counts } = await deliveriesOf(peal, topic, acknowledged.at(-1) ?? 0);
        return counts["accepted"] === 1;
      });
      await eventually("all of them", () => {
        const taken = new Set([...arrived().values()].map(({ body }) => (JSON.parse(body) as { id: number }).id));
        return acknowledged.every((id) => taken.has(id));
      });
      // a repeat has the same identity, so that the receiver knows it
      expect(arrived().size).toBe(acknowledged.length);
    }),
  60_000 + KILLS * 20_000,
);

test("Pushover stops ringing after an acknowledgement, even if it was away then and the server was killed", async () => {
  const pushover = createPushover();
  await using service = await fakeService(pushover.judge);
  await using peal = await startPeal({ env: service.env });
  const topic = await peal.topic("nas");
  const settings = { app_token: PUSHOVER_APP, user_key: PUSHOVER_USER, server: service.origin };
  await forward(peal, "pushover", settings, [topic]);
  const message = await peal.publish(topic, { message: "the house burns", priority: "urgent", ack: true });
  await eventually("the emergency to be noted", async () => {
    const { counts } = await deliveriesOf(peal, topic, message?.id ?? 0);
    return counts["accepted"] === 1;
  });
  await service.wire.stop();
  await answer(200, await peal.request(`/v1/home/${topic.key}/messages/${message?.id}/ack`, { method: "POST" }));
  await peal.kill("SIGKILL");
  await service.wire.start();
  await peal.start();
  await eventually("it to be quiet", () => [...pushover.receipts.values()].every(({ state }) => state === "cancelled"));
  expect(pushover.messages).toHaveLength(1);
});
