/**
 * Guards of the pages below `/-/`, tested on every route of the app: other people's namespaces can be neither seen nor
 * changed, admin pages are for admins, and reading changes nothing.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { textsOf } from "../../src/pages/texts/languages.ts";
import { deskAs } from "../support/desk.ts";
import { houseHeaders } from "../support/house.ts";
import { asked } from "../support/household-steps.ts";
import { inProcess } from "../support/server.ts";
import { cookieOf, login, person, SAME_SITE } from "../support/signin.ts";
import { guarded, HIDDEN } from "./guarded.ts";

const all = await guarded();
afterAll(async () => all[Symbol.asyncDispose]());
const { peal, routes, theirs, hers, cookies, admin, mara, filled, form, ask, told, changesNothing } = all;

const ADMINS = /^(?:GET|POST) \/-\/(?:settings\/(?:people|namespaces|mute)|setup\/|settings\/backups$)/;
const hasName = ({ template }: { template: string }) => template.includes("/:");

describe("a person who sees one namespace", () => {
  test("finds nothing of another by its ids, and cannot change it", async () => {
    const named = routes.filter(hasName);
    expect(named.length).toBeGreaterThan(45);
    await changesNothing(async () => {
      for (const route of named) {
        // the ids are real: an admin does see something
        if (route.method === "GET") expect([route.name, (await ask(admin, route)).status]).toEqual([route.name, 200]);
        const answered = await ask(mara, route);
        expect([route.name, answered.status]).toEqual([route.name, ADMINS.test(route.name) ? 403 : 404]);
        expect([route.name, told(answered, filled(route.template)).includes(HIDDEN)]).toEqual([route.name, false]);
      }
    });
  });

  test("sees nothing of another in any list, title, count or suggestion, whatever the request", async () => {
    const { topic, message, device, check } = hers;
    const [list, filter] = ["/-/deliveries", `ns=${HIDDEN}`];
    const own = ["", "/publish", "/share", "/devices", "/settings", "/mute"].map(
      (tab) => `/-/topics/${topic.key}${tab}`,
    );
    const lists = routes
      .filter(({ method, template }) => method === "GET" && !template.includes(":"))
      .map((r) => r.template);
    const paths = [
      ...[...lists, ...own].flatMap((path) => [path, `${path}?${filter}`]),
      ...[`/-/checks/${check}`, `/-/checks/${check}/edit`, `/-/devices/${device}`, `${list}?device=${device}`],
      ...[`/-/topics?q=${HIDDEN.slice(1)}`, `/-/topics?after=${HIDDEN}/a`],
      ...[`/-/keys?namespace=${HIDDEN}`, `/-/topics/${topic.key}/publish?key=${theirs.key}`],
      `${list}?topic=${topic.key}&message=${message}`,
    ].filter((path) => !/^\/-\/(?:events|login|confirm)/.test(path));
    expect(paths.length).toBeGreaterThan(40);
    await changesNothing(async () => {
      for (const path of paths) {
        const shown = await mara.get(path);
        const isAdmins = ADMINS.test(`GET ${path.split("?")[0] ?? ""}`);
        expect([path, shown.status]).toEqual([path, isAdmins ? 403 : 200]);
        const [, query = ""] = path.split("?");
        const text = told(shown, path).replaceAll(query || path, "");
        expect([path, text.includes(HIDDEN)]).toEqual([path, false]);
        expect([path, /<title>[^<]*\b1 down/.test(shown.html), /class="count"/.test(shown.html)]).toEqual([
          path,
          false,
          false,
        ]);
      }
    });
    const start = await admin.get("/-/");
    expect([/<title>1 down/.test(start.html), start.html.includes('class="count"')]).toEqual([true, true]);
    for (const query of [`device=${theirs.device}`, `topic=${theirs.topic.key}`])
      expect([query, (await mara.get(`${list}?${query}`)).status]).toEqual([query, 404]);
  });

  test("sees what holds back pushes only of their own", async () => {
    await asked(peal, "POST", "/-/local/namespaces", { name: "empty" });
    await person(peal, { name: "nils", namespaces: ["empty"] });
    const nils = deskAs(peal, cookieOf(await login(peal, { name: "nils" })));
    for (const [desk, isTold] of [
      [admin, true],
      [mara, true],
      [nils, false],
    ] as const)
      expect((await desk.get("/-/deliveries")).html.includes("PEAL_APNS_KEY")).toBe(isTold);
  });

  test("can neither move something of another into their own, nor the other way", async () => {
    const { topic, device, check, message } = hers;
    const other = theirs.topic.key;
    const rows: [path: string, form: Record<string, string>, status: number][] = [
      ["/-/keys", { ...form(), namespace: HIDDEN }, 422],
      ["/-/keys", { ...form(), namespace: "home", scope: "admin" }, 422],
      ["/-/topics/new", { namespace: HIDDEN, name: "made" }, 422],
      ["/-/checks/new", { ...form(), ns: HIDDEN }, 422],
      [`/-/checks/${check}/edit`, { ...form(), topic: other }, 404],
      ...["mute", "unmute", "remove"].map((what): [string, Record<string, string>, number] => [
        ...([`/-/topics/${topic.key}/devices`, { device: theirs.device, do: what }, 404] as const),
      ]),
      ["/-/deliveries/retry", { topic: other, message: String(theirs.message) }, 404],
      ["/-/deliveries/retry", { topic: topic.key, message: String(message), device: theirs.device }, 303],
      [`/-/devices/${device}/topics`, { topic: other }, 422],
      [`/-/devices/${device}/topics/${other}`, { mute: "8" }, 404],
      [`/-/devices/${device}/topics/${other}/remove`, {}, 404],
      // the device follows topics in both: settings of the whole device are not theirs
      [`/-/devices/${device}`, { name: "changed" }, 404],
      [`/-/devices/${device}/delete`, {}, 404],
    ];
    await changesNothing(async () => {
      for (const [path, fields, status] of rows) {
        const answered = await mara.post(path, fields);
        expect([path, fields, answered.status]).toEqual([path, fields, status]);
        expect([path, told(answered, path).includes("onload")]).toEqual([path, false]);
      }
    });
  });

  test("can do nothing that is for admins", async () => {
    const admins = routes.filter((route) => ADMINS.test(route.name) && !hasName(route));
    expect(admins.length).toBeGreaterThan(9);
    await changesNothing(async () => {
      for (const route of admins) expect([route.name, (await ask(mara, route)).status]).toEqual([route.name, 403]);
    });
  });
});

test("the operator's routes cannot be reached over the network, however they are written", async () => {
  for (const path of [
    "/-/local/people",
    "/-/%6cocal/people",
    "/%2d/local/people",
    "/-/local%2fpeople",
    "/-/LOCAL/people",
  ])
    for (const headers of [{}, { cookie: cookies.admin }, { authorization: `Bearer ${peal.adminKey}` }])
      expect([path, (await peal.request(path, { headers })).status]).toEqual([path, 404]);
});

test("someone who is not signed in sees and changes nothing", async () => {
  const open = /^(?:GET|POST) \/-\/(?:login|setup)$|^POST \/-\/(?:language|logout)$|\/manifest\.webmanifest$/;
  const nobody = deskAs(peal, `__Host-peal=${"0".repeat(64)}; peal=${"0".repeat(64)}`);
  await changesNothing(async () => {
    for (const route of routes.filter(({ name }) => !open.test(name))) {
      const answered = await ask(nobody, route);
      expect([route.name, answered.status]).toEqual([route.name, route.method === "GET" ? 303 : 401]);
      expect([route.name, told(answered, filled(route.template)).includes(HIDDEN)]).toEqual([route.name, false]);
    }
  });
});

test("reading changes nothing, even for an admin and as HEAD, and each page has the usual headers", async () => {
  const seen = new Set<string>();
  const others = ["/-/events", "/-/manifest.webmanifest"];
  const pages = routes.filter(({ method, template }) => method === "GET" && !others.includes(template));
  await changesNothing(async () => {
    for (const { template } of pages)
      for (const method of ["GET", "HEAD"]) {
        const headers = { cookie: cookies.admin, accept: "text/html" };
        const read = await peal.request(filled(template), { method, headers });
        expect([template, method, read.status < 400]).toEqual([template, method, true]);
        expect([template, read.headers.get("cache-control")]).toEqual([template, "no-store"]);
        if (read.headers.get("content-type")?.startsWith("text/html") !== true) continue;
        expect({ template, ...Object.fromEntries(read.headers) }).toMatchObject({ template, ...houseHeaders() });
        seen.add(template);
      }
  });
  expect(seen.size).toBeGreaterThan(30);
});

test("names of people, devices, keys and checks are plain text on every page", async () => {
  for (const route of routes.filter(({ method, template }) => method === "GET" && template !== "/-/events")) {
    const { html } = await ask(admin, route);
    expect([route.name, html.includes(`<${HIDDEN}`), html.includes(`onload='`)]).toEqual([route.name, false, false]);
  }
});

test("a forged flash cookie breaks no page, and is gone with the next one", async () => {
  const parts = Object.entries(textsOf("en")) as [string, { flash?: object }][];
  const says = parts.flatMap(([part, { flash = {} }]) => Object.keys(flash).map((name) => `${part}.${name}`));
  expect(says.length).toBeGreaterThan(30);
  for (const say of says)
    for (const values of [
      [],
      [1e308, -1, 0.5],
      ["<quokka>", "\ud800", ""],
      Array.from({ length: 8 }, () => "9".repeat(400)),
    ]) {
      const flash = encodeURIComponent(
        JSON.stringify({ say, values, tone: "error", undo: { topic: "x", id: 1, of: "delete" } }),
      );
      const shown = await deskAs(peal, `${cookies.mara}; flash=${flash}`).get("/-/settings");
      expect([say, values, shown.status, shown.html.includes("<quokka")]).toEqual([say, values, 200, false]);
      expect(shown.response.headers.getSetCookie().join()).toContain("flash=; ");
    }
});

describe("the name that a proxy sets", () => {
  test("cannot be claimed by another spelling of the header, by sending it twice, or by going around the proxy", async () => {
    const env = { PEAL_AUTH_HEADER: "Remote-User", PEAL_TRUSTED_PROXIES: "127.0.0.1" };
    await using proxied = await inProcess({ env });
    await person(proxied);
    await person(proxied, { name: "eve", namespaces: [] });
    const status = async (headers: [string, string][]) =>
      (await proxied.request("/-/settings", { headers: [...headers, ["accept", "text/html"]] })).status;
    expect(await status([["REMOTE-USER", "mara"]])).toBe(200);
    for (const headers of [
      [["Remote_User", "mara"]],
      [["X-Remote-User", "mara"]],
      [
        ["Remote-User", "eve"],
        ["Remote-User", "mara"],
      ],
      [
        ["Remote-User", "mara"],
        ["Remote-User", "mara"],
      ],
    ] satisfies [string, string][][])
      expect([headers, await status(headers)]).toEqual([headers, 303]);
    const refused = await proxied.request("/-/settings/mute", {
      method: "POST",
      headers: { ...SAME_SITE, "remote-user": "eve" },
      body: "for=hour",
    });
    expect(refused.status).toBe(403);
  });
});
