/** First run in the browser: claim the server, paste the command, see the message; and signing in (WEB.md §1, §2). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { snippets } from "../../src/pages/publishing/commands.ts";
import { deskAs } from "../support/desk.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess, type InProcess, type Options } from "../support/server.ts";
import { PASSWORD, person, SAME_SITE } from "../support/signin.ts";
import { closeWindows, look, noComplaints, open, sharedBrowser, shown, typeInto } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(noComplaints);
afterAll(async () => closeWindows(browser));

const unclaimed = async (options: Options = {}): Promise<InProcess> => inProcess({ ...options, unclaimed: true });
const codeOf = async ({ dataDir }: InProcess): Promise<string> =>
  (await Bun.file(join(dataDir, "setup-code")).text()).trim();
const form = (code: string, headers: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams({ code, name: "Mara", password: PASSWORD }),
  headers: { accept: "text/html", ...headers },
});

/** Switches to another language and back. */
async function thereAndBack(page: Page) {
  for (const { name, lang } of [
    { name: "Deutsch", lang: "de" },
    { name: "English", lang: "en" },
  ]) {
    await page.getByRole("button", { name }).click();
    await page.locator(`html[lang=${lang}]`).waitFor();
  }
}

/** Submits a name and a password; the code is already filled in. */
async function claimOn(page: Page) {
  await page.getByLabel("Your name").fill("Mara");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Claim and continue" }).click();
}

test("the link from the terminal leads to a first message, and the key is shown once", async () => {
  await using peal = await unclaimed();
  const code = await codeOf(peal);
  await using opened = await open(browser);
  const { page } = opened;
  // where the page is already open, the link reloads nothing
  await page.goto(`${peal.url}/`);
  await page.goto(`${peal.url}/-/setup#${code}`);
  const field = page.getByLabel("Setup code");
  const holds = async (latest: string) =>
    eventually(`the code ${latest}`, async () => (await field.inputValue()) === latest);
  await holds(code);
  expect(page.url()).toBe(`${peal.url}/-/setup`);
  // nor does switching the language lose it
  await thereAndBack(page);
  await holds(code);
  expect(page.url()).toBe(`${peal.url}/-/setup`);
  // the latest link counts, here as well
  for (const latest of ["AAAA-BBBB", code]) {
    await page.goto(`${peal.url}/-/setup#${latest}`);
    await thereAndBack(page);
    await holds(latest);
  }
  await claimOn(page);
  await page.getByText("Waiting for your first message").waitFor();
  expect(
    await access(join(peal.dataDir, "setup-code")).then(
      () => true,
      () => false,
    ),
  ).toBe(false);

  const command = await page.getByLabel("Command, curl").textContent();
  expect(command).toMatch(
    new RegExp(
      `^curl -H "Authorization: Bearer svc_[0-9a-f]{64}" \\\\\n +-d "It works" "${peal.url}/home/hello\\?level=success"$`,
    ),
  );
  const hookUrl = (await page.locator(".copy code").textContent()) ?? "";
  expect(hookUrl).toMatch(new RegExp(`^${peal.url}/v1/hook/h_[0-9a-z]{26}$`));
  const key = /svc_[0-9a-f]{64}/.exec(command ?? "")?.[0] ?? "";
  const published = await peal.request("/home/hello?level=success", {
    method: "POST",
    body: "It works",
    headers: { authorization: `Bearer ${key}` },
  });
  expect(published.status).toBe(201);
  await page.getByText("Your first message is here").waitFor();
  expect(await page.locator("article h3").textContent()).toBe("It works");
  expect(await page.locator("article .lv").textContent()).toBe("Success");
  expect(await page.getByText("Waiting for your first message").isVisible()).toBe(false);

  await page.getByRole("link", { name: "Next: your phone" }).click();
  const opening = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Open the topic" }).click();
  const feed = await opening;
  await feed.getByRole("heading", { name: "hello", level: 1 }).waitFor();
  await shown(feed, "It works");
  // the key is never shown again
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const desk = deskAs(peal, cookie);
  for (const path of ["/-/setup", "/-/setup/message", "/-/setup/phone", "/-/", new URL(feed.url()).pathname]) {
    const { status, html } = await desk.get(path);
    expect([path, status, html.includes("svc_")]).toEqual([path, 200, false]);
  }
  // the URL of the hook is shown again, and accepts requests without a key
  expect((await desk.get("/-/setup/message")).html).toContain(hookUrl);
  const byUrl = await peal.request(new URL(hookUrl).pathname, { method: "POST", body: "By its URL" });
  expect(byUrl.status).toBe(201);
  await shown(feed, "By its URL", "It works");
});

