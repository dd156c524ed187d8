/** The feed page with its script: new messages, and what is unread (WEB.md §4). */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";
import { connection, headings, holdClock, look, open, startBrowsing } from "./browser.ts";

const { peal, browser, visit } = await startBrowsing();

const icon = async (page: Page): Promise<string | null> => page.locator("link[rel=icon]").getAttribute("href");
/** The headings and the line of the last visit, in their order on the page. */
const order = async (page: Page): Promise<string[]> =>
  (await page.locator(".feed").locator("h3, .seen").allTextContents()).map((text) =>
    text.replace(/\d\d:\d\d/, "##:##"),
  );

test("a new message appears by itself, rendered as the server renders it", async () => {
  const topic = await peal.topic("live");
  await peal.publish(topic, { message: "first" });
  const page = await visit(topic.url);
  await connection(page, "Live");
  await page.evaluate("window.isSamePage = true");
  await peal.publish(topic, { title: "second", message: "**bold** <b>", format: "markdown", level: "error" });
  await page.locator("#m2 .body.md strong").waitFor();
  expect(await page.locator("#m2 .body").textContent()).toBe("bold <b>");
  expect(await headings(page)).toEqual(["second", "first"]);
  expect(await page.evaluate("window.isSamePage")).toBe(true);
});

test("the first message turns the empty page into a feed", async () => {
  const topic = await peal.topic("live-empty");
  const page = await visit(topic.url);
  await connection(page, "Live");
  await peal.publish(topic, { message: "hello" });
  await page.getByRole("heading", { name: "hello" }).waitFor();
});

test("a filtered page takes in only what its filter shows", async () => {
  const topic = await peal.topic("live-filter");
  await peal.publish(topic, { message: "one", level: "error" });
  const page = await visit(`/home/${topic.key}?level=error`.replace(/^/, peal.url));
  await connection(page, "Live");
  await peal.publish(topic, { message: "two", level: "info" });
  await peal.publish(topic, { message: "three", level: "error" });
  await page.getByRole("heading", { name: "three" }).waitFor();
  expect(await headings(page)).toEqual(["three", "one"]);
});

test("an alert moves up with its history instead of showing twice", async () => {
  const topic = await peal.topic("live-alert");
  const alert = { title: "disk", dedup_key: "disk", status: "firing" };
  await peal.publish(topic, { ...alert, message: "80 %" });
  await peal.publish(topic, { message: "other" });
  const page = await visit(topic.url);
  await connection(page, "Live");
  await peal.publish(topic, { ...alert, message: "90 %" });
  await page.locator("#m3").waitFor();
  expect(await headings(page)).toEqual(["disk", "other"]);
  expect(await page.locator("#m3 .past summary").textContent()).toBe("1 earlier");
  expect(await page.locator("#m3 .meta").textContent()).toContain("firing for 0\u00a0min");
});

test("someone who reads further down gets a pill, and nothing jumps", async () => {
  const topic = await peal.topic("live-pill");
  for (let i = 1; i <= 40; i++) await peal.publish(topic, { title: `no ${i}`, message: "x".repeat(i) });
  const page = await visit(topic.url);
  await connection(page, "Live");
  const plain = await icon(page);
  await page.locator("#m20").scrollIntoViewIfNeeded();
  const top = async () => (await page.locator("#m20").boundingBox())?.y;
  const before = await top();
  await peal.publish(topic, { message: "forty-one" });
  await page.getByRole("link", { name: "1 new message" }).waitFor();
  await peal.publish(topic, { message: "forty-two" });
  const pill = page.getByRole("link", { name: "2 new messages" });
  await pill.waitFor();
  expect([await top(), await page.locator("#m41").count()]).toEqual([before, 0]);
  expect(await page.title()).toBe("(2) live-pill · peal");
  expect(await icon(page)).not.toBe(plain);

  await pill.click();
  await page.getByRole("heading", { name: "forty-two" }).waitFor();
  expect((await headings(page)).slice(0, 3)).toEqual(["forty-two", "forty-one", "no 40"]);
  expect(await page.title()).toBe("live-pill · peal");
  expect([await icon(page), await page.evaluate("scrollY")]).toEqual([plain, 0]);
});

test("someone who scrolls back to the top sees what came, even without a connection, and the pill is gone", async () => {
  const topic = await peal.topic("live-back");
  for (let i = 1; i <= 40; i++) await peal.publish(topic, { title: `no ${i}`, message: "x".repeat(i) });
  await using opened = await open(browser, { expected: /ERR_/ });
  const { page } = opened;
  await page.goto(topic.url);
  await connection(page, "Live");
  await page.locator("#m20").scrollIntoViewIfNeeded();
  await peal.publish(topic, { message: "forty-one" });
  const pill = page.getByRole("link", { name: "1 new message" });
  await pill.waitFor();
  await page.context().setOffline(true);
  await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
  await page.getByRole("heading", { name: "forty-one" }).waitFor();
  expect([await pill.count(), await page.title()]).toEqual([0, "live-back · peal"]);
});

