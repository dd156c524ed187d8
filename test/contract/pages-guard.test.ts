/**
 * What guards the pages below `/-/`, asked of every route that the app has: no namespace of others is seen or changed,
 * admins' pages are for admins, forms come from our own pages, reading changes nothing, and no form leads elsewhere.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textsOf } from "../../src/pages/texts/texts.ts";
import { createApp } from "../../src/server/app.ts";
import type { TestCheck } from "../support/checks.ts";
import type { TestMessage, TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs, type DeskClient, type Shown } from "../support/desk.ts";
import { iphone } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { asked } from "../support/household-steps.ts";
import { begin, statuses } from "../support/raw.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { cookieOf, login, person, SAME_SITE } from "../support/signin.ts";

/** In every name and text of the namespace that Mara does not see; as markup where a name may be anything. */
const HIDDEN = "quokka";
const MARKUP = `<${HIDDEN} onload='x'>"`;

let peal: InProcess;
let routes: { method: string; template: string; name: string }[];
/** Whose names she must not learn; and her own. */
let theirs: { topic: TestTopic; message: number; check: string; device: string; key: string; admin: string };
let hers: { topic: TestTopic; message: number; check: string; device: string };
/** A session of the admin's. */
let session: string;
let cookies: { admin: string; mara: string };
let admin: DeskClient;
let mara: DeskClient;
const BACKUP = "peal-20260101T000000Z.db";

