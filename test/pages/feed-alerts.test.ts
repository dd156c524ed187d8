/** The history of an alert on its card: what it says, since when it fires, and how little of it a page reads (WEB.md §4). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cardsOf } from "../../src/pages/feed/cards.ts";
import { bench, range } from "../store/conformance/engine.ts";
import { openSqlite } from "../store/sqlite.ts";
import { heldClock } from "../support/clock.ts";
import { texts } from "../support/elements.ts";
import { inProcess, type InProcess } from "../support/server.ts";

let peal: InProcess;
beforeAll(async () => (peal = await inProcess({ clock: heldClock(Date.UTC(2026, 0, 2)) })));
afterAll(async () => peal[Symbol.asyncDispose]());

const html = async (path: string) => (await peal.request(path, { headers: { accept: "text/html" } })).text();
const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString();

test("an alert with more messages than its card lists still says since when it fires", async () => {
  const topic = await peal.topic("often");
  const alert = { title: "disk", dedup_key: "disk" };
  await peal.publish(topic, { ...alert, message: "before", status: "firing", timestamp: at(1) });
  await peal.publish(topic, { ...alert, message: "fine", status: "resolved", timestamp: at(2) });
  for (const n of range(3, 33))
    await peal.publish(topic, { ...alert, message: `${n}`, status: "firing", timestamp: at(n) });
  const page = await html(topic.url);
  expect(page).toContain(`firing since <time datetime="${at(3)}"`);
  expect(await texts(page, ".past summary")).toEqual(["20+ earlier"]);
});

test("an alert whose beginning is too far back is marked as firing, without a time that would be wrong", async () => {
  const topic = await peal.topic("long-ago");
  const alert = { title: "disk", dedup_key: "disk", status: "firing", level: "error" };
  for (const n of range(1, 34)) await peal.publish(topic, { ...alert, message: "x".repeat(32_000), timestamp: at(n) });
  const page = await html(topic.url);
  expect(page).toContain('<article class="msg error open" id="m34"');
  expect(page).not.toContain("firing since");
});

test("a card that is not its alert's newest has only the history before it", async () => {
  const topic = await peal.topic("found");
  const alert = { title: "disk", dedup_key: "disk", status: "firing" };
  for (const n of range(1, 3)) await peal.publish(topic, { ...alert, message: `early ${n}`, timestamp: at(n) });
  await peal.publish(topic, { ...alert, message: "needle" });
  for (const n of range(1, 25)) await peal.publish(topic, { ...alert, message: `late ${n}` });
  const page = await html(`${topic.url}?q=needle`);
  expect(await texts(page, ".past li span[dir]")).toEqual(["early 3", "early 2", "early 1"]);
  expect(page).toContain(`firing since <time datetime="${at(1)}"`);
});

test("an earlier message is shown by its first words, or by its title where that differs", async () => {
  const topic = await peal.topic("words");
  const alert = { title: "disk", dedup_key: "disk", status: "firing" };
  await peal.publish(topic, { ...alert, message: "x".repeat(256) });
  await peal.publish(topic, { ...alert, message: "😀".repeat(200) });
  await peal.publish(topic, { ...alert, message: "one line\nand another" });
  await peal.publish(topic, { ...alert, title: "volume", message: "of another title" });
  await peal.publish(topic, { dedup_key: "disk", message: "without a title", level: "warning", priority: "high" });
  await peal.publish(topic, { ...alert, message: "now" });
  const page = await html(topic.url);
  const said = ["without a title", "volume", "one line", `${"😀".repeat(128)}…`, "x".repeat(256)];
  expect(await texts(page, ".past li span[dir]")).toEqual(said);
  expect((await texts(page, ".past li"))[0]).toEndWith("Warninghigh prioritywithout a title");
});

test("the cards of a page keep only what they show of earlier messages, and share what is read for them", async () => {
  await using peal = await bench(openSqlite);
  const begun = peal.clock.now();
  const tell = async (n: number, message: string) => {
    await peal.publish("disks", { message, dedup_key: `disk ${n % 10}`, status: "firing" });
    peal.clock.advance(60_000);
  };
  const long = 'a "long" text\n'.repeat(2_000);
  for (const n of range(0, 209)) await tell(n, n % 10 === 0 ? "short" : long);
  for (const n of range(210, 219)) await tell(n, "now");
  const { topic, message } = await peal.publish("disks");
  const { messages } = await peal.store.messages.page(topic.id, { limit: 11 });
  expect(messages[0]).toEqual(message);
  const cards = await cardsOf(peal.store, messages, { topicOf: () => topic.id, whole: true });
  const alerts = cards.slice(1).toReversed();
  expect(alerts.map(({ firing }) => firing)).toEqual(range(0, 9).map((n) => ({ since: begun + n * 60_000 })));
  const [few, ...many] = alerts;
  expect([few?.earlier.length, few?.moreEarlier]).toEqual([20, true]);
  expect(many.map(({ earlier }) => earlier.length > 0 && earlier.length < 10)).toEqual(many.map(() => true));
  expect(many.every(({ moreEarlier }) => moreEarlier)).toBe(true);
  expect(JSON.stringify(cards).length).toBeLessThan(50_000);
});
