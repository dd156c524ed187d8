/** `GET /-/events`: the first hint after a quiet time is sent at once, the following ones together (API.md §8). */
import { expect, test } from "bun:test";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { listen } from "./listen.ts";

test("a hint is sent 10 ms after a quiet time, the next one 250 ms later, with everything that changed meanwhile", async () => {
  const clock = heldClock(Date.UTC(2026, 10, 23));
  await using peal = await inProcess({ clock });
  const topic = await peal.topic("hinted");
  const headers = { accept: "text/event-stream", cookie: await signedIn(peal) };
  const stream = await listen(`${peal.url}/-/events`, { headers });
  const hints = () => stream.events.filter(({ event }) => event === "changed").map(({ data }): unknown => data);
  await stream.ready();

  await peal.publish(topic, "one");
  clock.advance(10);
  await eventually("the first hint", () => hints().length === 1);
  for (const message of ["two", "three", "four"]) await peal.publish(topic, message);
  clock.advance(200);
  await peal.topic("made-meanwhile");
  clock.advance(50);
  await eventually("the second hint", () => hints().length === 2);
  clock.advance(1_000);
  await peal.publish(topic, "five");
  clock.advance(10);
  await eventually("the third hint", () => hints().length === 3);
  expect(hints()).toEqual([["message"], ["message", "topic"], ["message"]]);
  await stream.close();
});
