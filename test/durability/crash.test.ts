/** What was acknowledged is stored, even if the process is killed at any moment (ARCHITECTURE.md §2.1, §2.2). */
import { expect, test } from "bun:test";
import { type Dice, withDice } from "../support/dice.ts";
import { ROUNDS } from "../support/rounds.ts";
import { startPeal, type Peal } from "../support/server.ts";
import type { TestMessage, TestTopic } from "../support/client.ts";
import { hookOf, newHook, post, requestsOf, type TestHook } from "../support/hooks.ts";

const WRITERS = 16;
const MOST_ACKNOWLEDGED = 300;
const LATEST_MS = 4;

/** Publishes until the server is gone. `acknowledged` maps topic name and id to the text. */
async function write(
  publish: (text: string) => Promise<{ id: number } | null>,
  { name }: TestTopic,
  writer: number,
  acknowledged: Map<string, string>,
  tell: () => void,
) {
  for (let n = 0; ; n++) {
    const text = `${writer}.${n}`;
    const message = await publish(text);
    if (message === null) return;
    acknowledged.set(`${name} ${message.id}`, text);
    tell();
  }
}

/** Publishes by a hook; null when the answer is not 201 or missing. */
async function byHook(peal: Peal, hook: TestHook, message: string): Promise<{ id: number } | null> {
  const response = await post(peal, hook.url, message).catch(() => null);
  return response?.status === 201 ? ((await response.json().catch(() => null)) as { id: number } | null) : null;
}

/** Expects for each message of a hook either both its count and its kept request, or neither. */
async function requireNoted(peal: Peal, { id }: TestHook, kept: readonly TestMessage[]) {
  const sent = kept.filter(({ source }) => source === "hook");
  const requests = await requestsOf(peal, id);
  expect((await hookOf(peal, id)).requests).toBe(sent.length);
  expect(requests.map(({ message_id, body }) => [message_id, body])).toEqual(
    sent
      .toReversed()
      .slice(0, 20)
      .map((message) => [message.id, message.message]),
  );
  await peal.api("DELETE", `/v1/home/hooks/${id}`); // a namespace may have only a few
}

async function round(peal: Peal, number: number, signal: "SIGKILL" | "SIGTERM", dice: Dice) {
  const topics = await Promise.all([peal.topic(`a${number}`), peal.topic(`b${number}`)]);
  const hook = await newHook(peal, { topic: topics[0].key });
  const acknowledged = new Map<string, string>();
  // at a random moment: after some answers, and anywhere between two of them
  const enough = 1 + Math.floor(dice() * MOST_ACKNOWLEDGED);
  const moment = Promise.withResolvers<undefined>();
  const tell = () => {
    if (acknowledged.size === enough) setTimeout(moment.resolve, dice() * LATEST_MS);
  };
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const topic = topics[writer % 2 === 0 ? 0 : 1];
    const isHooked = writer % 4 === 0;
    const publish = async (text: string) =>
      isHooked ? byHook(peal, hook, text) : peal.publish(topic, { message: text });
    await write(publish, topic, writer, acknowledged, tell);
  });
  await moment.promise;
  const code = await peal.kill(signal);
  await Promise.all(writers);
  await peal.start();

  const histories = await Promise.all(topics.map(async (topic) => ({ topic, kept: await peal.history(topic) })));
  const kept = new Map(
    histories.flatMap(({ topic, kept }) => kept.map(({ id, message }) => [`${topic.name} ${id}`, message])),
  );
  expect(acknowledged.size).toBeGreaterThanOrEqual(enough);
  expect([...acknowledged].filter(([id, text]) => kept.get(id) !== text)).toEqual([]);
  for (const { kept } of histories) {
    expect(kept.map(({ id }) => id)).toEqual(kept.map((_, index) => index + 1)); // 1, 2, 3 … without a gap
    expect(new Set(kept.map(({ message }) => message)).size).toBe(kept.length); // and nothing twice
  }
  await requireNoted(peal, hook, histories[0]?.kept ?? []);
  if (signal === "SIGTERM") expect(code).toBe(0);
}

test.each(["SIGKILL", "SIGTERM"] as const)(
  `%s under ${WRITERS} writers loses nothing that was acknowledged, ${ROUNDS} times`,
  async (signal) =>
    withDice(async (dice) => {
      await using peal = await startPeal();
      for (let number = 1; number <= ROUNDS; number++) await round(peal, number, signal, dice);
    }),
  30_000 + ROUNDS * 10_000,
);
