/** Acknowledge on the feed page: with a script and without, once for everyone, and never by a GET. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ACK_UNDO_MS } from "../../src/store/deliveries.ts";
import { answer, type TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { inProcess } from "../support/server.ts";
import { look, open, startBrowsing } from "./browser.ts";

const { peal, browser, visit } = await startBrowsing();

const URGENT = { title: "UPS on battery", message: "x", level: "error", priority: "urgent", ack: true };

const button = (page: Page, id = 1) => page.locator(`#m${id}`).getByRole("button", { name: "Acknowledge" });
const acknowledgedAt = async ({ key }: TestTopic, id = 1): Promise<string | undefined> => {
  const response = await peal.api("GET", `/v1/home/${key}/messages/${id}/deliveries`);
  return (await answer<{ acknowledged_at?: string }>(200, response)).acknowledged_at;
};

test.each([true, false])("acknowledged by its button (script: %p)", async (javaScriptEnabled) => {
  const topic = await peal.topic(`ack-${String(javaScriptEnabled)}`);
  await peal.publish(topic, URGENT);
  await using opened = await open(browser, { javaScriptEnabled });
  const { page } = opened;
  await page.goto(topic.url);
  expect(await page.locator("#m1 .meta").textContent()).toContain("unacknowledged");
  expect(await page.locator("#m1.urgent.open").count()).toBe(1);
  expect(await page.locator("#m1 .hint").first().textContent()).toMatch(
    /^Rings every minute until someone acknowledges it, at most until \d\d:\d\d\.$/,
  );
  await button(page).click();
  await page
    .locator("#m1 .meta")
    .getByText(/^acknowledged/)
    .waitFor();
  expect(await page.locator("#m1 .meta").textContent()).toMatch(/acknowledged just now/);
  expect([await button(page).count(), await page.locator("#m1.open").count()]).toEqual([0, 0]);
  expect(new URL(page.url()).hash).toBe(javaScriptEnabled ? "" : "#m1");
  expect(await acknowledgedAt(topic)).toBeString();

  // beside the words, with the time still at the edge: a form would end a paragraph
  expect(await page.locator("#m1 > .meta > .when").count()).toBe(1);
  await page.locator("#m1 > .meta").getByRole("button", { name: "Undo" }).click();
  await page.locator("#m1 .meta").getByText("unacknowledged").waitFor();
  expect([await button(page).count(), await acknowledgedAt(topic)]).toEqual([1, undefined]);
  const late = await peal.request(`/home/${topic.key}/messages/1/unack`, { method: "POST" });
  expect(late.status).toBe(409);
});

test("with a script the page stays, and the focus stays on the card", async () => {
  const topic = await peal.topic("ack-stays");
  await peal.publish(topic, URGENT);
  const page = await visit(topic.url);
  await page.evaluate("window.isSamePage = true");
  await button(page).focus();
  await page.keyboard.press("Enter");
  await page
    .locator("#m1 .meta")
    .getByText(/^acknowledged/)
    .waitFor();
  expect(await page.evaluate("[window.isSamePage, document.activeElement.id]")).toEqual([true, "m1"]);
});

test("a GET acknowledges nothing", async () => {
  const topic = await peal.topic("ack-get");
  await peal.publish(topic, URGENT);
  for (const path of [`/home/${topic.key}/messages/1/ack`, `/v1/home/${topic.key}/messages/1/ack`])
    expect([path, (await peal.request(path)).status]).toEqual([path, 405]);
  expect(await acknowledgedAt(topic)).toBeUndefined();
});

test("a form for a message that needs no acknowledgement, or is gone, is refused with an explanation", async () => {
  const topic = await peal.topic("ack-none");
  await peal.publish(topic, { message: "x" });
  const post = async (id: number) =>
    peal.request(`/home/${topic.key}/messages/${id}/ack`, { method: "POST", headers: { accept: "text/html" } });
  expect((await post(1)).status).toBe(409);
  expect((await post(2)).status).toBe(404);
});

test("without a script it returns to the page on which an old message is still shown", async () => {
  const topic = await peal.topic("ack-old");
  await peal.publish(topic, URGENT);
  for (let i = 0; i < 50; i++) await peal.publish(topic, { message: "later" });
  const { status, headers } = await peal.request(`/home/${topic.key}/messages/1/ack`, { method: "POST" });
  expect([status, headers.get("location")]).toEqual([303, `/home/${topic.key}?before=2#m1`]);
});

test("the button says when the server cannot be reached, and works again", async () => {
  const topic = await peal.topic("ack-away");
  await peal.publish(topic, URGENT);
  await using opened = await open(browser, { expected: /ERR_(FAILED|INTERNET_DISCONNECTED)/ });
  const { page } = opened;
  await page.goto(topic.url);
  await look(page, "controlled"); // the script has started by then
  await page.context().setOffline(true);
  await button(page).click();
  await page.locator("#m1").getByRole("alert").getByText("Not acknowledged: couldn’t reach the server.").waitFor();
  await page.context().setOffline(false);
  await button(page).click();
  await page
    .locator("#m1 .meta")
    .getByText(/^acknowledged/)
    .waitFor();
});

test("what was acknowledged does not count as failed when only its card cannot be refreshed yet", async () => {
  const topic = await peal.topic("ack-unseen");
  await peal.publish(topic, URGENT);
  await using opened = await open(browser, { serviceWorkers: "block", expected: /ERR_FAILED/ });
  const { page } = opened;
  await page.clock.install();
  await page.goto(topic.url);
  const again = /\?priority=urgent/;
  await page.route(again, async (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await button(page).click();
  await failed;
  await page.locator("#m1 [aria-disabled]").waitFor({ state: "detached" });
  expect(await page.locator("#m1").getByRole("alert").count()).toBe(0);
  expect(await acknowledgedAt(topic)).toBeString();
  await page.unroute(again);
  await page.clock.runFor(60_000);
  await page
    .locator("#m1 .meta")
    .getByText(/^acknowledged/)
    .waitFor();
});

test("an acknowledgement by someone else is shown within a minute", async () => {
  const topic = await peal.topic("ack-other");
  await peal.publish(topic, URGENT);
  await using opened = await open(browser);
  const { page } = opened;
  await page.clock.install();
  await page.goto(topic.url);
  await button(page).waitFor();
  await peal.request(`/v1/home/${topic.key}/messages/1/ack`, { method: "POST" });
  await page.clock.runFor(60_000);
  await page
    .locator("#m1 .meta")
    .getByText(/^acknowledged/)
    .waitFor();
});

test("an alert that keeps firing keeps its bar when it is acknowledged, and needs no one once resolved", async () => {
  const topic = await peal.topic("ack-alert");
  const alert = { ...URGENT, dedup_key: "ups" };
  await peal.publish(topic, { ...alert, status: "firing" });
  await peal.request(`/v1/home/${topic.key}/messages/1/ack`, { method: "POST" });
  const html = async () => (await peal.request(topic.url, { headers: { accept: "text/html" } })).text();
  expect(await html()).toContain('<article class="msg error open" id="m1"');
  await peal.publish(topic, { ...alert, status: "resolved" });
  expect(await html()).not.toContain("data-acknowledge");
});

test("after an hour it says that no one responded", async () => {
  const clock = heldClock();
  await using held = await inProcess({ clock });
  const topic = await held.topic("ack-late");
  await held.publish(topic, URGENT);
  const html = async () => (await held.request(topic.url, { headers: { accept: "text/html" } })).text();
  expect(await html()).toContain("Rings every minute until someone acknowledges");
  clock.advance(3_600_000);
  expect(await html()).toContain("Nobody acknowledged it. It rang until");
});

test("an acknowledgement can be undone for two minutes, and no longer", async () => {
  const clock = heldClock();
  await using held = await inProcess({ clock });
  const topic = await held.topic("ack-undo");
  await held.publish(topic, URGENT);
  const html = async () => (await held.request(topic.url, { headers: { accept: "text/html" } })).text();
  const post = async (act: string) => held.request(`/home/${topic.key}/messages/1/${act}`, { method: "POST" });
  await post("ack");
  clock.advance(ACK_UNDO_MS - 1);
  expect(await html()).toContain("/messages/1/unack");
  clock.advance(2);
  expect(await html()).not.toContain("/messages/1/unack");
  const { code, detail } = await answer<{ code: string; detail: string }>(409, await post("unack"));
  expect([code, detail]).toEqual(["ack_stays", "An acknowledgement can be undone for two minutes only."]);
  expect(ACK_UNDO_MS).toBe(2 * 60_000); // as the texts say
});
