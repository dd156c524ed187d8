/** A check's page over HTTP: its state, its 90 days and figures, its runs and its log, and who would be notified (WEB.md §3). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { actOn, newCheck, ping, type TestCheck } from "../support/checks.ts";
import type { Alerter } from "../../src/checks/alerts/alerter.ts";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { iphone } from "../support/devices.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { textsOf } from "../../src/pages/texts/languages.ts";

const MINUTE = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;

let peal: InProcess;
let clock: HeldClock;
let cookie: string;
let nightly: TestCheck;
beforeAll(async () => {
  clock = heldClock(Date.parse("2026-03-01T06:00:00Z"));
  peal = await inProcess({ clock });
  await (peal.running.deps.alerter as Alerter).stop(); // it would take a clock that jumps by hours for a server that was away
  nightly = await newCheck(peal, { name: "nightly", cron: "0 6 * * *", timezone: "UTC", grace: "1d", topic: "nobody" });
  for (let day = 0; day < 40; day++) await night(day);
  cookie = await signedIn(peal, { name: "Mara" }); // a session would not last 40 days without use
});
afterAll(async () => peal[Symbol.asyncDispose]());

const minutes = (n: number): void => {
  clock.advance(n * MINUTE);
};

/** 5 minutes for 11 days, then 10; a failure on the 20th that is fixed on the 21st, paused from the 30th to the 33rd. */
async function night(day: number): Promise<void> {
  const took = day < 11 ? 5 : 10;
  await ping(peal, `${nightly.ping_url}/start`);
  minutes(took);
  await ping(peal, day === 20 ? `${nightly.ping_url}/3` : nightly.ping_url);
  minutes(6 * HOUR);
  if (day === 30) await actOn(peal, nightly.id, "pause");
  if (day === 33) await actOn(peal, nightly.id, "resume");
  minutes(DAY - 6 * HOUR - took);
}

const pathOf = ({ id }: TestCheck): string => `/-/checks/${id}`;
const page = async (check: TestCheck): Promise<string> => {
  const headers = { cookie: `${cookie}; zone=UTC`, accept: "text/html" };
  const response = await peal.request(pathOf(check), { headers });
  expect(response.status).toBe(200);
  return (await response.text()).replaceAll("\u00a0", " ");
};
const words = (html: string): string => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const panel = (html: string, id: string): string =>
  html.split("<section ").find((section) => section.includes(`id="${id}"`)) ?? expect.unreachable(id);
const facts = (html: string) =>
  [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name = "", value = ""]) => [
    name,
    words(value).trim(),
  ]);

test("90 days are shown by a picture, its label and the texts of its squares", async () => {
  const days = panel(await page(nightly), "check-days");
  expect(days).toContain(
    'role="img" aria-label="Last 90 days of nightly: 37 up, 1 down for part of the day, 1 down, no success, 2 paused or snoozed, 49 no data"',
  );
  const titles = [...days.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title = ""]) => title);
  expect(titles).toHaveLength(90);
  expect([titles.at(0), titles.at(48), titles.at(49), titles.at(-1)]).toEqual([
    "Sunday 11 January: no data",
    "Saturday 28 February: no data",
    "Sunday 1 March: up",
    "Friday 10 April: up",
  ]);
  expect(titles.slice(69, 71)).toEqual([
    "Saturday 21 March: down, no success, 17 h 50 min",
    "Sunday 22 March: down for part of the day, 6 h 10 min",
  ]);
  expect(titles.slice(79, 83).map((title) => title.split(": ")[1])).toEqual([
    "up",
    "paused or snoozed",
    "paused or snoozed",
    "up",
  ]);
  expect(words(days)).toContain("11 January 2026 to today: a column a week, Monday on top.");
});

test("days that were not up are listed, consecutive ones of a kind as one", async () => {
  const days = panel(await page(nightly), "check-days");
  const rows = [...days.matchAll(/<th scope="row".*?<\/tr>/gs)].map(([row]) => words(row).trim());
  expect(rows).toEqual([
    "Wednesday 1 April to Thursday 2 April paused or snoozed –",
    "Sunday 22 March down for part of the day 6 h 10 min",
    "Saturday 21 March down, no success 17 h 50 min",
    "Sunday 11 January to Saturday 28 February no data –",
  ]);
});

test("uptime leaves out pauses, and the duration says how it has changed", async () => {
  const percent = (down: number, watched: number) => `${Math.floor(1_000 * (1 - down / watched)) / 10} %`;
  // paused for 3 days: from 12:10 on the 31st to 12:10 on the 3rd
  const [down, paused] = [DAY, 3 * DAY];
  expect(facts(panel(await page(nightly), "check-days"))).toEqual([
    ["Uptime, 7 days", "100 %"],
    ["Uptime, 30 days", percent(down, 29 * DAY + 6 * HOUR - paused)],
    ["Uptime, 90 days", percent(down, 40 * DAY - 5 - paused)],
    ["Usual duration", "10 min 5 min in the 30 days before (+100 %)"],
  ]);
});

