/** The event stream of a namespace (API.md §4): all its topics, with a key. */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";
import { metric } from "../support/metric.ts";
import { listen } from "./listen.ts";

const clock = heldClock();
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

test("a namespace's stream carries all its topics in commit order, and resumes", async () => {
  const topics = [await peal.topic("a"), await peal.topic("b"), await peal.topic("c")];
  const live = await listen(`${peal.url}/v1/home/events`, bearer(peal.adminKey));
  const { last_id: before, ...of } = await live.ready();
  expect(of).toEqual({ namespace: "home" });
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const topic = topics[n % 3];
      return topic && peal.publish(topic, `message ${n}`);
    }),
  );
  expect(answers.every((answer) => answer !== null)).toBe(true);
  await eventually("all", () => live.ids().length === 300);
  expect(live.ids()).toEqual(live.ids().toSorted((a, b) => a - b));
  for (const topic of topics) {
    const own = live.events.filter(({ data }) => data["topic"] === topic.key).map(({ data }) => data["id"]);
    expect(own).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  }
  const errors = await listen(`${peal.url}/v1/home/events?since=${String(before)}&level=error`, bearer(peal.adminKey));
  await answer(201, await peal.api("POST", "/home/a", { message: "an error", level: "error" }));
  await eventually("the error", () => errors.ids().length === 1 && live.ids().length === 301);
  await errors.close();
  const after = live.events[120]?.id ?? 0;
  const resumed = await listen(`${peal.url}/v1/home/events?since=${after}`, bearer(peal.adminKey));
  await eventually("the rest", () => resumed.ids().at(-1) === live.ids().at(-1));
  expect(resumed.ids()).toEqual(live.ids().filter((id) => id > after));
  await Promise.all([live.close(), resumed.close()]);
});

test("a namespace's stream resumes without a reset after its newest messages were deleted", async () => {
  const topic = await peal.topic("deleted");
  for (const text of ["one", "two"]) await peal.publish(topic, text);
  const asked = await listen(`${peal.url}/v1/home/events`, bearer(peal.adminKey));
  const last = Number((await asked.ready())["last_id"]);
  await asked.close();
  const resume = async (since: number) => listen(`${peal.url}/v1/home/events?since=${since}`, bearer(peal.adminKey));
  for (const id of [2, 1]) {
    expect((await peal.api("DELETE", `/v1/home/${topic.key}/messages/${id}`)).status).toBe(204);
    const stream = await resume(last);
    expect(await stream.ready()).toEqual({ namespace: "home", last_id: last });
    await stream.close();
  }
  const stream = await resume(last);
  await peal.publish(topic, "three");
  await eventually("the next message", () => stream.ids().length === 1);
  expect(stream.ids()).toEqual([last + 1]);
  await stream.close();
});

test("a namespace's stream needs a key that may read, and ends when the key is revoked or expires", async () => {
  await eventually("no stream of before", async () => (await metric(peal, "peal_sse_connections")) === 0);
  const publisher = await peal.mint("publish");
  expect(await answer(401, await peal.request("/v1/home/events"))).toMatchObject({ code: "missing_key" });
  const refused = async (path: string, key: string) => answer(403, await peal.request(path, bearer(key)));
  expect(await refused("/v1/home/events", publisher.key)).toMatchObject({ code: "insufficient_scope" });
  expect(await refused("/v1/other/events", peal.adminKey)).toMatchObject({ code: "wrong_namespace" });

  const revoked = await peal.mint("full");
  const spec = { expires_at: new Date(clock.now() + 2_000).toISOString() };
  const expiring = await answer<{ key: string }>(201, await peal.api("POST", "/v1/keys", spec));
  const [first, second, third] = await Promise.all(
    [revoked.key, expiring.key, peal.adminKey].map(async (key) => listen(`${peal.url}/v1/home/events`, bearer(key))),
  );
  expect((await peal.api("DELETE", `/v1/keys/${revoked.id}`)).status).toBe(204);
  await first?.ended;
  clock.advance(1_999);
  expect(await metric(peal, "peal_sse_connections")).toBe(2);
  expect((await peal.request("/v1/home/topics", bearer(expiring.key))).status).toBe(200);
  clock.advance(1);
  await second?.ended;
  for (const path of ["/v1/home/events", "/v1/home/topics"])
    expect(await answer(401, await peal.request(path, bearer(expiring.key)))).toMatchObject({ code: "invalid_key" });
  expect(await metric(peal, "peal_sse_connections")).toBe(1);
  await third?.close();
});
