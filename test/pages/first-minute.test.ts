/** The first minute with a server: what it is, where to type, a key that can only publish, and one way to continue (WEB.md §2). */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { deskAs } from "../support/desk.ts";
import { PASSWORD, SAME_SITE, signedIn } from "../support/signin.ts";
import { closeWindows, look, noComplaints, open, sharedBrowser } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(noComplaints);
afterAll(async () => closeWindows(browser));

const unclaimed = async (): Promise<InProcess> => inProcess({ unclaimed: true });
const codeOf = async ({ dataDir }: InProcess): Promise<string> =>
  (await Bun.file(join(dataDir, "setup-code")).text()).trim();
const focused = async (page: Page, name: string) =>
  eventually(`the cursor in ${name}`, async () => {
    const at = await look<{ name: string } | undefined>(page, "focused");
    return at?.name === name;
  });

test("the page says what peal is, and the cursor is in the first empty field", async () => {
  await using peal = await unclaimed();
  const link = `${peal.url}/-/setup#${await codeOf(peal)}`;
  await using opened = await open(browser);
  const { page } = opened;
  await page.goto(`${peal.url}/-/setup`);
  await page.getByText("peal takes messages from your scripts and tools and notifies your phone.").waitFor();
  await focused(page, "code");
  // the link is opened while the page is open: it fills in the code, so the name is next
  await page.goto(link);
  await focused(page, "name");
  await page.keyboard.type("Mara");
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  // someone who is typing elsewhere keeps the focus there
  await page.goto(`${link.split("#")[0] ?? ""}#AAAA-BBBB`);
  await eventually("the code", async () => (await page.getByLabel("Setup code").inputValue()) === "AAAA-BBBB");
  await focused(page, "password");
  await page.goto(link);
  await eventually("the code", async () => link.endsWith(await page.getByLabel("Setup code").inputValue()));
  await page.keyboard.press("Enter");
  await page.getByText("Waiting for your first message").waitFor();
});

test("the first key can publish and nothing else, and has a name in the list", async () => {
  await using peal = await unclaimed();
  const claimed = await peal.request("/-/setup", {
    method: "POST",
    body: new URLSearchParams({ code: await codeOf(peal), name: "Mara", password: PASSWORD }),
    headers: { accept: "text/html", ...SAME_SITE },
  });
  const [cookie = ""] = (claimed.headers.get("set-cookie") ?? "").split(";");
  const page = await claimed.text();
  expect(page).toContain("It can publish, and nothing else.");
  const secrets = new Set(page.match(/svc_[0-9a-f]{64}/g));
  expect(secrets.size).toBe(1);
  const headers = { authorization: `Bearer ${[...secrets].join("")}` };
  const asked = async (method: string, path: string, body?: string) =>
    (await peal.request(path, { method, headers, ...(body !== undefined && { body }) })).status;
  expect(await asked("POST", "/home/hello", "x")).toBe(201);
  for (const [method, path] of [
    ["GET", "/v1/home/topics"],
    ["GET", "/v1/home/checks"],
    ["GET", "/v1/keys?namespace=home"],
    ["POST", "/v1/keys"],
  ] as const)
    expect([
      path,
      await asked(method, path, method === "POST" ? '{"scope":"admin","namespace":"home"}' : undefined),
    ]).toEqual([path, 403]);
  const { text } = await deskAs(peal, cookie).get("/-/keys");
  expect(text).toMatch(/first key svc_[0-9a-f]{8}… , created [^,]+ publish in home/);
});

test("so has the key that a server was started with", async () => {
  await using peal = await inProcess();
  const admin = deskAs(peal, await signedIn(peal));
  expect((await admin.get("/-/keys")).text).toMatch(/first key svc_[0-9a-f]{8}… , created [^,]+, from PEAL_ADMIN_KEY/);
});

test("once the message has arrived there is one way to continue; after the test button it keeps the focus", async () => {
  await using peal = await unclaimed();
  await using opened = await open(browser);
  const { page } = opened;
  await page.goto(`${peal.url}/-/setup#${await codeOf(peal)}`);
  await focused(page, "name");
  await page.keyboard.type("Mara");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Claim and continue" }).click();
  const skip = page.getByRole("link", { name: "Skip", exact: true });
  await skip.waitFor();
  const send = page.getByRole("button", { name: "No terminal? Send a test" });
  await send.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Your first message is here").waitFor();
  await send.waitFor({ state: "hidden" });
  expect(await skip.isVisible()).toBe(false);
  expect(await page.locator(".go > :visible").allTextContents()).toEqual(["Next: your phone"]);
  await focused(page, "Next: your phone");
  // the key is still there to be saved
  expect(await page.getByLabel("Command, curl").textContent()).toContain("svc_");
  await page.reload();
  await page.getByText("Your first message is here").waitFor();
  expect(await page.locator(".go > *").allTextContents()).toEqual(["Next: your phone"]);
  expect(await page.getByText("Keys are shown only once").isVisible()).toBe(true);
});

test("on the machine itself this computer comes first, https is folded, and later is not the main choice", async () => {
  await using peal = await inProcess();
  await peal.topic("hello");
  const { html, text } = await deskAs(peal, await signedIn(peal)).get("/-/setup/phone");
  expect(html).toContain("<h1>Get it on this computer</h1>");
  expect(text).toContain("Waiting for a device");
  expect(html).toMatch(/<details class="acc"><summary>Phones accept push only over HTTPS<\/summary>/);
  expect(html).not.toContain('class="qr"'); // a phone cannot reach this address
  expect(html).toContain('<a class="btn" href="/-/">Do this later</a>');
  expect(html.match(/class="btn main"/g)).toBeNull();
});
