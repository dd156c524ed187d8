/** While the store cannot be written, no push is lost, and none is sent repeatedly (DELIVERY.md §1). */
import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { deliveriesOf } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { delivering, SECOND } from "./delivering.ts";

test("answers are noted once the store can be written again", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  at.apns.script.once(token, { kind: "silence" });
  const id = await at.publish(topic, "1");
  await eventually("it to be sent", () => at.apns.received.length === 1);
  const other = new Database(join(at.peal.dataDir, "peal.db"));
  try {
    other.run("BEGIN IMMEDIATE"); // the file is locked: the server's writes fail after 5 s
    at.clock.advance(15 * SECOND); // longer than any answer is waited for: the try has failed, and that is to be noted
    await at.until("the store to be away", () =>
      at.logs.some((line) => line.includes("what became of pushes cannot be stored")),
    );
    await at.pass(60 * SECOND);
    expect(at.apns.received.length).toBe(1);
  } finally {
    other.run("ROLLBACK");
    other.close();
  }
  await at.until("it to be accepted", async () => (await deliveriesOf(at.peal, topic, id)).counts["accepted"] === 1);
  expect(at.apns.onScreen(token).length).toBe(1);
});
