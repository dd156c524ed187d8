/** The badge on the icon of the installed app counts what is unread, set by the page and by its worker (WEB.md §4). */
import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { look } from "./browser.ts";
import { feedOf, openSubscriber, startPushing } from "./subscriber.ts";

const { service, peal, browser } = await startPushing();

test("it counts what came while the page was hidden, and is removed when the page is looked at", async () => {
  const topic = await feedOf(peal, "badge");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  const { page } = subscriber;
  await page.getByText("Live", { exact: true }).waitFor();
  const badge = async () => look<number>(page, "badge");
  expect(await badge()).toBe(0);
  await look(page, "hide", true);
  await peal.publish(topic, { message: "one" });
  await eventually("the badge", async () => (await badge()) === 1);
  await look(page, "hide", false);
  expect(await badge()).toBe(0);
});

test("the worker sets it to the number of waiting notifications", async () => {
  const topic = await feedOf(peal, "waiting");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.turnOn();
  for (const n of [1, 2]) {
    await peal.publish(topic, { title: `no ${n}`, message: "x" });
    await subscriber.receive(n);
    await eventually("the badge", async () => (await subscriber.badge()) === n);
  }
});
