/** What expires or is noted at a time, on a clock that the test controls: keys, last use and idempotency keys (API.md §3). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { expectRefused, WITHHELD } from "./withheld.ts";

const DAY = 86_400_000;
const clock = heldClock();
let peal: InProcess;
let topic: { key: string };
beforeAll(async () => {
  peal = await inProcess({ clock });
  topic = await peal.topic("hello");
});
afterAll(async () => peal[Symbol.asyncDispose]());

async function expiring(scope: "full" | "admin"): Promise<string> {
  const expires_at = new Date(clock.now() + 1_000).toISOString();
  return (await answer<{ key: string }>(201, await peal.api("POST", "/v1/keys", { scope, expires_at }))).key;
}
const ask = async (key: string) =>
  (await peal.request("/v1/home/topics", { headers: { authorization: `Bearer ${key}` } })).status;

test("a key works until its expiry, and not at that instant", async () => {
  const key = await expiring("full");
  clock.advance(999);
  expect(await ask(key)).toBe(200);
  clock.advance(1);
  expect(await ask(key)).toBe(401);
});

test("a key shows when it was last used, at most a minute late", async () => {
  const used = async (id: string) => {
    const { keys } = await answer<{ keys: { id: string; last_used_at?: string }[] }>(
      200,
      await peal.api("GET", "/v1/keys"),
    );
    return keys.find((key) => key.id === id)?.last_used_at;
  };
  const { id, key } = await peal.mint("full");
  const at = new Date(clock.now()).toISOString();
  expect(await ask(key)).toBe(200);
  expect(await used(id)).toBeUndefined();
  clock.advance(60_000);
  expect(await eventually("the time", async () => used(id))).toBe(at);
});

test.each(WITHHELD)(
  "%s %s with a key that expires while the body is held back is refused",
  async (method, path, body) => {
    const end = async () => {
      clock.advance(1_000);
    };
    await expectRefused(peal, { method, path, body }, { key: await expiring("admin"), topic: topic.key, end });
  },
);

test("an idempotency key is free again after a day", async () => {
  const publish = async (message: string) => peal.api("POST", "/home/later", { message }, { "idempotency-key": "k" });
  await answer(201, await publish("a"));
  await answer(409, await publish("b"));
  clock.advance(DAY + 120_000);
  await eventually("the key to be free", async () => (await publish("b")).status === 201);
});
