/** Settings on the dashboard, over HTTP and without a script (WEB.md §3). */
import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs } from "../support/desk.ts";
import { asked } from "../support/household-steps.ts";
import { inProcess } from "../support/server.ts";
import { cookieOf, login, PASSWORD, person, signedIn } from "../support/signin.ts";

const clock = heldClock(Date.UTC(2026, 10, 21, 12));
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const cookie = await signedIn(peal);
const admin = deskAs(peal, cookie);
const member = deskAs(peal, await signedIn(peal, { name: "jonas", namespaces: ["home"] }));

const namespaces = async () =>
  (await answer<{ namespaces: { name: string }[] }>(200, await peal.local("/-/local/namespaces"))).namespaces.map(
    ({ name }) => name,
  );
const mutedUntil = async () => (await peal.running.deps.store.namespaces.byName("home"))?.mutedUntil;

test("a person who is not an admin sees what is their own, and changes nothing else", async () => {
  const { text, html } = await member.get("/-/settings");
  for (const own of ["Sessions", "Change password", "About"]) expect(text).toContain(own);
  for (const other of ["Base URL", "Namespaces", "People", "Backups", "/metrics"]) expect(text).not.toContain(other);
  expect(html).not.toContain("/-/settings/mute");
  for (const path of ["mute", "namespaces", "namespaces/home/delete", "people/new", "backups"])
    expect((await member.post(`/-/settings/${path}`)).status).toBe(403);
  expect(await namespaces()).toEqual(["home"]);
});

describe("the address", () => {
  test("says what is not set, what the browser uses and what to set", async () => {
    const { text } = await admin.get("/-/settings");
    expect(text).toContain("not set: links use the address each visitor used");
    expect(text).toContain("PEAL_BASE_URL=https://peal.example.org");
    const named = await peal.request("/-/settings", { headers: { cookie, host: "peal.example:7325" } });
    expect(await named.text()).toContain("PEAL_BASE_URL=http://peal.example:7325");
  });

  test("says when the browser uses another one than is set", async () => {
    await using own = await inProcess({ env: { PEAL_BASE_URL: "https://peal.example/sub" } });
    const signed = cookieOf(await signIn(own, "/sub/-/login"));
    const { text } = await deskAs(own, signed).get("/sub/-/settings");
    expect(text).toContain("you’re using another address. Is the base URL still right?");
    expect(text).toContain("https://peal.example/sub: browsers allow push here.");
  });
});

async function signIn(own: Awaited<ReturnType<typeof inProcess>>, path: string): Promise<Response> {
  await person(own);
  return login(own, {}, { path, headers: { origin: "https://peal.example", "sec-fetch-site": "same-origin" } });
}

test("whether phones get push is shown without sending anything, with what to do", async () => {
  const { text } = await admin.get("/-/settings");
  expect(text).toContain("browsers allow push on this machine only. Phones need HTTPS. No");
  expect(text).toContain("PEAL_BASE_URL isn’t set: a notification links to the address its device registered with.");
  expect(text).toContain("peal has created its own VAPID keys. There’s nothing to set. Yes");
  expect(text).toContain("None was accepted in the last 7 days.");
  expect(text).toContain("PEAL_APNS_KEY, PEAL_APNS_KEY_ID, PEAL_APNS_TEAM_ID, PEAL_APNS_TOPIC.");
});

test("the server's state is as /health reports it, including the database, in the page's language", async () => {
  await using own = await inProcess();
  const signed = await signedIn(own);
  const german = { headers: { cookie: signed, accept: "text/html", "accept-language": "de" } };
  expect((await deskAs(own, signed).get("/-/settings")).text).toContain("Health healthy");
  rmSync(join(own.dataDir, "peal.lock"));
  expect((await own.api("POST", "/home/kept", { message: "refused" })).status).toBe(503);
  const { problems } = await answer<{ problems: string[] }>(503, await own.request("/health"));
  expect(problems.join()).toContain("peal.lock was deleted");
  const html = await (await own.request("/-/settings", german)).text();
  for (const problem of problems) expect(html).toContain(`<p lang="en">${problem}</p>`);
  expect(html).not.toContain("alles in Ordnung");
});

