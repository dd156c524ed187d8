/** A device's id opens its record, with all its topic keys, so a holder of one topic's key only gets to see the device's ref. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, type TestTopic } from "../support/client.ts";
import { deliveriesWhen, deviceOf, iphone, type TestDevice } from "../support/devices.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

/** Makes a topic with two devices, and a message that is being sent to them. */
async function followed(name: string): Promise<{ topic: TestTopic; devices: TestDevice[] }> {
  const topic = await peal.topic(name);
  const devices = [await iphone(peal, [topic], { name: "phone" }), await iphone(peal, [topic])];
  await peal.publish(topic, { message: "m", priority: "urgent", ack: true });
  await deliveriesWhen(peal, topic, 1, 2);
  return { topic, devices };
}
const namedIn = (text: string, names: string[]): string[] => names.filter((name) => text.includes(name));

test("a ref is short, reveals nothing about the id, and is in the device's own record", async () => {
  const [one, other] = [await iphone(peal), await iphone(peal)];
  expect(one.ref).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
  expect(one.id).not.toContain(one.ref);
  expect(other.ref).not.toBe(one.ref);
  expect((await deviceOf(peal, one.id)).ref).toBe(one.ref);
});

describe("a key with the widest scope", () => {
  test("finds no id of a device in any answer", async () => {
    const { topic, devices } = await followed("searched");
    const ids = devices.map(({ id }) => id);
    const refs = devices.map(({ ref }) => ref);
    const given: Record<string, string> = { ns: "home", topic: topic.name, name: topic.name, key: topic.key, id: "1" };
    const { paths } = await answer<{ paths: Record<string, object> }>(200, await peal.request("/openapi.json"));
    const asked = Object.entries(paths)
      .filter(([path, methods]) => "get" in methods && path !== "/v1/devices/{id}")
      .map(([path]) => ["GET", path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? "x")] as const);
    const naming: string[] = [];
    for (const [method, path] of [...asked, ["POST", `/v1/home/${topic.key}/rotate`] as const]) {
      const answered = await peal.api(method, path);
      // a stream does not end by itself, and contains what the history contains
      const isStream = answered.headers.get("content-type")?.startsWith("text/event-stream") === true;
      if (isStream) await answered.body?.cancel();
      const text = isStream ? "" : await answered.text();
      expect([path, namedIn(text, ids)]).toEqual([path, []]);
      if (namedIn(text, refs).length > 0) naming.push(path);
    }
    const own = `/v1/home/${topic.key}`;
    expect(naming.toSorted()).toEqual([`${own}/devices`, `${own}/messages/1/deliveries`, `${own}/rotate`]);
  });

  test("keeps devices by ref or by id when a topic gets a new key", async () => {
    const { topic, devices } = await followed("kept");
    const [one, other] = devices;
    const third = await iphone(peal, [topic]);
    const rotated = await peal.api("POST", `/v1/home/${topic.key}/rotate`, { keep_devices: [one?.ref, other?.id] });
    expect(await answer(200, rotated)).toMatchObject({
      kept_devices: devices.map(({ ref }) => ref),
      dropped_devices: [third.ref],
    });
    expect((await deviceOf(peal, one?.id ?? "")).topics).toMatchObject([{ name: "kept" }]);
  });
});

test("the operator sees both, and so can send a device a test", async () => {
  const { topic, devices } = await followed("operated");
  const both = devices.map(({ id, ref }) => ({ id, ref }));
  for (const [path, expected] of [
    ["devices", { devices: both }],
    ["messages/1/deliveries", { deliveries: both.map((device) => ({ device })) }],
  ] as const)
    expect(await answer(200, await peal.local(`/v1/home/${topic.key}/${path}`))).toMatchObject(expected);
});
