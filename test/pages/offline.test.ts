/** The feed as an app: without a connection, by keys, muted, with icons that phones accept (WEB.md §4, §5). */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { CORPUS } from "../support/hostile.ts";
import { PASSWORD, person } from "../support/signin.ts";
import { headings, holdClock, look, open } from "./browser.ts";
import { feedOf, openSubscriber, pushingTo, startPushing } from "./subscriber.ts";

const { service, peal, browser, visit } = await startPushing();

const feedPath = ({ key }: { key: string }): string => `/home/${key}`;
/** A message that names what the page might load. */
const ASSETS = 'src="/-/assets/none.js" //evil.example/-/assets/x.js /-/assets/none.css';
const kept = async (page: Page): Promise<string[]> => look(page, "kept");

test("a feed that was opened once is available without a connection, with what came since, and says how old it is", async () => {
  const topic = await feedOf(peal, "offline");
  const path = feedPath(topic);
  await using opened = await open(browser, { expected: /ERR_INTERNET_DISCONNECTED/ });
  const { page } = opened;
  await page.clock.install();
  await page.goto(topic.url);
  await eventually("the feed to be kept", async () => {
    await page.clock.runFor(100);
    return (await kept(page)).includes(path);
  });
  await peal.publish(topic, { title: "since", message: `${CORPUS.join("\n")}\n${ASSETS}` });
  await page.getByRole("heading", { name: "since" }).waitFor();
  await eventually("the new message to be kept", async () => {
    await page.clock.runFor(10_000);
    return (await look<string>(page, "keptText", path)).includes(">since</h3>");
  });
  await look(page, "controlled");
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("Offline, showing stored messages").waitFor();
  expect(await headings(page)).toEqual(["since", "before"]);
  await page.getByText(/^No connection since \d\d:\d\d\. These messages are stored/).waitFor();
  expect(await page.getByRole("searchbox").isVisible()).toBe(false);

  await page.context().setOffline(false);
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await page.getByText("No connection since").isVisible()).toBe(false);
});

test("without a connection a waiting message says what Acknowledge needs", async () => {
  const topic = await feedOf(peal, "unacknowledged");
  await peal.publish(topic, { message: "x", priority: "urgent", ack: true });
  await using opened = await open(browser, { expected: /ERR_(FAILED|INTERNET_DISCONNECTED)/ });
  const { page } = opened;
  await page.goto(topic.url);
  await page.getByText("Live", { exact: true }).waitFor();
  const hint = page.getByText("You need to be online to acknowledge.");
  expect(await hint.isVisible()).toBe(false);
  await page.context().setOffline(true);
  await hint.waitFor();
});

test("without a connection the chips, tags and links of a feed show what is stored of it", async () => {
  const topic = await feedOf(peal, "filtered");
  await peal.publish(topic, { title: "disk", message: "x", level: "error", tags: ["nas"] });
  await peal.publish(topic, { title: "mains", message: "x", level: "error", priority: "urgent" });
  await using opened = await open(browser, { expected: /ERR_INTERNET_DISCONNECTED/ });
  const { page } = opened;
  await page.goto(topic.url);
  await eventually("the feed to be kept", async () => (await kept(page)).includes(feedPath(topic)));
  await look(page, "controlled");
  await page.context().setOffline(true);
  /** Expects the address, the pressed chip and the messages. */
  const shows = async (search: string, chip: string[], ...messages: string[]) => {
    await page.waitForURL(topic.url + search);
    await page.getByText("Offline, showing stored messages").waitFor();
    expect([await page.locator(".chip[aria-current]").allTextContents(), await headings(page)]).toEqual([
      chip,
      messages,
    ]);
  };
  await page.getByRole("link", { name: "Error 2" }).click();
  await shows("?level=error", ["Error2"], "mains", "disk");
  await page.getByRole("link", { name: "Urgent 1" }).click();
  await shows("?priority=urgent", ["Urgent1"], "mains");
  await page.getByRole("link", { name: "Warning" }).click();
  await shows("?level=warning", ["Warning0"]);
  await page.getByText("No matching messages").waitFor();
  await page.getByRole("link", { name: "All" }).click();
  await page.getByRole("link", { name: "nas" }).click();
  await shows("?tag=nas", [], "disk");
  await page.goto(`${topic.url}?before=2#m1`);
  await shows("?before=2#m1", [], "before");
});