test("uptime is never rounded up, in both languages", () => {
  const said = (language: "en" | "de", part: number) =>
    textsOf(language).checks.glance.percent(part).replace("\u00a0", " ");
  expect([1, 0.99999, 0.9925, 0].map((part) => said("en", part))).toEqual(["100 %", "99.9 %", "99.2 %", "0 %"]);
  expect(said("de", 0.9925)).toBe("99,2 %");
});

test("a check that was never pinged has days without data and no figures", async () => {
  const check = await newCheck(peal, { name: "silent" });
  const html = await page(check);
  expect(html).toContain('aria-label="Last 90 days of silent: 90 no data"');
  expect(facts(panel(html, "check-days")).map(([, value]) => value)).toEqual(["–", "–", "–"]);
});

test("the state is shown beside the name, whatever it is, and is a live region", async () => {
  const wordOf = async (check: TestCheck) =>
    words(
      /<span class="tag st \w+" id="check-word" data-live="check">.*?<\/span>/s.exec(await page(check))?.[0] ?? "",
    ).trim();
  const check = await newCheck(peal, { name: "state", every: "1h", grace: "15m", max_run: "1h" });
  expect(await wordOf(check)).toBe("New");
  await ping(peal, check.ping_url);
  expect(await wordOf(check)).toBe("Up");
  await ping(peal, `${check.ping_url}/start`);
  expect(await wordOf(check)).toBe("Running");
  await ping(peal, `${check.ping_url}/fail`);
  expect(await wordOf(check)).toBe("Down");
  await actOn(peal, check.id, "pause");
  expect(await wordOf(check)).toBe("Paused");
  expect(await wordOf(nightly)).toBe("Late"); // it is six o’clock
});

test("runs say how many were ok; without durations they are a strip, with durations bars with an axis", async () => {
  const plain = await newCheck(peal, { name: "plain", every: "1d" });
  for (const end of ["", "", "/fail", "", ""]) {
    await ping(peal, plain.ping_url + end);
    minutes(30);
  }
  const strip = panel(await page(plain), "check-runs");
  expect(words(strip)).toContain("Last 5 runs 4 of 5 ok");
  expect(strip).toContain('<svg class="flat"');
  expect(strip).not.toContain('class="axis"');
  const bars = panel(await page(nightly), "check-runs");
  expect(words(bars)).toContain("Last 30 runs 29 of 30 ok, usually 10 min");
  expect(bars).not.toContain('"flat"');
  expect(words(bars)).toContain("15 min 10 min 5 min 0");
  expect(words(bars)).toContain("ok, height shows duration");
});

test("a run with start and end is one row of the log", async () => {
  const log = panel(await page(nightly), "check-log");
  const rows = [...log.matchAll(/<li class="row dense">.*?<\/li>/gs)].map(([row]) => words(row).trim());
  expect(rows).toHaveLength(10);
  expect(rows[0]).toStartWith("ok, 10 min , started Thu 06:00");
  expect(rows.filter((row) => row.startsWith("started"))).toEqual([]);
  const older = /href="([^"]*before=\d+)#log"/.exec(log)?.[1] ?? "";
  const next = panel(
    await (await peal.request(older, { headers: { cookie, accept: "text/html" } })).text(),
    "check-log",
  );
  const at = (html: string) =>
    [...html.matchAll(/<span class="dim num"><time datetime="([^"]+)"/g)].map(([, time = ""]) => time);
  expect(at(log).at(-1)).not.toBe(at(next)[0] ?? "");
  expect([...at(log), ...at(next)]).toEqual([...at(log), ...at(next)].toSorted().toReversed());
});

test("a warning is shown while no one would be notified, with a link to add a device", async () => {
  const told = async () => panel(await page(nightly), "check-told");
  const before = await told();
  expect(before).toContain('<div class="note warning">');
  expect(words(before)).toContain("No device follows nobody , so nobody would be notified.");
  const [, share = ""] = /<a class="btn main" href="([^"]+)">Add a device<\/a>/.exec(before) ?? [];
  expect(share).toBe(`/-/topics/${nightly.topic}/share`);
  expect((await peal.request(share, { headers: { cookie, accept: "text/html" } })).status).toBe(200);
  await iphone(peal, [{ namespace: "home", name: "nobody", key: nightly.topic, url: "" }], { name: "Phone" });
  expect(await told()).not.toContain("warning");
  expect(words(await told())).toContain("notifies one device");
});
