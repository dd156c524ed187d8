/** The later screens of the first run: a device that gets a real push, and all of it once more (WEB.md §2). */
import { expect, test } from "bun:test";
import { login, PASSWORD, person, SAME_SITE } from "../support/signin.ts";
import { inProcess, startPeal, type Peal } from "../support/server.ts";
import { open } from "./browser.ts";
import { notify, openSubscriber, startPushing } from "./subscriber.ts";

const { service, peal, browser } = await startPushing();
await person(peal, { name: "Mara" });

/** Signs in on the page, wherever that leads. */
async function signIn({ page }: { page: import("playwright-core").Page }): Promise<void> {
  await page.getByLabel("Name").fill("Mara");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("a device that subscribes is shown, gets a test at once, and what its push service says of it is told", async () => {
  await using subscriber = await openSubscriber(browser, `${peal.url}/-/setup/phone`, service);
  const { page } = subscriber;
  await signIn(subscriber);
  await page.getByText("Waiting for a device").waitFor();
  const feed = await page.context().newPage();
  await feed.goto(peal.url + (await page.getByRole("link", { name: "Open the topic" }).getAttribute("href")));
  await feed.getByRole("button", { name: "Notify me" }).click();
  await notify(feed).getByRole("heading", { name: "Notifications are on" }).waitFor();

  await page.getByText("Chrome, Linux, just now").waitFor();
  await page.getByText(/^Test push accepted by .+ in [\d,]+\sms\.$/).waitFor();
  const [endpoint = ""] = subscriber.subscriptions.map((one) => one.endpoint);
  expect(service.accepted(endpoint)).toHaveLength(1);

  service.script.once(endpoint, { status: 400, body: '{"reason":"BadWebPushRequest"}' });
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText(/did not accept the test push/).waitFor();
  await page.getByText("400").waitFor();
});