test("the answer to a visit is what is stored: nothing is requested twice, and a full disk loses nothing", async () => {
  const topic = await feedOf(peal, "once");
  const path = feedPath(topic);
  await using opened = await open(browser);
  const { page } = opened;
  await page.goto(topic.url);
  await eventually("the feed to be kept", async () => (await kept(page)).includes(path));
  await look(page, "controlled");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === path) asked.push(request.resourceType());
  });
  await page.goto("about:blank");
  await page.clock.install();
  await peal.publish(topic, { title: "since", message: "x" });
  await page.goto(topic.url);
  const isKept = async (title: string) => (await look<string>(page, "keptText", path)).includes(`>${title}</h3>`);
  await eventually("the new message to be kept", async () => isKept("since"));
  expect(asked).toEqual([]); // the visit itself is requested by the worker

  await page.evaluate("Cache.prototype.put = async () => { throw new DOMException('', 'QuotaExceededError') }");
  const again = page.waitForRequest((request) => new URL(request.url()).pathname === path);
  await peal.publish(topic, { title: "too much", message: "x" });
  await page.getByRole("heading", { name: "too much" }).waitFor();
  await page.clock.runFor(10_000);
  await (await (await again).response())?.finished();
  expect([await isKept("since"), await isKept("too much")]).toEqual([true, false]);
});

test("where the server accepts connections but does not answer, what is stored is shown", async () => {
  await using silent = await pushingTo(service);
  const topic = await feedOf(silent, "silent");
  await using opened = await open(browser, { expected: /ERR_/ });
  const { page } = opened;
  await page.goto(topic.url);
  await eventually("the feed to be kept", async () => (await kept(page)).includes(feedPath(topic)));
  await look(page, "controlled");
  process.kill(silent.pid, "SIGSTOP");
  await page.reload();
  expect(await headings(page)).toEqual(["before"]);
  await page.getByText("Offline, showing stored messages").waitFor();
});

test("a copy that is being loaded when the link is replaced is not stored", async () => {
  const topic = await feedOf(peal, "replaced");
  await using opened = await open(browser);
  const { page } = opened;
  await page.addInitScript(`{
    const { put } = Cache.prototype;
    const [begun, end, ended] = [1, 2, 3].map(() => Promise.withResolvers());
    Cache.prototype.put = async function (...entry) {
      begun.resolve();
      await end.promise;
      ended.resolve(await put.apply(this, entry));
    };
    globalThis.copy = { begun: begun.promise, end: () => (end.resolve(), ended.promise) };
  }`);
  await page.goto(topic.url);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.evaluate("copy.begun");
  await peal.api("POST", `/v1/home/${topic.key}/rotate`);
  await page.getByText("This link no longer works").waitFor();
  await page.evaluate("copy.end()");
  await eventually("the feed to be forgotten", async () => !(await kept(page)).includes(feedPath(topic)));
});

