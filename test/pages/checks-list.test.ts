/** The list of checks over HTTP: its order, its filters, its slots and figures, and what it costs (WEB.md §3). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { actOn, newCheck, ping, type TestCheck } from "../support/checks.ts";
import type { Alerter } from "../../src/checks/alerts/alerter.ts";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { SAME_SITE, signedIn } from "../support/signin.ts";

const MINUTE = 60_000;

let peal: InProcess;
let clock: HeldClock;
let cookie: string;
const checks = new Map<string, TestCheck>();
beforeAll(async () => {
  clock = heldClock(Date.parse("2026-03-01T06:00:00Z"));
  peal = await inProcess({ clock });
  await (peal.running.deps.alerter as Alerter).stop(); // it would take a clock that jumps by hours for a server that was away
  cookie = await signedIn(peal, { name: "Mara" });
  await live();
});
afterAll(async () => peal[Symbol.asyncDispose]());

const made = async (name: string, body: object = {}): Promise<TestCheck> => {
  const check = await newCheck(peal, { name, ...body });
  checks.set(name, check);
  return check;
};
const of = (name: string): TestCheck => checks.get(name) ?? expect.unreachable(name);
const minutes = (n: number): void => {
  clock.advance(n * MINUTE);
};

/** Ten days of an hourly job that was down once for a day, and of a weekly one; then one check in each state. */
async function live(): Promise<void> {
  const hourly = await made("hourly", { cron: "0 * * * *", timezone: "UTC", grace: "1d", slug: "pumpe" });
  const weekly = await made("weekly", { cron: "0 6 * * 0", timezone: "UTC", grace: "1d", tags: ["nas"] });
  for (let day = 0; day < 10; day++) {
    if (day % 7 === 0) await ping(peal, weekly.ping_url);
    for (let hour = 0; hour < 24; hour++) {
      if (day !== 4) await ping(peal, hourly.ping_url);
      else if (hour === 0) await ping(peal, `${hourly.ping_url}/fail`);
      minutes(60);
    }
  }
  await made("a new one");
  await ping(peal, (await made("b up", { every: "2d" })).ping_url);
  await ping(peal, `${(await made("c running", { every: "2d", max_run: "1d" })).ping_url}/start`);
  await ping(peal, (await made("d snoozed", { every: "2d" })).ping_url);
  await actOn(peal, of("d snoozed").id, "snooze", { for: "8h" });
  await ping(peal, (await made("e late", { every: "1h", grace: "15m" })).ping_url);
  await peal.request(`${(await made("f failed", { every: "2d" })).ping_url}/1`, {
    method: "POST",
    body: "work\ndisk <full>\n",
  });
  await actOn(peal, of("f failed").id, "ack");
  await peal.request(`${(await made("g failed", { every: "2d" })).ping_url}/1`, { method: "POST" });
  await ping(peal, (await made("h paused", { every: "2d" })).ping_url);
  await actOn(peal, of("h paused").id, "pause");
  minutes(65);
  await ping(peal, hourly.ping_url);
}

const page = async (query = "", cookies = ""): Promise<string> => {
  const response = await peal.request(`/-/checks${query}`, {
    headers: { cookie: `${cookie}; zone=UTC${cookies}`, accept: "text/html" },
  });
  expect([query, response.status]).toEqual([query, 200]);
  return (await response.text()).replaceAll("\u00a0", " ");
};
const names = (html: string) => [...html.matchAll(/class="name"[^>]*>([^<]*)</g)].map(([, name]) => name);
const rowOf = (html: string, name: string): string =>
  html.split("<li ").find((row) => row.includes(`>${name}</a>`)) ?? expect.unreachable(name);
const words = (html: string): string => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

describe("the order", () => {
  const NEED = ["g failed", "f failed", "e late", "c running", "a new one", "d snoozed", "h paused"];

  test("puts first what needs attention, then sorts by name", async () => {
    const html = await page();
    expect(names(html)).toEqual([...NEED, "b up", "hourly", "weekly"]);
    expect(html).toContain(`value="need" aria-current="true"`);
  });

  const sort = async (by: string, query = "") =>
    peal.request(`/-/checks/sort${query}`, {
      method: "POST",
      headers: { cookie, accept: "text/html", ...SAME_SITE },
      body: new URLSearchParams({ sort: by }),
    });

  test("can be changed by a form that needs no script, and is kept", async () => {
    const answer = await sort("name", "?ns=home&state=up&tag=nas&q=week");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/-/checks?state=up&tag=nas&q=week&ns=home"]);
    expect(answer.headers.getSetCookie()).toEqual(["checks=name; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"]);
    const html = await page("", "; checks=name");
    expect(names(html)).toEqual(names(html).toSorted());
    expect(html).toContain(`value="name" aria-current="true"`);
    expect(await page("?state=down&q=f", "; checks=name")).toContain(`action="/-/checks/sort?state=down&amp;q=f"`);
  });

  test("is by the last success, the oldest first", async () => {
    const html = await page("", "; checks=success");
    expect(names(html).slice(0, 5)).toEqual(["a new one", "c running", "f failed", "g failed", "weekly"]);
    expect(names(html).at(-1)).toBe("hourly");
  });

  test("ignores unknown values", async () => {
    expect((await sort("color")).status).toBe(404);
    expect(names(await page("", "; checks=color"))).toEqual([...NEED, "b up", "hourly", "weekly"]);
  });
});

