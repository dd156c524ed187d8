/** Reading checks: lists, logs, previews and badges, and who may read them (CHECKINS.md §3). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { actOn, checkOf, eventsOf, newCheck, ping, type TestCheck, type TestEvent } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { begin, statuses } from "../support/raw.ts";
import { inProcess, startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

const NOBODY = "0123456789abcdefghjkmnpqrs";

describe("the list", () => {
  interface List {
    checks: TestCheck[];
    has_more: boolean;
    next_after?: string;
  }

  test("has the checks of the namespace by name, page by page, and those with a tag", async () => {
    await using own = await startPeal();
    const list = async (query = "") => answer<List>(200, await own.api("GET", `/v1/home/checks${query}`));
    const names = async (query = "") => (await list(query)).checks.map(({ name }) => name);
    expect(await list()).toEqual({ checks: [], has_more: false });
    const made = [];
    for (const name of ["c", "a & b.c=d", "B", "a & b.c=d", "ü"])
      made.push(await newCheck(own, { name, tags: name === "c" ? ["x"] : ["x", "y"] }));
    expect((await list()).checks).toContainEqual(made[0] as TestCheck);
    expect(await names()).toEqual(["B", "a & b.c=d", "a & b.c=d", "c", "ü"]);

    const seen: string[] = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const page: List = await list(`?limit=1&after=${encodeURIComponent(after)}`);
      seen.push(...page.checks.map(({ id }) => id));
      expect(page.has_more).toBe(page.next_after !== undefined);
      after = page.next_after;
    }
    expect([seen.length, new Set(seen).size]).toEqual([5, 5]);

    expect(await names("?tag=y")).toEqual(["B", "a & b.c=d", "a & b.c=d", "ü"]);
    expect(await list("?tag=y&limit=4")).toMatchObject({ has_more: false });
    expect(await names("?tag=nobody")).toEqual([]);
    for (const [query, code] of [
      ["?limit=0", "invalid_limit"],
      ["?limit=201", "invalid_limit"],
      ["?after=x", "invalid_after"],
      [`?after=${NOBODY}`, "invalid_after"],
      [`?tag=${"x".repeat(33)}`, "invalid_tag"],
    ] as const)
      expect(await answer(400, await own.api("GET", `/v1/home/checks${query}`))).toMatchObject({ code });
  });

  test("is not cached, nor is a record: both contain the ping URL", async () => {
    const { id } = await newCheck(peal);
    for (const path of ["", `/${id}`])
      expect((await peal.api("GET", `/v1/home/checks${path}`)).headers.get("cache-control")).toBe("no-store");
    expect((await peal.api("GET", "/v1/home/ping-key")).headers.get("cache-control")).toBe("no-store");
  });
});

describe("the log", () => {
  test("has its latest 100 events, newest first, page by page", async () => {
    const { id, ping_url } = await newCheck(peal);
    for (let n = 0; n < 103; n++) await ping(peal, `${ping_url}/log`);
    const page = async (query: string) =>
      answer<{ events: TestEvent[]; has_more: boolean; next_before?: number }>(
        200,
        await peal.api("GET", `/v1/home/checks/${id}/events${query}`),
      );
    const numbers = async (query: string) => (await page(query)).events.map(({ n }) => n);
    expect(await numbers("")).toEqual(Array.from({ length: 50 }, (_, i) => 103 - i));
    expect(await page("")).toMatchObject({ has_more: true, next_before: 54 });
    expect(await numbers("?before=54")).toEqual(Array.from({ length: 50 }, (_, i) => 53 - i));
    expect(await page("?before=54")).toMatchObject({ has_more: false });
    expect(await numbers("?limit=2&before=103")).toEqual([102, 101]);
    expect(await numbers("?before=0")).toEqual([]);
    for (const [query, code] of [
      ["?limit=0", "invalid_limit"],
      ["?limit=101", "invalid_limit"],
      ["?before=x", "invalid_before"],
    ] as const)
      expect(await answer(400, await peal.api("GET", `/v1/home/checks/${id}/events${query}`))).toMatchObject({ code });
  });

  test("names who pinged, with at most 200 characters of a name", async () => {
    const { id, ping_url } = await newCheck(peal);
    await ping(peal, `${ping_url}/log`, {
      headers: { "user-agent": "x".repeat(300), "x-forwarded-for": "203.0.113.7" },
    });
    const [event] = await eventsOf(peal, id);
    expect(event).toMatchObject({ method: "GET", address: "203.0.113.7", user_agent: "x".repeat(200) });
  });

  test("of incidents is sorted newest first, page by page", async () => {
    const { id, ping_url } = await newCheck(peal);
    for (let n = 0; n < 3; n++) for (const path of ["/fail", "/0"]) await ping(peal, ping_url + path);
    const page = async (query: string) =>
      answer<{ incidents: { n: number }[] }>(200, await peal.api("GET", `/v1/home/checks/${id}/incidents${query}`));
    expect((await page("")).incidents.map(({ n }) => n)).toEqual([3, 2, 1]);
    expect(await page("?limit=2")).toMatchObject({ incidents: [{ n: 3 }, { n: 2 }], has_more: true, next_before: 2 });
    expect(await page("?before=2")).toMatchObject({ incidents: [{ n: 1 }], has_more: false });
    expect(await answer(400, await peal.api("GET", `/v1/home/checks/${id}/incidents?limit=x`))).toMatchObject({
      code: "invalid_limit",
    });
  });
});

describe("a preview", () => {
  const preview = async (query: string) => peal.api("GET", `/v1/home/checks/preview?${query}`);

  test("shows the next five slots in the zone", async () => {
    const { cron, timezone, slots } = await answer<{ cron: string; timezone: string; slots: string[] }>(
      200,
      await preview("cron=30+2+*+*+*&timezone=asia/kolkata"),
    );
    expect([cron, timezone, slots.length]).toEqual(["30 2 * * *", "Asia/Kolkata", 5]);
    for (const slot of slots) expect(slot).toEndWith("T21:00:00.000Z"); // 02:30 there, on every day
    expect(slots.toSorted()).toEqual(slots);
    expect(Date.parse(slots[0] ?? "")).toBeGreaterThan(Date.now());
    expect(Date.parse(slots[4] ?? "") - Date.parse(slots[0] ?? "")).toBe(4 * 86_400_000);
  });

  // prettier-ignore
  test.each([
    ["",                                        "invalid_cron"],
    ["cron=",                                   "invalid_cron"],
    ["cron=every+day",                          "invalid_cron"],
    ["cron=0+0+31+4+*",                         "invalid_cron"],
    [`cron=${"1,".repeat(60)}`,                 "invalid_cron"],
    ["cron=@daily&timezone=Nowhere",            "invalid_timezone"],
    [`cron=@daily&timezone=${"x".repeat(65)}`,  "invalid_timezone"],
  ])("of %s is refused", async (query, code) => {
    expect(await answer(400, await preview(query))).toMatchObject({ code });
  });
});

describe("a badge", () => {
  const badge = async (url: string) => answer<{ state: string }>(200, await peal.request(url.replace(/svg$/, "json")));

  test("shows the state to anyone, and nothing else", async () => {
    const { id, ping_url, badge_url, name } = await newCheck(peal, { name: "secret-name", every: "10s", grace: "1h" });
    expect(await badge(badge_url)).toEqual({
      ...{ state: "new", schemaVersion: 1, label: "check", message: "new", color: "lightgrey" },
    });
    await ping(peal, ping_url);
    expect(await badge(badge_url)).toMatchObject({ state: "up", color: "brightgreen" });
    await ping(peal, `${ping_url}/fail`);
    expect(await badge(badge_url)).toMatchObject({ state: "down", color: "red" });
    const response = await peal.request(badge_url);
    const svg = await response.text();
    expect(svg).toContain(">down</text>");
    for (const secret of [id, String(name), ping_url.slice(-26), badge_url.slice(-30, -4)])
      expect(svg).not.toContain(secret);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=30",
      "access-control-allow-origin": "*",
    });
    await actOn(peal, id, "pause");
    expect(await badge(badge_url)).toMatchObject({ state: "paused" });
  });

  test("of a check whose slot has passed is late, and so is the check", async () => {
    const clock = heldClock();
    await using own = await inProcess({ clock });
    const { id, badge_url } = await newCheck(own, { every: "10s", grace: "1h", armed: true });
    const state = async () => {
      const shown = await answer<{ state: string }>(200, await own.request(badge_url.replace(/svg$/, "json")));
      return [shown.state, (await checkOf(own, id))["late"]];
    };
    clock.advance(9_999);
    expect(await state()).toEqual(["new", false]);
    clock.advance(1);
    expect(await state()).toEqual(["late", true]);
  });

  test("has a label that the reader chooses, which is treated as plain text", async () => {
    const { badge_url } = await newCheck(peal);
    const label = `"><script>alert(1)</script>&`;
    const svg = await (await peal.request(`${badge_url}?label=${encodeURIComponent(label)}`)).text();
    expect(svg).not.toContain("<script");
    expect(svg).toContain(Bun.escapeHTML(label));
    expect(await badge(badge_url)).toMatchObject({ label: "check" });
    expect(await answer(400, await peal.request(`${badge_url}?label=${"x".repeat(41)}`))).toMatchObject({
      code: "invalid_label",
    });
  });

  test("is found only by its own token", async () => {
    const { id, ping_url, badge_url } = await newCheck(peal);
    const of = (token: string) => `/v1/home/badges/${token}.svg`;
    const strange = [
      of(NOBODY),
      of(id),
      of(ping_url.slice(-26)),
      badge_url.slice(0, -4),
      badge_url.replace("home", "away"),
    ];
    for (const url of [...strange, `${badge_url}x`, badge_url.replace(/svg$/, "png"), "/v1/home/badges/%E0%A4%A"])
      expect(await answer(404, await peal.request(url))).toMatchObject({ code: "not_found" });
  });
});

describe("access", () => {
  const paths = (id: string) =>
    [
      ["GET", "/v1/NS/checks"],
      ["POST", "/v1/NS/checks"],
      ["GET", "/v1/NS/checks/preview?cron=@daily"],
      ["GET", "/v1/NS/ping-key"],
      ["POST", "/v1/NS/ping-key/rotate"],
      ["GET", `/v1/NS/checks/${id}`],
      ["PATCH", `/v1/NS/checks/${id}`],
      ["DELETE", `/v1/NS/checks/${id}`],
      ...["pause", "resume", "snooze", "ack", "rotate", "test"].map((what) => ["POST", `/v1/NS/checks/${id}/${what}`]),
      ...["events", "events/1/body", "incidents"].map((what) => ["GET", `/v1/NS/checks/${id}/${what}`]),
    ] as [method: string, path: string][];

  test("is refused without a key, with a key that only publishes, and with one of another namespace", async () => {
    const check = await newCheck(peal);
    const { key } = await peal.mint("publish");
    for (const [method, template] of paths(check.id)) {
      const path = template.replace("NS", "home");
      const authorization = `Bearer ${key}`;
      const codes = [
        await answer<{ code: string }>(401, await peal.request(path, { method })),
        await answer<{ code: string }>(403, await peal.request(path, { method, headers: { authorization } })),
        await answer<{ code: string }>(403, await peal.api(method, template.replace("NS", "away"))),
      ];
      expect([path, ...codes.map(({ code }) => code)]).toEqual([
        path,
        "missing_key",
        "insufficient_scope",
        "wrong_namespace",
      ]);
    }
    expect(await answer<TestCheck>(200, await peal.api("GET", `/v1/home/checks/${check.id}`))).toEqual(check);
  });

  test("is refused to a key of one namespace for a check of another", async () => {
    const { id, ping_url } = await newCheck(peal, { slug: "mine" });
    await peal.local("/-/local/namespaces", { method: "POST", body: '{"name":"other"}' });
    const minted = await peal.local("/v1/keys?namespace=other", { method: "POST", body: '{"scope":"full"}' });
    const { key } = await answer<{ key: string }>(201, minted);
    const authorization = `Bearer ${key}`;
    for (const [method, template] of paths(id).slice(5)) {
      const response = await peal.request(template.replace("NS", "other"), { method, headers: { authorization } });
      expect(await answer(404, response)).toMatchObject({ code: "unknown_check" });
    }
    const other = await peal.request("/v1/other/ping-key", { headers: { authorization } });
    const { ping_url: byKey } = await answer<{ ping_url: string }>(200, other);
    expect(await ping(peal, `${byKey}/mine`)).toEqual([404, "not found"]);
    expect(await ping(peal, ping_url)).toEqual([200, "ok"]);
  });

  test("is refused for an invalid id", async () => {
    for (const id of ["x", NOBODY, NOBODY.toUpperCase(), "preview", "%E0%A4%A", "topics"]) {
      const problem = await answer<{ code: string }>(404, await peal.api("POST", `/v1/home/checks/${id}/pause`));
      expect([id, problem.code]).toEqual([id, "unknown_check"]);
    }
  });

  test("is refused when the key is revoked while the body is held back", async () => {
    const { id } = await newCheck(peal);
    for (const [method, path, body] of [
      ["POST", "/v1/home/checks", '{"name":"withheld"}'],
      ["PATCH", `/v1/home/checks/${id}`, '{"name":"withheld"}'],
      ["POST", `/v1/home/checks/${id}/snooze`, '{"for":"1h"}'],
      ["POST", `/v1/home/checks/${id}/rotate`, "{}"],
    ] as const) {
      const { id: keyId, key } = await peal.mint("full");
      const { finish } = await begin(
        peal.url,
        method,
        path,
        { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
      );
      expect((await peal.api("DELETE", `/v1/keys/${keyId}`)).status).toBe(204);
      const heard = await finish();
      expect([path, statuses(heard)]).toEqual([path, [401]]);
    }
    const { checks } = await answer<{ checks: TestCheck[] }>(200, await peal.api("GET", "/v1/home/checks?limit=200"));
    expect(checks.map(({ name }) => name)).not.toContain("withheld");
  });
});
