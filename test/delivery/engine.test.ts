/** What is published reaches every device that subscribed, through whatever its push service is (docs/design/DELIVERY.md). */
import { expect, test } from "bun:test";
import { delivering } from "./delivering.ts";

test("a message reaches a device of each platform, once", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const [ios, android, web] = [
    await at.device("ios", [topic]),
    await at.device("android", [topic]),
    await at.device("web", [topic]),
  ];
  const id = await at.publish(topic, "disk full", { title: "NAS" });
  await at.all("accepted", topic, id);
  expect(at.apns.onScreen(ios.token)).toMatchObject([{ aps: { alert: { title: "NAS", body: "disk full" } } }]);
  expect(at.fcm.onScreen(android.token)).toMatchObject([{ data: { title: "NAS", body: "disk full" } }]);
  expect(at.web.onScreen(web.token)).toMatchObject([{ notification: { title: "NAS", body: "disk full" } }]);
  expect([at.apns, at.fcm, at.web].map(({ received }) => received.length)).toEqual([1, 1, 1]);
});
