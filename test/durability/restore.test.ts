/** What readers of event streams learn when a copy of the database was restored (docs/durability.md). */
import { describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { listen, type Listening } from "../events/listen.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { COMMAND, cleanEnv, startPeal, type Peal } from "../support/server.ts";

const database = (peal: Peal) => join(peal.dataDir, "peal.db");

/** Copies of all kinds: made by the running server, and of the file itself, as in a snapshot of the file system. */
const copies: Record<string, (peal: Peal, to: string) => Promise<void>> = {
  "a copy by `peal backup`": async (peal, to) => {
    const child = Bun.spawn([...COMMAND, "backup", to, "--data-dir", peal.dataDir], { env: cleanEnv() });
    expect(await child.exited).toBe(0);
  },
  "the file, copied while the server was stopped": async (peal, to) => {
    await peal.kill("SIGTERM");
    cpSync(database(peal), to);
    await peal.start();
  },
};

async function restore(peal: Peal, from: string): Promise<void> {
  await peal.kill("SIGKILL");
  const child = Bun.spawn([...COMMAND, "restore", from, "--data-dir", peal.dataDir], {
    env: cleanEnv(),
    stdout: "ignore",
  });
  expect(await child.exited).toBe(0);
  await peal.start();
}

/** Reads until `n` messages came, and returns the ids of the events, as an EventSource keeps them. */
async function heard(stream: Listening, n: number): Promise<string[]> {
  await eventually(`${n} messages`, () => stream.ids().length >= n);
  await stream.close();
  return stream.events.flatMap(({ event, lastEventId = "" }) => (event === "message" ? [lastEventId] : []));
}

describe.each(Object.entries(copies))("after a restore of %s", (_, copy) => {
  test("readers whose last message is gone get `reset`, the others get what came since", async () => {
    await using peal = await startPeal();
    const topic = await peal.topic("backups");
    const feeds = [
      { url: () => `${peal.url}/home/${topic.key}/events`, headers: {} },
      { url: () => `${peal.url}/v1/home/events`, headers: { authorization: `Bearer ${peal.adminKey}` } },
    ];
    for (const text of ["one", "two"]) await peal.publish(topic, text);
    const to = join(peal.dataDir, "copy.db");
    await copy(peal, to);
    for (const text of ["lost three", "lost four"]) await peal.publish(topic, text);
    const before = await Promise.all(
      feeds.map(async ({ url, headers }) => heard(await listen(`${url()}?since=0`, { headers }), 4)),
    );
    await restore(peal, to);
    for (const text of ["three", "four", "five"]) await peal.publish(topic, text);

    for (const [i, { url, headers }] of feeds.entries()) {
      const resume = async (lastEventId = "") =>
        listen(url(), { headers: { ...headers, "last-event-id": lastEventId } });
      const [, second, third = "", fourth = ""] = before[i] ?? [];
      for (const ahead of [third, fourth]) {
        const stream = await resume(ahead);
        expect(await stream.ready()).toMatchObject({ reset: true });
        await stream.close();
        const asked = await listen(`${url()}?since=${ahead}`, { headers });
        expect(await asked.ready()).toMatchObject({ reset: true });
        await asked.close();
      }
      const known = await resume(second);
      expect(await known.ready()).not.toHaveProperty("reset");
      expect((await heard(known, 3)).length).toBe(3);
      expect(known.events.slice(1).map(({ data }) => data["message"])).toEqual(["three", "four", "five"]);
    }
    const [second = "", , fourth = ""] = before[0]?.slice(1) ?? [];
    const page = async (since: string) =>
      answer(200, await peal.request(`/v1/home/${topic.key}/messages?since=${since}`));
    expect(await page(fourth)).toMatchObject({ reset: true });
    expect(await page(second)).not.toHaveProperty("reset");
  });

  test("a reader of a feed in which nothing is left gets `reset` too", async () => {
    await using peal = await startPeal();
    const topic = await peal.topic("backups");
    const feeds = [
      { url: `/home/${topic.key}/events`, headers: {} },
      { url: "/v1/home/events", headers: { authorization: `Bearer ${peal.adminKey}` } },
    ];
    for (const text of ["one", "two"]) await peal.publish(topic, text);
    const to = join(peal.dataDir, "copy.db");
    await copy(peal, to);
    await peal.publish(topic, "lost three");
    for (const id of [1, 2, 3]) await peal.api("DELETE", `/v1/home/${topic.key}/messages/${id}`);
    const place = async ({ url, headers }: (typeof feeds)[number]) => {
      const stream = await listen(peal.url + url, { headers });
      await stream.ready();
      await stream.close();
      return stream.events[0]?.lastEventId ?? "";
    };
    const places = await Promise.all(feeds.map(place));
    const resumed = async () =>
      Promise.all(
        feeds.map(async ({ url, headers }, i) => {
          const stream = await listen(peal.url + url, { headers: { ...headers, "last-event-id": places[i] ?? "" } });
          const ready = await stream.ready();
          await stream.close();
          return ready["reset"];
        }),
      );
    await peal.kill("SIGTERM");
    await peal.start();
    await peal.publish(topic, "four");
    expect(await resumed()).toEqual([undefined, undefined]);
    await restore(peal, to);
    for (const text of ["three", "four"]) await peal.publish(topic, text);
    expect(await resumed()).toEqual([true, true]);
  });
});

test("a reader who was cut off before the first message resumes where it was", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("backups");
  await peal.publish(topic, "one");
  const url = `${peal.url}/home/${topic.key}/events`;
  const cut = await listen(url);
  await cut.ready();
  await cut.close();
  await peal.publish(topic, "two");
  const [{ lastEventId = "" } = {}] = cut.events;
  const back = await listen(url, { headers: { "last-event-id": lastEventId } });
  await heard(back, 1);
  expect(back.ids()).toEqual([2]);
});

test("a reader with only the number of a message continues as before", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("backups");
  for (const text of ["one", "two", "three"]) await peal.publish(topic, text);
  for (const headers of [{}, { "last-event-id": "1" }] as Record<string, string>[]) {
    const stream = await listen(`${peal.url}/home/${topic.key}/events?since=1`, { headers });
    expect(await stream.ready()).not.toHaveProperty("reset");
    await heard(stream, 2);
    expect(stream.ids()).toEqual([2, 3]);
  }
});
