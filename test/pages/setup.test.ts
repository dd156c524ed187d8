/** First run in the browser: claim the server, paste the command, see the message (WEB.md §2). */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { PASSWORD } from "../support/signin.ts";
import { startPeal, type Options, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { launch, look, noComplaints, open } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch("--host-resolver-rules=MAP peal.test 127.0.0.1");
});
afterEach(noComplaints);
afterAll(async () => browser.close());

const unclaimed = async (options: Options = {}): Promise<Peal> => startPeal({ ...options, unclaimed: true });
const codeOf = async ({ dataDir }: Peal): Promise<string> =>
  (await Bun.file(join(dataDir, "setup-code")).text()).trim();
const form = (code: string, headers: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams({ code, name: "Mara", password: PASSWORD }),
  headers: { accept: "text/html", ...headers },
});

/** With a name and a password, the code being there. */
async function claimOn(page: Page) {
  await page.getByLabel("Your name").fill("Mara");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Claim and go on" }).click();
}

/** What runs each language of the page; PowerShell is at hand nowhere here. */
const RUNNERS = [
  { name: "curl", program: ["sh", "-c"], needs: "curl" },
  { name: "wget", program: ["sh", "-c"], needs: "wget" },
  { name: "Python", program: ["python3", "-c"], needs: "python3" },
];

test("the link of the terminal leads to a first message, and the key is shown once", async () => {
  await using peal = await unclaimed();
  const code = await codeOf(peal);
  await using opened = await open(browser);
  const { page } = opened;
  // where the page is open already, the link loads nothing anew
  await page.goto(`${peal.url}/`);
  await page.goto(`${peal.url}/-/setup#${code}`);
  expect(await page.getByLabel("Set-up code").inputValue()).toBe(code);
  expect(page.url()).toBe(`${peal.url}/-/setup`);
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
  await page.getByRole("link", { name: "Open the topic" }).click();
  await page.getByRole("heading", { name: "hello", level: 1 }).waitFor();
  expect(await page.locator("article h3").allTextContents()).toEqual(["It works"]);
  // nothing shows the key again
  for (const path of ["/-/setup", "/-/setup/message", "/-/setup/phone", "/-/", new URL(page.url()).pathname]) {
    await page.goto(peal.url + path);
    expect(await page.content()).not.toContain("svc_");
  }
});

for (const { name, program, needs } of RUNNERS)
  testWith(Bun.which(needs) === null ? `${needs} is not installed` : undefined)(
    `the command for ${name} works as it is shown`,
    async () => {
      await using peal = await unclaimed();
      const claimed = await peal.request("/-/setup", form(await codeOf(peal), { origin: new URL(peal.url).origin }));
      const page = await claimed.text();
      const shown = new RegExp(`aria-label="Command, ${name}">\\n<code>([^<]*)</code>`).exec(page)?.[1] ?? "";
      const command = shown.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
      const ran = Bun.spawn([...program, command], { stdio: ["ignore", "ignore", "inherit"] });
      expect(await ran.exited).toBe(0);
      const feed = /data-wait="(\/home\/[^"]+)"/.exec(page)?.[1] ?? "";
      expect(await (await peal.request(feed)).text()).toContain("It works</h3>");
    },
  );