const ESCAPED = new Map([["&quot;", '"'], ["&#x27;", "'"], ["&lt;", "<"], ["&gt;", ">"], ["&amp;", "&"]]); // prettier-ignore

describe("once it is claimed the page shows", () => {
  let peal: InProcess;
  let page = "";
  const shown = (label: string): string => {
    const [, text = ""] = new RegExp(`aria-label="${label}">\\n<code>([^<]*)</code>`).exec(page) ?? [];
    return text.replaceAll(/&[^;]+;/g, (escaped) => ESCAPED.get(escaped) ?? escaped);
  };
  beforeAll(async () => {
    peal = await unclaimed();
    const claimed = await peal.request("/-/setup", form(await codeOf(peal), { origin: new URL(peal.url).origin }));
    page = await claimed.text();
  });
  afterAll(async () => peal[Symbol.asyncDispose]());

  test("the command for each language, which recipes.test.ts runs, with the address and the key", () => {
    const [secret = ""] = /svc_[0-9a-f]{64}/.exec(page) ?? [];
    const commands = snippets({ url: `${peal.url}/home/hello?level=success`, text: "It works", secret });
    expect(commands.length).toBeGreaterThan(4);
    for (const { name, command } of commands) expect([name, shown(`Command, ${name}`)]).toEqual([name, command]);
  });

  test("settings for each tool that work as they are", async () => {
    const yaml = shown("Alertmanager, alertmanager.yml");
    const [, url = "", key = ""] = /url: '(.+)'[^]*credentials: '(.+)'/.exec(yaml) ?? [];
    const komodo = new URL(shown("Komodo, URL"));
    const grafana = ["Scheme", "Credentials"].map((part) => shown(`Grafana, Authorization Header - ${part}`)).join(" ");
    const kuma = JSON.parse(shown("Uptime Kuma, Additional Headers")) as Record<string, string>;
    const sent: [payload: string, url: string, headers: Record<string, string>][] = [
      ["uptimekuma/http-down", shown("Uptime Kuma, Post URL"), kuma],
      ["alertmanager/single-firing", url, { authorization: `Bearer ${key}` }],
      ["grafana/single-firing", shown("Grafana, URL"), { authorization: grafana }],
      // how a client such as Komodo's reads the address
      [
        "komodo/container-exited",
        `${komodo.origin}${komodo.pathname}${komodo.search}`,
        { authorization: `Basic ${btoa(`${komodo.username}:${komodo.password}`)}` },
      ],
    ];
    for (const [payload, to, headers] of sent) {
      const answer = await fetch(to, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: await Bun.file(`test/rewrites/payloads/${payload}.json`).text(),
      });
      const expected = Bun.file(`test/rewrites/payloads/${payload}.expected.json`);
      const { title } = (await expected.json()) as { title: string };
      expect([payload, answer.status, await answer.json()]).toMatchObject([payload, 201, { title }]);
    }
  });
});

