/** The devices of a topic, as the topic's owner sees them: listed, kept or dropped when its key is replaced (API.md §2). */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { deviceOf, iphone, send, UNKNOWN_DEVICE } from "../support/devices.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

interface Page {
  devices: { ref: string }[];
  has_more: boolean;
  next_after?: number;
}
const listed = async (key: string, query = "") =>
  answer<Page>(200, await peal.api("GET", `/v1/home/${key}/devices${query}`));
const rotate = async (key: string, body?: object) =>
  answer<{ topic: string; kept_devices: string[]; dropped_devices: string[] }>(
    200,
    await peal.api("POST", `/v1/home/${key}/rotate`, body),
  );

test("they are listed page by page, without their other topics", async () => {
  const [topic, other] = [await peal.topic("listed"), await peal.topic("other")];
  expect(await listed(topic.key)).toEqual({ devices: [], has_more: false });
  const made = [];
  for (const name of ["one", "two", "three"]) made.push(await iphone(peal, [topic, other], { name }));
  await iphone(peal, [other]);
  const { devices } = await listed(topic.key);
  expect(devices).toEqual(made.map((device) => ({ ...device, id: undefined, topics: undefined })));
  const first = await listed(topic.key, "?limit=2");
  expect([first.devices, first.has_more]).toEqual([devices.slice(0, 2), true]);
  expect(await listed(topic.key, `?limit=2&after=${first.next_after}`)).toEqual({
    devices: devices.slice(2),
    has_more: false,
  });
  expect((await listed(topic.key, "?limit=3")).has_more).toBe(false);
});

test("are not shown without a key of the namespace", async () => {
  const { key } = await peal.topic("closed");
  const path = `/v1/home/${key}/devices`;
  const { key: publisher } = await peal.mint("publish");
  const bearer = { authorization: `Bearer ${publisher}` };
  expect(await answer(401, await peal.request(path))).toMatchObject({ code: "missing_key" });
  expect(await answer(403, await peal.request(path, { headers: bearer }))).toMatchObject({
    code: "insufficient_scope",
  });
  expect(await answer(403, await peal.api("GET", `/v1/media/${key}/devices`))).toMatchObject({ code: "wrong_namespace" }); // prettier-ignore
  expect(await answer(404, await peal.api("GET", `/v1/home/x-${UNKNOWN_DEVICE}/devices`))).toMatchObject({ code: "unknown_topic" }); // prettier-ignore
  for (const [query, code] of [
    ["limit=0", "invalid_limit"],
    ["limit=201", "invalid_limit"],
    ["after=x", "invalid_after"],
  ] as const)
    // prettier-ignore
    expect(await answer(400, await peal.api("GET", `${path}?${query}`))).toMatchObject({ code });
  expect((await peal.api("POST", path)).status).toBe(405);
});

test("a new key drops all devices but those that are kept: they see it in their record", async () => {
  const topic = await peal.topic("rotated");
  const [kept, dropped, stranger] = [await iphone(peal, [topic]), await iphone(peal, [topic]), await iphone(peal)];
  const rotated = await rotate(topic.key, { keep_devices: [kept.id, stranger.id, UNKNOWN_DEVICE] });
  expect(rotated).toMatchObject({ kept_devices: [kept.ref], dropped_devices: [dropped.ref] });
  expect((await deviceOf(peal, kept.id)).topics).toEqual([
    { ...(kept.topics[0] as object), topic: rotated.topic, url: topic.url.replace(topic.key, rotated.topic) } as never,
  ]);
  for (const { id } of [dropped, stranger]) expect((await deviceOf(peal, id)).topics).toEqual([]);
  expect((await listed(rotated.topic)).devices.map(({ ref }) => ref)).toEqual([kept.ref]);

  const again = await rotate(rotated.topic);
  expect(again).toMatchObject({ kept_devices: [], dropped_devices: [kept.ref] });
  const back = { namespace: "home", topic: again.topic };
  expect((await send(peal, "POST", `/v1/devices/${dropped.id}/subscriptions`, back)).status).toBe(201);
});

test("the devices to keep are given as a list", async () => {
  const { key } = await peal.topic("refused");
  for (const keep_devices of ["all", [1], Array(1_001).fill(UNKNOWN_DEVICE)])
    expect(await answer(422, await peal.api("POST", `/v1/home/${key}/rotate`, { keep_devices }))).toMatchObject({ code: "validation_failed" }); // prettier-ignore
  expect((await listed(key)).devices).toEqual([]);
});