test("the stored copy is deleted when its link stops working, and no page of the dashboard is stored", async () => {
  const [topic, other] = [await feedOf(peal, "forgotten"), await feedOf(peal, "remembered")];
  await using opened = await open(browser, { expected: /404/ });
  const { page } = opened;
  for (const one of [topic, other]) {
    await page.goto(one.url);
    await eventually("the feed to be kept", async () => (await kept(page)).includes(feedPath(one)));
  }
  await look(page, "controlled");
  await person(peal);
  await page.goto(`${peal.url}/-/devices`);
  await page.getByLabel("Name").fill("mara");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${peal.url}/-/devices`);
  await page.goto(`${peal.url}/-/`);
  await peal.api("POST", `/v1/home/${topic.key}/rotate`);
  await page.goto(topic.url);
  await page.getByRole("heading", { name: "There’s no topic at this link" }).waitFor();
  await eventually("the feed to be forgotten", async () => !(await kept(page)).includes(feedPath(topic)));
  const left = (await kept(page)).filter((one) => !one.includes("/-/assets/"));
  expect(left).toEqual([feedPath(other)]);
});

test("keys move through the messages, and can be switched off", async () => {
  const topic = await feedOf(peal, "keys");
  await peal.publish(topic, { title: "newest", message: "text" });
  await using opened = await open(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = opened;
  await holdClock(page);
  await page.goto(topic.url);
  const focused = async () => page.locator("article:focus h3").allTextContents();
  await page.keyboard.press("j");
  expect(await focused()).toEqual(["newest"]);
  await page.keyboard.press("j");
  expect(await focused()).toEqual(["before"]);
  await page.keyboard.press("k");
  await page.keyboard.press("c");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("newest\ntext");
  await page.keyboard.press("/");
  await page.keyboard.type("j?");
  expect(await page.getByRole("searchbox").inputValue()).toBe("j?");

  await page.locator("article").first().focus();
  await page.keyboard.press("?");
  await page.getByRole("checkbox", { name: "Keyboard shortcuts on" }).uncheck();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.keyboard.press("j");
  expect(await focused()).toEqual([]);
  await page.getByRole("button", { name: "All shortcuts" }).click();
  expect(await page.getByRole("checkbox", { name: "Keyboard shortcuts on" }).isChecked()).toBe(false);
});

test("a topic is muted on this device only, for an hour, and unmuted", async () => {
  const topic = await feedOf(peal, "muted");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  const { page } = subscriber;
  const quiet = page.getByRole("region", { name: "Mute on this device" });
  expect(await quiet.isVisible()).toBe(false);
  await subscriber.turnOn();
  await page.locator("article").first().focus();
  await page.keyboard.press("m");
  await quiet.getByRole("heading", { name: /^Muted until (.+, )?\d\d:\d\d$/ }).waitFor();
  await page.reload();
  await quiet.getByRole("button", { name: "Unmute" }).click();
  await quiet.getByRole("button", { name: "1 hour" }).waitFor();
  await peal.publish(topic, { title: "loud", message: "x" });
  await subscriber.receive();
});

test("new messages are read out: politely, and at once where urgent", async () => {
  const topic = await feedOf(peal, "heard");
  const page = await visit(topic.url);
  await page.getByText("Live", { exact: true }).waitFor();
  await peal.publish(topic, { title: "Disk full", message: "x", level: "error" });
  await page.getByRole("status").getByText("1 new message, latest: Disk full, Error").waitFor();
  await peal.publish(topic, { title: "UPS", message: "x", priority: "urgent" });
  await page.getByRole("alert").getByText("Urgent: UPS").waitFor();
});

test("the manifest has icons that phones accept, and Apple's has its own", async () => {
  const topic = await feedOf(peal, "icons");
  const pathname = feedPath(topic);
  const manifest = await answer<{
    id: string;
    start_url: string;
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
  }>(200, await peal.request(`${pathname}/manifest.webmanifest`));
  for (const { purpose } of manifest.icons) expect(purpose?.split(" ")).toContain("maskable");
  expect([manifest.id, manifest.start_url]).toEqual([pathname, pathname]);
  const page = await (await peal.request(pathname)).text();
  const apple = /rel="apple-touch-icon" href="([^"]+)"/.exec(page)?.[1] ?? "";
  for (const [src, size] of [
    [apple, 180],
    ...manifest.icons
      .filter(({ type }) => type === "image/png")
      .map(({ src, sizes }) => [src, parseInt(sizes)] as const),
  ] as const) {
    const image = await peal.request(src);
    expect(image.headers.get("content-type")).toBe("image/png");
    const header = Buffer.from(await image.arrayBuffer());
    expect([header.readUInt32BE(16), header.readUInt32BE(20)]).toEqual([size, size]);
  }
  expect(manifest.icons).toHaveLength(3);
});