// prettier-ignore
const searches: [what: string, query: string, found: string[]][] = [
  ["a name",                      "?q=hour",            ["hourly"]],
  ["a slug, in any case",         "?q=PUMP",            ["hourly"]],
  ["a tag",                       "?q=nas",             ["weekly"]],
  ["a namespace and a name",      "?q=home%20FAILED",   ["g failed", "f failed"]],
  ["words in any order",          "?q=failed+g",        ["g failed"]],
  ["a state too",                 "?q=d&state=paused",  ["h paused"]],
  ["nothing but spaces",          "?q=%20&tag=nas",     ["weekly"]],
];
test.each(searches)("a search finds %s", async (_, query, found) => {
  expect(names(await page(query))).toEqual(found);
});

test("a search keeps the other filters, and says what it found and what it did not", async () => {
  const html = await page("?ns=home&tag=nas&q=week");
  expect(html).toContain(`<input type="hidden" name="ns" value="home"><input type="hidden" name="tag" value="nas">`);
  expect(html).toContain(
    `href="/-/checks?ns=home&amp;tag=nas&amp;q=week" aria-current="true">All <span class="num">1<`,
  );
  expect(words(html)).toContain("1 check, sort by");
  const none = await page(`?q=${encodeURIComponent(`"><b>`)}`);
  expect(none).toContain("No checks match “&quot;&gt;&lt;b&gt;”");
  expect(await page(`?q=${"x".repeat(101)}`)).toContain(`No checks match “${"x".repeat(100)}”`);
});

describe("a row", () => {
  test("has the last 30 days, on the same axis as all others, however often its job runs", async () => {
    const html = await page();
    const [hourly, weekly] = [rowOf(html, "hourly"), rowOf(html, "weekly")];
    // 10 days and today: down from the 5th at 06:00 to the 6th at 06:00
    expect(hourly).toContain(`aria-label="Last 30 days of hourly: 9 up, 2 down for part of the day, 19 no data"`);
    expect(weekly).toContain(`aria-label="Last 30 days of weekly: 11 up, 19 no data"`);
    const none = (row: string) => /<path class="bar none" d="([^"]+)"/.exec(row)?.[1];
    expect(none(hourly)).toBe(none(weekly) ?? "none");
    expect(none(hourly)?.match(/M/g)).toHaveLength(19);
    expect(words(html)).toContain("A slot a day, 10 Feb to today · Uptime");
    expect(html.match(/A slot a day/g)).toHaveLength(1);
  });

  test("has the uptime of those days, never rounded up, and none where nothing was watched", async () => {
    const html = await page();
    const uptime = (name: string) => / Uptime (\S+(?: %)?)/.exec(words(rowOf(html, name)))?.[1];
    // one day of 10 days and 65 minutes
    expect(uptime("hourly")).toBe(`${Math.floor(1_000 * (1 - 24 / (240 + 65 / 60))) / 10} %`);
    expect(uptime("weekly")).toBe("100 %");
    expect(uptime("a new one")).toBe("–");
    expect(uptime("h paused")).toBe("–");
  });

  test("shows the last output of a failed job, and when each check was last ok", async () => {
    const html = await page();
    const said = (name: string) => words(rowOf(html, name).split('class="sub">')[1]?.split("</p>")[0] ?? "");
    expect(said("f failed")).toContain("exit 1 : “disk &lt;full&gt;” .");
    expect(said("g failed")).toBe("Down for 1 h 5 min: exit 1.");
    expect(said("e late")).toBe("Expected 5 min ago, alerts in 10 min if still silent. Last success 06:00 .");
    expect(said("h paused")).toBe("Paused 06:00 , no alerts. Last success 06:00 .");
    expect(said("weekly")).toBe("Sundays 06:00, next in 3 d 22 h. Last success Sun 06:00 .");
    expect(said("a new one")).toBe("Never checked in. Add its ping URL to the job.");
  });

  test("has at most 3 KB of picture", async () => {
    const html = await page();
    for (const name of checks.keys()) {
      const picture = /<svg class="bars".*?<\/svg>/s.exec(rowOf(html, name))?.[0] ?? expect.unreachable(name);
      expect(Bun.gzipSync(Buffer.from(picture)).length).toBeLessThanOrEqual(3_072);
      expect(picture.length).toBeLessThanOrEqual(1_500);
    }
  });
});

test("a list of 100 checks needs no more queries than a list of one", async () => {
  await using many = await inProcess({ clock: heldClock() });
  const session = await signedIn(many, { name: "Mara" });
  const { store } = many.running.deps;
  const shown = async () => (await many.request("/-/checks", { headers: { cookie: session } })).text();
  const calls: string[] = [];
  const counted = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (from, name) => {
        calls.push(String(name));
        return Reflect.get(from, name) as unknown;
      },
    });
  const askedFor = async (): Promise<string[]> => {
    const { checks, days } = store;
    calls.length = 0;
    Object.assign(store, { checks: counted(checks), days: counted(days) });
    try {
      await shown();
    } finally {
      Object.assign(store, { checks, days });
    }
    return calls.toSorted();
  };
  const add = async (n: number) => {
    const { ping_url } = await newCheck(many, { name: `job ${n}`, every: "1h" });
    await many.request(`${ping_url}/fail`, { method: "POST", body: "no" });
  };
  await add(0);
  const ofOne = await askedFor();
  for (let n = 1; n < 100; n++) await add(n);
  expect(await askedFor()).toEqual(ofOne);
  expect(ofOne).toEqual(["endings", "histories", "list", "ofChecks"]);
  const html = await shown();
  expect(html.match(/class="row check/g)).toHaveLength(100);
  expect(html.match(/“no”/g)).toHaveLength(100);
});