test("the waiting page asks again after a refusal, says what was not sent, and has its own address", async () => {
  await using peal = await unclaimed();
  await using opened = await open(browser, { expected: /50[03]/ });
  const { page } = opened;
  await page.clock.install();
  await page.goto(`${peal.url}/-/setup#${await codeOf(peal)}`);
  await page.getByText("Filled in from your link.").waitFor();
  const refuseOnce = async (asked: string, status: number) =>
    page.route(asked, async (route) => route.fulfill({ status, contentType: "text/html" }), { times: 1 });
  await refuseOnce("**/events?*", 503);
  await refuseOnce("**/home/*?since=0", 503);
  await refuseOnce("**/-/setup/test", 500);
  await claimOn(page);
  await page.waitForURL(`${peal.url}/-/setup/message`);
  const send = page.getByRole("button", { name: "No terminal? Send a test" });
  const failed = page.getByText("The test wasn’t sent.");
  await send.click();
  await failed.waitFor();
  await send.click();
  await failed.waitFor({ state: "hidden" });
  await eventually("the message to be shown", async () => {
    await page.clock.runFor(5_000); // until the next try
    return page.getByText("Your first message is here").isVisible();
  });
});

test("without JavaScript, over plain http by a local name: the code is typed, in any form, and the topic shows the message", async () => {
  await using peal = await unclaimed();
  // browsers send no Sec-Fetch-Site there
  const expected = /Cross-Origin-Opener-Policy header has been ignored/;
  await using opened = await open(browser, { javaScriptEnabled: false, expected });
  const { page } = opened;
  const url = peal.url.replace("127.0.0.1", "peal.test");
  await page.goto(`${url}/`);
  await page.getByLabel("Setup code").fill((await codeOf(peal)).toLowerCase().replaceAll("-", " "));
  await claimOn(page);
  expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(0); // the page contains the key, and would be left
  expect(await page.getByRole("button", { name: "Copy command" }).count()).toBe(0);
  expect(await page.getByLabel("Command, curl").textContent()).toContain(`"${url}/home/hello?level=success"`);
  await page.getByText("Python", { exact: true }).click();
  const command = await page.getByLabel("Command, Python").textContent();
  expect(await page.getByLabel("Command, curl").isVisible()).toBe(false);
  const key = /svc_[0-9a-f]{64}/.exec(command ?? "")?.[0] ?? "";
  await peal.request("/home/hello", { method: "POST", body: "by hand", headers: { authorization: `Bearer ${key}` } });
  await page.getByRole("link", { name: "Check again" }).click();
  await shown(page, "by hand");
  // there is nothing left to try or to skip
  expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(0);
  expect(await page.locator(".go a").allTextContents()).toEqual(["Next: your phone"]);
});

test("by keyboard alone: a wrong code is reported at its field, stays there to be corrected, and Send a test does what a terminal would", async () => {
  await using peal = await unclaimed();
  await using opened = await open(browser, { expected: /403/ });
  const { page } = opened;
  const field = page.getByLabel("Setup code");
  /** The contents of a field are selected when it gets the focus, and typing replaces them. */
  const claim = async (code: string) => {
    await page.keyboard.type(code);
    for (const typed of ["Mara", PASSWORD]) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(typed);
    }
    await page.keyboard.press("Enter");
  };
  await page.goto(`${peal.url}/-/setup`);
  expect(await look(page, "focused")).toMatchObject({ name: "code" });
  for (const stop of ["peal", "Skip to content"]) {
    await page.keyboard.press("Shift+Tab");
    expect(await look(page, "focused")).toMatchObject({ name: stop });
  }
  await field.focus();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await claim('AAAA-"><b>');
  expect((await answered).status()).toBe(403);
  await page.locator("[name=code][aria-invalid=true]").waitFor();
  const described = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  expect(await page.locator(`#${described[0]}`).textContent()).toStartWith("That code isn’t valid.");
  expect(await field.inputValue()).toBe('AAAA-"><b>');
  await field.selectText();
  await claim(await codeOf(peal));
  await page.getByText("Waiting for your first message").waitFor();
  const send = page.getByRole("button", { name: "No terminal? Send a test" });
  await page.route("**/-/setup/test", async (route) => {
    await eventually("the button to be at it", async () => send.and(page.locator("[aria-disabled=true]")).isVisible());
    await route.continue();
  });
  await send.focus();
  for (let n = 0; n < 2; n++) await page.keyboard.press("Enter");
  await page.getByText("Your first message is here").waitFor();
  expect(await peal.running.deps.store.messages.lastSeq()).toBe(1);
});

