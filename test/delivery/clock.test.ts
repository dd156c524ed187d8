/** The server's clock is changed while it runs (DELIVERY.md §8). */
import { expect, test } from "bun:test";
import { delivering, HOUR, MINUTE } from "./delivering.ts";

test("a clock that was days ahead and is corrected stops no web push", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("web", [topic]);
  at.clock.jump(72 * HOUR);
  const early = await at.publish(topic, "by a wrong clock");
  await at.when(topic, early, ({ last_status }) => last_status === 403); // the signature is dated the day after tomorrow
  at.clock.jump(-72 * HOUR);
  await at.pass(MINUTE);
  const id = await at.publish(topic, "by a right one");
  await at.all("accepted", topic, id);
  expect(at.web.accepted(token).length).toBeGreaterThan(0);
});

test("a clock that is set back does not delay a push that is to be tried again", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("web", [topic]);
  at.web.script.once(token, { status: 429 });
  const id = await at.publish(topic, "backup failed");
  await at.when(topic, id, ({ attempts }) => attempts === 1);
  at.clock.jump(-3 * HOUR);
  await at.pass(20 * MINUTE);
  await at.all("accepted", topic, id);
});
