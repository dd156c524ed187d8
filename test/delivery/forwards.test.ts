/** Forwards in the engine: what is true of devices is true of them, and nothing of theirs gets lost or out (DELIVERY.md §11). */
import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { deliveriesOf } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { forward, forwardOf, tested } from "../support/forwards.ts";
import { fakeService } from "../support/push/service.ts";
import { inProcess } from "../support/server.ts";
import { answer } from "../support/client.ts";
import { delivering, heardOf, HOUR, isAccepted, MINUTE } from "./delivering.ts";

test("a message is handed on once, signed, and seen among deliveries", async () => {
  await using service = await fakeService();
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  const secret = "a secret of sixteen";
  const { id: ref } = await forward(at.peal, "webhook", { url: `${service.origin}/hook`, secret }, [topic], {
    name: "own",
  });
  const id = await at.publish(topic, "disk full", { title: "NAS", data: { disk: "sdc" } });
  const [delivery] = await at.when(topic, id, ({ state }) => state === "accepted");
  expect(delivery).toMatchObject({ device: { ref, platform: "forward", name: "own" }, attempts: 1, last_status: 200 });
  expect(delivery?.lane).toBe(`forward:webhook:${new URL(service.origin).host}`);
  const [request] = service.received;
  expect(JSON.parse(request?.body ?? "")).toMatchObject({
    ...{ id, namespace: "home", topic: topic.key, topic_name: "nas", title: "NAS", message: "disk full" },
    ...{ data: { disk: "sdc" }, link: expect.stringContaining(`#m${id}`) as string },
  });
  const {
    "webhook-id": webhookId,
    "webhook-timestamp": seconds,
    "webhook-signature": signature,
  } = request?.headers ?? {};
  const signed = `${webhookId}.${seconds}.${request?.body ?? ""}`;
  expect(signature).toBe(`v1,${createHmac("sha256", secret).update(signed).digest("base64")}`);
  expect(service.received).toHaveLength(1);
});

test("after an outage a program gets every message, and a chat one digest", async () => {
  await using service = await fakeService(({ path }) =>
    path === "/slack" ? { status: 200, body: "ok" } : { status: 204 },
  );
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  await forward(at.peal, "webhook", { url: `${service.origin}/hook` }, [topic]);
  await forward(at.peal, "slack", { url: `${service.origin}/slack` }, [topic]);
  await service.wire.stop();
  const ids: number[] = [];
  for (let n = 1; n <= 8; n++) ids.push(await at.publish(topic, `event ${n}`, { dedup_key: "one" }));
  await at.pass(10 * MINUTE);
  for (const id of ids)
    for (const { attempts } of (await deliveriesOf(at.peal, topic, id)).deliveries) expect(attempts).toBeLessThan(5);
  await service.wire.start();
  await at.until("all to be settled", async () => {
    const all = await Promise.all(ids.map(async (id) => deliveriesOf(at.peal, topic, id)));
    return all.every(({ counts }) => counts["pending"] === 0);
  });
  const programs = service.accepted().flatMap(({ message }) => (message === undefined ? [] : [message]));
  expect(programs.toSorted()).toEqual(ids.map((_, n) => `event ${n + 1}`));
  const chats = service.accepted().flatMap(({ attachments }) => (attachments === undefined ? [] : [attachments]));
  expect(chats).toMatchObject([[{ title: "8 messages while offline" }]]);
});

