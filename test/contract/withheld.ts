/** Requests that hold back their body: the key is checked again when the body has arrived. */
import { expect } from "bun:test";
import { begin, statuses } from "../support/raw.ts";
import type { TestServer } from "../support/server.ts";

// prettier-ignore
export const WITHHELD = [
  ["POST",  "/v1/keys",              `{"scope":"admin"}`],
  ["POST",  "/home/withheld",        `{"message":"m"}`],
  ["POST",  "/v1/home/KEY/publish",  `{"message":"m"}`],
  ["POST",  "/v1/home/topics",       `{"name":"withheld"}`],
  ["PATCH", "/v1/home/KEY",          `{"name":"renamed"}`],
  ["POST",  "/v1/home/KEY/rotate",   "{}"],
] as const;

/** Sends the head of `request` with `key`, lets `end` end the key, then sends the body. Expects 401, and that nothing is stored. */
export async function expectRefused(
  peal: TestServer,
  { method, path, body }: { method: string; path: string; body: string },
  { key, topic, end }: { key: string; topic: string; end: () => Promise<void> },
): Promise<void> {
  const stored = async () =>
    Promise.all(["/v1/home/topics", "/v1/keys"].map(async (list) => (await peal.api("GET", list)).text()));
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const { finish } = await begin(peal.url, method, path.replace("KEY", topic), headers, body);
  await end();
  const before = await stored();
  const heard = await finish();
  expect(statuses(heard)).toEqual([401]);
  expect(heard).toContain('"invalid_key"');
  expect(await stored()).toEqual(before);
}
