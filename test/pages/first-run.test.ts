/** The later screens of the first run: a device that gets a real push, and all of them once more (WEB.md §2). */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { heldClock } from "../support/clock.ts";
import { inProcess } from "../support/server.ts";
import { login, PASSWORD, person, SAME_SITE } from "../support/signin.ts";
import { open } from "./browser.ts";
import { notify, openSubscriber, startPushing } from "./subscriber.ts";

const { service, peal, browser } = await startPushing();
await person(peal, { name: "Mara" });
await peal.topic("hello");

/** Signs in on the page, wherever that leads. */
async function signIn({ page }: { page: Page }): Promise<void> {
  await page.getByLabel("Name").fill("Mara");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("a device that subscribes is shown, gets a test at once, and its push service's answer is shown", async () => {
  await using subscriber = await openSubscriber(browser, `${peal.url}/-/setup/phone`, service);
  const { page } = subscriber;
  await signIn(subscriber);
  await page.getByText("Waiting for a device").waitFor();
  const opened = page.context().waitForEvent("page"); // in another tab, while this page keeps waiting
  await page.getByRole("link", { name: "Open the topic" }).click();
  const feed = await opened;
  await feed.getByRole("button", { name: "Notify me" }).click();
  await notify(feed).getByRole("heading", { name: "Notifications are on" }).waitFor();

  await page.getByText("Chrome, Linux, just now").waitFor();
  await page.getByText(/^Test push accepted by .+ in [\d,]+\sms\.$/).waitFor();
  const [endpoint = ""] = subscriber.subscriptions.map((one) => one.endpoint);
  expect(service.accepted(endpoint)).toHaveLength(1);

  service.script.once(endpoint, { status: 400, body: '{"reason":"BadWebPushRequest"}' });
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText(/didn’t accept the test push/).waitFor();
  await page.getByText("answered 400: BadWebPushRequest.").waitFor();
});

test("someone who returns from the password is told to send the form once more, and can close that notice", async () => {
  await using opened = await open(browser);
  const { page } = opened;
  await page.goto(`${peal.url}/-/confirm?to=/-/setup/message&again=form`);
  await signIn(opened);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  const told = page.getByText("Nothing has been changed yet");
  await told.waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await told.waitFor({ state: "detached" });
});

/** Starts a server in this process, with a person who is signed in. */
async function visited(options: Parameters<typeof inProcess>[0] = {}) {
  const own = await inProcess(options);
  await person(own);
  await own.topic("hello");
  const [cookie = ""] = (await login(own)).headers.get("set-cookie")?.split(";") ?? [];
  const ask = async (path: string, init: RequestInit = {}, flash = "") =>
    own.request(path, { ...init, headers: { accept: "text/html", cookie: `${cookie}; ${flash}`, ...SAME_SITE } });
  const page = async (path: string) => (await ask(path)).text();
  return { own, ask, page, [Symbol.asyncDispose]: async () => own[Symbol.asyncDispose]() };
}

const keyIn = (page: string): string | undefined => /svc_[0-9a-f]{64}/.exec(page)?.[0];

test("the key is not shown again; a new one is made after the password, and can only publish", async () => {
  const clock = heldClock(Date.UTC(2026, 10, 21));
  await using visit = await visited({ clock });
  const { own, ask, page } = visit;
  expect(keyIn(await page("/-/setup/message"))).toBeUndefined();
  clock.advance(11 * 60_000);
  const refused = await ask("/-/setup/message", { method: "POST" });
  expect([refused.status, refused.headers.get("location")]).toEqual([
    303,
    "/-/confirm?to=%2F-%2Fsetup%2Fmessage&again=form",
  ]);
  const confirmed = await ask(refused.headers.get("location") ?? "", {
    method: "POST",
    body: new URLSearchParams({ password: PASSWORD }),
  });
  expect(confirmed.headers.get("location")).toBe("/-/setup/message");
  const said = confirmed.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect(await (await ask("/-/setup/message", {}, said)).text()).toContain("Nothing has been changed yet");
  const { headers: answered } = await ask("/-/setup/message", { method: "POST" });
  const made = keyIn(await page(answered.get("location") ?? "")) ?? "";
  expect(keyIn(await page(answered.get("location") ?? ""))).toBeUndefined();
  const headers = { authorization: `Bearer ${made}` };
  expect((await own.request("/home/hello", { method: "POST", body: "x", headers })).status).toBe(201);
  expect((await own.request("/v1/home/topics", { headers })).status).toBe(403);
  expect(keyIn(await page("/-/setup/message"))).toBeUndefined();
});

test("where nobody claimed it on the page, a button makes the URL for tools that take only one, once", async () => {
  await using visit = await visited();
  const { own, ask, page } = visit;
  const urlIn = (html: string) => /http:[^<]+(\/v1\/hook\/h_[0-9a-z]{26})</.exec(html)?.[1];
  const before = await page("/-/setup/message");
  expect(urlIn(before)).toBeUndefined();
  expect(before).toContain('<form method="post" action="/-/setup/hook">');
  for (let n = 0; n < 2; n++) expect((await ask("/-/setup/hook", { method: "POST" })).status).toBe(303);
  const made = urlIn(await page("/-/setup/message")) ?? "";
  expect((await own.request(made, { method: "POST", body: "first" })).status).toBe(201);
  expect(await page("/-/setup/message")).toContain("first");
  const { hooks } = (await (await own.api("GET", "/v1/home/hooks")).json()) as { hooks: object[] };
  expect(hooks).toHaveLength(1);
});

test("where the topic was deleted, opening the page does not make it again: a button does", async () => {
  await using visit = await visited();
  const { own, ask, page } = visit;
  expect((await own.local("/-/local/namespaces/home", { method: "DELETE" })).status).toBe(200);
  const namespaces = async () => (await own.local("/-/local/namespaces")).json();
  for (const path of ["/-/setup/message", "/-/setup/phone"]) expect(await page(path)).toContain("which doesn’t exist");
  expect((await ask("/-/setup/phone", { method: "POST", body: new URLSearchParams({ device: "x" }) })).status).toBe(
    404,
  );
  expect(await namespaces()).toEqual({ namespaces: [] });
  const made = await ask("/-/setup/topic", { method: "POST" });
  expect([made.status, made.headers.get("location")]).toEqual([303, "/-/setup/message"]);
  expect(await page("/-/setup/message")).toContain("Waiting for your first message");
  expect(await namespaces()).toMatchObject({ namespaces: [{ name: "home" }] });
});

test("where a key already works the claim page says how to get a code, because the start makes none", async () => {
  await using own = await inProcess();
  const page = await (await own.request("/-/setup", { headers: { accept: "text/html" } })).text();
  expect([page.includes("data/setup-code"), page.includes("<code>peal setup-code</code> prints one.")]).toEqual([
    false,
    true,
  ]);
});

test("at an https address the share link is shown, drawn and written", async () => {
  await using visit = await visited({ env: { PEAL_BASE_URL: "https://peal.example/sub" } });
  const page = await visit.page("/sub/-/setup/phone");
  expect(page).toContain("Get it on your phone");
  expect(page).toMatch(/<svg class="qr"[^>]*aria-label="QR code of the share link of topic hello"/);
  expect(page).toMatch(/<code>https:\/\/peal\.example\/sub\/home\/hello\/hello-[0-9a-z]{26}<\/code>/);
  expect(page).not.toContain("Caddyfile");
});

test("without https a phone gets the page by its link, and the ways to https contain the server's address", async () => {
  await using visit = await visited({ env: { PEAL_BASE_URL: "http://nas.example:8123" } });
  const page = await visit.page("/-/setup/phone");
  expect(page).toContain("<h1>Get it on your phone</h1>");
  expect(page).toContain("<h2>Or open the page on your phone</h2>");
  expect(page).toContain('class="qr"');
  expect(page).toMatch(/<code>http:\/\/nas\.example:8123\/home\/hello\/hello-[0-9a-z]{26}<\/code>/);
  expect(page).toContain("<h2>Phones accept push only over HTTPS</h2>");
  // no device can come from here
  expect(page).not.toContain("Waiting for a device");
  expect(page).toContain("reverse_proxy nas.example:8123");
  expect(page).toContain("tailscale serve --bg 8123");
  expect(page).toContain("--url http://nas.example:8123 peal");
  expect(page).toContain('<a class="btn" href="/-/">Do this later</a>');
});
