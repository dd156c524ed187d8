/** Keys on the dashboard, over HTTP and without a script: listed, made once, revoked (WEB.md §3). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs } from "../support/desk.ts";
import { inProcess } from "../support/server.ts";
import { PASSWORD, signedIn } from "../support/signin.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
await answer(
  201,
  await peal.local("/-/local/namespaces", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "media" }),
  }),
);
const session = await signedIn(peal);
const admin = deskAs(peal, session);
const member = deskAs(peal, await signedIn(peal, { name: "jonas", namespaces: ["media"] }));

const NEW = { label: "truenas", scope: "publish", namespace: "home", ends: "year" };
const secretIn = (html: string): string => {
  const secret = /svc_[0-9a-f]{64}/.exec(html)?.[0] ?? "";
  if (secret !== "") peal.secrets.add(secret);
  return secret;
};
const rowOf = (html: string, name: string) => html.split("<tr").find((row) => row.includes(`>${name}<`)) ?? "";
const publish = async (secret: string, headers: Record<string, string> = {}) =>
  peal.request("/home/keys", {
    method: "POST",
    body: "m",
    headers: { authorization: `Bearer ${secret}`, "content-type": "text/plain", ...headers },
  });

describe("a new key", () => {
  test("is shown once, in a command that publishes", async () => {
    const made = await admin.done("/-/keys", NEW);
    const secret = secretIn(made.html);
    expect(made.text).toContain(`curl -H &quot;Authorization: Bearer ${secret}&quot;`);
    expect(made.text).toContain(`${peal.url}/home/hello`);
    expect(made.text).toContain("Key “truenas” is ready.");
    expect((await publish(secret)).status).toBe(201);
    const again = await admin.get("/-/keys");
    expect(again.html).not.toContain(secret);
    expect(rowOf(again.html, "truenas")).toContain(`${secret.slice(0, 12)}…`);
  });

  test("that only reads is shown without a command, which it could not run", async () => {
    const made = await admin.done("/-/keys", { ...NEW, label: "tile", scope: "read" });
    expect(secretIn(made.html)).not.toBe("");
    expect(made.text).toContain("Dashboards like Homepage use it to show checks and topics.");
    expect(made.text).not.toContain("curl");
    expect(rowOf((await admin.get("/-/keys")).html, "tile")).toContain("read checks, topics and messages");
  });

  test("is neither made nor shown again when the page is reloaded", async () => {
    const { location } = await admin.post("/-/keys", { ...NEW, label: "reloaded" });
    expect(location).not.toMatch(/svc_/);
    const [other, first, second] = [
      await member.get(location ?? ""),
      await admin.get(location ?? ""),
      await admin.get(location ?? ""),
    ];
    expect(secretIn(first.html)).not.toBe("");
    expect([other, second].map(({ html }) => secretIn(html))).toEqual(["", ""]);
    expect(second.text).toContain("Key “reloaded” can’t be shown again");
    // the page that shows the key offers no other language, where it would be lost
    expect([first, second].map(({ html }) => html.includes("Deutsch"))).toEqual([false, true]);
    expect(other.text).not.toContain("reloaded");
    expect(second.html.split("<tr").filter((row) => row.includes(">reloaded<"))).toHaveLength(1);
  });

  test("is shown to the person who opens the page: a script's refresh and a HEAD do not use it up", async () => {
    const { location } = await admin.post("/-/keys", NEW);
    const path = location ?? "";
    await peal.request(path, { method: "HEAD", headers: { cookie: session } });
    const again = await peal.request(path, { headers: { cookie: session, accept: "text/html", "peal-again": "1" } });
    expect(secretIn(await again.text())).toBe("");
    expect(secretIn((await admin.get(path)).html)).not.toBe("");
  });

  test("is listed with where it was used from, once that is written", async () => {
    const secret = secretIn((await admin.done("/-/keys", { ...NEW, label: "phoned" })).html);
    expect(rowOf((await admin.get("/-/keys")).html, "phoned")).toContain("Never");
    await publish(secret, { "x-forwarded-for": "192.0.2.7" });
    await peal.running.deps.keyUse.flush();
    expect(rowOf((await admin.get("/-/keys")).html, "phoned")).toContain(", from 192.0.2.7");
    const { keys } = await answer<{ keys: { name?: string; last_used_from?: string }[] }>(
      200,
      await peal.api("GET", "/v1/keys"),
    );
    expect(keys.find(({ name }) => name === "phoned")?.last_used_from).toBe("192.0.2.7");
  });

  test("has its place noted at most once a second, and again after that", async () => {
    const clock = heldClock();
    await using own = await inProcess({ clock });
    const { id, key } = await answer<{ id: string; key: string }>(
      201,
      await own.api("POST", "/v1/keys", { name: "nas", scope: "publish" }),
    );
    own.secrets.add(key);
    const usedFrom = async (address: string) => {
      const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": address };
      expect((await own.request("/home/keys", { method: "POST", body: "m", headers })).status).toBe(201);
    };
    const lastUsedFrom = async () => {
      await own.running.deps.keyUse.flush();
      const list = await own.api("GET", "/v1/keys");
      const { keys } = await answer<{ keys: { id: string; last_used_from?: string }[] }>(200, list);
      return keys.find((one) => one.id === id)?.last_used_from;
    };
    await usedFrom("192.0.2.1");
    clock.advance(999);
    await usedFrom("192.0.2.2");
    expect(await lastUsedFrom()).toBe("192.0.2.1");
    await usedFrom("192.0.2.3");
    clock.advance(1_000);
    await usedFrom("192.0.2.4");
    expect(await lastUsedFrom()).toBe("192.0.2.4");
  });

  // prettier-ignore
  const refused: [what: string, form: Record<string, string>, words: string][] = [
    ["a label that is too long",   { ...NEW, label: "x".repeat(101) },    "At most 100 characters"],
    ["a label of two lines",       { ...NEW, label: "two\nlines" },       "no invisible characters"],
    ["a label that turns around",  { ...NEW, label: "nas\u202Edne" },     "no invisible characters"],
    ["a scope that there is not",  { ...NEW, scope: "root" },             "Choose what it can access."],
    ["a namespace of nobody",      { ...NEW, namespace: "nowhere" },      "Choose a namespace."],
    ["an end that is no choice",   { ...NEW, ends: "tomorrow" },          "Choose when it expires."],
  ];
  test.each(refused)("is refused at its field for %s, with the typed text", async (_, form, words) => {
    const again = await admin.post("/-/keys", form);
    expect(again.status).toBe(422);
    expect(again.html).toMatch(/aria-invalid="true"/);
    expect(again.text).toContain(words);
    expect(again.html).not.toMatch(/svc_[0-9a-f]{64}/);
  });

  test("needs the password of the last ten minutes; the form is shown again as it was", async () => {
    const clock = heldClock();
    await using own = await inProcess({ clock });
    const desk = deskAs(own, await signedIn(own));
    const isTold = async () => (await desk.get("/-/keys")).text.includes("You’ll be asked for your password.");
    expect(await isTold()).toBe(false);
    clock.advance(11 * 60_000);
    expect(await isTold()).toBe(true);
    const asked = await desk.post("/-/keys?ns=home", NEW);
    expect(asked.status).toBe(303);
    const to = new URL(asked.location ?? "", own.url).searchParams.get("to") ?? "";
    expect(to).toMatch(/[?&]ns=home/);
    const { path, html, text } = await desk.done(asked.location ?? "", { password: PASSWORD });
    expect(path).toBe(to);
    expect(text).toContain("Nothing has been changed yet: check the form and send it again.");
    expect(html).toContain('value="truenas"');
    expect(html).toContain('<option value="year" selected>');
    expect(rowOf(html, "truenas")).toBe("");
    const { location } = await desk.post("/-/keys", NEW);
    clock.advance(60_000);
    expect(secretIn((await desk.get(location ?? "")).html)).toBe("");
  });
});

describe("someone who is not an admin", () => {
  test("sees keys of their own namespaces only, and makes none that can make keys", async () => {
    const { html } = await member.get("/-/keys");
    expect(html).not.toContain("truenas");
    expect(html).not.toContain('value="home"');
    expect(html).not.toContain('value="admin"');
    expect((await member.post("/-/keys", { ...NEW, namespace: "home" })).status).toBe(422);
    expect((await member.post("/-/keys", { ...NEW, namespace: "media", scope: "admin" })).status).toBe(422);
    expect((await member.post("/-/keys", { ...NEW, namespace: "media", label: "sonarr" })).status).toBe(303);
  });

  test("revokes no key of another namespace, and none of an admin", async () => {
    const { id: other } = await peal.mint("full");
    const made = await peal.local("/v1/keys?namespace=media", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ scope: "admin" }),
    });
    const { id: above, key } = await answer<{ id: string; key: string }>(201, made);
    peal.secrets.add(key);
    for (const id of [other, above]) {
      expect((await member.get(`/-/keys/${id}/revoke`)).status).toBe(404);
      expect((await member.post(`/-/keys/${id}/revoke`)).status).toBe(404);
    }
  });
});

test("a key is revoked after a confirmation, and stops working", async () => {
  const secret = secretIn((await admin.done("/-/keys", { ...NEW, label: "<old>" })).html);
  const { keys } = await answer<{ keys: { id: string; name?: string }[] }>(200, await peal.api("GET", "/v1/keys"));
  const id = keys.find(({ name }) => name === "<old>")?.id ?? "";
  const asked = await admin.get(`/-/keys/${id}/revoke`);
  expect(asked.html).toContain("Revoke key “&lt;old&gt;”?");
  expect((await publish(secret)).status).toBe(201);
  const done = await admin.post(`/-/keys/${id}/revoke`);
  expect([done.status, done.location]).toEqual([303, "/-/keys"]);
  expect(done.said).toContain("keys.revoked");
  expect((await publish(secret)).status).toBe(401);
  expect((await admin.post(`/-/keys/${id}/revoke`)).status).toBe(404);
});

test("the key from the environment is marked, and the confirmation says that a restart does not restore it", async () => {
  const { html } = await admin.get("/-/keys");
  expect(html.match(/from PEAL_ADMIN_KEY/g)).toHaveLength(1);
  const id = /\/-\/keys\/(\w+)\/revoke/.exec(html.split("from PEAL_ADMIN_KEY")[1] ?? "")?.[1] ?? "";
  expect((await admin.get(`/-/keys/${id}/revoke`)).text).toContain("A restart doesn’t bring it back.");
});

test("the filter shows one namespace, and says what is missing there", async () => {
  expect((await admin.get("/-/keys?ns=media")).html).not.toContain("truenas");
  const lone = deskAs(peal, await signedIn(peal, { name: "lena", namespaces: [] }));
  const { text } = await lone.get("/-/keys");
  expect(text).toContain("There’s no namespace you can see");
  expect(text).not.toContain("Create one above");
});