describe("muting everything", () => {
  // prettier-ignore
  const choices: [choice: string, until: string | undefined][] = [
    ["hour",     "2026-11-21T13:00:00.000Z"],
    ["hours",    "2026-11-21T16:00:00.000Z"],
    ["tomorrow", "2026-11-22T07:00:00.000Z"], // 08:00 in Berlin
    ["off",      undefined],
  ];
  test.each(choices)("for `%s` mutes every namespace until then", async (choice, until) => {
    const there = deskAs(peal, `${cookie}; zone=Europe/Berlin`);
    expect((await there.post("/-/settings/mute", { for: choice })).location).toBe("/-/settings#mute");
    const at = await mutedUntil();
    expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(until);
    const { html, text } = await there.get("/-/settings");
    expect(text.includes("All namespaces are muted until")).toBe(until !== undefined);
    if (until !== undefined) expect(html).toContain(`datetime="${until}"`);
  });

  test("with an unknown choice does nothing", async () => {
    expect((await admin.post("/-/settings/mute", { for: "ever" })).status).toBe(404);
    expect(await mutedUntil()).toBeUndefined();
  });
});

describe("a namespace", () => {
  test("is made, and refused at its field", async () => {
    expect((await admin.post("/-/settings/namespaces", { namespace: " media " })).location).toBe(
      "/-/settings#namespaces",
    );
    expect(await namespaces()).toContain("media");
    for (const [name, words] of [
      ["media", "A namespace named media already exists."],
      ["Not <this>", "1 to 32 characters: a–z, 0–9, _ and -"],
      ["docs", "Some names are reserved."],
    ] as const) {
      const again = await admin.post("/-/settings/namespaces", { namespace: name });
      expect(again.status).toBe(422);
      expect(again.text).toContain(words);
      expect(again.html).toContain('aria-invalid="true"');
    }
    // the browser is on that page afterwards, and its script refreshes from there
    expect((await admin.get("/-/settings/namespaces")).html).toContain('id="namespace-rows" data-live');
  });

  test("is deleted after its name is typed, with counts of what is deleted with it", async () => {
    await asked(peal, "POST", "/-/local/namespaces", { name: "attic" });
    await asked(peal, "POST", "/v1/keys?namespace=attic", { scope: "full" });
    const ask = await admin.get("/-/settings/namespaces/attic/delete");
    expect(ask.text).toContain("Delete namespace “attic”?");
    expect(ask.text).toContain("0 messages in 0 topics deleted.");
    expect(ask.text).toContain("1 key stops working immediately.");
    expect(ask.text).not.toContain("PEAL_ADMIN_KEY");
    expect((await admin.get("/-/settings/namespaces/home/delete")).text).toContain(
      "This includes the key from PEAL_ADMIN_KEY",
    );
    const wrong = await admin.post("/-/settings/namespaces/attic/delete", { confirm: "home" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("“home” doesn’t match. Nothing was changed.");
    expect(await namespaces()).toContain("attic");
    const done = await admin.post("/-/settings/namespaces/attic/delete", { confirm: "attic" });
    expect([done.status, done.location]).toEqual([303, "/-/settings#namespaces"]);
    expect(await namespaces()).not.toContain("attic");
    expect((await admin.get("/-/settings/namespaces/attic/delete")).status).toBe(404);
  });
});

describe("people", () => {
  const NEW = { name: "Mara K.", password: "twelve letters long", sees: "only", namespace: "home" };
  const { accounts } = peal.running.deps.store;

  test("are added with what they may see, and refused at the field", async () => {
    const short = await admin.post("/-/settings/people/new", { ...NEW, password: "short" });
    expect(short.status).toBe(422);
    expect(short.html).toContain('value="Mara K."');
    expect(short.html).not.toContain('short"');
    expect((await admin.post("/-/settings/people/new", { ...NEW, name: "jonas" })).text).toContain(
      "Someone here already has this name.",
    );
    expect((await admin.post("/-/settings/people/new", NEW)).location).toBe("/-/settings#people");
    expect((await admin.get("/-/settings")).text).toContain("Mara K. Sees home. Never signed in.");
    expect((await login(peal, { name: NEW.name, password: NEW.password })).status).toBe(303);
  });

  test("whose form came too late for the password are shown again as they were typed, except the password", async () => {
    clock.advance(11 * 60_000);
    const { location } = await admin.post("/-/settings/people/new?ns=home", { ...NEW, name: "Late", admin: "on" });
    expect(location).not.toContain(encodeURIComponent(NEW.password));
    expect(location).not.toContain("twelve");
    const { path, html, text } = await admin.done(location ?? "", { password: PASSWORD });
    expect(path).toStartWith("/-/settings/people/new?");
    expect(text).toContain("Nothing has been changed yet");
    expect(html).toContain('value="Late"');
    expect(html).toMatch(/name="admin"[^>]* checked/);
    expect(html).toMatch(/value="home"[^>]* checked/);
  });

  test("are not added without a namespace: it is required at its field", async () => {
    const blind = { name: "blind", password: NEW.password, sees: "only" };
    const all = await admin.post("/-/settings/people/new", { ...blind, name: "", password: "short" });
    const told = ["1 to 64 characters", "7 more needed.", "Choose at least one namespace, or all."];
    expect(told.filter((words) => !all.text.includes(words))).toEqual([]);
    const again = await admin.post("/-/settings/people/new", blind);
    expect([again.status, again.text.includes("Choose at least one namespace, or all.")]).toEqual([422, true]);
    expect(again.html).toContain('<fieldset aria-describedby="sees-wrong">');
    expect(again.html).toContain('value="blind"');
    expect(await accounts.byName("blind")).toBeUndefined();
    for (const [name, sees] of [
      ["sees all", { sees: "all" }],
      ["an admin", { admin: "yes" }],
    ] as const)
      expect((await admin.post("/-/settings/people/new", { ...blind, ...sees, name })).status).toBe(303);
  });

  test("are changed, given another password and removed", async () => {
    const id = await person(peal, { name: "Jule", namespaces: ["home"] });
    const signed = deskAs(peal, cookieOf(await login(peal, { name: "Jule" })));
    expect((await admin.get(`/-/settings/people/${id}`)).html).toMatch(/value="home" checked/);
    await admin.post(`/-/settings/people/${id}`, { name: "Marta", admin: "yes", sees: "all" });
    expect((await admin.get("/-/settings")).text).toContain("Marta admin Sees everything.");
    expect((await admin.get(`/-/settings/people/${id}/password`)).html).toContain(`people/${id}/password"`); // after /-/confirm
    await admin.post(`/-/settings/people/${id}/password`, { password: "another long password" });
    expect((await signed.get("/-/settings")).status).toBe(303);
    expect((await login(peal, { name: "Marta", password: "another long password" })).status).toBe(303);
    expect((await admin.get(`/-/settings/people/${id}/remove`)).text).toContain("Remove Marta?");
    await admin.post(`/-/settings/people/${id}/remove`);
    expect(await accounts.byName("Marta")).toBeUndefined();
  });

  test("keep their last admin", async () => {
    await using own = await inProcess();
    const id = await person(own);
    const last = deskAs(own, cookieOf(await login(own)));
    const changed = await last.post(`/-/settings/people/${id}`, { name: "mara", sees: "all" });
    expect([changed.status, changed.text.includes("There must be at least one admin.")]).toEqual([422, true]);
    const removed = await last.post(`/-/settings/people/${id}/remove`);
    expect([removed.status, removed.text.includes("There must be at least one admin.")]).toEqual([422, true]);
  });
});

describe("the person's own", () => {
  test("sessions are listed with device and address, and ended one by one, or all but this one", async () => {
    const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const other = async () =>
      cookieOf(
        await login(peal, { name: "jonas" }, { headers: { "sec-fetch-site": "same-origin", "user-agent": agent } }),
      );
    const first = await other();
    const { text, html } = await member.get("/-/settings");
    expect(text).toContain("this browser");
    expect(text).toContain("Firefox on Linux");
    const [, id = ""] = /sessions\/(\w+)\/end"/.exec(html) ?? [];
    expect((await member.post(`/-/settings/sessions/${id}/end`)).location).toBe("/-/settings#sessions");
    expect((await deskAs(peal, first).get("/-/settings")).status).toBe(303);
    expect((await admin.post(`/-/settings/sessions/${id}/end`)).status).toBe(404);

    const [second, third] = [await other(), await other()];
    expect((await member.post("/-/settings/sessions/end-others")).said).toContain('"values":[2]');
    for (const gone of [second, third]) expect((await deskAs(peal, gone).get("/-/settings")).status).toBe(303);
    expect((await member.get("/-/settings")).status).toBe(200);
  });

  test("password is changed: this browser stays signed in, all others are signed out", async () => {
    const here = await signedIn(peal, { name: "lena", namespaces: [] });
    const there = cookieOf(await login(peal, { name: "lena" }));
    const desk = deskAs(peal, here);
    expect((await desk.post("/-/settings/password", { password: "short" })).status).toBe(422);
    const changed = await desk.post("/-/settings/password", { password: "quite another one" });
    expect(changed.status).toBe(303);
    const fresh = changed.response.headers.getSetCookie().find((set) => set.startsWith("peal=")) ?? "";
    expect((await deskAs(peal, fresh.split(";")[0] ?? "").get("/-/settings")).status).toBe(200);
    expect((await deskAs(peal, there).get("/-/settings")).status).toBe(303);
    expect((await desk.get("/-/settings")).status).toBe(303);
  });
});

test("a reader of German reads German", async () => {
  const { text } = await deskAs(peal, `${cookie}; lang=de`).get("/-/settings");
  for (const words of ["Einstellungen", "Bekommen Telefone Pushes?", "Alles stummschalten", "Jetzt sichern"])
    expect(text).toContain(words);
});
