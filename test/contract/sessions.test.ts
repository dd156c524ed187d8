/** Sessions over HTTP: the cookie, who is let in, where it leads, and how a session ends (WEB.md §1). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { changeOwnPassword } from "../../src/accounts/people.ts";
import { SignInNeeded, visitorOf } from "../../src/accounts/visitor.ts";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { withContext } from "../support/context.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess, type InProcess, type Options } from "../support/server.ts";
import { cookieOf, login, PASSWORD, person, SAME_SITE, signedIn } from "../support/signin.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;

const FROM = { peer: "192.0.2.7", address: "192.0.2.7" };

const page = async (peal: InProcess, path: string, cookie = "", headers: Record<string, string> = {}) =>
  peal.request(path, { headers: { accept: "text/html", cookie, ...headers } });
/** Whether this cookie is signed in. */
const isIn = async (peal: InProcess, cookie: string): Promise<boolean> =>
  (await page(peal, "/-/confirm", cookie)).status === 200;
const post = async (
  peal: InProcess,
  path: string,
  cookie: string,
  fields = {},
  headers: Record<string, string> = SAME_SITE,
) =>
  peal.request(path, {
    method: "POST",
    headers: { accept: "text/html", cookie, ...headers },
    body: new URLSearchParams(fields),
  });
const sessions = async (peal: InProcess, id: string) =>
  (await answer<{ sessions: Record<string, string>[] }>(200, await peal.local(`/-/local/people/${id}/sessions`)))
    .sessions;

describe("the cookie", () => {
  const FORWARDED = { "x-forwarded-proto": "https", "x-forwarded-host": "peal.example" };
  const PROXIED = { host: "peal.example" };
  // prettier-ignore
  const rows: [how: string, env: Options["env"], path: string, headers: Record<string, string>, name: string, where: string, isSecure: boolean][] = [
    ["over http",                         {},                                                      "/-/login",      {},        "peal",            "/",     false],
    ["over https",                        {},                                                      "/-/login",      FORWARDED, "__Host-peal",     "/",     true],
    ["over https below a path",           { PEAL_BASE_URL: "https://peal.example/sub" },           "/sub/-/login",  FORWARDED, "__Secure-peal",   "/sub",  true],
    ["where the proxy cuts the path off", { PEAL_BASE_URL: "https://peal.example/sub" },           "/-/login",      FORWARDED, "__Secure-peal",   "/sub",  true],
    ["where the proxy does not say https", { PEAL_BASE_URL: "https://peal.example" },              "/-/login",      PROXIED,   "__Host-peal",     "/",     true],
    ["past a proxy that speaks https",    { PEAL_BASE_URL: "https://peal.example" },               "/-/login",      {},        "peal",            "/",     false],
    ["over http below a path",            { PEAL_BASE_URL: "http://nas.example/sub" },             "/sub/-/login",  {},        "peal",            "/sub",  false],
    ["where nobody is trusted",           { PEAL_TRUSTED_PROXIES: "none" },                        "/-/login",      FORWARDED, "peal",            "/",     false],
  ];
  test.each(rows)("%s", async (_, env = {}, path, headers, name, where, isSecure) => {
    await using peal = await inProcess({ env });
    await person(peal);
    const answered = await login(peal, {}, { path, headers: { ...SAME_SITE, ...headers } });
    expect(answered.status).toBe(303);
    const [pair = "", ...attributes] = (answered.headers.get("set-cookie") ?? "").split("; ");
    expect(pair).toMatch(new RegExp(`^${name}=[\\w-]{43}$`));
    expect(attributes).toEqual([
      `Path=${where}`,
      "Max-Age=34560000",
      "HttpOnly",
      "SameSite=Lax",
      ...(isSecure ? ["Secure"] : []),
    ]);
    expect(
      (await peal.request(path.replace("login", "confirm"), { headers: { cookie: pair, ...headers } })).status,
    ).toBe(200);
  });

  test("from http is ignored over https, because someone on the network may have set it", async () => {
    await using peal = await inProcess();
    const cookie = await signedIn(peal);
    expect((await page(peal, "/-/confirm", cookie, { "x-forwarded-proto": "https" })).status).toBe(303);
  });

  test("has a new secret after each sign-in, whatever the browser sent; the previous session ends", async () => {
    await using peal = await inProcess();
    const id = await person(peal);
    const planted = `peal=${"A".repeat(43)}`;
    const first = cookieOf(await login(peal, {}, { headers: { ...SAME_SITE, cookie: planted } }));
    expect(first).not.toBe(planted);
    expect(await isIn(peal, planted)).toBe(false);
    const second = cookieOf(await login(peal, {}, { headers: { ...SAME_SITE, cookie: first } }));
    expect([await isIn(peal, first), await isIn(peal, second)]).toEqual([false, true]);
    expect(await sessions(peal, id)).toHaveLength(1);
  });

  test("never opens the API, whoever it belongs to", async () => {
    await using peal = await inProcess();
    const cookie = await signedIn(peal);
    for (const path of ["/v1/keys", "/v1/home/topics", "/v1/home/checks"])
      expect((await peal.request(path, { headers: { cookie } })).status).toBe(401);
    const published = await peal.request("/home/hello", {
      method: "POST",
      body: "x",
      headers: { cookie, ...SAME_SITE },
    });
    expect(published.status).toBe(401);
  });
});

