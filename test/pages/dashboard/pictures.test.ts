/** The charts of hours and days in the dashboard, over HTTP and without a script: their figures match what happened. */
import { afterAll, describe, expect, test } from "bun:test";
import { bandsOf, HOURS } from "../../../src/pages/dashboard/overview/day.ts";
import { HOUR } from "../../../src/util/clock.ts";
import type { Namespace, NamespaceId } from "../../../src/keys/namespace.ts";
import type { Outage } from "../../../src/store/days.ts";
import { dayHere } from "../../../src/util/calendar.ts";
import { newCheck, type TestCheck } from "../../support/checks.ts";
import { heldClock } from "../../support/clock.ts";
import { deskAs, type DeskClient, textOf } from "../../support/desk.ts";
import { deliveriesWhen, register } from "../../support/devices.ts";
import { authority } from "../../support/push/ca.ts";
import { fakePushService } from "../../support/push/webpush.ts";
import { inProcess, type InProcess } from "../../support/server.ts";
import { signedIn } from "../../support/signin.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const KIB = 1_024;

async function house(options: Parameters<typeof inProcess>[0] = {}) {
  const clock = heldClock(NOON);
  const peal = await inProcess({ ...options, clock });
  const cookie = `${await signedIn(peal)}; zone=UTC`;
  return {
    clock,
    peal,
    cookie,
    desk: deskAs(peal, cookie),
    [Symbol.asyncDispose]: async () => peal[Symbol.asyncDispose](),
  };
}

