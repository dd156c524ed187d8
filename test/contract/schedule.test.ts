/** Delayed messages on a clock that the test controls: listed, cancelled, sent at their time (API.md §3). */
import { expect, test } from "bun:test";
import { answer, asDelayed, type TestMessage } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";

const HOUR = 3_600_000;
type Waiting = Record<string, unknown> & { scheduled: { id: string; deliver_at: string } };

async function open() {
  const clock = heldClock();
  const peal = await inProcess({ clock });
  const topic = await peal.topic("later");
  return {
    [Symbol.asyncDispose]: async () => peal[Symbol.asyncDispose](),
    peal,
    clock,
    topic,
    delay: async (body: object) =>
      answer<Waiting>(201, await peal.api("POST", "/home/later", { message: "m", ...body })),
    waiting: async () =>
      (await answer<{ scheduled: Waiting[] }>(200, await peal.api("GET", "/v1/home/scheduled"))).scheduled,
    texts: async () => (await peal.history(topic)).map(({ message }) => message),
  };
}

test("a delayed message waits, is listed, and has no id until it is sent", async () => {
  await using on = await open();
  const { peal, topic, clock } = on;
  const { topic_url, created_topic, ...made } = await on.delay({ delay: 3_600, title: "T" });
  expect(made).toEqual({
    ...asDelayed(topic),
    ...{ message: "m", title: "T", created_at: "2026-01-01T00:00:00.000Z" },
    scheduled: { id: made.scheduled.id, deliver_at: "2026-01-01T01:00:00.000Z" },
  });
  expect([topic_url, created_topic]).toEqual([topic.url, false]);
  expect(await on.waiting()).toEqual([made]);
  expect(await answer<Waiting>(200, await peal.api("GET", `/v1/home/scheduled/${made.scheduled.id}`))).toEqual(made);
  expect(await on.texts()).toEqual([]);

  await answer(201, await peal.api("POST", "/home/later", { message: "now" }));
  clock.advance(HOUR);
  const sent = await eventually("the message", async () => (await peal.history(topic))[1]);
  expect(sent).toMatchObject({
    id: 2,
    message: "m",
    title: "T",
    source: "schedule",
    created_at: "2026-01-01T01:00:00.000Z",
  });
  expect(await on.waiting()).toEqual([]);
  expect(await answer(404, await peal.api("GET", `/v1/home/scheduled/${made.scheduled.id}`))).toMatchObject({
    code: "unknown_scheduled",
  });
});

test("they are sent in the order of their times, whatever order they arrived in", async () => {
  await using on = await open();
  for (const minutes of [30, 10, 20, 10]) await on.delay({ message: `${minutes}`, delay: minutes * 60 });
  await on.delay({ message: "at", at: "2026-01-01T00:15:00Z" });
  on.clock.advance(12 * 60_000);
  await eventually("two", async () => (await on.texts()).length === 2);
  on.clock.advance(HOUR);
  await eventually("five", async () => (await on.texts()).length === 5);
  expect(await on.texts()).toEqual(["10", "10", "at", "20", "30"]);
});

test("a later one does not hold up an earlier one", async () => {
  await using on = await open();
  await on.delay({ message: "soon", delay: 10 });
  await on.delay({ message: "late", delay: 3_600 });
  on.clock.advance(10_000);
  await eventually("the first", async () => (await on.texts()).length === 1);
  expect(await on.texts()).toEqual(["soon"]);
});

test("a cancelled one is never sent", async () => {
  await using on = await open();
  const { scheduled } = await on.delay({ delay: 60 });
  await on.delay({ message: "other", delay: 120 });
  expect((await on.peal.api("DELETE", `/v1/home/scheduled/${scheduled.id}`)).status).toBe(204);
  expect(await answer(404, await on.peal.api("DELETE", `/v1/home/scheduled/${scheduled.id}`))).toMatchObject({
    code: "unknown_scheduled",
  });
  on.clock.advance(HOUR);
  await eventually("the other", async () => (await on.texts()).length > 0);
  expect(await on.texts()).toEqual(["other"]);
});

test("messages that became due while the server was down are sent when it is back", async () => {
  await using on = await open();
  for (let i = 0; i < 150; i++) await on.delay({ message: `${i}`, delay: 60 + i });
  await on.peal.restart();
  expect(await on.texts()).toEqual([]);
  on.clock.jump(HOUR);
  await on.peal.restart();
  await eventually("all of them", async () => (await on.texts()).length === 150);
  expect(await on.texts()).toEqual(Array.from({ length: 150 }, (_, i) => `${i}`));
});

test("a change of the wall clock is noticed", async () => {
  await using on = await open();
  await on.delay({ delay: 86_400 });
  on.clock.jump(24 * HOUR);
  on.clock.advance(60_000);
  await eventually("the message", async () => (await on.texts()).length === 1);
});

test("a topic that is made by a delayed message, and one that is deleted before its message is sent", async () => {
  await using on = await open();
  const made = await answer<Waiting & { topic: string }>(
    201,
    await on.peal.api("POST", "/home/fresh", { message: "m", delay: 60 }),
  );
  expect(made["created_topic"]).toBe(true);
  await on.delay({ delay: 60 });
  expect((await on.peal.api("DELETE", `/v1/home/${on.topic.key}`)).status).toBe(204);
  expect(await on.waiting()).toHaveLength(1);
  on.clock.advance(HOUR);
  await eventually("the message", async () => {
    const page = await answer<{ messages: TestMessage[] }>(
      200,
      await on.peal.request(`/v1/home/${made.topic}/messages`),
    );
    return page.messages.length === 1;
  });
});

test("a retry after the time of the message gets the first answer", async () => {
  await using on = await open();
  const { peal, clock } = on;
  const body = { message: "m", at: new Date(clock.now() + HOUR).toISOString() };
  const send = async () => peal.api("POST", "/home/later", body, { "idempotency-key": "k" });
  const first = await answer<Waiting>(201, await send());
  expect(first).toMatchObject({ source: "schedule" });
  clock.advance(2 * HOUR);
  await eventually("the message", async () => (await on.texts()).length === 1);
  expect(await answer<Waiting>(201, await send())).toEqual(first);
  expect(await on.texts()).toEqual(["m"]);
});
