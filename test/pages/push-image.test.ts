/** Images in notifications: from which hosts, and what happens when the image does not load (WEB.md §1). */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { noise, PIXEL, sent } from "../support/files.ts";
import { feedOf, onScreen, openSubscriber, pushingTo, startPushing } from "./subscriber.ts";

/** Accepts connections and never answers. */
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

test("a push has its image where the operator allows the host, like the page, and otherwise none", async () => {
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

test("a push has the picture that came with its message, unless the sender named another; no other file", async () => {
  const topic = await feedOf(peal, "files");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.turnOn();
  const endpoint = subscriber.subscriptions[0]?.endpoint ?? "";
  const messages = [
    await sent(peal, `/home/${topic.name}`, PIXEL, { Filename: "door.png" }),
    await sent(peal, `/home/${topic.name}`, PIXEL, { Filename: "door.png", "X-Image": "https://cam.example/door.jpg" }),
    await sent(peal, `/home/${topic.name}`, noise(100), { Filename: "door.bin" }),
  ];
  const pushes = await eventually("the pushes", () => {
    const all = service.accepted(endpoint).map(({ plaintext }) => plaintext ?? "");
    return all.length === 3 ? all : undefined;
  });
  const images = pushes.map((json) => (JSON.parse(json) as { notification: { image?: string } }).notification.image);
  expect(images.toSorted()).toEqual(
    [messages[0]?.attachments?.[0]?.url, "https://cam.example/door.jpg", undefined].toSorted(),
  );
});

const push = (title: string, { tag = title, ...more }: { tag?: string; image?: string }) =>
  JSON.stringify({ notification: { title, tag, ...more } });
const HANGING = { image: "https://cam.example/door.jpg" };

test("a notification whose image does not load is shown without it, replaces no newer one and delays no other", async () => {
  const topic = await feedOf(peal, "slow-image");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.turnOn();
  taken = 0;
  const open = subscriber.deliver(push("door open", { ...HANGING, tag: "door" }));
  await eventually("the camera to be asked", () => taken > 0);
  await subscriber.deliver(push("door closed", { tag: "door" }), push("quick", {}), push("slow", HANGING));
  await open;
  await onScreen(subscriber, "door closed", "quick", "slow");
  await eventually("all to be counted", async () => (await subscriber.badge()) === 3);
});

test("a notification that was replaced before it was shown is not reported as shown", async () => {
  await using asking = await pushingTo(service, { PEAL_RECEIPTS: "on", PEAL_IMAGE_HOSTS: "cam.example" });
  const topic = await feedOf(asking, "receipts");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.turnOn();
  const door = { message: "x", dedup_key: "door" };
  const sent: string[] = [];
  for (const message of [
    { ...door, ...HANGING, status: "firing" },
    { ...door, status: "resolved" },
    { message: "x", ...HANGING },
  ]) {
    await asking.publish(topic, message);
    const accepted = () => service.accepted(subscriber.subscriptions[0]?.endpoint ?? "");
    sent.push((await eventually("a push", () => accepted()[sent.length])).plaintext ?? "");
  }
  await Promise.all(sent.map(async (push) => subscriber.deliver(push)));
  const shownAt = async (id: number) => {
    const response = await asking.api("GET", `/v1/home/${topic.key}/messages/${id}/deliveries`);
    return (await answer<{ deliveries: { shown_at?: string }[] }>(200, response)).deliveries[0]?.shown_at;
  };
  await eventually("the receipt of the last", async () => shownAt(4)); // this one waited longest
  expect(await shownAt(2)).toBeUndefined();
  expect(await shownAt(3)).toBeString();
});

test("a notification that arrives while an image is loading is shown over it", async () => {
  const image = Promise.withResolvers<Response>();
  const asked: (string | null)[] = [];
  using house = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: async ({ headers }) => {
      asked.push(headers.get("sec-fetch-dest"));
      return asked.length === 1 ? new Response("found") : image.promise;
    },
  });
  const topic = await feedOf(peal, "late-image");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.turnOn();
  const delivered: Promise<void>[] = [];
  await subscriber.shows(3, async () => {
    delivered.push(subscriber.deliver(push("door open", { image: house.url.href, tag: "door" })));
    await eventually("the browser to ask for the image", () => asked.includes("image"));
    await subscriber.shows(1, () => {
      delivered.push(subscriber.deliver(push("door closed", { tag: "door" }), push("another", {})));
    });
    image.resolve(new Response("no image"));
    await Promise.all(delivered);
  });
  await onScreen(subscriber, "another", "door closed");
});
