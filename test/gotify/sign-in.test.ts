/** Somebody signs in with Gotify's app: who may, what it gets, and how that ends (docs/from-gotify.md). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { deskAs } from "../support/desk.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess, startPeal } from "../support/server.ts";
import { cookieOf, login, PASSWORD, person } from "../support/signin.ts";
import { appWith, checkUrl, Refused, signIn, type App } from "./app.ts";
import { refusal } from "./models.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
await person(peal);
await peal.topic("backups");

const MARA = { name: "mara", password: PASSWORD };

/** What the app is refused with. */
const refused = async (asked: Promise<unknown>): Promise<Refused> => {
  const error: unknown = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refused)) throw new Error(`not refused: ${String(error)}`);
  return error;
};

describe("a person", () => {
  test.each(["", "/", "/v1/gotify", "/v1/gotify/"])(
    "signs in at the server's address with %j behind it",
    async (end) => {
      const app = await signIn(peal.url + end, MARA);
      expect(await app.currentUser()).toMatchObject({ name: "mara", admin: true });
      expect((await app.applications()).map(({ name }) => name)).toContain("backups");
    },
  );

  test("types the name in any case, and a password with letters that the app encodes as ISO-8859-1", async () => {
    await person(peal, { name: "jörg", password: "grüße aus köln", namespaces: ["home"] });
    const app = await signIn(peal.url, { name: "Jörg", password: "grüße aus köln" });
    expect(await app.currentUser()).toMatchObject({ name: "jörg", admin: false });
  });

  test("with a wrong password or an unknown name gets the same answer, which the app shows as wrong", async () => {
    const told = [];
    for (const given of [
      { ...MARA, password: "not her password" },
      { ...MARA, name: "nobody" },
      { ...MARA, password: "" },
    ])
      told.push(await refused(signIn(peal.url, given)));
    expect(told.map(({ code }) => code)).toEqual([401, 401, 401]);
    expect(new Set(told.map(({ description }) => description)).size).toBe(1);
  });

  test("sees the phone among the sessions, and a sign-out there ends its token", async () => {
    const app = await signIn(peal.url, MARA, "Pixel 9 of Mara");
    const desk = deskAs(peal, cookieOf(await login(peal)));
    const { text, html } = await desk.get("/-/settings");
    expect(text).toContain("Gotify on Pixel 9 of Mara");
    const row = html.slice(html.indexOf("Gotify on Pixel 9 of Mara"));
    const [, path = ""] = /action="(\/-\/settings\/sessions\/[^"]+\/end)/.exec(row) ?? [];
    await desk.done(path);
    expect((await refused(app.currentUser())).code).toBe(401);
    expect((await desk.get("/-/settings")).text).not.toContain("Pixel 9 of Mara");
  });

  test.each([
    ["2.9.0", ""],
    ["2.10.1", ""],
    ["2.10.1", "/v1/gotify"],
  ] as const)(
    "signs out on the phone, as version %s does at the address with %j behind it, and its token alone ends",
    async (version, end) => {
      const [phone, tablet] = [
        await signIn(peal.url + end, MARA, "phone"),
        await signIn(peal.url + end, MARA, "tablet"),
      ];
      const seen = await phone.clients();
      expect(seen.map(({ name }) => name)).toEqual(expect.arrayContaining(["phone", "tablet"]) as never);
      expect(seen.flatMap(({ token }) => token ?? [])).toEqual([phone.token]);
      expect(await phone.signOut(version)).toBe(true);
      expect((await refused(phone.currentUser())).code).toBe(401);
      expect(await tablet.currentUser()).toMatchObject({ name: "mara" });
    },
  );

  test("signs out another phone by the password, and not by a token, which the log of a proxy may have", async () => {
    const [phone, stolen] = [await signIn(peal.url, MARA, "phone"), await signIn(peal.url, MARA, "stolen")];
    const seen = (await phone.clients()).find(({ name }) => name === "stolen");
    expect((await refused(phone.delete(`client/${seen?.id}`))).code).toBe(403);
    expect(await stolen.currentUser()).toMatchObject({ name: "mara" });
    const headers = { authorization: `Basic ${btoa(`mara:${PASSWORD}`)}` };
    expect((await peal.request("/auth/logout", { method: "POST", headers })).status).toBe(404);
    expect((await peal.request(`/client/${seen?.id}`, { method: "DELETE", headers })).status).toBe(200);
    expect((await refused(stolen.currentUser())).code).toBe(401);
    expect(await phone.currentUser()).toMatchObject({ name: "mara" });
  });

  test("with a new password is signed out on the phone, and with fewer namespaces sees fewer topics", async () => {
    const id = await person(peal, { name: "noor", namespaces: ["home"] });
    const app = await signIn(peal.url, { name: "noor", password: PASSWORD });
    expect(await app.applications()).not.toEqual([]);
    await answer(201, await peal.local("/-/local/namespaces", json("POST", { name: "work" })));
    await answer(200, await peal.local(`/-/local/people/${id}`, json("PATCH", { namespaces: ["work"] })));
    expect(await app.applications()).toEqual([]);
    await peal.local(`/-/local/people/${id}/password`, json("PUT", { password: "a new long password" }));
    expect((await refused(app.currentUser())).code).toBe(401);
  });

  test("has 30 days: a token that nobody used for longer has ended, and use prolongs it", async () => {
    const clock = heldClock();
    await using held = await inProcess({ clock });
    const id = await person(held);
    const { accounts } = held.running.deps.store;
    const app = await signIn(held.url, MARA, "phone");
    const days = (n: number) => {
      clock.jump(n * 86_400_000);
    };
    for (let times = 0; times < 3; times++) {
      days(20);
      expect(await app.clients()).toMatchObject([{ name: "phone" }]);
      await eventually("its use is noted", async () => (await accounts.sessions(id))[0]?.seenAt === clock.now());
    }
    days(31);
    expect((await refused(app.currentUser())).code).toBe(401);
  });
});