// prettier-ignore
test.each<[fault: string, answers: Parameters<Awaited<ReturnType<typeof fakeService>>["script"]["once"]>[1][], attempts: number]>([
  ["an answer that never comes",    [{ kind: "silence" }],                                                     2],
  ["a connection that is cut",      [{ kind: "reset" }],                                                       2],
  ["errors of the server",          [{ status: 500 }, { status: 503 }],                                        3],
  ["too many requests",             [{ status: 429, headers: { "retry-after": "30" } }],                       2],
])("a message outlives %s", async (_, answers, attempts) => {
  await using service = await fakeService();
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  await forward(at.peal, "webhook", { url: `${service.origin}/hook` }, [topic]);
  service.script.once("/hook", ...answers);
  const id = await at.publish(topic, "disk full");
  await at.until("it to be accepted", async () => isAccepted(at, topic, id));
  expect((await deliveriesOf(at.peal, topic, id)).deliveries).toMatchObject([{ attempts }]);
  expect(new Set(service.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("a wrong token pauses that forward alone, is told to its owner, and ends once it is mended", async () => {
  await using service = await fakeService(({ headers }) =>
    headers["x-gotify-key"] === "Agood0000000000"
      ? { status: 200, body: '{"id":1}' }
      : { status: 401, body: JSON.stringify({ errorDescription: `no token ${headers["x-gotify-key"]}` }) },
  );
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  const server = service.origin;
  const wrong = await forward(at.peal, "gotify", { server, token: "Awrong000000000" }, [topic]);
  const right = await forward(at.peal, "gotify", { server, token: "Agood0000000000" }, [topic]);
  const id = await at.publish(topic, "disk full");
  const of = async (ref: string) =>
    (await deliveriesOf(at.peal, topic, id)).deliveries.find(({ device }) => device?.ref === ref);
  await eventually("the good one", async () => (await of(right.id))?.state === "accepted");
  const told = await at.until("the owner to be told", async () => (await heardOf(at))[0]);
  expect(told).toMatchObject({ status: "firing", message: expect.stringContaining("token") as string });
  expect(await of(wrong.id)).toMatchObject({ state: "pending", waits_for: "paused: no token …" });
  expect(await forwardOf(at.peal, wrong.id)).toMatchObject({
    trouble: expect.stringContaining("application") as string,
  });
  expect((await at.health()).status).toBe("degraded");

  await answer(
    200,
    await at.peal.api("PATCH", `/v1/home/forwards/${wrong.id}`, { settings: { token: "Agood0000000000" } }),
  );
  await at.until("it to be accepted", async () => (await of(wrong.id))?.state === "accepted");
  await at.until("the end to be told", async () => (await heardOf(at)).some(({ status }) => status === "resolved"));
  expect((await at.health()).status).toBe("ok");
  expect(JSON.stringify([at.logs, await heardOf(at), await of(wrong.id)])).not.toMatch(/Awrong|Agood/);
});

test("rules hold for it as for a phone: mute, minimum priority, quiet hours", async () => {
  await using service = await fakeService();
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  const quiet = { from: "11:00", to: "13:00", timezone: "UTC" };
  const { id: ref } = await forward(at.peal, "webhook", { url: `${service.origin}/a` }, [topic], {
    quiet_hours: quiet,
  });
  await forward(at.peal, "webhook", { url: `${service.origin}/b` }, [topic], { min_priority: "high" });
  const id = await at.publish(topic, "disk full");
  const states = async () =>
    (await deliveriesOf(at.peal, topic, id)).deliveries.map(({ state, last_reason: why }) => [state, why]);
  await eventually(
    "both to be judged",
    async () => (await states()).length === 2 && (await states()).every(([, why]) => why),
  );
  expect(await states()).toEqual([
    ["pending", "quiet hours"],
    ["cancelled", "below the priority it shows"],
  ]);
  await at.pass(HOUR);
  await at.until("the end of quiet hours", () => service.received.length === 1);
  const muted = { muted_until: new Date(at.clock.now() + HOUR).toISOString() };
  await answer(200, await at.peal.api("PATCH", `/v1/home/forwards/${ref}/subscriptions/${topic.key}`, muted));
  const second = await at.publish(topic, "again", { priority: "urgent" });
  await at.when(topic, second, ({ state }) => state !== "pending");
  expect((await deliveriesOf(at.peal, topic, second)).deliveries.map(({ state }) => state).toSorted()).toEqual([
    ...["accepted", "cancelled"],
  ]);
});

test("a message that asks for it rings again at ntfy until somebody acknowledges, and comes once elsewhere", async () => {
  await using service = await fakeService(({ path }) => ({
    status: 200,
    body: path === "/" ? '{"id":"abcdefghijkl"}' : "ok",
  }));
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  await forward(at.peal, "ntfy", { server: service.origin, topic: "t" }, [topic]);
  await forward(at.peal, "slack", { url: `${service.origin}/slack` }, [topic]);
  const id = await at.publish(topic, "fire", { priority: "urgent", ack: true });
  const of = (path: string) => service.received.filter((request) => request.path === path);
  await eventually("both", () => service.received.length === 2);
  await at.pass(3 * MINUTE);
  await at.until("repeats", () => of("/").length >= 4);
  const places = of("/").map(({ body }) => (JSON.parse(body) as { sequence_id: string }).sequence_id);
  expect(new Set(places).size).toBe(1);
  await answer(200, await at.peal.request(`/v1/home/${topic.key}/messages/${id}/ack`, { method: "POST" }));
  const rung = of("/").length;
  await at.pass(3 * MINUTE);
  expect([of("/").length, of("/slack").length]).toEqual([rung, 1]);
  expect((await deliveriesOf(at.peal, topic, id)).counts).toMatchObject({ accepted: 2, pending: 0 });
});

test("a test tells what the service answered", async () => {
  await using service = await fakeService();
  await using at = await delivering({ env: service.env });
  const { id } = await forward(at.peal, "webhook", { url: `${service.origin}/hook` });
  expect(await tested(at.peal, id)).toMatchObject({ state: "accepted", status: 200 });
  expect(service.accepted()).toMatchObject([{ test: true }]);
  service.script.once("/hook", { status: 404 });
  expect(await tested(at.peal, id)).toMatchObject({ waits_for: "paused: status 404", status: 404 });
});

test("the image of a stranger is not passed on", async () => {
  await using service = await fakeService(() => ({ status: 200, body: '{"id":"abcdefghijkl"}' }));
  await using at = await delivering({ env: { ...service.env, PEAL_IMAGE_HOSTS: "img.example" } });
  const topic = await at.peal.topic("nas");
  await forward(at.peal, "ntfy", { server: service.origin, topic: "t" }, [topic]);
  for (const host of ["img.example", "spy.example"])
    await at.all("accepted", topic, await at.publish(topic, host, { image: `https://${host}/a.png` }));
  const images = service.accepted().map(({ message, attach }) => [message, attach]);
  expect(images.toSorted()).toEqual([
    ["img.example", "https://img.example/a.png"],
    ["spy.example", undefined],
  ]);
});

describe("a second peal", () => {
  test("takes what the first hands on by Gotify's form, and its webhooks", async () => {
    await using far = await inProcess();
    await using near = await inProcess({ env: { PEAL_FORWARD_HOSTS: new URL(far.url).host } });
    const [here, there] = [await near.topic("nas"), await far.topic("from-near")];
    const hook = await answer<{ url: string; gotify_token: string }>(
      201,
      await far.api("POST", "/v1/home/hooks", { topic: there.key }),
    );
    await forward(near, "gotify", { server: far.url, token: hook.gotify_token }, [here]);
    await forward(near, "webhook", { url: hook.url }, [here]);
    await near.publish(here, { title: "NAS", message: "disk full", priority: "high", level: "error" });
    const history = await eventually("both messages", async () => {
      const found = await far.history(there);
      return found.length === 2 ? found : undefined;
    });
    expect(history.map(({ title, message }) => [title, message])).toEqual([
      ["NAS", "disk full"],
      ["NAS", "disk full"],
    ]);
    expect(history.every(({ via }) => Array.isArray(via) && via.length === 1)).toBe(true);
  });

  test("that hands it back does not make it ring for ever", async () => {
    await using first = await inProcess({ env: { PEAL_FORWARD_HOSTS: "127.0.0.1" } });
    await using second = await inProcess({ env: { PEAL_FORWARD_HOSTS: "127.0.0.1" } });
    const [here, there] = [await first.topic("nas"), await second.topic("nas")];
    const hookOf = async (peal: typeof first, key: string) =>
      answer<{ url: string }>(201, await peal.api("POST", "/v1/home/hooks", { topic: key }));
    await forward(first, "webhook", { url: (await hookOf(second, there.key)).url }, [here]);
    await forward(second, "webhook", { url: (await hookOf(first, here.key)).url }, [there]);
    await first.publish(here, { message: "disk full" });
    const [, back] = await eventually("the message to come back", async () => {
      const found = await first.history(here);
      return found.length === 2 ? found : undefined;
    });
    await eventually("the end", async () => {
      const { deliveries } = await deliveriesOf(first, here, back?.id ?? 0);
      return deliveries.some(({ state }) => state === "failed");
    });
    expect((await first.history(here)).length).toBe(2);
    expect((await second.history(there)).length).toBe(1);
  });
});
