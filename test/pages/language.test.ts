/** Pages in the reader's language and zone, and the switch to another language (WEB.md §1). */
import { describe, expect, test } from "bun:test";
import { heldClock } from "../support/clock.ts";
import { inProcess, startPeal } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { open, startBrowsing } from "./browser.ts";

const { peal, browser } = await startBrowsing();

const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const GERMAN = { accept: "text/html", "accept-language": "de-DE,de;q=0.9,en;q=0.5" };

test("the feed is German for a German reader, with dates in the zone that the script detected", async () => {
  const clock = heldClock(Date.UTC(2026, 10, 20, 22, 30));
  await using own = await inProcess({ clock });
  const topic = await own.topic("sprache");
  await own.publish(topic, { message: "am Vortag" });
  clock.advance(3_600_000);
  await own.publish(topic, { title: "Fertig", message: "zeile\n".repeat(20), level: "success" });
  const page = async (cookie: string) => (await own.request(topic.url, { headers: { ...GERMAN, cookie } })).text();
  const html = await page("zone=Europe/Berlin");
  for (const part of [
    '<html lang="de"',
    '<h2 class="day">Heute <span>Samstag, 21. November</span></h2>',
    '<h2 class="day">Gestern <span>Freitag, 20. November</span></h2>',
    '<time datetime="2026-11-20T23:30:00.000Z" title="Samstag, 21. November 2026 um 00:30:00 MEZ">gerade eben</time>',
    "Erfolg",
    "Alle 20\u00a0Zeilen zeigen",
    "Wer den Link hat, kann dieses Topic lesen.",
    "Die Zeiten sind die von Europe/Berlin.",
    "&quot;newMany&quot;:&quot;{} neue Nachrichten&quot;", // for the script
  ])
    expect([part, html.includes(part)]).toEqual([part, true]);
  expect(await page("zone=America/New_York")).toContain("Heute <span>Freitag, 20. November</span>");
  for (const unknown of ["zone=Mars/Olympus", "zone=../etc", "zone=%3Cb%3E", "zone=2026"])
    expect(await page(unknown)).toContain(`Die Zeiten sind die von ${OWN_ZONE}.`);
});

test("set-up, errors and the API's page are German for a German reader, and say so to caches", async () => {
  await using fresh = await startPeal({ unclaimed: true });
  for (const [url, words] of [
    [`${fresh.url}/-/setup`, "Diesen Server übernehmen"],
    [`${fresh.url}/home/x`, "Dieser Server wartet auf"],
    [`${peal.url}/nope`, "Unter dieser Adresse ist nichts"],
    [`${peal.url}/docs`, "Braucht keinen Schlüssel."],
  ] as const) {
    const answer = await fetch(url, { headers: GERMAN });
    const html = await answer.text();
    expect(html).toContain('<html lang="de"');
    expect(html).toContain(words);
    expect(answer.headers.get("vary")).toStartWith("accept, accept-language, cookie");
  }
});

test("consecutive requests for the API's page in different languages each get their own language", async () => {
  const docs = async (language: string) =>
    (await peal.request("/docs", { headers: { accept: "text/html", "accept-language": language } })).text();
  for (const [language, words] of [
    ["en", "No key needed."],
    ["de", "Braucht keinen Schlüssel."],
    ["en", "No key needed."],
  ] as const)
    expect(await docs(language)).toContain(words);
});

test("times are written in the reader's own variant of the language, also by the server", async () => {
  await using own = await inProcess({ clock: heldClock(Date.UTC(2026, 0, 15, 12)) });
  const admin = await signedIn(own);
  const keysIn = async (accepted: string) => {
    const headers = { cookie: `${admin}; zone=UTC`, accept: "text/html", "accept-language": accepted };
    return (await own.request("/-/keys", { headers })).text();
  };
  for (const [accepted, date] of [
    ["en-GB,en;q=0.9", "15 January 2026"],
    ["en-US,en;q=0.9", "January 15, 2026"],
    ["fr-FR, en-US;q=0.5", "January 15, 2026"],
    ['en-x-"><b>', "15 January 2026"],
    ["de-DE, en-US;q=0.5", "15. Januar 2026"],
    ["de-AT, en-US;q=0.5", "15. Jänner 2026"],
  ] as const)
    expect(await keysIn(accepted)).toContain(date);
});

describe("a choice", () => {
  const choose = async (at: string, fields: Record<string, string>) =>
    fetch(`${at}/-/language`, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

  // prettier-ignore
  test.each([
    // to                                       leads to
    ["/home/abc?level=error&q=%C3%A4",          "/home/abc?level=error&q=%C3%A4"],
    ["",                                        "/-/"],
    ["https://evil.example/",                   "/-/"],
    ["//evil.example/",                         "/-/"],
    ["/\\evil.example/",                        "/-/"],
    ["/.//evil.example/",                       "/-/"],
    ["/%2fevil.example/",                       "/-/"],
    ["javascript:alert(1)",                     "/-/"],
    ["/a\r\nset-cookie: b=c",                   "/-/"],
  ])("is kept, and %p leads to %p", async (to, location) => {
    const answer = await choose(peal.url, { lang: "de", to });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(location);
    expect(answer.headers.getSetCookie()).toEqual(["lang=de; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"]);
  });

  test("of an unknown language is not kept", async () => {
    const answer = await choose(peal.url, { lang: "fr", to: "/" });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([404, []]);
  });

  test("applies below the base path, and over https only where that is used", async () => {
    await using below = await startPeal({ env: { PEAL_BASE_URL: "https://peal.example/sub" } });
    const answer = await choose(below.url, { lang: "de", to: "/sub/docs" });
    expect(answer.headers.get("location")).toBe("/sub/docs");
    expect(answer.headers.get("set-cookie")).toContain("Path=/sub/; ");
    expect(answer.headers.get("set-cookie")).toEndWith("; Secure");
    expect((await choose(below.url, { lang: "de", to: "/docs" })).headers.get("location")).toBe("/sub/-/");
  });

  test("is not offered on a page that answers a form", async () => {
    await using fresh = await startPeal({ unclaimed: true });
    const headers = { accept: "text/html", origin: fresh.url };
    const page = async (method: string) =>
      (await fresh.request("/-/setup", { method, headers, ...(method === "POST" && { body: "code=x" }) })).text();
    expect(await page("GET")).toContain('lang="de">Deutsch</button>');
    expect(await page("POST")).not.toContain("Deutsch");
  });
});

test("the page itself is shown in the other language and back, without a script", async () => {
  const topic = await peal.topic("switch");
  await peal.publish(topic, { message: "once", level: "warning" });
  await using opened = await open(browser, { javaScriptEnabled: false });
  const { page } = opened;
  const address = `${topic.url}?level=warning`;
  await page.goto(address);
  await page.getByRole("button", { name: "Deutsch" }).click();
  await page.getByRole("heading", { name: "Heute" }).waitFor();
  expect(page.url()).toBe(address);
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { name: "Today" }).waitFor();
  expect(page.url()).toBe(address);
});

test("the script uses the page's language, and tells the server its zone", async () => {
  const topic = await peal.topic("script");
  await peal.publish(topic, { message: "once" });
  await using opened = await open(browser, { locale: "de-AT", timezoneId: "America/New_York" });
  const { page } = opened;
  await page.goto(topic.url);
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await page.locator(".day").textContent()).toStartWith("Heute ");
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, value, path }) => `${name}=${value} ${path}`)).toEqual(["zone=America/New_York /"]);
});
