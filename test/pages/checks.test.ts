/** The pages of checks over HTTP (WEB.md §3): what they show, and what their forms do. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { actOn, checkOf, eventsOf, newCheck, ping, type TestCheck } from "../support/checks.ts";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { iphone, type TestDevice } from "../support/devices.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { PASSWORD, SAME_SITE, signedIn } from "../support/signin.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let peal: InProcess;
let clock: HeldClock;
let cookie: string;
let stranger: string;
beforeAll(async () => {
  clock = heldClock();
  peal = await inProcess({ clock });
  await peal.running.deps.store.namespaces.create("media");
  cookie = await signedIn(peal, { name: "Mara" });
  stranger = await signedIn(peal, { name: "Jo", namespaces: ["media"] });
});
afterAll(async () => peal[Symbol.asyncDispose]());

const get = async (path: string, as = cookie): Promise<Response> =>
  peal.request(path, { headers: { cookie: as, accept: "text/html" } });
const page = async (path: string, as = cookie): Promise<string> => {
  const response = await get(path, as);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.text()).replaceAll("\u00a0", " ");
};
/** The text that a reader sees on a page. */
const words = (html: string): string =>
  html
    .replace(/^.*<main/s, "<main")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
const post = async (path: string, form: Record<string, string> = {}, as = cookie): Promise<Response> =>
  peal.request(path, {
    method: "POST",
    headers: { cookie: as, accept: "text/html", ...SAME_SITE },
    body: new URLSearchParams(form),
  });