beforeAll(async () => {
  peal = await inProcess({ clock: heldClock() });
  await asked(peal, "POST", "/-/local/namespaces", { name: HIDDEN });
  const published = async (ns: string, name: string, message: string) => {
    const made = await asked<TestMessage>(peal, "POST", `/${ns}/${name}`, { message, priority: "urgent", ack: true });
    return { topic: { namespace: ns, key: made.topic, name, url: "" }, message: made.id };
  };
  const one = await published("home", "nas", "her own");
  const two = await published(HIDDEN, `${HIDDEN}-topic`, `${MARKUP} text`);
  const phones = [
    await iphone(peal, [one.topic, two.topic], { name: "shared phone" }),
    await iphone(peal, [two.topic], { name: MARKUP }),
  ];
  const checks = await Promise.all(
    [
      { ns: "home", name: "her check" },
      { ns: HIDDEN, name: MARKUP },
    ].map(async ({ ns, name }) => asked<TestCheck>(peal, "POST", `/v1/${ns}/checks`, { name, every: 60, tags: [ns] })),
  );
  const [own, other] = checks;
  const down = await fetch(`${peal.url}${new URL(other?.ping_url ?? "").pathname}/fail`, { method: "POST" });
  expect(down.status).toBe(200);
  const key = await asked<{ id: string }>(peal, "POST", `/v1/keys?namespace=${HIDDEN}`, {
    ...{ name: MARKUP, scope: "publish" },
  });
  // pushes of what comes from now on, and they wait: nothing is set up for iPhones
  const pushed = [await published("home", "nas", "pushed"), await published(HIDDEN, `${HIDDEN}-topic`, MARKUP)];
  const jonas = await person(peal, { name: `jonas ${MARKUP}` });
  await person(peal, { name: "mara", namespaces: ["home"] });
  cookies = {
    admin: cookieOf(await login(peal, { name: `jonas ${MARKUP}` })),
    mara: cookieOf(await login(peal, { name: "mara" })),
  };
  [admin, mara] = [deskAs(peal, cookies.admin), deskAs(peal, cookies.mara)];
  const { sessions } = await asked<{ sessions: { id: string }[] }>(peal, "GET", `/-/local/people/${jonas}/sessions`);
  session = sessions[0]?.id ?? "";
  mkdirSync(join(peal.dataDir, "backups"), { recursive: true });
  writeFileSync(join(peal.dataDir, "backups", BACKUP), HIDDEN);
  hers = { ...one, check: own?.id ?? "", device: phones[0]?.ref ?? "" };
  theirs = { ...two, check: other?.id ?? "", device: phones[1]?.ref ?? "", key: key.id, admin: jonas };
  for (const { topic, message } of pushed)
    await eventually(`a push in ${topic.namespace}`, async () => {
      const path = `/v1/${topic.namespace}/${topic.key}/messages/${message}/deliveries`;
      const { deliveries } = await asked<{ deliveries: { waits_for?: string }[] }>(peal, "GET", path);
      return deliveries.length > 0 && deliveries.every(({ waits_for }) => waits_for !== undefined);
    });
  routes = createApp(peal.running.deps)
    .table.templates.filter(({ template }) => template.startsWith("/-/") && !/^\/-\/(?:local|assets)\//.test(template))
    .flatMap(({ template, methods }) => methods.map((method) => ({ method, template, name: `${method} ${template}` })));
});
afterAll(async () => peal[Symbol.asyncDispose]());

/** Its address with names of the other namespace, or of the admin. */
function filled(template: string): string {
  const names: Record<string, string> = {
    ...{ messages: theirs.topic.key, topics: theirs.topic.key, checks: theirs.check, devices: theirs.device },
    ...{ keys: theirs.key, namespaces: HIDDEN, people: theirs.admin, sessions: session, backups: BACKUP },
  };
  const parts = template.split("/");
  return parts
    .map((part, n) => {
      const before = parts[n - 1] ?? "";
      return !part.startsWith(":") ? part : before.startsWith(":") ? String(theirs.message) : (names[before] ?? "?");
    })
    .join("/");
}

/** Fields of all forms, so that whatever is let through does something. */
const form = (): Record<string, string> => ({
  ...{ topic: theirs.topic.key, message: String(theirs.message), device: theirs.device, namespace: HIDDEN, ns: HIDDEN },
  ...{ confirm: theirs.topic.name, do: "remove", keep: "none", for: "hour", archived: "true", overlap: "1 h" },
  ...{
    name: "changed",
    label: "changed",
    scope: "publish",
    kind: "every",
    every: "2 h",
    password: "changed by somebody",
  },
  ...{ sees: "all", admin: "on", lang: "de", min: "high" },
});

/** All that the server keeps, by table. */
function kept(): Map<string, string> {
  using database = new Database(join(peal.dataDir, "peal.db"), { readonly: true });
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const bytes = (_: string, value: unknown) => (value instanceof Uint8Array ? value.toHex() : value);
  return new Map([
    ["backups", readdirSync(join(peal.dataDir, "backups")).join()],
    ...tables.map(({ name }): [string, string] => [
      name,
      JSON.stringify(database.query(`SELECT * FROM "${name}"`).values(), bytes),
    ]),
  ]);
}
/** What was there before is there after, to the byte. */
async function changesNothing(run: () => Promise<void>): Promise<void> {
  const before = kept();
  expect(before.size).toBeGreaterThan(15);
  await run();
  expect([...kept()].filter(([name, rows]) => rows !== before.get(name))).toEqual([]);
}

/** What an answer tells, without the address that was asked for: that the visitor knows. */
const told = ({ html, response }: Shown, path: string): string =>
  [html, ...response.headers.values()].join("\n").replaceAll(path, "").replaceAll(encodeURIComponent(path), "");
const ask = async (desk: DeskClient, { method, template }: { method: string; template: string }) =>
  method === "GET" ? desk.get(filled(template)) : desk.post(filled(template), form());
const ADMINS = /^(?:GET|POST) \/-\/(?:settings\/(?:people|namespaces|mute)|setup\/|settings\/backups$)/;
const hasName = ({ template }: { template: string }) => template.includes("/:");

describe("who sees one namespace", () => {
  test("finds nothing of another by its ids, and changes nothing of it", async () => {
    const named = routes.filter(hasName);
    expect(named.length).toBeGreaterThan(45);
    await changesNothing(async () => {
      for (const route of named) {
        // the ids are true ones: an admin sees something
        if (route.method === "GET") expect([route.name, (await ask(admin, route)).status]).toEqual([route.name, 200]);
        const answered = await ask(mara, route);
        expect([route.name, answered.status]).toEqual([route.name, ADMINS.test(route.name) ? 403 : 404]);
        expect([route.name, told(answered, filled(route.template)).includes(HIDDEN)]).toEqual([route.name, false]);
      }
    });
  });

  test("reads nothing of another in any list, title, count or suggestion, whatever is asked for", async () => {
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

  test("is told what keeps pushes back only of their own", async () => {
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

  test("brings nothing of another into her own, and gives nothing away to it", async () => {
    const { topic, device, check, message } = hers;
    const other = theirs.topic.key;
    const rows: [path: string, form: Record<string, string>, status: number][] = [
      ["/-/keys", { ...form(), namespace: HIDDEN }, 422],
      ["/-/keys", { ...form(), namespace: "home", scope: "admin" }, 422],
      ["/-/topics/new", { namespace: HIDDEN, name: "made" }, 422],
      ["/-/checks/new", { ...form(), ns: HIDDEN }, 404],
      [`/-/checks/${check}/edit`, { ...form(), topic: other }, 404],
      ...["mute", "unmute", "remove"].map((what): [string, Record<string, string>, number] => [
        ...([`/-/topics/${topic.key}/devices`, { device: theirs.device, do: what }, 404] as const),
      ]),
      ["/-/deliveries/retry", { topic: other, message: String(theirs.message) }, 404],
      ["/-/deliveries/retry", { topic: topic.key, message: String(message), device: theirs.device }, 303],
      [`/-/devices/${device}/topics`, { topic: other }, 422],
      [`/-/devices/${device}/topics/${other}`, { mute: "8" }, 404],
      [`/-/devices/${device}/topics/${other}/remove`, {}, 404],
      // it is in both: what is the device's as a whole is not hers
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

  test("does nothing that is for admins", async () => {
    const admins = routes.filter((route) => ADMINS.test(route.name) && !hasName(route));
    expect(admins.length).toBeGreaterThan(9);
    await changesNothing(async () => {
      for (const route of admins) expect([route.name, (await ask(mara, route)).status]).toEqual([route.name, 403]);
    });
  });
});

test("nobody comes to the operator's routes over the network, however they are spelled", async () => {
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

test("who is not signed in sees and changes nothing", async () => {
  const open = /^(?:GET|POST) \/-\/(?:login|setup)$|^POST \/-\/(?:language|logout)$/;
  const nobody = deskAs(peal, `__Host-peal=${"0".repeat(64)}; peal=${"0".repeat(64)}`);
  await changesNothing(async () => {
    for (const route of routes.filter(({ name }) => !open.test(name))) {
      const answered = await ask(nobody, route);
      expect([route.name, answered.status]).toEqual([route.name, route.method === "GET" ? 303 : 401]);
      expect([route.name, told(answered, filled(route.template)).includes(HIDDEN)]).toEqual([route.name, false]);
    }
  });
});

describe("a form", () => {
  // prettier-ignore
  const rows: [from: string, headers: (url: string) => Record<string, string>][] = [
    ["nobody says where",        () => ({})],
    ["another site",             () => ({ "sec-fetch-site": "cross-site" })],
    ["a sibling of the host",    () => ({ "sec-fetch-site": "same-site" })],
    ["an opaque origin",         () => ({ origin: "null" })],
    ["another port",             (url) => ({ origin: `${url}0` })],
    ["a host that begins alike", (url) => ({ origin: `${url}.evil.example` })],
    ["a host that has a proxy",  () => ({ origin: "http://evil.example", "x-forwarded-for": "192.0.2.7" })],
  ];
  test.each(rows)("from %s does nothing, whichever it is", async (_, headers) => {
    const forms = routes.filter(({ method, name }) => method === "POST" && name !== "POST /-/language");
    expect(forms.length).toBeGreaterThan(40);
    await changesNothing(async () => {
      for (const { name, template } of forms) {
        const refused = await peal.request(filled(template), {
          method: "POST",
          headers: { accept: "text/html", cookie: cookies.admin, ...headers(peal.url) },
          body: new URLSearchParams(form()),
        });
        expect([name, refused.status, refused.headers.get("set-cookie")]).toEqual([name, 403, null]);
      }
    });
  });

  test("that is kept back is nobody's once its sender is signed out, and an admin's only while they are one", async () => {
    const sent = async (cookie: string, end: () => Promise<unknown>) => {
      const headers = { ...SAME_SITE, cookie, "content-type": "application/x-www-form-urlencoded" };
      const { finish } = await begin(peal.url, "POST", "/-/settings/namespaces", headers, "namespace=latecomer");
      await end();
      return statuses(await finish());
    };
    const id = await person(peal, { name: "eve" });
    const path = `/-/local/people/${id}`;
    const demoted = cookieOf(await login(peal, { name: "eve" }));
    const out = cookieOf(await login(peal, { name: "eve" }));
    expect(await sent(demoted, async () => asked(peal, "PATCH", path, { admin: false }))).toEqual([403]);
    expect(await sent(out, async () => asked(peal, "DELETE", `${path}/sessions`))).toEqual([401]);
    expect((await admin.get("/-/settings")).text).not.toContain("latecomer");
  });

  test("of the language is anybody's: it keeps a word in a cookie, and nothing else", async () => {
    const headers = { cookie: cookies.admin, "sec-fetch-site": "cross-site" };
    await changesNothing(async () => {
      const body = new URLSearchParams(form());
      const answered = await peal.request("/-/language", { method: "POST", headers, body });
      expect(answered.headers.getSetCookie().map((set) => set.split(";", 1)[0])).toEqual(["lang=de"]);
    });
  });

  test("of ten thousand fields is read, and of too many bytes is not", async () => {
    const many = Array.from({ length: 10_000 }, (_, n): [string, string] => [`f${n % 10}`, ""]);
    expect((await mara.post("/-/topics/new", many)).status).toBe(422);
    expect((await mara.post("/-/topics/new", { name: "x".repeat(70_000) })).status).toBe(413);
  });
});

test("reading changes nothing, also by an admin, also as HEAD", async () => {
  const pages = routes.filter(({ method, template }) => method === "GET" && template !== "/-/events");
  await changesNothing(async () => {
    for (const { template } of pages)
      for (const method of ["GET", "HEAD"]) {
        const headers = { cookie: cookies.admin, accept: "text/html" };
        const read = await peal.request(filled(template), { method, headers });
        expect([template, method, read.status < 400]).toEqual([template, method, true]);
        expect([template, read.headers.get("cache-control")]).toEqual([template, "no-store"]);
      }
  });
});

test("what people, devices, keys and checks are called is text on every page", async () => {
  for (const route of routes.filter(({ method, template }) => method === "GET" && template !== "/-/events")) {
    const { html } = await ask(admin, route);
    expect([route.name, html.includes(`<${HIDDEN}`), html.includes(`onload='`)]).toEqual([route.name, false, false]);
  }
});

describe("where a form goes on", () => {
  // prettier-ignore
  const away = [
    "https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example", "/-/..//evil.example", "/x/..//evil.example",
    "/-/\\..\\..\\evil.example", "/%2f/evil.example", "/\t/evil.example", "\u0000//evil.example", "javascript:alert(1)",
    "http:evil.example", "/-/\r\nlocation: https://evil.example", "@evil.example", ".evil.example", ":80@evil.example", "/-/%0d%0aset-cookie:a=b",
  ];
  test.each(away)("is this server, not %j", async (to) => {
    const query = `?${new URLSearchParams({ to }).toString()}`;
    const password = "correct horse battery";
    const answers = [
      await mara.get(`/-/login${query}`),
      await mara.post(`/-/confirm${query}`, { password }),
      await mara.post("/-/language", { lang: "en", to }),
      await mara.post("/-/deliveries/retry", { topic: hers.topic.key, message: String(hers.message), back: to }),
      await mara.post(
        `/-/messages/${hers.topic.key}/${hers.message}/acknowledge${query}&from=${encodeURIComponent(to)}`,
      ),
    ];
    for (const { status, location, response } of answers) {
      expect([status, location?.startsWith("/")]).toEqual([303, true]);
      const there = new URL(location ?? "", peal.url);
      expect([there.origin, response.headers.getSetCookie().some((set) => set.startsWith("a="))]).toEqual([
        peal.url,
        false,
      ]);
    }
  });
});

test("a flash that somebody else has put into the browser breaks no page and is gone with the next", async () => {
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
      const flash = encodeURIComponent(JSON.stringify({ say, values, tone: "error", undo: { topic: "x", id: 1 } }));
      const shown = await deskAs(peal, `${cookies.mara}; flash=${flash}`).get("/-/settings");
      expect([say, values, shown.status, shown.html.includes("<quokka")]).toEqual([say, values, 200, false]);
      expect(shown.response.headers.getSetCookie().join()).toContain("flash=; ");
    }
});

describe("whom a proxy names", () => {
  test("is nobody's claim by another spelling of the header, twice, or past the proxy", async () => {
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