const namespace = async (peal: InProcess, name: string) =>
  peal.local("/-/local/namespaces", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
/** Publishes by the form, where the tests' key is not valid. */
async function publishIn(desk: DeskClient, ns: string, level: string) {
  const { location } = await desk.post("/-/topics/new", { name: "built", namespace: ns });
  await desk.done(`${/^\/-\/topics\/[^/?]+/.exec(location ?? "")?.[0] ?? ""}/publish`, {
    message: "m",
    level,
    priority: "normal",
  });
}
const ping = async (peal: InProcess, { ping_url: url }: TestCheck, how = "") =>
  peal.request(url + how, { method: "POST" });

/** The part of the page with this id, up to the next part. */
const partOf = (html: string, id: string): string => {
  const from = html.indexOf(` id="${id}"`);
  return from < 0 ? "" : html.slice(from, html.indexOf(' data-live="', html.indexOf(' data-live="', from) + 1));
};

describe("the last 24 hours on the overview", () => {
  test("have no picture where nothing happened, but its place for the script", async () => {
    await using own = await inProcess();
    const { html, text } = await deskAs(own, await signedIn(own)).get("/-/");
    expect(html).toContain('<div id="day" data-live="check message namespace"></div>');
    expect(text).not.toContain("Last 24 hours");
  });

  test("say since when something was down, what failed together, who is on it, and how many messages came each hour", async () => {
    await using home = await house();
    const { clock, peal, cookie, desk } = home;
    for (const name of ["lab", "media"]) await namespace(peal, name);
    const [nas, web] = [
      await newCheck(peal, { name: "nas", every: "1d" }),
      await newCheck(peal, { name: "web", every: "1d" }),
    ];
    await ping(peal, nas, "/fail");
    clock.advance(30 * MINUTE);
    await ping(peal, web, "/fail");
    const door = await peal.topic("door");
    for (const level of ["error", "warning", "info", "info"]) await peal.publish(door, { message: "m", level });
    clock.advance(60 * MINUTE);
    await ping(peal, nas);
    await publishIn(desk, "lab", "success");
    await desk.post(`/-/checks/${web.id}/ack`);

    const { html } = await desk.get("/-/");
    const places = ["needs", "day", "handled", "start", "latest"].map((id) => html.indexOf(` id="${id}"`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const day = partOf(html, "day");
    const text = textOf(day);
    expect(text).toContain("nas down 12:00 to 13:30");
    expect(text).toMatch(/web down since 12:30 , \w+ is on it/);
    expect(day).toContain(`<a href="/-/checks/${web.id}"`);
    // the axis begins at 14:00 of the previous day, and an hour is 10 wide
    expect(
      [...day.matchAll(/class="bar fail" x="([\d.]+)" y="1" width="([\d.]+)"/g)].map((all) => all.slice(1)),
    ).toEqual([
      ["220", "15"],
      ["225", "10"],
    ]);
    expect(text).toContain("Nothing happened in media.");
    // including the alerts of both, and that one recovered
    expect(text).toContain("7 messages: 3 errors, 1 warning, 1 success, up to 6 an hour");
    expect(text).toContain("12:00: 6 messages: 3 errors, 1 warning");
    expect(text).toContain("13:00: 1 message: 1 success");
    expect(day.match(/<title>13:00: 1\smessage: 1\ssuccess<\/title>/g)).toHaveLength(2); // one in home and one in lab
    expect(text).toContain("14:00 20:00 02:00 08:00");
    expect(Bun.gzipSync(Buffer.from(day)).length).toBeLessThan(3 * KIB);

    const german = textOf(partOf((await deskAs(peal, `${cookie}; lang=de`).get("/-/")).html, "day"));
    expect(german).toContain("web ausgefallen seit 12:30");
    expect(german).toContain("7 Nachrichten: 3 Fehler, 1 Warnung, 1 Erfolg, bis zu 6 in der Stunde");
    const stranger = deskAs(peal, await signedIn(peal, { name: "jonas", namespaces: ["lab"] }));
    const own = textOf(partOf((await stranger.get("/-/")).html, "day"));
    expect([own.includes("lab"), own.includes("nas"), own.includes("media")]).toEqual([true, false, false]);
    expect(textOf(partOf((await desk.get("/-/?ns=lab")).html, "day"))).not.toContain("web");
  });

  test("have one line for a check that was down more than once, and one for a check that waited for a ping the server missed", async () => {
    await using home = await house();
    const { clock, peal, desk } = home;
    const flap = await newCheck(peal, { name: "flap", every: "1d" });
    for (let n = 0; n < 2; n++) {
      await ping(peal, flap, "/fail");
      clock.advance(20 * MINUTE);
      await ping(peal, flap);
      clock.advance(10 * MINUTE);
    }
    expect(textOf(partOf((await desk.get("/-/")).html, "day"))).toContain("flap down 2 times, 40 min in all");
    await ping(peal, flap, "/fail");
    expect(textOf(partOf((await desk.get("/-/")).html, "day"))).toContain("flap down 3 times, the last since 13:00");
  });

  test("group what is numerous: checks below their namespace, namespaces below the total", async () => {
    await using home = await house();
    const { peal, desk } = home;
    for (let n = 0; n < 9; n++) await ping(peal, await newCheck(peal, { name: `job-${n}`, every: "1d" }), "/fail");
    for (let n = 0; n < 8; n++) {
      await namespace(peal, `n${n}`);
      await publishIn(desk, `n${n}`, "info");
    }
    const { html } = await desk.get("/-/");
    const day = partOf(html, "day");
    const text = textOf(day);
    expect(day.match(/class="bar fail" x=/g)).toHaveLength(6 + 1); // and the one in the legend
    expect(day).toMatch(/<a href="\/-\/checks\?ns=home">and 3 more checks that were down<\/a>/);
    expect(text).toContain("In 3 more namespaces: 3 messages, 0 checks down.");
    expect(day.match(/<h3/g)).toHaveLength(6);
  });

  const ids = Array.from({ length: 9 }, (_, n) => ({ id: (n + 1) as NamespaceId, name: `n${n}` }) as Namespace);
  const one = (namespaceId: number, id: string, from: number, to?: number): Outage => ({
    ...{ check: { id, name: id }, namespaceId: namespaceId as NamespaceId, from, isGap: false },
    ...(to !== undefined && { to }),
  });
  test("show what is down now before what was, the latest of that first, and what was down before messages", () => {
    const error = { info: 0, success: 0, warning: 0, error: 1 };
    const many = Array.from({ length: 9 }, (_, n) => one(9, `c${n}`, n * HOUR, n === 0 ? undefined : (n + 1) * HOUR));
    const hours = new Map(ids.map(({ id }) => [id, new Map([[3, error]])]));
    const { bands, elsewhere, quiet } = bandsOf({
      namespaces: ids,
      outages: [one(8, "x", 0, 1), ...many],
      hours,
      first: 0,
    });
    expect(bands.map(({ namespace: { name } }) => name)).toEqual(["n0", "n1", "n2", "n3", "n7", "n8"]);
    expect(bands.at(-1)?.rows.map(({ check }) => check.id)).toEqual(["c0", "c4", "c5", "c6", "c7", "c8"]);
    expect([bands.at(-1)?.more, elsewhere, quiet]).toEqual([3, { namespaces: 3, down: 0, messages: 3 }, []]);
    expect(bands[0]?.hours.map((counts) => counts.error)).toEqual([
      0,
      0,
      0,
      1,
      ...Array.from({ length: HOURS - 4 }, () => 0),
    ]);
  });
});

describe("the last 30 days of a topic", () => {
  const dateOf = (at: number) => new Date(dayHere(at).day * 86_400_000).toISOString().slice(0, 10);
  const cards = (html: string) => [...html.matchAll(/<article[^>]* id="(?:m)?(\d+)"/g)].map(([, id]) => Number(id));

  test("count messages by day and level, and each day and level links to its messages", async () => {
    await using home = await house();
    const { clock, peal, desk } = home;
    const topic = await peal.topic("door");
    for (const level of ["info", "error", "info"]) await peal.publish(topic, { message: `a ${level}`, level });
    clock.advance(24 * HOUR);
    await peal.publish(topic, { message: "the day between", level: "warning" });
    clock.advance(24 * HOUR);
    await peal.publish(topic, { message: "today", level: "info" });
    const path = `/-/topics/${topic.key}`;
    const { html, text } = await desk.get(path);
    expect(text).toContain("5 messages: 1 error, 1 warning.");
    const month = html.slice(
      html.indexOf('aria-labelledby="month"'),
      html.indexOf("</section>", html.indexOf('id="month"')),
    );
    expect(Bun.gzipSync(Buffer.from(month)).length).toBeLessThan(3 * KIB);
    const [first, second] = [dateOf(NOON), dateOf(NOON + 24 * HOUR)];
    for (const day of [first, second]) expect(month.match(new RegExp(`href="\\?day=${day}"`, "g"))).toHaveLength(2);
    expect(textOf(month)).toMatch(/21 November : 3 messages: 1 error|22 November : 3 messages: 1 error/);
    expect(month).toContain('href="?level=warning"');

    const onFirst = await desk.get(`${path}?day=${first}`);
    expect(cards(onFirst.html)).toEqual([3, 2, 1]);
    expect(onFirst.html).toContain(`href="?level=error&amp;day=${first}"`);
    expect(onFirst.html).toMatch(/aria-current="true" title="Show every day"/);
    expect(onFirst.html).toContain('<rect class="bar none"');
    expect(cards((await desk.get(`${path}?day=${second}`)).html)).toEqual([4]);
    expect(cards((await desk.get(`${path}?day=${first}&level=error`)).html)).toEqual([2]);
    expect((await desk.get(`${path}?day=${dateOf(NOON - 24 * HOUR)}`)).text).toContain("No matching messages");
    expect((await desk.get(`${path}?day=2026-02-30`)).status).toBe(400);
  });

  test("link to all messages of a day, page by page, and to no others", async () => {
    await using home = await house();
    const { clock, peal, desk } = home;
    const topic = await peal.topic("busy");
    const publish = async (count: number) => {
      for (let n = 0; n < count; n++) await peal.publish(topic, { title: `${n}`, message: "m".repeat(n + 1) });
    };
    await publish(3);
    clock.advance(24 * HOUR);
    await publish(60);
    const day = dateOf(clock.now());
    clock.advance(24 * HOUR);
    await publish(2);
    const path = `/-/topics/${topic.key}`;
    const first = await desk.get(`${path}?day=${day}`);
    expect(first.text).not.toContain("2 messages:");
    const older = /href="(\?before=\d+&amp;day=[\d-]+)">Older/.exec(first.html)?.[1]?.replace("&amp;", "&") ?? "";
    const last = await desk.get(path + older);
    expect([...cards(first.html), ...cards(last.html)]).toEqual(Array.from({ length: 60 }, (_, n) => 63 - n));
    expect(last.html).toMatch(/data-older hidden/);
  });

  test("have no picture where there are no messages, and name the zone of the days where it is not the reader's", async () => {
    await using home = await house();
    const { peal, desk, cookie } = home;
    const topic = await peal.topic("quiet");
    const path = `/-/topics/${topic.key}`;
    expect((await desk.get(path)).text).not.toContain("Last 30 days");
    await peal.publish(topic, { message: "m" });
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const inZone = async (zone: string) =>
      (await deskAs(peal, cookie.replace("zone=UTC", `zone=${zone}`)).get(path)).text;
    expect(await inZone(here)).not.toContain("Days in");
    expect(await inZone(here === "Pacific/Apia" ? "UTC" : "Pacific/Apia")).toContain(`Days in ${here}`);
  });
});

test("a topic's row says how much came that day, of what, and at what time most of it", async () => {
  await using home = await house();
  const { clock, peal, desk } = home;
  const topic = await peal.topic("door");
  await peal.publish(topic, { message: "m", level: "error" });
  clock.advance(5 * HOUR);
  for (let n = 0; n < 3; n++) await peal.publish(topic, { message: "m" });
  clock.advance(20 * MINUTE);
  const { html, text } = await desk.get("/-/topics");
  expect(text).toContain("4 in 24 h, peak 17:00");
  expect(html).toContain(
    "<title>Last 24 hours: 4\u00a0messages, errors in 1\u00a0hour; most around 17:00: 3 in an hour</title>",
  );
});

describe("the last 7 days of deliveries", () => {
  const service = fakePushService({ clock: heldClock(NOON + 8 * HOUR) });
  afterAll(async () => (await service)[Symbol.asyncDispose]());

  test("show the reader's own, by device and hour, with the share that was accepted", async () => {
    const push = await service;
    await using home = await house({ env: { ...push.env }, ca: authority.cert });
    const { clock, peal, desk, cookie } = home;
    await namespace(peal, "lab");
    const topic = await peal.topic("door");
    const [good, bad] = [push.subscribe(), push.subscribe()];
    for (const [{ endpoint: token, keys }, name] of [
      [good, "Desk"],
      [bad, "Work laptop"],
    ] as const)
      await register(peal, { platform: "web", token, keys, name }, [topic]);
    clock.advance(8 * HOUR); // 20:00, and 05:00 of the next day in Tokyo
    push.script.once(bad.endpoint, { status: 400, body: '{"message":"no pushes"}' });
    const { id = 0 } = (await peal.publish(topic, { message: "m" })) ?? {};
    await deliveriesWhen(peal, topic, id, 2, ({ state }) => state !== "pending");

    const { html } = await desk.get("/-/deliveries");
    const week = partOf(html, "deliveries-days");
    const text = textOf(week);
    expect(html.indexOf("deliveries-days")).toBeLessThan(html.indexOf("deliveries-filters"));
    expect(text).toContain("Desk 1 of 1 accepted, median 0 s");
    expect(text).toContain("Work laptop 0 of 1 accepted");
    expect(week).toContain('aria-label="Last 7 days: 1\u00a0push accepted, 1 failed or expired"');
    expect(week).toContain("<title>Saturday 21 November: 1\u00a0push accepted, 1 failed or expired</title>");
    expect(week).toContain("<title>Saturday 21 November, 20:00: 1 of 1 accepted, median 0\u00a0s</title>");
    expect(text).toContain("Sun Mon Tue Wed Thu Fri Sat");
    expect(text).toMatch(/Saturday 21 November, 20:00 , Work laptop : 0 of 1 accepted/);
    expect(Bun.gzipSync(Buffer.from(week)).length).toBeLessThan(3 * KIB);
    const tokyo = deskAs(peal, cookie.replace("zone=UTC", "zone=Asia/Tokyo"));
    const there = partOf((await tokyo.get("/-/deliveries")).html, "deliveries-days");
    expect(there).toContain("<title>Sunday 22 November: 1\u00a0push accepted, 1 failed or expired</title>");
    expect(there).toContain("<title>Sunday 22 November, 05:00: 0 of 1 accepted</title>");
    expect(textOf(there)).not.toContain("UTC");

    // the number of other people's messages is not revealed
    const stranger = deskAs(peal, await signedIn(peal, { name: "jonas", namespaces: ["lab"] }));
    expect((await stranger.get("/-/deliveries")).text).not.toContain("accepted,");
    expect(partOf((await desk.get("/-/deliveries?ns=lab")).html, "deliveries-days")).not.toContain("<h2");
    expect(partOf((await desk.get(`/-/deliveries?topic=${topic.key}`)).html, "deliveries-days")).not.toContain("<h2");
  });

  test("name a device with problems once, with the reason, instead of once below each message", async () => {
    const push = await service;
    await using home = await house({ env: { ...push.env }, ca: authority.cert });
    const { peal, desk } = home;
    const topic = await peal.topic("door");
    const [good, bad] = [push.subscribe(), push.subscribe()];
    for (const [{ endpoint: token, keys }, name] of [
      [good, "Desk"],
      [bad, "Work laptop"],
    ] as const)
      await register(peal, { platform: "web", token, keys, name }, [topic]);
    const fail = async () => {
      push.script.once(bad.endpoint, { status: 400, body: '{"message":"no pushes"}' });
      const { id = 0 } = (await peal.publish(topic, { message: "m" })) ?? {};
      await deliveriesWhen(peal, topic, id, 2, ({ state }) => state !== "pending");
    };
    await fail();
    await fail();
    expect((await desk.get("/-/deliveries")).html).not.toContain("Devices in trouble");
    await fail();
    const { html } = await desk.get("/-/deliveries");
    const list = html.slice(html.indexOf('id="deliveries"'));
    expect(textOf(/<summary>(.*?)<\/summary>/s.exec(list)?.[1] ?? "").trim()).toBe("Work laptop : 3 failed, no pushes");
    const [folded = "", rest = ""] = list.split("</details>");
    expect(folded.match(/localhost answered 400/g)).toHaveLength(3);
    expect(folded.match(/>Retry/g)?.length ?? 0).toBe(3);
    expect(rest).not.toContain("localhost answered 400");
    expect(rest.match(/Accepted by/g)).toHaveLength(3);
    const ref = /href="\/-\/deliveries\?device=([\w-]+)"[^>]*>Work laptop/.exec(html)?.[1] ?? "";
    const alone = await desk.get(`/-/deliveries?device=${ref}`);
    expect(alone.html).not.toContain("Devices in trouble");
    expect(alone.html.match(/localhost answered 400/g)).toHaveLength(3);
  });
});