/** Follows a form's redirect, and returns the page with its message of what was done. */
async function done(response: Response): Promise<{ path: string; text: string }> {
  const path = response.headers.get("location") ?? "";
  expect([response.status, path === ""]).toEqual([303, false]);
  const [flash = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  const shown = await peal.request(path, { headers: { cookie: `${cookie}; ${flash}`, accept: "text/html" } });
  return { path, text: words(await shown.text()).replaceAll("\u00a0", " ") };
}
const pathOf = ({ id }: Pick<TestCheck, "id">): string => `/-/checks/${id}`;
/** Makes the push service answer that the app was removed. */
async function lose({ ref }: TestDevice): Promise<void> {
  const { devices, deliveries } = peal.running.deps.store;
  const { device } = (await devices.byRef(ref)) ?? {};
  if (device === undefined) throw new Error(`no device ${ref}`);
  const outcome = { kind: "failed", status: 410, reason: "gone" } as const;
  await deliveries.settle([{ rows: [], outcome, news: { device, lost: "gone" } }]);
}
const minutes = (n: number): void => {
  clock.advance(n * MINUTE);
};

/** The names of the store's queries about checks that a page makes. */
async function readFor(path: string): Promise<string[]> {
  const { store } = peal.running.deps;
  const { checks } = store;
  const read: string[] = [];
  const get = (from: typeof checks, name: keyof typeof checks) => {
    read.push(name);
    return from[name];
  };
  Object.assign(store, { checks: new Proxy(checks, { get }) });
  try {
    await page(path);
  } finally {
    Object.assign(store, { checks });
  }
  expect(read).toContain("list");
  return read;
}

describe("the list", () => {
  test("without checks says what one is, and how to begin", async () => {
    const html = await page("/-/checks?ns=media");
    expect(html).toContain("<h1>No checks yet</h1>");
    expect(html).toContain(`href="/-/checks/new?ns=media"`);
    expect(words(html)).toContain("curl -fsS");
  });

  test("offers nothing to make to someone who sees no namespace, and says why", async () => {
    const nobody = await signedIn(peal, { name: "Nobody", namespaces: [] });
    for (const [path, none] of [
      ["/-/checks", "No checks yet"],
      ["/-/topics", "No topics yet"],
    ] as const) {
      const html = await page(path, nobody);
      expect(words(html)).toContain(none);
      expect(words(html)).toContain("There’s no namespace you can see.");
      expect(html).not.toContain(`${path}/new`);
    }
  });

  test("shows the state of each, and first those that need attention", async () => {
    const late = await newCheck(peal, { name: "b late", every: "1h", grace: "15m" });
    const failed = await newCheck(peal, { name: "a failed", every: "1d", tags: ["nas"] });
    await newCheck(peal, { name: "c new", tags: ["nas", "x<y"] });
    await ping(peal, late.ping_url);
    await ping(peal, `${failed.ping_url}/start`);
    minutes(4);
    await ping(peal, `${failed.ping_url}/2`);
    minutes(64);
    const html = await page("/-/checks?ns=home");
    expect(html).toContain("<h1>One check is down, one is late</h1>");
    expect(html).toContain("<title>1 down · Checks · peal</title>");
    expect([...html.matchAll(/class="name"[^>]*>([^<]*)</g)].map(([, name]) => name)).toEqual([
      "a failed",
      "b late",
      "c new",
    ]);
    expect(words(html)).toContain("Down for 1 h 4 min: exit 2 after 4 min.");
    expect(words(html)).toContain("Expected 8 min ago, alerts in 7 min if still silent. Last success");
    expect(html).toContain(`aria-label="Last 30 days of a failed: 1 down, no success, 29 no data"`);
    expect(html).not.toContain(new URL(failed.ping_url).pathname);
    const of = async (query: string) =>
      [...(await page(`/-/checks${query}`)).matchAll(/class="name"[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(await of("?ns=home&state=down")).toEqual(["a failed"]);
    expect(await of("?ns=home&tag=nas")).toEqual(["a failed", "c new"]);
    expect(await of(`?tag=${encodeURIComponent("x<y")}&state=new`)).toEqual(["c new"]);
    expect(words(await page("/-/checks?state=paused"))).toContain("No matching checks");
    await actOn(peal, failed.id, "ack");
  });

  test("hides what the visitor may not see", async () => {
    const { id } = await newCheck(peal, { name: "secret of home" });
    expect(await page("/-/checks", stranger)).toContain("No checks yet");
    for (const path of ["", "/edit", "/delete"]) {
      const response = await get(`/-/checks/${id}${path}`, stranger);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).not.toContain("secret of home");
    }
    for (const act of ["pause", "resume", "ack", "snooze", "unsnooze", "test", "delete", "edit"])
      expect([act, (await post(`/-/checks/${id}/${act}`, {}, stranger)).status]).toEqual([act, 404]);
    await post("/-/confirm", { password: PASSWORD }, stranger);
    expect((await post(`/-/checks/${id}/rotate`, {}, stranger)).status).toBe(404);
    expect((await checkOf(peal, id)).state).toBe("new");
    const foreign = await post("/-/checks/new", { ns: "home", name: "x", kind: "manual" }, stranger);
    const none = await post("/-/checks/new", { ns: "none", name: "x", kind: "manual" }, stranger);
    expect([foreign.status, none.status]).toEqual([422, 422]);
    expect(await foreign.text()).toBe(await none.text());
    expect((await get("/-/checks", "")).headers.get("location")).toStartWith("/-/login");
  });

  test("of many takes the same few queries, page by page", async () => {
    const add = async (n: number) => {
      const made = await post("/-/checks/new", { ns: "media", name: `job ${n}`, kind: "every", every: "1d" });
      expect([n, made.status]).toEqual([n, 303]);
    };
    await add(0);
    const ofOne = await readFor("/-/checks?ns=media");
    for (let n = 1; n < 101; n++) await add(n);
    expect(await readFor("/-/checks?ns=media")).toEqual(ofOne);
    const first = await page("/-/checks?ns=media");
    expect(first.match(/class="row check/g)).toHaveLength(100);
    expect(first.indexOf("job 2<")).toBeLessThan(first.indexOf("job 10<"));
    const [, more = ""] = /<a class="btn" href="([^"]+)"/.exec(first) ?? [];
    expect((await page(more.replaceAll("&amp;", "&"))).match(/class="row check/g)).toHaveLength(1);
  });
});

describe("a check", () => {
  test("says why it is down, since when, and what the job printed", async () => {
    const check = await newCheck(peal, { name: "job <b>", every: "1d", grace: "1h" });
    await ping(peal, check.ping_url);
    minutes(10);
    await ping(peal, `${check.ping_url}/start`);
    minutes(3);
    await peal.request(`${check.ping_url}/7`, { method: "POST", body: "no space <script>left</script>" });
    minutes(60);
    const html = await page(pathOf(check));
    const text = words(html);
    expect(text).toContain("Down for 1 h : exit 7 after 3 min : “no space &lt;script&gt;left&lt;/script&gt;” .");
    expect(text).toContain("No device was subscribed when the alert was sent.");
    expect(html).toContain("no space &lt;script&gt;left&lt;/script&gt;");
    expect(html).toContain('<h1 dir="auto">job &lt;b&gt;</h1>');
    expect(text).toContain("Exit 7 1 h, still");
    expect(html).toContain(check.ping_url);
    expect(html).toContain(check.badge_url);
    expect(html.match(/<title>/g)).toHaveLength(1 + 2 + 90); // the page, two bars and the days
    expect(text).toContain("Grace 1 h");
  });

  test("that missed its slot gives the time in the zone of the reader, whatever that of its schedule is", async () => {
    const check = await newCheck(peal, { every: undefined, cron: "*/10 * * * *", timezone: "Asia/Tokyo", grace: "5m" });
    await ping(peal, check.ping_url);
    minutes(30);
    const { expected_at } = await eventually(
      "an incident",
      async () => (await checkOf(peal, check.id))["incident"] as { expected_at: string } | undefined,
    );
    for (const timeZone of ["America/New_York", "Europe/Berlin", "UTC"]) {
      const slot = new Date(expected_at).toLocaleTimeString("en-GB", { timeZone, timeStyle: "short" });
      expect(words(await page(pathOf(check), `${cookie}; zone=${timeZone}`)).replaceAll(" ,", ",")).toContain(
        `Expected ${slot} ; no check-in then or within the 5 min grace period.`,
      );
    }
  });

  test("shows its log page by page", async () => {
    const check = await newCheck(peal, { name: "long" });
    for (let n = 0; n < 12; n++) await ping(peal, `${check.ping_url}/log`);
    const first = await page(pathOf(check));
    expect(first.match(/log entry/g)).toHaveLength(10);
    const [, older = ""] = /href="([^"]*before=\d+)#log"/.exec(first) ?? [];
    expect((await page(older)).match(/log entry/g)).toHaveLength(2);
  });

  test("is paused and resumed, and says by whom", async () => {
    const check = await newCheck(peal, { every: "1d" });
    const paused = await done(await post(`${pathOf(check)}/pause`));
    expect(paused.path).toBe(pathOf(check));
    expect(paused.text).toContain("Paused. Pings are recorded; no alerts are sent.");
    expect(words(await page(pathOf(check)))).toContain("Paused by Mara since");
    expect(await checkOf(peal, check.id)).toMatchObject({ paused: true, paused_by: "Mara" });
    await done(await post(`${pathOf(check)}/resume`));
    expect(await checkOf(peal, check.id)).toMatchObject({ paused: false });
    expect((await eventsOf(peal, check.id)).map(({ kind, by }) => [kind, by])).toEqual([
      ["paused", "Mara"],
      ["resumed", "Mara"],
    ]);
  });

  test("is acknowledged, snoozed and unsnoozed", async () => {
    const check = await newCheck(peal);
    await ping(peal, `${check.ping_url}/fail`);
    expect((await done(await post(`${pathOf(check)}/ack`))).text).toContain("Mara is on it.");
    await ping(peal, check.ping_url);
    expect((await done(await post(`${pathOf(check)}/ack`))).text).toContain("This incident is already over");
    expect((await done(await post(`${pathOf(check)}/snooze`))).text).toContain("Snoozed for an hour.");
    const until = Date.parse(String((await checkOf(peal, check.id))["muted_until"]));
    expect(until - clock.now()).toBe(HOUR);
    expect(words(await page(pathOf(check)))).toContain("Snoozed until");
    await done(await post(`${pathOf(check)}/unsnooze`));
    expect(await checkOf(peal, check.id)).not.toHaveProperty("muted_until");
  });

  test("sends a test alarm, and says whom that reaches", async () => {
    const check = await newCheck(peal, { topic: "tried" });
    expect((await done(await post(`${pathOf(check)}/test`))).text).toContain(
      "Test alert sent to topic tried. No device follows it.",
    );
    expect(await peal.history({ namespace: "home", key: check.topic })).toMatchObject([{ title: "Test of job" }]);
    expect(words(await page(pathOf(check)))).toContain("Last test");
  });

  test("links to the deliveries of its latest alarm; before there was one, to those of its topic", async () => {
    const check = await newCheck(peal, { topic: "alarms" });
    const key = check.topic;
    const told = async () =>
      /href="([^"]*)">Who was notified/.exec(await page(pathOf(check)))?.[1]?.replace("&amp;", "&");
    expect(await told()).toBe(`/-/deliveries?topic=${key}`);
    const { id = 0 } = (await peal.publish({ namespace: "home", name: "alarms" }, "before")) ?? {};
    await ping(peal, `${check.ping_url}/fail`);
    await ping(peal, check.ping_url);
    const alarm = `/-/deliveries?topic=${key}&message=${id + 1}`;
    expect(await told()).toBe(alarm);
    expect(words(await page(alarm))).toContain("job failed");
    await peal.api("PATCH", `/v1/home/checks/${check.id}`, { topic: "elsewhere" });
    expect(await told()).toBe(alarm);
    await peal.api("DELETE", `/v1/home/${key}/messages/${id + 1}`);
    expect(await told()).not.toContain("message=");
  });

  test("leaves removed devices out of those that its alarm reaches", async () => {
    const check = await newCheck(peal, { topic: "reached" });
    const topic = { namespace: "home", name: "reached", key: check.topic, url: "" };
    const [kept, lost] = [await iphone(peal, [topic], { name: "Kept" }), await iphone(peal, [topic], { name: "Gone" })];
    const told = async () => / If it stays silent (.*?) Sent as /.exec(words(await page(pathOf(check))))?.[1];
    expect(await told()).toContain("notifies 2 devices.");
    await lose(lost);
    expect(await told()).toMatch(/notifies one device\. Kept Gone , lost/);
    expect((await done(await post(`${pathOf(check)}/test`))).text).toContain("topic reached and one device.");
    await lose(kept);
    expect(await told()).toContain("No device follows reached , so nobody would be notified.");
  });

  test("gets another ping URL once the password was given, and the old one still works", async () => {
    const check = await newCheck(peal);
    minutes(11);
    const asked = await get(`${pathOf(check)}/rotate`);
    expect(asked.headers.get("location")).toStartWith("/-/confirm?to=");
    expect((await post(`${pathOf(check)}/rotate`)).headers.get("location")).toStartWith("/-/confirm");
    expect((await checkOf(peal, check.id)).ping_url).toBe(check.ping_url);
    await post("/-/confirm", { password: PASSWORD });
    expect(words(await page(`${pathOf(check)}/rotate`))).toContain("Create a new ping URL for job?");
    const wrong = await post(`${pathOf(check)}/rotate`, { overlap: "soon" });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain(`aria-invalid="true"`);
    const rotated = await post(`${pathOf(check)}/rotate`, { overlap: "1h" });
    expect(decodeURIComponent(rotated.headers.getSetCookie().join())).toContain('"values":["1\u00a0h"]');
    await done(rotated);
    const { ping_url: now } = await checkOf(peal, check.id);
    peal.secrets.add(new URL(now).pathname.split("/").at(-1) ?? "");
    expect(now).not.toBe(check.ping_url);
    expect(await page(pathOf(check))).toContain(now);
    expect(await ping(peal, check.ping_url)).toEqual([200, "ok"]);
  });

  test("is deleted after a confirmation, with everything that belongs to it", async () => {
    const check = await newCheck(peal, { name: "old" });
    await ping(peal, `${check.ping_url}/fail`);
    const asked = words(await page(`${pathOf(check)}/delete`));
    expect(asked).toContain("Delete old?");
    expect(asked).toContain("Its log (2 lines) and 1 incident will be deleted too.");
    expect(asked).toContain("It’s down now: its open alert will be closed with a low-priority message.");
    const gone = await done(await post(`${pathOf(check)}/delete`));
    expect(gone.text).toContain("old deleted.");
    expect((await ping(peal, check.ping_url))[0]).toBe(404);
    expect((await get(pathOf(check))).status).toBe(404);
  });

  test("ignores a form of another site", async () => {
    const check = await newCheck(peal);
    for (const headers of [{ "sec-fetch-site": "cross-site" }, {}])
      expect(
        (await peal.request(`${pathOf(check)}/delete`, { method: "POST", headers: { cookie, ...headers } })).status,
      ).toBe(403);
    expect((await checkOf(peal, check.id)).state).toBe("new");
  });
});
