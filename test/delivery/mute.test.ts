/** Muting: the message is stored, its deliveries end as cancelled, and everything is as before once it is over. */
import { expect, test } from "bun:test";
import { delivering, HOUR } from "./delivering.ts";

// prettier-ignore
test.each([
  ["topic",     (key: string) => `/v1/home/${key}`],
  ["namespace", () => "/-/local/namespaces/home"],
])("nothing of a muted %s is sent until then, not even urgent messages, and all of it is stored", async (_, path) => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const { token } = await at.device("ios", [topic]);
  const muted = await at.peal.local(path(topic.key), {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ muted_until: new Date(at.clock.now() + HOUR).toISOString() }),
  });
  expect(muted.status).toBe(200);
  for (const priority of ["normal", "urgent"]) {
    const id = await at.publish(topic, "muted", { priority });
    const [delivery] = await at.when(topic, id, ({ state }) => state !== "pending");
    expect(delivery).toMatchObject({ state: "cancelled", last_reason: "muted" });
  }
  expect(await at.peal.history(topic)).toHaveLength(2);
  at.clock.advance(HOUR);
  await at.all("accepted", topic, await at.publish(topic, "rings"));
  expect(at.apns.onScreen(token)).toMatchObject([{ aps: { alert: { body: "rings" } } }]);
});