test("the list of shortcuts opens with the focus on the close button, not on the switch that turns them off", async () => {
  const topic = await peal.topic("live-keys");
  await peal.publish(topic, { message: "x" });
  const page = await visit(topic.url);
  expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
  await page.keyboard.press("?");
  expect(await look(page, "focused")).toMatchObject({ name: "Close", isInView: true });
  await page.keyboard.press("Enter");
  expect(await page.locator("dialog").isVisible()).toBe(false);
});

test("messages that came while the tab was hidden are counted, then marked by a line", async () => {
  const topic = await peal.topic("live-hidden");
  await peal.publish(topic, { message: "known" });
  const page = await visit(topic.url);
  await connection(page, "Live");
  await look(page, "hide", true);
  await peal.publish(topic, { message: "new" });
  await eventually("the count in the title", async () => (await page.title()) === "(1) live-hidden · peal");
  await look(page, "hide", false);
  expect(await page.title()).toBe("live-hidden · peal");
  expect(await order(page)).toEqual(["new", "You last looked at ##:##", "known"]);
});

test("the next visit shows where the last one ended", async () => {
  const topic = await peal.topic("live-seen");
  for (const message of ["a", "b"]) await peal.publish(topic, { message });
  const page = await visit(topic.url);
  await connection(page, "Live");
  expect(await page.locator(".seen").count()).toBe(0);
  await page.goto("about:blank");
  await peal.publish(topic, { message: "c" });
  await page.goto(topic.url);
  expect(await order(page)).toEqual(["c", "You last looked at ##:##", "b", "a"]);
});

test("times and days are the reader's", async () => {
  const clock = heldClock(Date.UTC(2026, 0, 1, 22, 30));
  await using own = await inProcess({ clock });
  const topic = await own.topic("zones");
  await own.publish(topic, { message: "at half past ten in UTC" });
  clock.advance(3_600_000);
  await own.publish(topic, { message: "an hour later" });
  clock.advance(13 * 3_600_000); // before that it shows how long ago it was, which is the same in every zone
  const days = async (options: object) => {
    await using opened = await open(browser, options);
    await opened.page.clock.setFixedTime("2026-11-21T12:00:00Z"); // otherwise the year would be shown too
    await opened.page.goto(topic.url);
    const times = (await opened.page.locator(".when time").allTextContents()).map((time) => time.replace(/\s/, " "));
    return {
      times,
      days: (await opened.page.locator(".day").allTextContents()).map((day) => day.replace(/^(Today|Yesterday) /, "")),
    };
  };
  const [thursday, friday] = ["Thursday 1 January", "Friday 2 January"];
  const written = (options: Intl.DateTimeFormatOptions) =>
    [23.5, 22.5].map((hours) =>
      new Intl.DateTimeFormat("en-GB", options).format(Date.UTC(2026, 0, 1) + hours * 3_600_000),
    );
  expect(await days({ javaScriptEnabled: false })).toEqual({
    times: written({ timeStyle: "short" }), // written by the server
    days: [...new Set(written({ weekday: "long", day: "numeric", month: "long" }))],
  });
  expect(await days({})).toEqual({ times: ["00:30", "23:30"], days: [friday, thursday] });
  expect(await days({ locale: "en-US", timezoneId: "America/New_York" })).toEqual({
    times: ["6:30 PM", "5:30 PM"],
    days: ["Thursday, January 1"],
  });
});

test("the theme is switched at once, and kept", async () => {
  const topic = await peal.topic("live-theme");
  await using opened = await open(browser, { colorScheme: "light" });
  const { page } = opened;
  await page.goto(topic.url);
  const ground = async () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  expect(await ground()).toBe("rgb(247, 246, 243)");
  await page.getByRole("button", { name: "Switch to the dark theme" }).click();
  expect(await ground()).toBe("rgb(19, 18, 17)");
  await page.reload();
  expect(await ground()).toBe("rgb(19, 18, 17)");
  await page.getByRole("button", { name: "Switch to the light theme" }).click();
  expect(await ground()).toBe("rgb(247, 246, 243)");
});

test.each(["127.0.0.1", "peal.test"])("messages and links are copied, at %s", async (host) => {
  const topic = await peal.topic(`live-copy-${host}`);
  await peal.publish(topic, { title: "Title", message: "line one\nline two" });
  await using opened = await open(browser, {
    permissions: ["clipboard-read", "clipboard-write"],
    expected: /Cross-Origin-Opener-Policy header has been ignored/, // browsers print this without https
  });
  const { page } = opened;
  await holdClock(page);
  await page.goto(topic.url.replace("127.0.0.1", host));
  // without https browsers give pages no clipboard
  expect(await page.evaluate("isSecureContext")).toBe(host === "127.0.0.1");
  const paste = async () => {
    const field = page.getByRole("searchbox");
    await field.fill("");
    await field.focus();
    await page.keyboard.press("ControlOrMeta+V");
    return field.inputValue();
  };
  const copied = async (button: string) => {
    await page.reload();
    await page.getByLabel("More actions for this message").click();
    await page.locator("article").getByRole("button", { name: button }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    return paste();
  };
  expect(await copied("Copy text")).toBe("Title line one line two"); // a field of one line has no line breaks
  const link = `http://${host}:${new URL(topic.url).port}/home/${topic.key}?before=2#m1`;
  expect(await copied("Copy link")).toBe(link);
});
