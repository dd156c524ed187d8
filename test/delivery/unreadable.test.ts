/** A row that cannot be read, perhaps written by another build, stops no other pushes (DELIVERY.md §9). */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { deliveriesOf } from "../support/devices.ts";
import { type Delivering, delivering, MINUTE } from "./delivering.ts";

function write(at: Delivering, sql: string): void {
  using db = new Database(join(at.peal.dataDir, "peal.db"));
  db.run("PRAGMA busy_timeout = 2000");
  db.run(sql);
}
const quiet_hours = { from: "01:00", to: "02:00", timezone: "Europe/Kyiv" };

test.each([
  ["quiet hours in a zone that is none", `UPDATE device SET quiet_hours = replace(quiet_hours, 'Europe', 'Mars')`],
  ["quiet hours that are no JSON", `UPDATE device SET quiet_hours = '{' WHERE quiet_hours IS NOT NULL`],
  ["a token that is no address", `UPDATE device SET token = 'nonsense' WHERE platform = 'web'`],
])("a device with %s stops no lane and no fan-out", async (_, sql) => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  for (let n = 0; n < 8; n++) await at.device("ios", [topic], { quiet_hours });
  await at.device("web", [topic]);
  const good: { token: string }[] = [];
  for (let n = 0; n < 5; n++) good.push(await at.device("ios", [topic]));
  write(at, sql);
  const ids = [await at.publish(topic, "one"), await at.publish(topic, "two")];
  await at.until("the others to be sent", () => good.every(({ token }) => at.apns.accepted(token).length === 2));
  await at.pass(5 * MINUTE);
  const lines = at.logs.filter((line) => line.includes("cannot be read"));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThan(25); // at most one for each look
  write(at, "UPDATE device SET quiet_hours = NULL");
  for (const id of ids)
    await at.until("what waited for those", async () => {
      const { deliveries } = await deliveriesOf(at.peal, topic, id);
      return deliveries.every(({ state }) => state === "accepted");
    });
});