describe("a session", () => {
  test("ends with the sign-out, and the browser deletes the cookie", async () => {
    await using peal = await inProcess();
    const cookie = await signedIn(peal);
    const out = await post(peal, "/-/logout", cookie);
    expect([out.status, out.headers.get("location")]).toEqual([303, "/-/login"]);
    expect(out.headers.get("set-cookie")).toBe("peal=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    expect(await isIn(peal, cookie)).toBe(false);
    expect((await post(peal, "/-/logout", cookie)).status).toBe(303);
  });

  test("ends after 30 days without use, and not before", async () => {
    const clock = heldClock();
    await using peal = await inProcess({ clock });
    const id = await person(peal);
    const cookie = cookieOf(await login(peal));
    clock.advance(29 * DAY);
    expect(await isIn(peal, cookie)).toBe(true);
    await seenNow(peal, id, clock.now());
    clock.advance(30 * DAY - 1);
    expect(await isIn(peal, cookie)).toBe(true);
    await seenNow(peal, id, clock.now());
    clock.advance(29 * DAY);
    const headers = { cookie, accept: "text/html", "peal-again": "1" }; // a request that an open page makes by itself
    expect((await peal.request("/-/", { headers })).status).toBe(200);
    clock.advance(DAY);
    expect(await isIn(peal, cookie)).toBe(false);
    expect(await sessions(peal, id)).toEqual([]);
  });

  test("notes its use at most once in 10 minutes", async () => {
    const clock = heldClock();
    await using peal = await inProcess({ clock });
    const id = await person(peal);
    const cookie = cookieOf(await login(peal));
    const before = (await sessions(peal, id))[0]?.["last_seen_at"];
    clock.advance(10 * MINUTE - 1);
    expect(await isIn(peal, cookie)).toBe(true);
    expect((await sessions(peal, id))[0]?.["last_seen_at"]).toBe(before ?? "");
    clock.advance(1);
    expect(await isIn(peal, cookie)).toBe(true);
    await seenNow(peal, id, clock.now());
  });

  test("is listed with its address and the name of its browser, and ends when it is revoked", async () => {
    await using peal = await inProcess();
    const id = await person(peal);
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
    const cookies = [];
    for (const agent of [firefox, "curl/8.5.0"])
      cookies.push(
        cookieOf(
          await login(peal, {}, { headers: { ...SAME_SITE, "user-agent": agent, "x-forwarded-for": "192.0.2.7" } }),
        ),
      );
    const listed = await sessions(peal, id);
    expect(listed.map(({ address, browser, system }) => [address, browser, system])).toEqual([
      ["192.0.2.7", "curl", undefined],
      ["192.0.2.7", "Firefox", "Linux"],
    ]);
    const [one] = listed.filter(({ browser }) => browser === "curl");
    const ended = await peal.local(`/-/local/people/${id}/sessions/${one?.["id"]}`, { method: "DELETE" });
    expect(ended.status).toBe(204);
    expect(await Promise.all(cookies.map(async (cookie) => isIn(peal, cookie)))).toEqual([true, false]);
    await peal.local(`/-/local/people/${id}/sessions`, { method: "DELETE" });
    expect(await isIn(peal, cookies[0] ?? "")).toBe(false);
  });

  test("ends everywhere when the password is reset, and the old password stops working", async () => {
    await using peal = await inProcess();
    const id = await person(peal);
    const cookies = [cookieOf(await login(peal)), cookieOf(await login(peal))];
    const changed = await peal.local(`/-/local/people/${id}/password`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ password: "another long password" }),
    });
    expect(changed.status).toBe(204);
    for (const cookie of cookies) expect(await isIn(peal, cookie)).toBe(false);
    expect((await login(peal)).status).toBe(422);
    expect((await login(peal, { password: "another long password" })).status).toBe(303);
  });

  test("continues where its person changed the password, with a new secret; all others end", async () => {
    await using peal = await inProcess();
    await person(peal);
    const [own, other] = [cookieOf(await login(peal)), cookieOf(await login(peal))];
    const request = new Request(`${peal.url}/-/settings`, { method: "POST", headers: { cookie: own } });
    withContext(request, { ...FROM, origin: peal.url });
    const visitor = await visitorOf(peal.running.deps, request);
    const short = await changeOwnPassword(peal.running.deps, request, visitor, "hunter2hunt");
    expect(short).toEqual({ faults: { password: { kind: "short", characters: 11 } } });
    expect([await isIn(peal, own), await isIn(peal, other)]).toEqual([true, true]);
    const changed = await changeOwnPassword(peal.running.deps, request, visitor, "another long password");
    const [renewed = ""] = ("cookie" in changed ? (changed.cookie ?? "") : "").split(";");
    expect(renewed).toMatch(/^peal=[\w-]{43}$/);
    expect(await Promise.all([own, other, renewed].map(async (cookie) => isIn(peal, cookie)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("that ended while a new password was being hashed does not change it", async () => {
    await using peal = await inProcess();
    const id = await person(peal);
    const cookie = cookieOf(await login(peal));
    const request = new Request(`${peal.url}/-/settings`, { method: "POST", headers: { cookie } });
    withContext(request, { ...FROM, origin: peal.url });
    const visitor = await visitorOf(peal.running.deps, request);
    expect((await peal.local(`/-/local/people/${id}/sessions`, { method: "DELETE" })).status).toBe(200);
    const changed = changeOwnPassword(peal.running.deps, request, visitor, "a thief's password");
    await changed.then(
      () => expect.unreachable(),
      (error: unknown) => {
        expect(error).toBeInstanceOf(SignInNeeded);
      },
    );
    expect((await login(peal, { password: "a thief's password" })).status).toBe(422);
    expect((await login(peal)).status).toBe(303);
  });

  test("ends when its person is deleted", async () => {
    await using peal = await inProcess();
    await person(peal);
    const id = await person(peal, { name: "jonas", namespaces: ["home"] });
    const cookie = cookieOf(await login(peal, { name: "Jonas" }));
    expect((await peal.local(`/-/local/people/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await isIn(peal, cookie)).toBe(false);
    expect((await login(peal, { name: "jonas" })).status).toBe(422);
  });

  /** The use is written after the answer. */
  const seenNow = async (peal: InProcess, id: string, now: number) =>
    eventually("a note that it is in use", async () => {
      const [session] = await sessions(peal, id);
      return session?.["last_seen_at"] === new Date(now).toISOString();
    });
});

describe("someone who is not signed in", () => {
  test("is redirected to the login, and from there to the requested page", async () => {
    await using peal = await inProcess();
    await person(peal);
    const away = await page(peal, "/-/confirm?ns=home&a=%26b");
    expect([away.status, away.headers.get("location")]).toEqual([
      303,
      `/-/login?to=${encodeURIComponent("/-/confirm?ns=home&a=%26b")}`,
    ]);
    const back = await login(peal, {}, { path: away.headers.get("location") ?? "" });
    expect(back.headers.get("location")).toBe("/-/confirm?ns=home&a=%26b");
  });

  test("gets an explanation after sending a form", async () => {
    await using peal = await inProcess();
    const refused = await post(peal, "/-/confirm", "");
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain("You’re signed out");
    const stream = await peal.request("/-/confirm", { headers: { accept: "text/event-stream" } });
    expect(await answer<{ code: string }>(401, stream)).toMatchObject({ code: "sign_in_needed" });
  });

  test("is redirected to the set-up while there is no admin", async () => {
    await using peal = await inProcess();
    expect((await page(peal, "/-/login")).headers.get("location")).toBe("/-/setup");
  });
});

describe("a sign-in", () => {
  let peal: InProcess;
  let cookie = "";
  beforeAll(async () => {
    peal = await inProcess({ env: { PEAL_BASE_URL: "http://nas.example/sub" } });
    cookie = await signedIn(peal);
  });
  afterAll(async () => peal[Symbol.asyncDispose]());

  // prettier-ignore
  const away: [string, string][] = [
    ["another host",               "https://evil.example/"],
    ["another scheme",             "javascript:alert(1)"],
    ["a host without a scheme",    "//evil.example/-/"],
    ["a host after a backslash",   "/\\evil.example"],
    ["a host after two slashes",   "/-//evil.example/-/"],
    ["a backslash within",         "/-/\\..\\..\\evil.example"],
    ["up and out",                 "/-/../../home"],
    ["up and out, encoded",        "/-/%2e%2e/%2e%2e/home"],
    ["a line end",                 "/-/\r\nset-cookie: a=b"],
    ["a tab",                      "/\t/evil.example"],
    ["what is no page of ours",    "/home/hello"],
    ["a path without a slash",     "evil.example/-/"],
    ["nothing",                    ""],
    ["what is far too long",       `/-/${"a".repeat(5_000)}`],
  ];
  test.each(away)("leads only to the dashboard: not to %s", async (_, to) => {
    const path = `/sub/-/login?to=${encodeURIComponent(to)}`;
    const there = await login(peal, {}, { path });
    expect([there.status, there.headers.get("location")]).toEqual([303, "/sub/-/"]);
    const already = await peal.request(path, { headers: { cookie } });
    expect([already.status, already.headers.get("location")]).toEqual([303, "/sub/-/"]);
  });
});

describe("the password once more", () => {
  test("is required, and leads back", async () => {
    await using peal = await inProcess();
    const cookie = await signedIn(peal);
    const wrong = await post(peal, "/-/confirm?to=/-/keys", cookie, { password: "not this one" });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain("That isn’t your password.");
    const right = await post(peal, "/-/confirm?to=/-/keys", cookie, { password: PASSWORD });
    expect([right.status, right.headers.get("location")]).toEqual([303, "/-/keys"]);
  });
});

test("forms of our own pages are recognized by their origin where the browser sends nothing else", async () => {
  await using peal = await inProcess();
  const cookie = await signedIn(peal);
  expect((await post(peal, "/-/confirm", cookie, { password: PASSWORD }, { origin: peal.url })).status).toBe(303);
});
