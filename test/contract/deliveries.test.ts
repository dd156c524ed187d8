/** What became of a message on each device, black-box (DELIVERY.md §2, §6), and whether someone has seen it. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, TIME, type TestTopic } from "../support/client.ts";
import {
  deliveriesOf,
  deliveriesWhen,
  deviceOf,
  iphone,
  register,
  send,
  type TestDevice,
  UNKNOWN_DEVICE,
} from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { fakePushService, type TestSubscription } from "../support/push/webpush.ts";
import { startPeal } from "../support/server.ts";

const service = await fakePushService();
const peal = await startPeal({
  env: {
    ...service.env,
    NODE_EXTRA_CA_CERTS: authority.file,
    PEAL_VAPID_SUBJECT: "mailto:op@peal.example",
    PEAL_RECEIPTS: "on",
  },
});
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const time = expect.stringMatching(TIME) as unknown;
const browser = async (
  topics: readonly TestTopic[],
  subscription: TestSubscription = service.subscribe(),
): Promise<TestDevice> =>
  register(peal, { platform: "web", token: subscription.endpoint, keys: subscription.keys, name: "browser" }, topics);
const published = async (topic: TestTopic, body: object = { message: "m" }): Promise<number> => {
  const message = await peal.publish(topic, body);
  if (message === null) throw new Error("not published");
  return message.id;
};
const settled = ({ state }: { state: string }) => state !== "pending";
const none = { pending: 0, accepted: 0, failed: 0, expired: 0, cancelled: 0 };

describe("deliveries", () => {
  test("show who got it, who could not, and who is waiting for what", async () => {
    const topic = await peal.topic("told");
    const gone = service.subscribe();
    const [got, lost, waits] = [await browser([topic]), await browser([topic], gone), await iphone(peal, [topic])];
    service.unsubscribe(gone.endpoint);
    const id = await published(topic);
    const deliveries = await deliveriesWhen(
      peal,
      topic,
      id,
      3,
      (each) => each.device?.ref === waits.ref || settled(each),
    );
    const of = (device: TestDevice) => deliveries.find((delivery) => delivery.device?.ref === device.ref);
    const lane = `webpush:${service.origin}`;
    expect(of(got)).toEqual({
      ...{ device: { ref: got.ref, platform: "web", name: "browser" }, state: "accepted", lane, attempts: 1 },
      ...{ created_at: time, expires_at: time, accepted_at: time, settled_at: time, last_status: 201 },
      provider_id: expect.any(String) as unknown,
    } as never);
    expect(of(lost)).toMatchObject({ state: "failed", lane, attempts: 1, last_status: 410 });
    expect(of(waits)).toEqual({
      ...{ device: { ref: waits.ref, platform: "ios" }, state: "pending", lane: "apns:production", attempts: 0 },
      ...{ waits_for: "paused: not configured", created_at: time, due_at: time, expires_at: time },
    } as never);
    expect((await deliveriesOf(peal, topic, id)).counts).toEqual({ ...none, accepted: 1, failed: 1, pending: 1 });

    expect(await deviceOf(peal, got.id)).toMatchObject({ status: "active", last_success_at: time });
    expect(await deviceOf(peal, lost.id)).toMatchObject({ status: "expired", expired: { at: time } });
    const tried = await send(peal, "POST", `/v1/devices/${lost.id}/test`);
    expect(await answer(409, tried)).toMatchObject({ code: "device_expired" });
  });

  test("are answered page by page, with the counts of all", async () => {
    const topic = await peal.topic("paged");
    for (let n = 0; n < 5; n++) await iphone(peal, [topic]);
    const id = await published(topic);
    const all = await deliveriesWhen(peal, topic, id, 5);
    const first = await deliveriesOf(peal, topic, id, "?limit=3");
    expect(first).toMatchObject({ deliveries: all.slice(0, 3), has_more: true, counts: { pending: 5 } });
    expect(await deliveriesOf(peal, topic, id, `?limit=3&after=${first.next_after}`)).toEqual({
      ...{ counts: { ...none, pending: 5 }, deliveries: all.slice(3), has_more: false },
    });
    expect(await deliveriesOf(peal, topic, id, "?limit=5")).toMatchObject({ has_more: false });
  });

  test("leave out devices that subscribed later or were removed", async () => {
    const topic = await peal.topic("late");
    const first = await iphone(peal, [topic]);
    const id = await published(topic);
    const late = await iphone(peal, [topic]);
    const next = await published(topic);
    await deliveriesWhen(peal, topic, next, 2);
    const got = (await deliveriesOf(peal, topic, id)).deliveries.map(({ device }) => device?.ref);
    expect([got.includes(first.ref), got.includes(late.ref)]).toEqual([true, false]);
    expect((await send(peal, "DELETE", `/v1/devices/${first.id}`)).status).toBe(204);
    expect((await deliveriesOf(peal, topic, id)).deliveries.filter(({ state }) => state === "pending")).toEqual([]);
  });

  test("are empty where nobody subscribed", async () => {
    const topic = await peal.topic("alone");
    expect(await deliveriesOf(peal, topic, await published(topic))).toEqual({
      ...{ counts: none, deliveries: [], has_more: false },
    });
  });

  test("are for key holders of the namespace", async () => {
    const topic = await peal.topic("closed");
    const id = await published(topic);
    const path = `/v1/home/${topic.key}/messages/${id}/deliveries`;
    const { key } = await peal.mint("publish");
    // prettier-ignore
    const refused: [status: number, code: string, path: string, init: RequestInit][] = [
      [401, "missing_key", path, {}],
      [403, "insufficient_scope", path, { headers: { authorization: `Bearer ${key}` } }],
      [403, "wrong_namespace", path.replace("/home/", "/media/"), {}],
      [404, "unknown_topic", path.replace(topic.key, `x-${UNKNOWN_DEVICE}`), {}],
      [404, "unknown_message", path.replace(`/${id}/`, "/99/"), {}],
      [404, "unknown_message", path.replace(`/${id}/`, "/x/"), {}],
      [400, "invalid_limit", `${path}?limit=201`, {}],
      [400, "invalid_after", `${path}?after=-1`, {}],
      [405, "method_not_allowed", path, { method: "POST" }],
    ];
    for (const [status, code, at, init] of refused) {
      const headers = { authorization: `Bearer ${peal.adminKey}` };
      const asked = await peal.request(at, code === "missing_key" ? init : { headers, ...init });
      expect([at, await answer(status, asked)]).toMatchObject([at, { code }]);
    }
  });
});

describe("a retry", () => {
  const retry = async (topic: TestTopic, id: number, body: object = {}, status = 202) =>
    answer<{ retried: number; left: number }>(
      status,
      await peal.api("POST", `/v1/home/${topic.key}/messages/${id}/deliveries/retry`, body),
    );

  test("sends failed ones once more, to one device or to all, and nothing twice", async () => {
    const topic = await peal.topic("again");
    const [one, two] = [service.subscribe(), service.subscribe()];
    for (const { endpoint } of [one, two]) service.script.once(endpoint, { status: 400, body: "not now" });
    const [first] = [await browser([topic], one), await browser([topic], two), await browser([topic])];
    const id = await published(topic);
    await deliveriesWhen(peal, topic, id, 3, settled);
    expect((await deliveriesOf(peal, topic, id)).counts).toEqual({ ...none, accepted: 1, failed: 2 });
    expect(await retry(topic, id, { device: first.ref })).toEqual({ retried: 1, left: 0 });
    await deliveriesWhen(peal, topic, id, 3, settled);
    expect((await deliveriesOf(peal, topic, id)).counts).toEqual({ ...none, accepted: 2, failed: 1 });
    expect(await retry(topic, id)).toEqual({ retried: 1, left: 0 });
    await deliveriesWhen(peal, topic, id, 3, ({ state }) => state === "accepted");
    expect(await retry(topic, id)).toEqual({ retried: 0, left: 0 });
    for (const { endpoint } of [one, two]) expect(service.accepted(endpoint)).toHaveLength(1);
  });

  test("of an unknown device or message is refused, and needs a full key", async () => {
    const topic = await peal.topic("refused");
    const id = await published(topic);
    expect(await retry(topic, id, { device: "x" }, 404)).toMatchObject({ code: "unknown_device" });
    expect(await retry(topic, id, { device: 1 }, 422)).toMatchObject({ code: "validation_failed" });
    expect(await retry(topic, 99, {}, 404)).toMatchObject({ code: "unknown_message" });
    const path = `/v1/home/${topic.key}/messages/${id}/deliveries/retry`;
    const { key } = await peal.mint("publish");
    const asked = await peal.request(path, { method: "POST", headers: { authorization: `Bearer ${key}` } });
    expect(await answer(403, asked)).toMatchObject({ code: "insufficient_scope" });
    expect(await answer(401, await peal.request(path, { method: "POST" }))).toMatchObject({ code: "missing_key" });
  });
});

describe("a test", () => {
  const result = async ({ id }: TestDevice) =>
    eventually("what became of the test", async () => {
      const { last_test: test } = (await deviceOf(peal, id)) as unknown as { last_test?: { state: string } };
      return test !== undefined && settled(test) && test;
    });

  test("is sent, and the push service's answer is shown", async () => {
    const subscription = service.subscribe();
    const device = await browser([], subscription);
    expect((await send(peal, "POST", `/v1/devices/${device.id}/test`)).status).toBe(202);
    expect(await result(device)).toMatchObject({ at: time, state: "accepted", status: 201 });
    expect(service.accepted(subscription.endpoint)).toHaveLength(1);
    expect(await deviceOf(peal, device.id)).toMatchObject({ last_success_at: time });
  });

  test("that is refused shows the answer unchanged", async () => {
    const subscription = service.subscribe();
    const device = await browser([], subscription);
    service.script.once(subscription.endpoint, { status: 400, body: '{"message":"no pushes on Sundays"}' });
    await send(peal, "POST", `/v1/devices/${device.id}/test`);
    const test = { state: "failed", status: 400, answer: expect.stringContaining("no pushes on Sundays") as unknown };
    expect(await result(device)).toMatchObject(test);
  });
});

describe("an acknowledgement", () => {
  const ack = async (topic: TestTopic, id: number | string) =>
    send(peal, "POST", `/v1/home/${topic.key}/messages/${id}/ack`);
  const urgent = { message: "m", priority: "urgent", ack: true };

  test("can be made by anyone with the topic's key, once", async () => {
    const topic = await peal.topic("seen");
    const id = await published(topic, urgent);
    const first = await answer<object>(200, await ack(topic, id));
    expect(first).toEqual({ acknowledged_at: time });
    expect(await answer<object>(200, await ack(topic, id))).toEqual(first);
    expect(await deliveriesOf(peal, topic, id)).toMatchObject(first);
  });

  test("ends repeated deliveries as accepted, and waiting ones as cancelled", async () => {
    const topic = await peal.topic("repeated");
    const [got, waits] = [await browser([topic]), await iphone(peal, [topic])];
    const id = await published(topic, urgent);
    const before = await deliveriesWhen(peal, topic, id, 2, (each) => each.device?.ref === waits.ref || settled(each));
    expect(before.find(({ device }) => device?.ref === got.ref)).toMatchObject({ state: "accepted", due_at: time });
    expect(before.find(({ device }) => device?.ref === got.ref)).not.toHaveProperty("settled_at");
    expect((await deliveriesOf(peal, topic, id)).counts).toEqual({ ...none, accepted: 1, pending: 1 });
    await answer(200, await ack(topic, id));
    const { deliveries, counts } = await deliveriesOf(peal, topic, id);
    expect(deliveries.map(({ device, state }) => [device?.ref, state])).toEqual([
      [got.ref, "accepted"],
      [waits.ref, "cancelled"],
    ]);
    for (const delivery of deliveries) expect(delivery).toHaveProperty("settled_at", time);
    expect(counts).toEqual({ ...none, accepted: 1, cancelled: 1 });
  });

  test("is refused where none was requested, and a GET does nothing", async () => {
    const topic = await peal.topic("unasked");
    const id = await published(topic, { message: "m", priority: "urgent" });
    expect(await answer(409, await ack(topic, id))).toMatchObject({ code: "ack_not_asked" });
    expect(await answer(404, await ack(topic, 99))).toMatchObject({ code: "unknown_message" });
    expect(await answer(404, await ack({ ...topic, key: `x-${UNKNOWN_DEVICE}` }, id))).toMatchObject({ code: "unknown_topic" }); // prettier-ignore
    const asked = await published(topic, urgent);
    for (const method of ["GET", "HEAD", "PUT"])
      expect((await send(peal, method, `/v1/home/${topic.key}/messages/${asked}/ack`)).status).toBe(405);
    expect(await deliveriesOf(peal, topic, asked)).not.toHaveProperty("acknowledged_at");
  });
});

describe("a receipt", () => {
  const shown = async (id: string, body: object) => send(peal, "POST", `/v1/devices/${id}/shown`, body);

  test("of a device records when it first showed the message", async () => {
    const topic = await peal.topic("shown");
    const device = await browser([topic]);
    const id = await published(topic);
    await deliveriesWhen(peal, topic, id, 1, settled);
    const receipt = { namespace: "home", topic: topic.key, id };
    expect((await shown(device.id, receipt)).status).toBe(204);
    const [first] = (await deliveriesOf(peal, topic, id)).deliveries;
    expect(first).toMatchObject({ shown_at: time, state: "accepted" });
    expect((await shown(device.id, receipt)).status).toBe(204);
    expect((await deliveriesOf(peal, topic, id)).deliveries).toEqual([first as never]);
  });

  test("of another device records nothing, and is refused for an unknown one", async () => {
    const topic = await peal.topic("unshown");
    const [device, other] = [await browser([topic]), await browser([])];
    const id = await published(topic);
    await deliveriesWhen(peal, topic, id, 1, settled);
    const receipt = { namespace: "home", topic: topic.key, id };
    expect((await shown(other.id, receipt)).status).toBe(204);
    expect((await deliveriesOf(peal, topic, id)).deliveries[0]).not.toHaveProperty("shown_at");
    // prettier-ignore
    const refused: [status: number, code: string, device: string, body: object][] = [
      [404, "unknown_device", UNKNOWN_DEVICE, receipt],
      [404, "unknown_topic", device.id, { ...receipt, topic: `x-${UNKNOWN_DEVICE}` }],
      [404, "unknown_message", device.id, { ...receipt, id: 99 }],
      [422, "validation_failed", device.id, { ...receipt, id: "1" }],
    ];
    for (const [status, code, of, body] of refused)
      expect(await answer(status, await shown(of, body))).toMatchObject({ code });
  });
});
