/** A phone that begins to follow a topic reads all that it gets in one piece (NTFY.md §6). */
import { afterAll, expect, test } from "bun:test";
import { inProcess } from "../support/server.ts";
import { poll } from "./reader.ts";

const ALL = 1_010;
const ANDROID = { "user-agent": "ntfy/1.24.0 (play; Android 16; SDK 36)" };
const IPHONE = { "user-agent": "ntfy/1.6 (build 3; iOS 26.1)" };

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const topic = await peal.topic("busy");
for (let n = 0; n < ALL; n += 101)
  await Promise.all(Array.from({ length: 101 }, async (_, i) => peal.publish(topic, `${n + i}`)));

test.each([
  ["Android", "since=all", ANDROID],
  ["an iPhone", "since=all", IPHONE],
  ["an iPhone", "", IPHONE],
] as const)("%s gets the newest 1,000 messages for %p", async (_, since, headers) => {
  const history = await peal.history(topic);
  const got = await poll(`${peal.url}/${topic.key}/json?poll=1&${since}`, { headers });
  expect(got.map(({ message }) => message)).toEqual(history.slice(-1_000).map(({ message }) => message));
});

test("a program gets all of them, and so does a phone that resumes", async () => {
  for (const agent of ["curl/8.5", "Go-http-client/1.1", "ntfy-exporter (Android)"])
    expect(await poll(`${peal.url}/${topic.key}/json?poll=1`, { headers: { "user-agent": agent } })).toHaveLength(ALL);
  const [first] = await poll(`${peal.url}/${topic.key}/json?poll=1`);
  const rest = await poll(`${peal.url}/${topic.key}/json?poll=1&since=${String(first?.id)}`, { headers: ANDROID });
  expect(rest).toHaveLength(ALL - 1);
});
