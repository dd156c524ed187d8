/** **Quiet here** on the feed page: as long as chosen, and with an explanation when it fails (WEB.md §4). */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { answer } from "../support/client.ts";
import { look } from "./browser.ts";
import { feedOf, openSubscriber, startPushing } from "./subscriber.ts";

const { service, peal, browser } = await startPushing();

const quietIn = (page: Page) => page.getByRole("region", { name: "Mute on this device" });

test("a mute that does not reach the server is reported, and can be tried again; one of a year does not move", async () => {
  const topic = await feedOf(peal, "quiet");
  await using subscriber = await openSubscriber(browser, topic.url, service, {
    expected: /ERR_INTERNET_DISCONNECTED/,
  });
  const { page } = subscriber;
  await subscriber.turnOn();
  const hour = quietIn(page).getByRole("button", { name: "1 hour" });
  await page.context().setOffline(true);
  await hour.click();
  await quietIn(page).getByRole("alert").getByText("The server didn’t respond. Try again in a moment.").waitFor();
  expect(await hour.getAttribute("aria-disabled")).toBeNull();
  await page.context().setOffline(false);
  await hour.click();
  await quietIn(page).getByRole("button", { name: "Unmute" }).waitFor();
  expect(await quietIn(page).getByRole("alert").isVisible()).toBe(false);

  const until = new Date(Date.now() + 365 * 86_400_000).toISOString();
  const path = `/v1/devices/${await look<string>(page, "device")}/subscriptions/home/${topic.key}`;
  await answer(200, await peal.api("PATCH", path, { muted_until: until }));
  await page.clock.install();
  await page.reload();
  await quietIn(page).getByRole("button", { name: "Unmute" }).waitFor();
  await look(page, "countChanges", "[data-quiet]");
  await page.clock.runFor(10_000);
  expect(await look<number>(page, "changes")).toBe(0);
});
