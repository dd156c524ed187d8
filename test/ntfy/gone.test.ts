/** An app of ntfy has one stream for all its topics of a server: one of them that is no more makes it deaf to none (NTFY.md §6). */
import { afterAll, expect, test } from "bun:test";
import { DAY, HOUR } from "../../src/util/clock.ts";
import { answer, type TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { ntfyError, ntfyObject } from "../support/ntfy-object.ts";
import { inProcess } from "../support/server.ts";
import { readLines, readSocket } from "./reader.ts";

const clock = heldClock(Date.UTC(2026, 4, 5, 10));
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());

const rotate = async ({ key }: TestTopic) => answer(200, await peal.api("POST", `/v1/home/${key}/rotate`));

/** A topic whose link was replaced, one that goes on, and the address of both. */
async function pair(name: string) {
  const [gone, kept] = [await peal.topic(`${name}-gone`), await peal.topic(`${name}-kept`)];
  await rotate(gone);
  return { gone, kept, both: `${peal.url}/${gone.key},${kept.key}` };
}

test.each(["json", "ws"] as const)(
  "%s goes on with the others, and says in the one that it is no more",
  async (shape) => {
    const { gone, kept, both } = await pair(shape);
    const read = shape === "ws" ? readSocket : readLines;
    const stream = await read(`${both}/${shape}?since=none`);
    await eventually("the notice", () => stream.messages().length === 1);
    await peal.publish(kept, "an alarm");
    await eventually("the alarm", () => stream.messages().length === 2);
    const [open, notice, alarm] = stream.texts.map(ntfyObject);
    expect(open).toMatchObject({ event: "open", topic: `${gone.key},${kept.key}` });
    expect(notice).toMatchObject({ event: "message", topic: gone.key, title: "This topic no longer exists" });
    expect(alarm).toMatchObject({ event: "message", topic: kept.key, message: "an alarm" });
    await stream.close();
  },
);

test("a stream that was open when it happened ends, and the next one goes on", async () => {
  const [gone, kept] = [await peal.topic("open-gone"), await peal.topic("open-kept")];
  const url = `${peal.url}/${gone.key},${kept.key}/json`;
  const stream = await readLines(url);
  await stream.opened();
  await rotate(gone);
  await stream.ended;
  const next = await readLines(`${url}?since=none`);
  await peal.publish(kept, "an alarm");
  await eventually("the alarm", () => next.messages().includes("an alarm"));
  await next.close();
});

test("the notice has one id a day, so that an app shows it once, and that id is a place to resume at", async () => {
  const { kept, both } = await pair("daily");
  const noticed = async () => {
    const stream = await readLines(`${both}/json?since=none`);
    await eventually("the notice", () => stream.messages().length === 1);
    await stream.close();
    return stream.objects()[1]?.id ?? "";
  };
  await peal.publish(kept, "yesterday's");
  clock.advance(DAY);
  const id = await noticed();
  clock.advance(HOUR);
  expect(await noticed()).toBe(id);
  await peal.publish(kept, "today's");
  const resumed = await readLines(`${both}/json?since=${id}`);
  await eventually("both", () => resumed.messages().length === 2);
  expect(resumed.messages()[0]).toBe("today's");
  expect(resumed.objects()[2]?.id).toBe(id);
  await resumed.close();
  clock.advance(DAY);
  expect(await noticed()).not.toBe(id);
});

test("a poll, the question whether one may read, and an address of nothing else are refused", async () => {
  const { gone, kept } = await pair("refused");
  const both = `/${gone.key},${kept.key}`;
  for (const path of [`${both}/json?poll=1`, `${both}/auth`, `/${gone.key}/json`, `/${gone.key},${gone.key}/json`]) {
    const response = await peal.request(path);
    expect([path, response.status, (await ntfyError(response)).code]).toEqual([path, 403, 40301]);
  }
  const byName = await peal.request(`/ntfy/home/${kept.name},none/json`, {
    headers: { authorization: `Bearer ${peal.adminKey}` },
  });
  expect(byName.status).toBe(403);
});