test("until it is claimed every page says where the code is, and so does the API; the code works once, and not from a form elsewhere", async () => {
  await using peal = await unclaimed();
  for (const path of ["/home/hello", "/home", "/anything-else", "/-/anything", "/robots.txt"]) {
    const answer = await peal.request(path, { headers: { accept: "text/html" } });
    const page = await answer.text();
    expect([path, answer.status]).toEqual([path, 503]);
    expect(page).toContain("This server is waiting for its owner");
    expect(page).toContain("data/setup-code");
    expect(page).toContain('href="/-/setup"');
  }
  expect((await peal.request("/-/")).headers.get("location")).toBe("/-/setup");
  const api = await peal.request("/home/hello", { method: "POST", body: "x" });
  expect(api.status).toBe(503);
  expect(await api.json()).toMatchObject({ code: "not_set_up" });

  const code = await codeOf(peal);
  for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, {}]) {
    const answer = await peal.request("/-/setup", form(code, headers));
    expect([headers, answer.status]).toEqual([headers, 403]);
    expect(await answer.text()).toContain("This form came from somewhere else");
  }
  const both = await Promise.all([1, 2].map(async () => peal.request("/-/setup", form(code, SAME_SITE))));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const page = await (await peal.request("/-/setup", { headers: { accept: "text/html" } })).text();
  expect(page).toContain("This server is already set up");
});

test("codes can only be tried at a limited rate", async () => {
  await using peal = await unclaimed({ env: { PEAL_LIMITS_AUTH: "10/m:10" } });
  const statuses = [];
  for (let i = 0; i < 11; i++) statuses.push((await peal.request("/-/setup", form("AAAA", SAME_SITE))).status);
  expect(statuses).toEqual([...Array<number>(10).fill(403), 429]);
});

describe("signing in", () => {
  let peal: InProcess;
  beforeAll(async () => {
    peal = await inProcess({ env: { PEAL_LIMITS_AUTH: "10/m:10" } });
    await person(peal, { name: "Mara" });
  });
  afterAll(async () => peal[Symbol.asyncDispose]());

  test("by keyboard, after a wrong password, to the requested page; and out again", async () => {
    await using opened = await open(browser, { expected: /422/ });
    const { page } = opened;
    await page.goto(`${peal.url}/-/confirm`);
    expect(new URL(page.url()).pathname).toBe("/-/login");
    await typeInto(page, "name", "Mara");
    await page.keyboard.press("Tab");
    await page.keyboard.type("not her password");
    await page.keyboard.press("Enter");
    const alert = page.getByRole("alert");
    expect(await alert.textContent()).toMatch(/^Name and password don’t match\.\d\u00a0more attempts this minute/);
    expect([await page.getByLabel("Name").inputValue(), await page.getByLabel("Password").inputValue()]).toEqual([
      "Mara",
      "",
    ]);
    await typeInto(page, "password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Confirm your password" }).waitFor();
    expect(await page.evaluate("document.cookie")).not.toContain("peal=");
    await typeInto(page, "password", "not her password");
    await page.keyboard.press("Enter");
    expect(await alert.textContent()).toStartWith("That isn’t your password.");
    await typeInto(page, "password", PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${peal.url}/-/`);
  });

  test("without JavaScript, over plain http by a local name, in German", async () => {
    await using opened = await open(browser, {
      javaScriptEnabled: false,
      locale: "de-DE",
      expected: /Cross-Origin-Opener-Policy/,
    });
    const { page } = opened;
    await page.goto(`${peal.url.replace("127.0.0.1", "peal.test")}/-/login?to=/-/confirm`);
    await page.getByLabel("Name").fill("mara");
    await page.getByLabel("Passwort").fill(PASSWORD);
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByRole("heading", { name: "Noch einmal das Passwort" }).waitFor();
    expect(await page.locator(".hint bdi").textContent()).toBe("Mara");
  });
});