describe("a client token", () => {
  test("of a person opens no page, is no API key, and makes no other token", async () => {
    const app = await signIn(peal.url, MARA);
    const { status, headers } = await peal.request("/-/", {
      headers: { cookie: `peal=${app.token}`, accept: "text/html" },
    });
    expect([status, headers.get("location")]).toEqual([303, "/-/login?to=%2F-%2F"]);
    const bearer = { authorization: `Bearer ${app.token}` };
    expect((await peal.request("/v1/home/topics", { headers: bearer })).status).toBe(401);
    expect((await peal.request("/home/backups", { method: "POST", body: "no", headers: bearer })).status).toBe(401);
    const more = await peal.request("/client", json("POST", { name: "more" }, bearer));
    expect(refusal(await answer(403, more)).errorDescription).toContain("password");
  });

  test("is not what a browser's cookie contains", async () => {
    const [, secret = ""] = cookieOf(await login(peal)).split("=");
    for (const token of [secret, `C${secret}`])
      expect((await refused(appWith(peal.url, token).currentUser())).code).toBe(401);
  });

  test("may come in any of the three places where Gotify looks", async () => {
    const { token } = await signIn(peal.url, MARA);
    for (const [query, headers] of [
      [`?token=${token}`, {}],
      ["", { "x-gotify-key": token }],
      ["", { authorization: `Bearer ${token}` }],
    ] as const)
      expect(await answer<object>(200, await peal.request(`/current/user${query}`, { headers }))).toMatchObject({
        name: "mara",
      });
  });
});

