/** The feed page with its script: filters, what was seen, what needs acknowledging, what can be copied (WEB.md §4). */
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { TestTopic } from "../support/client.ts";
import { testWith } from "../support/tools.ts";
import { holdClock, look, open, shown, startBrowsing } from "./browser.ts";

const { peal, browser, visit } = await startBrowsing();

const live = async (page: Page): Promise<void> => page.getByText("Live", { exact: true }).waitFor();
const chips = async (page: Page): Promise<string[]> =>
  page.getByRole("navigation", { name: "Show" }).locator("a").allTextContents();
/** The paths and queries with which the page requests cards. */
function asked(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (search.includes("since=") && !pathname.endsWith("/events")) addresses.push(search);
  });
  return addresses;
}
const publishMany = async (topic: TestTopic, from: number, to: number, more: object = {}): Promise<void> => {
  for (let n = from; n <= to; n++) await peal.publish(topic, { title: `no ${n}`, message: "x".repeat(n), ...more });
};

test("a message that the filter hides does not make the pill appear", async () => {
  const topic = await peal.topic("no-pill");
  await publishMany(topic, 1, 40, { level: "error" });
  const page = await visit(`${topic.url}?level=error`);
  await live(page);
  await look(page, "note", ".pill");
  await page.locator("#m20").scrollIntoViewIfNeeded();
  const heard = page.waitForResponse(/since=40/);
  await peal.publish(topic, { message: "other", level: "info" });
  await heard;
  await peal.publish(topic, { message: "same", level: "error" });
  await page.getByRole("link", { name: "1 new message" }).waitFor();
  expect(await look<string[]>(page, "noted")).toEqual(["1 new message"]);
});

test("someone who was led to an old message has not seen the new ones", async () => {
  const topic = await peal.topic("led");
  const line = async (page: Page) =>
    (await page.locator(".feed").locator("h3, .seen").allTextContents()).map((text) => text.replace(/ at .*/, ""));
  for (const message of ["a", "b"]) await peal.publish(topic, { message });
  const page = await visit(topic.url);
  expect(await line(page)).toEqual(["b", "a"]);
  await page.goto("about:blank");
  await peal.publish(topic, { message: "c", level: "error" });
  for (const search of ["?before=2#m1", "?level=info", "?q=a"]) await page.goto(topic.url + search);
  await page.goto(topic.url);
  expect(await line(page)).toEqual(["c", "You last looked", "b", "a"]);
});

test("the filter chips show how many there are of each on the page, and are kept up to date", async () => {
  const topic = await peal.topic("counts");
  for (const level of ["error", "info", "info"]) await peal.publish(topic, { message: level, level });
  const page = await visit(topic.url);
  await live(page);
  expect(await chips(page)).toEqual(["All", "Urgent0", "Error1", "Warning0", "Success0", "Info2"]);
  await peal.publish(topic, { message: "now", level: "error", priority: "urgent" });
  await page.getByRole("link", { name: "Urgent 1" }).waitFor();
  expect(await chips(page)).toEqual(["All", "Urgent1", "Error2", "Warning0", "Success0", "Info2"]);
  await page.getByRole("link", { name: "Error 2" }).click();
  await page.waitForURL(/level=error/);
  expect(await chips(page)).toEqual(["All", "Urgent", "Error", "Warning", "Success", "Info"]);
});

test("acknowledgements by others are requested once a minute, in one request, even behind an alert's newer message", async () => {
  const topic = await peal.topic("waiting");
  const urgent = { message: "x", level: "error", priority: "urgent", ack: true };
  for (const title of ["one", "two", "three"]) await peal.publish(topic, { ...urgent, title });
  await peal.publish(topic, { ...urgent, title: "alert", dedup_key: "a", status: "firing" });
  await peal.publish(topic, { message: "x", title: "alert", dedup_key: "a", level: "info", status: "firing" });
  await using opened = await open(browser);
  const { page } = opened;
  await page.clock.install();
  await page.goto(`${topic.url}?level=error`);
  await live(page);
  const requests = asked(page);
  await peal.request(`/v1/home/${topic.key}/messages/2/ack`, { method: "POST" });
  await page.clock.runFor(60_000);
  await page
    .locator("#m2")
    .getByText(/^acknowledged/)
    .waitFor();
  expect(requests).toEqual(["?priority=urgent&before=5&since=0"]);

  await page.locator("#m4").getByRole("button", { name: "Acknowledge" }).click();
  await page
    .locator("#m4")
    .getByText(/^acknowledged/)
    .waitFor();
  expect(requests).toEqual(["?priority=urgent&before=5&since=0", "?priority=urgent&before=5&since=3"]);
});