test("each tool's settings work as the page shows them", async () => {
  await using peal = await unclaimed();
  const claimed = await peal.request("/-/setup", form(await codeOf(peal), { origin: new URL(peal.url).origin }));
  const page = await claimed.text();
  const shown = (label: string): string => {
    const [, text = ""] = new RegExp(`aria-label="${label}">\\n<code>([^<]*)</code>`).exec(page) ?? [];
    return text.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&#x27;", "'");
  };
  const yaml = shown("Alertmanager, alertmanager.yml");
  const [, url = "", key = ""] = /url: '(.+)'[^]*credentials: '(.+)'/.exec(yaml) ?? [];
  const komodo = new URL(shown("Komodo, URL"));
  const sent: [payload: string, url: string, headers: Record<string, string>][] = [
    [
      "uptimekuma/http-down",
      shown("Uptime Kuma, Post URL"),
      JSON.parse(shown("Uptime Kuma, Additional Headers")) as Record<string, string>,
    ],
    ["alertmanager/single-firing", url, { authorization: `Bearer ${key}` }],
    [
      "grafana/single-firing",
      shown("Grafana, URL"),
      {
        authorization: `${shown("Grafana, Authorization Header - Scheme")} ${shown("Grafana, Authorization Header - Credentials")}`,
      },
    ],
    // what a client makes of the address, as Komodo's does
    [
      "komodo/container-exited",
      `${komodo.origin}${komodo.pathname}${komodo.search}`,
      { authorization: `Basic ${btoa(`${komodo.username}:${komodo.password}`)}` },
    ],
  ];
  for (const [payload, to, headers] of sent) {
    const body = await Bun.file(`test/rewrites/payloads/${payload}.json`).text();
    const answer = await fetch(to, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(201);
    const { title } = (await answer.json()) as { title: string };
    expect(title).toBe(
      ((await Bun.file(`test/rewrites/payloads/${payload}.expected.json`).json()) as { title: string }).title,
    );
  }
});

test("by keyboard alone, Send a test does what a terminal would", async () => {
  await using peal = await unclaimed();
  await using opened = await open(browser);
  const { page } = opened;
  await page.goto(`${peal.url}/-/setup#${await codeOf(peal)}`);
  for (const stop of ["Skip to content", "peal", "code"]) {
    await page.keyboard.press("Tab");
    expect(await look(page, "focused")).toMatchObject({ name: stop });
  }
  for (const typed of ["Mara", PASSWORD]) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(typed);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "No terminal? Send a test" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Your first message is here").waitFor();
});

test("without JavaScript the code is typed, in any form, and the topic shows the message", async () => {
  await using peal = await unclaimed();
  await using opened = await open(browser, { javaScriptEnabled: false });
  const { page } = opened;
  await page.goto(`${peal.url}/`);
  await page.getByLabel("Set-up code").fill((await codeOf(peal)).toLowerCase().replaceAll("-", " "));
  await claimOn(page);
  expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(0); // the key would go with the page
  expect(await page.getByRole("button", { name: "Copy command" }).count()).toBe(0);
  await page.getByText("Python", { exact: true }).click();
  const command = await page.getByLabel("Command, Python").textContent();
  expect(await page.getByLabel("Command, curl").isVisible()).toBe(false);
  const key = /svc_[0-9a-f]{64}/.exec(command ?? "")?.[0] ?? "";
  await peal.request("/home/hello", { method: "POST", body: "by hand", headers: { authorization: `Bearer ${key}` } });
  await page.getByRole("link", { name: "Look again" }).click();
  expect(await page.locator("article h3").allTextContents()).toEqual(["by hand"]);
  await page.getByRole("button", { name: "Send a test" }).click();
  expect(await page.locator("article h3").allTextContents()).toEqual(["It works"]);
});

test("plain http by a name of the house works: browsers send no Sec-Fetch-Site there", async () => {
  await using peal = await unclaimed();
  await using opened = await open(browser, { expected: /Cross-Origin-Opener-Policy header has been ignored/ });
  const { page } = opened;
  const url = peal.url.replace("127.0.0.1", "peal.test");
  await page.goto(`${url}/-/setup#${await codeOf(peal)}`);
  await claimOn(page);
  expect(await page.getByLabel("Command, curl").textContent()).toContain(`"${url}/home/hello?level=success"`);
});

test("a wrong code is said at its field, and stays there to be mended", async () => {
  await using peal = await unclaimed();
  await using opened = await open(browser, { expected: /403/ });
  const { page } = opened;
  await page.goto(`${peal.url}/-/setup`);
  const field = page.getByLabel("Set-up code");
  await field.fill('AAAA-"><b>');
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await claimOn(page);
  expect((await answered).status()).toBe(403);
  expect(await field.inputValue()).toBe('AAAA-"><b>');
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  const described = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  expect(await page.locator(`#${described[0]}`).textContent()).toStartWith("This is not the code of this server.");
  await field.fill(await codeOf(peal));
  await claimOn(page);
  await page.getByText("Waiting for your first message").waitFor();
});

test("a form from elsewhere is refused in words, and the code still works", async () => {
  await using peal = await unclaimed();
  const code = await codeOf(peal);
  for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, {}]) {
    const answer = await peal.request("/-/setup", form(code, headers));
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("This form came from somewhere else");
  }
  expect((await peal.request("/-/setup", form(code, { "sec-fetch-site": "same-origin" }))).status).toBe(200);
});

test("the code works once", async () => {
  await using peal = await unclaimed();
  const code = await codeOf(peal);
  const both = await Promise.all(
    [1, 2].map(async () => peal.request("/-/setup", form(code, { "sec-fetch-site": "same-origin" }))),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const page = await (await peal.request("/-/setup", { headers: { accept: "text/html" } })).text();
  expect(page).toContain("This server is set up already");
});

test("codes may be tried only so fast", async () => {
  await using peal = await unclaimed({ env: { PEAL_LIMITS_AUTH: "10/m:10" } });
  const statuses = [];
  for (let i = 0; i < 11; i++)
    statuses.push((await peal.request("/-/setup", form("AAAA", { "sec-fetch-site": "same-origin" }))).status);
  expect(statuses).toEqual([...Array<number>(10).fill(403), 429]);
});

test("until then every page says where the code is, and the API says the same", async () => {
  await using peal = await unclaimed();
  for (const path of ["/home/hello", "/home", "/anything-else"]) {
    const answer = await peal.request(path, { headers: { accept: "text/html" } });
    const page = await answer.text();
    expect(answer.status).toBe(503);
    expect(page).toContain("This server is waiting for its owner");
    expect(page).toContain("data/setup-code");
    expect(page).toContain('href="/-/setup"');
  }
  expect((await peal.request("/-/")).headers.get("location")).toBe("/-/setup");
  const api = await peal.request("/home/hello", { method: "POST", body: "x" });
  expect(api.status).toBe(503);
  expect(await api.json()).toMatchObject({ code: "not_set_up" });
});
