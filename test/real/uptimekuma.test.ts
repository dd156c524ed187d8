/**
 * What a real Uptime Kuma posted, byte for byte, and what people read of it (REWRITES.md §2, §4). No registry has its
 * releases (npm has one development version of 2.0), so CI posts again what was recorded; where there is a checkout, the real
 * one runs as well. The script `uptimekuma` in this folder makes one, and records with `--record`.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { inTurn, statuses } from "../support/raw.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { UPTIME_KUMA } from "../tools.ts";
import {
  cards,
  cardsOf,
  isNtfy,
  PLACEHOLDER,
  promised,
  recordOf,
  shown,
  STEPS,
  TOPIC_PLACEHOLDER,
  WAYS,
  withKey,
} from "./uptimekuma.story.ts";

test.each(WAYS)("what Uptime Kuma posts by %s arrives as promised", async (way) => {
  await using peal = await startPeal();
  const topic = await peal.topic(way);
  const { key } = await peal.mint("publish");
  const requests = STEPS.map((step) => {
    const recorded = readFileSync(recordOf(way, step), "latin1");
    return Buffer.from(withKey(recorded, PLACEHOLDER, key).replaceAll(TOPIC_PLACEHOLDER, topic.key), "latin1");
  });

  const answers = await inTurn(peal.url, requests); // it reuses its connection
  expect(answers.flatMap(statuses)).toEqual(STEPS.map(() => (isNtfy(way) ? 200 : 201)));

  const messages = await peal.history(topic);
  expect(messages.map(shown)).toEqual(STEPS.map((step) => promised(way, step)));
  expect(await cards(topic)).toBe(cardsOf(way));
});

testWith("uptime-kuma")(
  "what a real one posts arrives as promised, by every way that it has",
  async () => {
    const live = Bun.spawn([process.execPath, `${import.meta.dir}/uptimekuma.live.ts`, UPTIME_KUMA], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [told, failed] = await Promise.all([live.stdout.text(), live.stderr.text()]);
    if ((await live.exited) !== 0) throw new Error(`${told}${failed}`);
    expect(told).toEndWith("All as promised.\n");
  },
  180_000,
);
