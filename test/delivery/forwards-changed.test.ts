/** A forward whose settings were changed is tried with the new ones at once (DELIVERY.md §11). */
import { expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { forward } from "../support/forwards.ts";
import { fakeService } from "../support/push/service.ts";
import { delivering } from "./delivering.ts";

test("even if its service wanted no more for an hour", async () => {
  await using service = await fakeService();
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  const { id: ref } = await forward(at.peal, "webhook", { url: `${service.origin}/old` }, [topic]);
  service.script.once("/old", { status: 429, headers: { "retry-after": "3600" } });
  const id = await at.publish(topic, "disk full");
  await at.when(topic, id, ({ last_status }) => last_status === 429);
  const settings = { url: `${service.origin}/new` };
  await answer(200, await at.peal.api("PATCH", `/v1/home/forwards/${ref}`, { settings }));
  await at.all("accepted", topic, id);
  expect(service.received.map(({ path, status }) => [path, status])).toEqual([
    ["/old", 429],
    ["/new", 200],
  ]);
});
