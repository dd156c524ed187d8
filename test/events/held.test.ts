/** What event streams do at certain times, on a clock that the test controls (API.md §4). */
import { expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { inProcess } from "../support/server.ts";
import { listen } from "./listen.ts";

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

test("a comment goes to every stream every 15 s", async () => {
  const clock = heldClock();
  await using peal = await inProcess({ clock });
  const topic = await peal.topic("t");
  const streams = [
    await listen(`${peal.url}/home/${topic.key}/events`),
    await listen(`${peal.url}/v1/home/events`, bearer(peal.adminKey)),
  ];
  await Promise.all(streams.map(async (stream) => stream.ready()));
  for (const beats of [1, 2, 3]) {
    clock.advance(14_999);
    expect(streams.map(({ comments }) => comments)).toEqual([beats - 1, beats - 1]);
    clock.advance(1);
    await eventually("a comment", () => streams.every(({ comments }) => comments === beats));
  }
  await Promise.all(streams.map(async (stream) => stream.close()));
});

/** A stream of all topics, with a key that expires after `ms`. */
async function expiring(ms: number) {
  const clock = heldClock();
  const peal = await inProcess({ clock });
  const body = { expires_at: new Date(clock.now() + ms).toISOString() };
  const { key } = await answer<{ key: string }>(201, await peal.api("POST", "/v1/keys", body));
  const stream = await listen(`${peal.url}/v1/home/events`, bearer(key));
  await stream.ready();
  return { clock, peal, stream, [Symbol.asyncDispose]: async () => peal[Symbol.asyncDispose]() };
}

test("a namespace's stream ends when its key expires, between two heartbeats", async () => {
  await using on = await expiring(7_000);
  on.clock.advance(6_999);
  expect(await metric(on.peal, "peal_sse_connections")).toBe(1);
  on.clock.advance(1);
  await on.stream.ended;
  expect(await metric(on.peal, "peal_sse_connections")).toBe(0);
});

test("where the clock was set past the expiry of its key, a stream ends with the next heartbeat", async () => {
  await using on = await expiring(60_000);
  on.clock.jump(60_000); // no timer notices that
  on.clock.advance(15_000);
  await on.stream.ended;
  expect(await metric(on.peal, "peal_sse_connections")).toBe(0);
});
