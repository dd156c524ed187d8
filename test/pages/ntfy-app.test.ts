/** "Get it on your phone": a topic in ntfy's apps, from the feed and from the first run (WEB.md §2, §4). */
import { afterAll, afterEach, expect, test } from "bun:test";
import { ntfyUrl } from "../../src/http/urls.ts";
import { deskAs, textOf } from "../support/desk.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { noComplaints, open, sharedBrowser } from "./browser.ts";

afterEach(noComplaints);
const servers = new AsyncDisposableStack();
afterAll(async () => servers.disposeAsync());
const at = async (baseUrl?: string): Promise<InProcess> =>
  servers.use(await inProcess({ env: baseUrl === undefined ? {} : { PEAL_BASE_URL: baseUrl } }));

const [plain, secure, deep, own] = await Promise.all([
  at("http://nas.example:7325"),
  at("https://peal.example"),
  at("https://example.net/peal"),
  at(),
]);

/** The feed of a topic as a stranger gets it. `path`: the base path of the server. */
async function feedOf(peal: InProcess, { path = "", language = "en", name = "backups" } = {}) {
  const { key } = await peal.topic(name);
  const headers = { accept: "text/html", "accept-language": language };
  const html = await (await peal.request(`${path}/home/${key}`, { headers })).text();
  return { key, html, text: textOf(html) };
}

/** What the app for Android makes of a link: the server and the topic that it follows, and its name for it. */
function followedBy(link: string): object {
  // ntfy-android, DetailActivity.extractBaseUrl and maybeSubscribeAndLoadView; the default port of no scheme is known there
  const { protocol, host, pathname, searchParams } = new URL(link);
  const isSecure = searchParams.get("secure") !== "false";
  const topics = pathname.split("/").slice(1);
  return {
    ...{ protocol, topics, name: searchParams.get("display") },
    server: `${isSecure ? "https" : "http"}://${host.replace(isSecure ? /:443$/ : /:80$/, "")}`,
  };
}

test.each([
  "http://nas.example:7325",
  "http://192.168.1.20",
  "https://peal.example",
  "https://peal.example:7326",
  "http://[fd00::1]:7325",
])("the app on Android gets from its link the address that %p is, and follows the topic there", (url) => {
  const key = "backups-0123456789abcdefghjkmnpqrs";
  expect(followedBy(ntfyUrl(url, { key, name: "backups" }))).toEqual({
    ...{ protocol: "ntfy:", server: url, topics: [key], name: "backups" },
  });
});

test("over http the feed says that the app works there, and has server, topic, link and QR code for it", async () => {
  const { key, html, text } = await feedOf(plain);
  expect(text).toContain("Browsers accept push only over HTTPS. The ntfy app works without it");
  expect(html).toContain(`href="ntfy://nas.example:7325/${key}?display=backups&amp;secure=false"`);
  expect(html).toContain('aria-label="QR code that opens topic backups in the ntfy app"');
  expect(html.match(/<code>http:\/\/nas\.example:7325<\/code>/g)).toHaveLength(2);
  expect(html.match(new RegExp(`<code>${key}</code>`, "g"))).toHaveLength(2);
  expect(text).toContain("Messages arrive at once only if PEAL_NTFY_UPSTREAM is set on this server.");
  // the note that a browser without push shows leads here
  expect(html).toContain('For notifications, use <a href="#phone">the ntfy app</a>');
});

test("over https it stands beside Notify me", async () => {
  const { key, html, text } = await feedOf(secure);
  expect(text).toContain("Open the topic’s page on the phone and tap Notify me , or use the ntfy app");
  expect(html).toContain(`href="ntfy://peal.example/${key}?display=backups"`);
});

test("where a server wakes the iPhone app, the page says through which, and no more of settings", async () => {
  const upstream = { PEAL_BASE_URL: "http://nas.example:7325", PEAL_NTFY_UPSTREAM: "https://ntfy.example" };
  await using woken = await inProcess({ env: upstream });
  const { text } = await feedOf(woken);
  expect(text).toContain("this server wakes the app through ntfy.example, which learns only");
  expect(text).not.toContain("PEAL_NTFY_UPSTREAM");
});

test("at an address with a path, which the apps refuse, the feed says so and offers none of it", async () => {
  const { html, text } = await feedOf(deep, { path: "/peal" });
  expect(text).toContain("accepts only addresses without a path, and this one ends in /peal .");
  expect(html).not.toMatch(/ntfy:\/\/|play\.google|#phone/);
  expect((await feedOf(deep, { path: "/peal", language: "de", name: "sicherung" })).text).toContain(
    "Adressen ohne Pfad",
  );
});

test("under a name that is each machine's own, it says which address to open instead", async () => {
  const { html, text } = await feedOf(own);
  expect(text).toMatch(/Your phone can’t reach http:\/\/\S+ \. Open this page with the server’s address/);
  expect(html).not.toContain("ntfy://");
});

test("the first run over http begins with the app, and sends a message to look for in it", async () => {
  const desk = deskAs(plain, await signedIn(plain));
  const topic = await plain.topic("hello");
  const { html } = await desk.get("/-/setup/phone");
  expect(html).toMatch(/<details class="acc" name="ntfy" open>\s*<summary>The ntfy app on Android/);
  expect(html).toContain(`ntfy://nas.example:7325/${topic.key}?display=hello&amp;secure=false`);
  const before = (await plain.history(topic)).length;
  await desk.post("/-/setup/phone/message");
  expect((await plain.history(topic)).slice(before)).toMatchObject([{ message: "It works" }]);
});

test("the first run over https has it below the page, with a path not at all", async () => {
  await secure.topic("hello");
  const { text } = await deskAs(secure, await signedIn(secure)).get("/-/setup/phone");
  expect(text).toMatch(/Waiting for a device.*Another way: the ntfy app/);
  await deep.topic("hello");
  const headers = { accept: "text/html", cookie: await signedIn(deep) };
  const shown = await (await deep.request("/peal/-/setup/phone", { headers })).text();
  expect(shown).toContain("Get it on your phone");
  expect(textOf(shown)).not.toContain("ntfy");
});

test("over http with a path, the page is not the other way, but the only one", async () => {
  const low = await at("http://nas.example/peal");
  await low.topic("hello");
  const headers = { accept: "text/html", cookie: await signedIn(low) };
  const shown = textOf(await (await low.request("/peal/-/setup/phone", { headers })).text());
  expect(shown).toContain("Without HTTPS, your phone can show messages but can’t be notified.");
  expect(shown).toContain("Scan the code with the camera");
  expect(shown).not.toMatch(/ntfy|Or open the page/);
});

test("the topic is copied by its button, and the part for another phone closes the first", async () => {
  const browser = await sharedBrowser();
  await using opened = await open(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = opened;
  const { key } = await plain.topic("copied");
  await page.goto(`${plain.url}/home/${key}`);
  await page.getByText("The ntfy app on Android").click();
  await page.getByText("The ntfy app on iPhone").click();
  expect(await page.locator("details[name=ntfy][open]").count()).toBe(1);
  await page.getByRole("button", { name: "Copy the topic" }).filter({ visible: true }).click();
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(key);
});
