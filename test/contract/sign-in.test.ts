/** Signing in: names and passwords, tries, the name that a proxy sets, and the last admin (WEB.md §1). */
import { describe, expect, spyOn, test } from "bun:test";
import { requireConfirmed, sees, type Visitor } from "../../src/accounts/visitor.ts";
import type { NamespaceId } from "../../src/keys/namespace.ts";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { cookieOf, login, PASSWORD, person, SAME_SITE, signedIn } from "../support/signin.ts";

const make = async (peal: InProcess, body: object) =>
  peal.local("/-/local/people", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const change = async (peal: InProcess, id: string, body: object) =>
  peal.local(`/-/local/people/${id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const admin = { admin: true, password: PASSWORD };

test("names and passwords are normalised, and their limits are explained", async () => {
  await using peal = await inProcess();
  // prettier-ignore
  const taken: [what: string, body: object, name: string][] = [
    ["blanks around",           { ...admin, name: "  Mara  " },                        "Mara"],
    ["64 letters, wide ones",   { ...admin, name: "🎉".repeat(64) },                   "🎉".repeat(64)],
    ["an emoji of three",       { ...admin, name: "Noor 👩‍💻" },                         "Noor 👩‍💻"],
    ["a script with joiners",   { ...admin, name: "علی‌رضا" },                          "علی‌رضا"],
    ["an accent in two parts",  { ...admin, name: "Jose\u0301" },                      "José"],
    ["12 characters",           { name: "short", admin: true, password: "a".repeat(12) }, "short"],
    ["1,024 bytes",             { name: "long", admin: true, password: "ü".repeat(512) }, "long"],
  ];
  for (const [, body, name] of taken) expect(await answer<object>(201, await make(peal, body))).toMatchObject({ name });
  // prettier-ignore
  const refused: [what: string, body: object, status: number, path: string | undefined][] = [
    ["the same name",           { ...admin, name: "mARA" },                            409, undefined],
    ["the same, written wide",  { ...admin, name: "Ｍara" },                            409, undefined],
    ["the same accent",         { ...admin, name: "JOSÉ" },                            409, undefined],
    ["no name",                 { ...admin, name: "   " },                             422, "/name"],
    ["65 letters",              { ...admin, name: "a".repeat(65) },                    422, "/name"],
    ["a line end within",       { ...admin, name: "a\nb" },                            422, "/name"],
    ["a turn of the direction", { ...admin, name: "a\u202Eb" },                        422, "/name"],
    ["nothing that is seen",    { ...admin, name: "\u200B" },                          422, "/name"],
    ["a name and nothing seen", { ...admin, name: "Mara\u2060" },                      422, "/name"],
    ["a joiner between letters that need none", { ...admin, name: "Ma\u200Dra" },      422, "/name"],
    ["11 characters",           { name: "x", admin: true, password: "a".repeat(11) },  422, "/password"],
    ["11 of two parts each",    { name: "x", admin: true, password: "e\u0301".repeat(11) }, 422, "/password"],
    ["1,025 bytes",             { name: "x", admin: true, password: "a".repeat(1_025) }, 422, "/password"],
    ["a namespace of nobody",   { name: "x", admin: false, password: PASSWORD, namespaces: ["nowhere"] }, 422, "/namespaces"],
  ];
  for (const [what, body, status, path] of refused) {
    const { errors } = await answer<{ errors?: { path: string }[] }>(status, await make(peal, body));
    expect([what, errors?.[0]?.path]).toEqual([what, path]);
  }
  // typed on another system, with the accent as a separate character
  await make(peal, { ...admin, name: "nfc", password: "résumé résumé" });
  expect((await login(peal, { name: "NFC", password: "résumé résumé".normalize("NFD") })).status).toBe(303);
});

test("the answer is the same for no name, no password, and a wrong password", async () => {
  await using peal = await inProcess();
  await person(peal);
  await make(peal, { name: "byproxy", admin: false });
  const pages = [];
  for (const [name, password] of [
    ["mara", "not her password"],
    ["nobody", "not her password"],
    ["byproxy", "not her password"],
    ["mara", ""],
    ["mara", "a".repeat(1_025)],
  ] as const) {
    const refused = await login(peal, { name, password });
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([422, null]);
    pages.push((await refused.text()).replaceAll(name, "NAME"));
  }
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]).toContain("Name and password don’t match.");
});

test("takes the same time whether the person exists or not, and two are checked at once", async () => {
  await using peal = await inProcess();
  await make(peal, { ...admin, name: "mara" });
  await make(peal, { name: "byproxy", admin: false });
  const costs: string[] = [];
  let running = 0;
  let most = 0;
  using spy = spyOn(Bun.password, "verify");
  spy.mockImplementation(async (_, hash) => {
    most = Math.max(most, (running += 1));
    const whole = hash as string;
    costs.push(whole.slice(0, whole.indexOf("p=1")));
    await eventually("another that is checked meanwhile", () => most > 1);
    await new Promise(setImmediate);
    running -= 1;
    return false;
  });
  const names = ["mara", "nobody", "byproxy", "Mara", "", "x".repeat(100)];
  await Promise.all(
    names.map(async (name, n) => {
      const headers = { ...SAME_SITE, "x-forwarded-for": `192.0.2.${n}` }; // each address waits only once
      return login(peal, { name, password: "not her password" }, { headers });
    }),
  );
  expect(costs).toEqual(names.map(() => "$argon2id$v=19$m=19456,t=2,"));
  expect(most).toBe(2);
});

describe("tries", () => {
  test("are limited per address, and the page counts them down", async () => {
    const clock = heldClock();
    await using peal = await inProcess({ clock, env: { PEAL_LIMITS_AUTH: "10/m:3" } });
    await person(peal);
    const seen = [];
    for (let n = 0; n < 3; n++) {
      const refused = await login(peal, { password: "not her password" });
      seen.push(/(\d+)\u00a0more att/.exec(await refused.text())?.[1]);
    }
    expect(seen).toEqual(["2", "1", "0"]);
    const late = await login(peal);
    expect([late.status, late.headers.get("retry-after")]).toEqual([429, "6"]);
    expect(await late.text()).toContain("Too many requests");
    clock.advance(6_000);
    expect((await login(peal)).status).toBe(303);
  });

  test("are limited per name, from any address, also for unknown names", async () => {
    await using peal = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_AUTH: "1/m:1" } });
    await person(peal);
    const from = async (n: number, name: string) =>
      (
        await login(
          peal,
          { name, password: "not her password" },
          { headers: { ...SAME_SITE, "x-forwarded-for": `192.0.2.${n}` } },
        )
      ).status;
    for (const [base, name] of [
      [0, "mara"],
      [10, "nobody"],
    ] as const)
      expect([
        await from(base + 1, name),
        await from(base + 2, name.toUpperCase()),
        await from(base + 3, ` ${name}`),
        await from(base + 4, name),
        await from(base + 5, name),
      ]).toEqual([422, 422, 422, 422, 429]);
    expect(await from(1, "somebody else")).toBe(429);
    expect(await from(20, "somebody else")).toBe(422);
  });

  test("of the password when it is asked for once more count too", async () => {
    await using peal = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_AUTH: "2/m:2" } });
    const cookie = await signedIn(peal);
    const statuses = [];
    for (const password of [PASSWORD, "not this", "not this", PASSWORD])
      statuses.push(
        (
          await peal.request("/-/confirm", {
            method: "POST",
            headers: { cookie, ...SAME_SITE },
            body: new URLSearchParams({ password }),
          })
        ).status,
      );
    expect(statuses).toEqual([303, 422, 422, 429]);
  });

  test("that are right do not count, even with spaces around the name", async () => {
    await using peal = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_AUTH: "1/m:1" } });
    await person(peal);
    for (const name of ["mara", "mara ", " Mara", "mara"]) expect((await login(peal, { name })).status).toBe(303);
    expect((await login(peal, { password: "not her password" })).status).toBe(422);
    expect((await login(peal)).status).toBe(429);
  });

  test("of strangers keep no one out where they are signed in, and do not keep their session from confirming", async () => {
    await using peal = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_AUTH: "1/m:1" } });
    await person(peal);
    const from = (address: string) => ({ headers: { ...SAME_SITE, "x-forwarded-for": address } });
    const cookie = cookieOf(await login(peal, {}, from("2001:db8:0:1::1")));
    for (const n of [1, 2, 3, 4])
      expect((await login(peal, { password: "not her password" }, from(`192.0.2.${n}`))).status).toBe(422);
    expect((await login(peal, {}, from("192.0.2.9"))).status).toBe(429);
    expect((await login(peal, {}, from("2001:db8:0:1::2"))).status).toBe(303);
    const confirmed = await peal.request("/-/confirm", {
      method: "POST",
      headers: { cookie, ...from("192.0.2.10").headers },
      body: new URLSearchParams({ password: PASSWORD }),
    });
    expect(confirmed.status).toBe(303);
  });
});

describe("the name that a proxy sets", () => {
  const ENV = { PEAL_AUTH_HEADER: "Remote-User" };
  const asked = async (peal: InProcess, headers: Record<string, string>) => {
    const answered = await peal.request("/-/login", { headers: { accept: "text/html", ...headers } });
    return [answered.status, answered.headers.get("location")];
  };

  test("is signed in without a password, in any case of the name; no cookie overrides it", async () => {
    await using peal = await inProcess({ env: ENV });
    const cookie = await signedIn(peal);
    await make(peal, { name: "José", admin: false });
    const utf8 = Buffer.from("José").toString("latin1");
    for (const name of ["MARA", " mara ", utf8])
      expect(await asked(peal, { "remote-user": name })).toEqual([303, "/-/"]);
    expect(await asked(peal, { "remote-user": "" })).toEqual([200, null]);
    // and is not asked for a password, which they may not have
    const confirm = await peal.request("/-/confirm?to=/-/keys", { headers: { "remote-user": "José" } });
    expect(confirm.headers.get("location")).toBe("/-/keys");
    expect(await asked(peal, { cookie, "remote-user": "nobody" })).toEqual([403, null]);
  });

  test("is told, if unknown, which name an admin has to add", async () => {
    await using peal = await inProcess({ env: ENV });
    await person(peal);
    const away = await peal.request("/-/confirm", { headers: { "remote-user": "eve" } });
    expect(away.headers.get("location")).toBe("/-/login?to=%2F-%2Fconfirm");
    const told = await peal.request("/-/login", {
      headers: { accept: "text/html", "remote-user": "<b>eve's</b>; rm -r" },
    });
    expect(told.status).toBe(403);
    const text = await told.text();
    expect(text).toContain("There’s no one named “&lt;b&gt;eve&#x27;s&lt;/b&gt;; rm -r”");
    // quoted so that a shell takes it as one word
    expect(text).toContain("-- &#x27;&lt;b&gt;eve&#x27;\\&#x27;&#x27;s&lt;/b&gt;; rm -r&#x27;</code>");
    expect(text).not.toContain("<b>eve");
  });

  test.each([
    ["an address that is not trusted", { ...ENV, PEAL_TRUSTED_PROXIES: "192.0.2.1" }],
    ["nobody, as no header is set", {}],
  ])("has no effect from %s", async (_, env) => {
    await using peal = await inProcess({ env });
    await person(peal);
    const headers = { "remote-user": "mara", "x-forwarded-for": "192.0.2.1" };
    expect(await asked(peal, headers)).toEqual([200, null]);
    expect((await peal.request("/-/confirm", { headers })).status).toBe(303);
  });

  test("may only use forms of our own pages, like everyone", async () => {
    await using peal = await inProcess({ env: ENV });
    await person(peal);
    const headers = { "remote-user": "mara", "sec-fetch-site": "cross-site" };
    expect((await peal.request("/-/confirm", { method: "POST", headers, body: "" })).status).toBe(403);
  });

  test("is never let into the API", async () => {
    await using peal = await inProcess({ env: ENV });
    await person(peal);
    expect((await peal.request("/v1/keys", { headers: { "remote-user": "mara" } })).status).toBe(401);
  });
});

describe("an admin", () => {
  test("must come first and must remain: the last one can be neither removed nor demoted", async () => {
    await using peal = await inProcess();
    const nobody = await make(peal, { name: "jonas", admin: false, password: PASSWORD });
    expect(await answer<object>(422, nobody)).toMatchObject({ errors: [{ path: "/admin" }] });
    const mara = await person(peal);
    const jonas = await person(peal, { name: "jonas", namespaces: ["home"] });
    const removed = async (id: string) => (await peal.local(`/-/local/people/${id}`, { method: "DELETE" })).status;
    const demoted = async (id: string) => (await change(peal, id, { admin: false })).status;
    expect([await removed(mara), await demoted(mara)]).toEqual([409, 409]);
    expect((await change(peal, jonas, { admin: true })).status).toBe(200);
    const both = await Promise.all([demoted(mara), removed(jonas)]);
    expect(both.toSorted()).toEqual([200, 409]);
    expect(await removed("nobody")).toBe(404);
  });

  test("is made from PEAL_ADMIN_PASSWORD while there is none, with a namespace, and never made again", async () => {
    const env = { PEAL_ADMIN_PASSWORD: PASSWORD, PEAL_ADMIN_NAME: "Root", PEAL_ADMIN_NAMESPACE: "house" };
    await using peal = await inProcess({ env, unclaimed: true });
    expect(peal.running.setupCode).toBeUndefined();
    expect((await login(peal, { name: "root" })).status).toBe(303);
    expect(await (await peal.local("/-/local/namespaces")).json()).toMatchObject({ namespaces: [{ name: "house" }] });
    const [root] = await peal.running.deps.store.accounts.people();
    await change(peal, root?.id ?? "", { name: "chief" });
    await peal.local(`/-/local/people/${root?.id}/password`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ password: "another long password" }),
    });
    await peal.restart();
    expect((await login(peal, { name: "root" })).status).toBe(422);
    expect((await login(peal, { name: "chief", password: "another long password" })).status).toBe(303);
  });

  test("is signed in by claiming the server", async () => {
    await using peal = await inProcess({ unclaimed: true });
    const claim = async (fields: object) =>
      peal.request("/-/setup", {
        method: "POST",
        headers: { accept: "text/html", ...SAME_SITE },
        body: new URLSearchParams({ code: peal.running.setupCode ?? "", name: "Mara", password: PASSWORD, ...fields }),
      });
    for (const [fields, status, told] of [
      [{ password: "hunter2hunt" }, 422, "11\u00a0characters: one more needed."],
      [{ name: " " }, 422, "1 to 64 characters"],
      [{ code: "AAAA", password: "" }, 403, "At least 12 characters."],
    ] as const) {
      const refused = await claim(fields);
      expect([refused.status, refused.headers.get("set-cookie")]).toEqual([status, null]);
      expect(await refused.text()).toContain(told);
    }
    const claimed = await claim({});
    expect(claimed.status).toBe(200);
    expect((await peal.request("/-/confirm", { headers: { cookie: cookieOf(claimed) } })).status).toBe(200);
  });
});

test("confirming the password lasts 10 minutes; who sees what", () => {
  const [home, media] = [1 as NamespaceId, 2 as NamespaceId];
  const person = { id: "a", name: "mara", isAdmin: false, hasPassword: true, createdAt: 0, namespaces: [home] };
  const clock = heldClock();
  const visitor: Visitor = { person, sessionId: "s", confirmedAt: clock.now() };
  const isAsked = (who: Visitor): boolean => {
    try {
      requireConfirmed({ clock }, who);
      return false;
    } catch {
      return true;
    }
  };
  clock.advance(10 * 60_000 - 1);
  expect(isAsked(visitor)).toBe(false);
  clock.advance(1);
  expect([isAsked(visitor), isAsked({ person })]).toEqual([true, false]);
  clock.jump(-3_600_000);
  expect(isAsked(visitor)).toBe(true);
  const everywhere = { id: "b", name: "jonas", isAdmin: false, hasPassword: true, createdAt: 0 };
  const seen = (who: Visitor["person"]) => [home, media].map((one) => sees({ person: who }, one));
  expect([seen(person), seen(everywhere), seen({ ...person, isAdmin: true })]).toEqual([
    [true, false],
    [true, true],
    [true, true],
  ]);
});
