/** Images in notifications: from which hosts, and what becomes of a notification whose image does not come (WEB.md §1). */
import { afterAll, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { feedOf, onScreen, openSubscriber, startPushing } from "./subscriber.ts";

/** Takes connections and says nothing. */
let taken = 0;
const camera = Bun.listen({
  ...{ hostname: "127.0.0.1", port: 0 },
  socket: {
    open: () => {
      taken++;
    },
    data: () => undefined,
  },
});
afterAll(() => {
  camera.stop(true);
});
const { service, peal, browser } = await startPushing(`--host-resolver-rules=MAP cam.example 127.0.0.1:${camera.port}`);

test("a push has its image where the operator allows the host, as the page has, and else none", async () => {
  const topic = await feedOf(peal, "images");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.turnOn();
  const endpoint = subscriber.subscriptions[0]?.endpoint ?? "";
  const images = ["https://cam.example/door.jpg", "https://tracker.example/pixel.gif"];
  const sent = [];
  for (const [n, image] of images.entries()) {
    await peal.publish(topic, { message: "x", image });
    sent.push((await eventually("a push", () => service.accepted(endpoint)[n])).plaintext ?? "");
  }
  expect(sent.map((push) => images.filter((image) => push.includes(image)))).toEqual([images.slice(0, 1), []]);
});

test("one whose image does not come is shown without it, and keeps no other waiting", async () => {
  const topic = await feedOf(peal, "slow-image");
  await using subscriber = await openSubscriber(browser, topic.url, service, { expected: /ERR_CONNECTION/ });
  await subscriber.turnOn();
  taken = 0;
  const push = (title: string, image?: string) => JSON.stringify({ notification: { title, tag: title, image } });
  await subscriber.deliver(push("slow", "https://cam.example/door.jpg"), push("quick"));
  expect(taken).toBeGreaterThan(0);
  await subscriber.shows(1, () => {
    camera.stop(true);
  });
  await onScreen(subscriber, "quick", "slow");
  await eventually("both to be counted", async () => (await subscriber.badge()) === 2);
});
