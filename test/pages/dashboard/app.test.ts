/** The dashboard as an installed app, and its list of all messages while it is open, in a real browser (WEB.md §3, §5). */
import { afterAll, expect, test } from "bun:test";
import { deskAs } from "../../support/desk.ts";
import { inProcess } from "../../support/server.ts";
import { signedIn } from "../../support/signin.ts";
import { connection, look, open, startBrowsing } from "../browser.ts";

const { peal, browser } = await startBrowsing({}, { isWhole: true });
const session = { cookie: await signedIn(peal), url: peal.url };
const below = await inProcess({ env: { PEAL_BASE_URL: "https://e.org/peal" } });
afterAll(async () => below[Symbol.asyncDispose]());

/** Headless Chromium has no app windows, so this makes every page report that display mode. */
const IN_APP = `{
  const { matchMedia } = window;
  window.matchMedia = (query) => matchMedia(query === "(display-mode: standalone)" ? "all" : query);
}`;

interface Manifest {
  id: string;
  start_url: string;
  scope: string;
  name: string;
  short_name: string;
  display: string;
  icons: { src: string; purpose: string }[];
  shortcuts: { name: string; url: string }[];
}

test("has its own manifest, whose scope contains no feed, in the reader's language and below a base path", async () => {
  const desk = deskAs(below, await signedIn(below));
  const page = (await desk.get("/peal/-/checks")).html;
  const [link = "", path = ""] = /<link rel="manifest" href="([^"]+)"[^>]*>/.exec(page) ?? [];
  expect(link).toContain('crossorigin="use-credentials"'); // a proxy may require a sign-in for everything below `/-/`
  const answer = await below.request(path, { headers: { "accept-language": "de" } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/manifest+json"]);
  expect(answer.headers.get("vary")).toBe("accept-language, cookie");
  const app = (await answer.json()) as Manifest;
  expect(app).toMatchObject({ id: "/peal/-/", start_url: "/peal/-/", scope: "/peal/-/", display: "standalone" });
  expect([app.name, app.short_name]).toEqual(["peal", "peal"]);
  expect(app.shortcuts).toEqual([
    { name: "Nachrichten", url: "/peal/-/messages" },
    { name: "Checks", url: "/peal/-/checks" },
  ]);
  for (const { purpose } of app.icons) expect(purpose).toContain("maskable");
  for (const src of [...app.icons.map((icon) => icon.src), ...app.shortcuts.map(({ url }) => url)])
    expect((await desk.get(src)).status).toBe(200);
  const feed = await (await below.request(`/peal/home/${(await below.topic("fed")).key}`)).text();
  const [, own = ""] = /<link rel="manifest" href="([^"]+)"/.exec(feed) ?? [];
  expect(((await (await below.request(own)).json()) as Manifest).id).not.toBe(app.id);
  expect(`/peal/home/`.startsWith(app.scope)).toBe(false);
});

test("is what Chromium installs, under its own name, and registers no worker in a tab", async () => {
  await using opened = await open(browser, { session });
  const { page } = opened;
  await page.goto(`${peal.url}/-/`);
  await connection(page, "Live");
  const chromium = await page.context().newCDPSession(page);
  const { installabilityErrors } = await chromium.send("Page.getInstallabilityErrors");
  // a private window, as tests use it, cannot install apps; that has to be the only error
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  const { errors, data = "" } = await chromium.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect((JSON.parse(data) as Manifest).start_url).toBe("/-/");
  const { appId } = await chromium.send("Page.getAppId");
  expect(appId).toBe(`${peal.url}/-/`);
  expect(await page.evaluate<number>("navigator.serviceWorker.getRegistrations().then((all) => all.length)")).toBe(0);
});

test("as an app shows a message without a connection, stores none of its pages, and recovers with the server", async () => {
  await using opened = await open(browser, { session, expected: /ERR_INTERNET_DISCONNECTED|status of 503/ });
  const { page } = opened;
  await page.addInitScript(IN_APP);
  await page.goto(`${peal.url}/-/messages`);
  await look(page, "controlled");
  await page.goto(`${peal.url}/-/checks`);
  await connection(page, "Live");
  const kept = await look<string[]>(page, "kept");
  expect(kept.filter((path) => path.includes("/-/") && !path.includes("/-/assets/"))).toEqual([]);
  await page.context().setOffline(true);
  await page.reload();
  expect(await page.locator("h1").textContent()).toBe("No connection");
  expect(await page.getByText("none of it is stored on this device").isVisible()).toBe(true);
  expect(await page.title()).toBe("No connection · peal");
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Checks", level: 1 }).waitFor();
  expect(page.url()).toBe(`${peal.url}/-/checks`);
});

test("the list of all messages grows while it is open, whatever the topic, and one tap acknowledges", async () => {
  await using opened = await open(browser, { session, viewport: { width: 390, height: 844 } });
  const { page } = opened;
  await peal.publish(await peal.topic("quiet"), "before");
  await page.goto(`${peal.url}/-/messages`);
  await connection(page, "Live");
  await peal.publish(await peal.topic("cellar"), { message: "Water", priority: "urgent", ack: true });
  const band = page.locator("#needs");
  await band.getByRole("link", { name: "Water" }).waitFor();
  const card = page.locator("#messages article").filter({ has: page.getByRole("heading", { name: "Water" }) });
  await card.getByRole("link", { name: "home / cellar" }).waitFor();
  const button = await band.getByRole("button", { name: "Acknowledge" }).boundingBox();
  expect(button && [button.height >= 44, button.y + button.height < 844]).toEqual([true, true]);
  await band.getByRole("button", { name: "Acknowledge" }).click();
  await page.getByText("It no longer rings").waitFor();
  expect(new URL(page.url()).pathname).toBe("/-/messages");
  await page.locator("#handled").getByRole("link", { name: "Water" }).waitFor();
});

test("an older page stays unchanged, and everything works without a script", async () => {
  const topic = await peal.topic("many");
  for (let n = 1; n <= 60; n++)
    await peal.publish(topic, {
      title: `title ${String.fromCharCode(64 + (n % 26))} ${n}`,
      message: "m",
      level: "warning",
      tags: [`t${n}`],
    });
  await using opened = await open(browser, { session, javaScriptEnabled: false });
  const { page } = opened;
  await page.goto(`${peal.url}/-/messages`);
  await page.getByRole("link", { name: "Older messages" }).click();
  await page.getByRole("heading", { name: "title H 8", exact: true }).first().waitFor();
  expect(await page.locator("#messages[data-live]").count()).toBe(0);
  await page.getByRole("searchbox").fill("title 60");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("link", { name: "home / many" }).first().click();
  await page.getByRole("heading", { name: "many", level: 1 }).waitFor();
});