describe("an API key as the password", () => {
  const minted = async (scope: string, more = {}) =>
    answer<{ id: string; key: string }>(201, await peal.api("POST", "/v1/keys", { scope, name: "phone", ...more }));

  test.each(["read", "full", "admin"])(
    "of scope %s signs in, and the phone keeps a token that only reads",
    async (scope) => {
      const { id, key } = await minted(scope);
      const app = await signIn(peal.url, { name: "anything", password: key });
      expect(await app.currentUser()).toMatchObject({ name: "phone", admin: false });
      expect((await app.applications()).map(({ name }) => name)).toContain("backups");
      expect(app.token).not.toContain(key);
      const bearer = { authorization: `Bearer ${app.token}` };
      expect((await peal.request("/home/backups", { method: "POST", body: "no", headers: bearer })).status).toBe(401);

      // signing out leaves the key, which something else may use
      for (const version of ["2.9.0", "2.10.1"] as const) expect((await refused(app.signOut(version))).code).toBe(403);
      expect(await app.currentUser()).toMatchObject({ name: "phone" });
      expect((await peal.api("DELETE", `/v1/keys/${id}`)).status).toBe(204);
      expect((await refused(app.currentUser())).code).toBe(401);
    },
  );

  test("that only publishes is refused, as is one that has expired", async () => {
    const { key } = await minted("publish");
    expect((await refused(signIn(peal.url, { name: "x", password: key }))).code).toBe(403);
    const clock = heldClock();
    await using held = await inProcess({ clock });
    const expires_at = new Date(clock.now() + 60_000).toISOString();
    const short = await answer<{ key: string }>(201, await held.api("POST", "/v1/keys", { scope: "read", expires_at }));
    const app = await signIn(held.url, { name: "x", password: short.key });
    clock.advance(61_000);
    expect((await refused(app.currentUser())).code).toBe(401);
    expect((await refused(signIn(held.url, { name: "x", password: short.key }))).code).toBe(401);
  });

  test("may take the token's place in a header, and never in an address, where logs would have it", async () => {
    const { key } = await minted("read");
    expect(await appWith(peal.url, key).applications()).not.toEqual([]);
    expect((await peal.request(`/current/user?token=${key}`)).status).toBe(401);
  });

  test("derives the same token each time, which nobody can make without the server's secret", async () => {
    const { key } = await minted("read");
    const [one, other] = [
      await signIn(peal.url, { name: "a", password: key }),
      await signIn(peal.url, { name: "b", password: key }),
    ];
    expect(one.token).toBe(other.token);
    const forged = one.token.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect((await refused(appWith(peal.url, forged).currentUser())).code).toBe(401);
  });
});

test("guessing is slowed down as at the login page, and a phone that is signed in goes on", async () => {
  await using strict = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_AUTH: "3/m:3" } });
  await person(strict);
  const app: App = await signIn(strict.url, MARA);
  for (let times = 0; times < 3; times++)
    expect((await refused(signIn(strict.url, { ...MARA, password: `guess ${times}` }))).code).toBe(401);
  const last = await refused(signIn(strict.url, { ...MARA, password: "guess" }));
  expect(last.code).toBe(429);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await app.currentUser()).toMatchObject({ name: "mara" });
});

test("the password never is in the log, nor is the token that the app puts into an address", async () => {
  await using real = await startPeal({ env: { PEAL_LOG: "debug" } });
  await person(real);
  const app = await signIn(real.url, MARA);
  const stream = await app.stream();
  stream.close();
  await refused(signIn(real.url, { ...MARA, password: "not her password" }));
  const logs = real.logs();
  expect(logs).toContain("authentication failed");
  for (const secret of [PASSWORD, app.token, "not her password"]) expect(logs).not.toContain(secret);
});

test("a server that nobody has claimed says so to the app, which shows the code", async () => {
  await using empty = await inProcess({ unclaimed: true });
  const { status } = await empty.request("/version");
  expect(status).toBe(503);
});

test("the app finds the server below a path, and its icons there, without a token", async () => {
  await using below = await inProcess({ env: { PEAL_BASE_URL: "http://nas.example/peal" } });
  await person(below);
  await below.topic("backups");
  for (const path of ["/peal", "/peal/v1/gotify", ""]) {
    expect(await checkUrl(below.url + path)).toMatchObject({ version: expect.any(String) as string });
    const app = await signIn(below.url + path, MARA);
    const [topic] = await app.applications();
    // `Utils.resolveAbsoluteUrl`
    const icon = await fetch(new URL(topic?.image ?? "", `${below.url}${path}/`));
    expect([path, icon.status, icon.headers.get("content-type")]).toEqual([path, 200, "image/png"]);
  }
});

test("whoever is unknown to the server gets nothing of it", async () => {
  for (const path of ["current/user", "client", "application", "message", "application/1/message", "stream"])
    for (const base of ["/", "/v1/gotify/"]) {
      const plain = await peal.request(base + path);
      expect([path, plain.status, refusal(await plain.json()).errorDescription]).toEqual([
        path,
        401,
        expect.stringContaining("Sign in") as string,
      ]);
      const { status } = await peal.request(base + path, { headers: { "x-gotify-key": "CwrongToken1234" } });
      expect([path, status]).toEqual([path, 401]);
    }
});

function json(method: string, body: object, headers: Record<string, string> = {}): RequestInit {
  return { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}