test("a card that still waits stays as its reader left it", async () => {
  const topic = await peal.topic("left-alone");
  const message = "a line\n".repeat(13);
  await peal.publish(topic, { title: "long", message, priority: "urgent", ack: true });
  await using opened = await open(browser);
  const { page } = opened;
  await page.clock.install();
  await page.goto(topic.url);
  await live(page);
  await page.getByText("Show all 13 lines").click();
  await page.locator("#m1").getByRole("button", { name: "Acknowledge" }).focus();
  const answered = page.waitForResponse(/priority=urgent/);
  await page.clock.runFor(60_000);
  await (await answered).finished();
  expect(await look(page, "focused")).toMatchObject({ name: "Acknowledge" });
  expect(await page.locator(".fold").getAttribute("open")).not.toBeNull();
});

test("a page that was open for long continues after its last message", async () => {
  const topic = await peal.topic("long");
  await publishMany(topic, 1, 10);
  await using opened = await open(browser);
  const { page } = opened;
  const time = `<p class="when"><time datetime="2026-11-21T14:00:00Z"></time></p>`;
  const came = Array.from({ length: 490 }, (_, i) => `<article class="msg" id="m${1_000 - i}">${time}</article>`);
  await page.route(topic.url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace("<article", `${came.join("")}<article`) });
  });
  await page.goto(topic.url);
  await live(page);
  const older = page.getByRole("link", { name: "Older messages" });
  expect(await older.isVisible()).toBe(false);
  await publishMany(topic, 11, 13);
  await page.locator("#m13").waitFor();
  await older.click();
  await shown(page, "no 3", "no 2", "no 1");
});

describe("a message as the command that publishes it", () => {
  /** Presses the copy button in a message's menu. */
  const copyFrom = async (page: Page, id: number) => {
    await page.locator(`#m${id}`).getByLabel("More actions for this message").click();
    await page.locator(`#m${id}`).getByRole("button", { name: "Copy as curl" }).click();
  };

  testWith("curl")("is copied with all that its publisher said", async () => {
    const topic = await peal.topic("curl");
    const sent = {
      title: 'It\'s "full"',
      message: "**93 %**\n$HOME `id`",
      level: "error",
      priority: "urgent",
      format: "markdown",
      tags: ["disk", "nas"],
      url: "https://nas.example/disk",
      image: "https://nas.example/disk.png",
      actions: [{ label: "Look", url: "https://nas.example/" }],
      dedup_key: "disk",
      status: "firing",
      ttl: 3_600,
      ack: true,
      data: { free: 7 },
    };
    await peal.publish(topic, sent);
    await using opened = await open(browser, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = opened;
    await holdClock(page);
    await page.goto(topic.url);
    await copyFrom(page, 1);
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(command).toStartWith('curl -H "Authorization: Bearer $KEY" \\\n');
    const { key } = await peal.mint("publish");
    const ran = Bun.spawnSync(["sh", "-c", command], { env: { ...process.env, KEY: key } });
    expect(ran.exitCode).toBe(0);
    const [first, again] = await peal.history(topic);
    expect(first).toMatchObject(sent);
    expect(again).toMatchObject(sent);
  });

  test("is not the previous message's, where that was deleted meanwhile", async () => {
    const topic = await peal.topic("curl-deleted");
    await publishMany(topic, 1, 3);
    await using opened = await open(browser, { permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = opened;
    await holdClock(page); // so that a button keeps saying that it has copied
    await page.goto(topic.url);
    await peal.api("DELETE", `/v1/home/${topic.key}/messages/2`);
    for (const id of [2, 3]) {
      const answered = page.waitForResponse(/before=/);
      await copyFrom(page, id);
      await (await answered).finished();
    }
    await page.locator("#m3").getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.getByRole("button", { name: "Copied" }).count()).toBe(1);
  });
});

test("nothing moves for people who prefer reduced motion", async () => {
  const topic = await peal.topic("still");
  const moving = async (reducedMotion: "reduce" | "no-preference") => {
    await using opened = await open(browser, { reducedMotion });
    const { page } = opened;
    await page.route("**/events?*", async () => new Promise(() => undefined)); // connects without end
    await page.goto(topic.url);
    await page.locator(".dot.busy").waitFor();
    return await page.evaluate<number>("document.getAnimations().length");
  };
  expect([await moving("no-preference"), await moving("reduce")]).toEqual([1, 0]);
});
