/** What holds for every path: who is let in, which methods exist, how paths are read, and what every answer contains. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { speaksNtfy } from "../../src/ntfy/errors.ts";
import { createApp, type App } from "../../src/server/app.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { answers, converse, rawRequest, statuses } from "../support/raw.ts";
import { inProcess, startPeal, type InProcess, type Peal } from "../support/server.ts";
import { person } from "../support/signin.ts";

let peal: Peal;
let topic: { key: string };
/** Lists the routes; the requests go to the server under test. */
let app: App;
beforeAll(async () => {
  peal = await startPeal();
  topic = await peal.topic("hello");
  await using own = await inProcess();
  app = createApp(own.running.deps);
});
afterAll(async () => peal[Symbol.asyncDispose]());
const key = () => ({ authorization: `Bearer ${peal.adminKey}` });

/** Routes that need no key (API.md §2, WEB.md). All others do. */
const PUBLIC = new Set([
  ...["GET /", "GET /-", "GET /-/setup", "POST /-/setup", "GET /-/assets/:file", "GET /-/manifest.webmanifest"],
  ...["GET /-/run.sh", "GET /-/run.ps1"],
  ...["POST /-/language", "GET /-/login", "POST /-/login", "POST /-/logout"],
  ...["GET /health", "GET /ready", "GET /metrics", "GET /openapi.json", "GET /docs"],
  ...["GET /:ns", "GET /:ns/:name", "GET /:ns/:key/:last", "GET /:ns/:key/events"],
  ...["GET /:ns/:key/feed.atom", "GET /:ns/:key/feed.json", "GET /:ns/:key/manifest.webmanifest"],
  "GET /:ns/:key/files/:id/:name",
  ...["GET /v1/:ns/:key/messages", "GET /v1/:ns/:key/messages/:id", "POST /v1/:ns/:key/messages/:id/ack"],
  ...["POST /:ns/:name/messages/:id/ack", "POST /:ns/:name/messages/:id/unack", "GET /sw.js", "GET /v1/webpush"],
  ...["POST /v1/devices", "GET /v1/devices/:id", "PATCH /v1/devices/:id", "DELETE /v1/devices/:id"],
  ...["POST /v1/devices/:id/test", "POST /v1/devices/:id/shown", "POST /v1/devices/:id/subscriptions"],
  ...["PATCH", "DELETE"].map((method) => `${method} /v1/devices/:id/subscriptions/:ns/:key`),
  ...["/v1/ping/:token", "/v1/ping/:token/:suffix", "/v1/ping/:token/:suffix/:outcome", "/api/push/:token"].flatMap(
    (ping) => ["GET", "POST", "PUT"].map((method) => `${method} ${ping}`),
  ),
  ...["GET /v1/:ns/badges/:file", "GET /v1/:ns/badges/tags/:file"],
  // the token of a hook replaces a key
  ...["/v1/hook/:token", "/v1/hook/:token/:dialect"].flatMap((hook) =>
    ["GET", "POST", "PUT"].map((method) => `${method} ${hook}`),
  ),
  ...["GET /api/webhooks/:id/:token", "POST /api/webhooks/:id/:token"],
  ...["POST /v1/gotify//message", "GET /v1/gotify/health"], // the first one as shoutrrr writes it
  ...["POST /message", "POST /v1/gotify/message", "GET /version", "GET /v1/gotify/version"],
  ...["POST /v1/apprise/notify", "POST /v1/apprise/notify/:token"],
  // the topic's key replaces another one, or there is nothing to know
  "GET /:topics",
  ...["auth", "json", "sse", "raw", "ws"].flatMap((word) => [`GET /:topics/${word}`, `GET /ntfy/:ns/:topics/${word}`]),
  ...["health", "account", "version"].flatMap((word) => [`GET /v1/${word}`, `GET /ntfy/:ns/v1/${word}`]),
]);
/** Whose refusals are in Gotify's form. */
const GOTIFY = /^(?:\/v1\/gotify)?\/(?:auth|current|client|application|message|stream)(?:\/|$)/;
/** All routes of clients. The operator's are 404 except over peal.sock, which is tested below. */
const routes = () =>
  app.table.templates
    .filter(isAsked)
    .flatMap(({ template, methods }) => methods.map((method) => ({ method, template, name: `${method} ${template}` })));
const filled = (template: string) =>
  template
    .replace(":ns", "home")
    .replaceAll(/:(?:name|key|last|topics)/g, topic.key)
    .replace(/:\w+/, "1");
// unless it follows a path, `//message` would be read as a host
const isAsked = ({ template }: { template: string }) => !/^\/(?:-\/local)?\//.test(template);
const isStream = (path: string) => /\/(?:events|json|sse|raw|ws)$/.test(path);
/** The paths that clients may request, by template. */
const paths = () =>
  app.table.templates.filter(isAsked).map(({ template, methods }) => ({ path: filled(template), methods }));

test("every public route exists", () => {
  const names = routes().map(({ name }) => name);
  expect([...PUBLIC].filter((name) => !names.includes(name))).toEqual([]);
});

test("every route that is not public answers 401 without a key", async () => {
  const guarded = routes().filter(
    // test/checks/healthchecks has the addresses of Healthchecks' API
    ({ name, template }) => !PUBLIC.has(name) && !/^\/(?:-|api\/:version)\//.test(template),
  );
  expect(guarded.length).toBeGreaterThan(15);
  for (const { method, template, name } of guarded) {
    const path = filled(template);
    const said = await answer<Record<string, unknown>>(401, await peal.request(path, { method }));
    if (GOTIFY.test(template)) expect([name, said["errorCode"]]).toEqual([name, 401]);
    else expect([name, said["code"]]).toEqual([name, speaksNtfy(method, path) ? 40101 : "missing_key"]);
  }
});
test("every page below /-/ that is not public requires a sign-in, and no key opens it", async () => {
  const pages = routes().filter(({ name, template }) => !PUBLIC.has(name) && template.startsWith("/-/"));
  expect(pages.length).toBeGreaterThan(10);
  await person(peal);
  for (const { method, template, name } of pages) {
    const headers = { ...key(), "sec-fetch-site": "same-origin" };
    const refused = await peal.request(filled(template), { method, headers });
    const told =
      method === "GET" ? refused.headers.get("location") : (await answer<{ code: string }>(401, refused)).code;
    const login = `/-/login?${new URLSearchParams({ to: filled(template) }).toString()}`;
    expect([name, told]).toEqual([name, method === "GET" ? login : "sign_in_needed"]);
  }
});
test("the hook that prepares pages runs for pages, and not for what programs request often", () => {
  const hooked = app.routes
    .filter(({ hooks }) => ["transform", "beforeHandle", "mapResponse"].some((at) => hooks[at] !== undefined))
    .map(({ method, path }) => `${method} ${path}`);
  for (const page of ["GET /:ns/:key", "GET /-/", "POST /-/setup", "GET /docs"]) expect(hooked).toContain(page);
  const asked = /^(?:POST|PUT) \/:ns\/:name$|^[A-Z]+ \/v1\/:ns\/:key|^GET \/(?!-\/)(?:.*\/events|health|metrics)$/;
  expect(hooked.filter((name) => asked.test(name))).toEqual([]);
});

describe("methods", () => {
  // prettier-ignore
  test.each([
    ["DELETE", "/v1/home/topics",   "POST, GET, HEAD, OPTIONS"],
    ["POST",   "/health",           "GET, HEAD, OPTIONS"],
    ["PUT",    "/v1/keys",          "POST, GET, HEAD, OPTIONS"],
    ["GET",    "/v1/keys/0123",     "DELETE, OPTIONS"],
    ["DELETE", "/home/hello",       "POST, PUT, GET, HEAD, OPTIONS"],
    ["PATCH",  "/",                 "POST, PUT, GET, HEAD, OPTIONS"],
  ])("%s %s is 405", async (method, path, allow) => {
    const response = await peal.request(path, { method });
    expect(response.headers.get("allow")).toBe(allow);
    await answer(405, response);
  });

  test("any other method of any path is 405 with the allowed ones, and OPTIONS lists them", async () => {
    const methodsOf = (response: Response) => response.headers.get("allow")?.split(", ").toSorted();
    for (const { path, methods } of paths()) {
      const allow = [...methods, "OPTIONS", ...(methods.includes("GET") ? ["HEAD"] : [])].toSorted();
      const told = await peal.request(path, { method: "OPTIONS" });
      expect([path, told.status, methodsOf(told)]).toEqual([path, 204, allow]);
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => !methods.includes(one))) {
        const response = await peal.request(path, { method, headers: key() });
        expect([method, path, response.status, methodsOf(response)]).toEqual([method, path, 405, allow]);
        const own = /^\/v1\/.*\/publish$/.test(path) ? "publish_by_post" : "method_not_allowed";
        expect(await response.json()).toMatchObject({ code: speaksNtfy(method, path) ? 40500 : own });
      }
    }
  });

  test("HEAD is answered wherever GET is, with the same headers and no body", async () => {
    const readable = paths().filter(({ path, methods }) => methods.includes("GET") && !isStream(path));
    expect(readable.length).toBeGreaterThan(15);
    for (const { path } of readable) {
      const ask = async (method: string) => peal.request(path, { method, headers: key() });
      const [get, head] = await Promise.all([ask("GET"), ask("HEAD")]);
      expect([path, head.status]).toEqual([path, get.status]);
      for (const name of ["content-type", "cache-control", "etag", "location"])
        expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
      expect(await head.text()).toBe("");
    }
    const heard = await converse(
      peal.url,
      rawRequest("HEAD", `/home/${topic.key}/events`) + rawRequest("GET", "/ready"),
      answers(2),
    );
    expect(statuses(heard)).toEqual([200, 200]);
    expect(heard).not.toContain("event: ready");
  });

  test("a script of another origin may send requests and read the answers, except below /-/", async () => {
    const preflight = await peal.request("/home/hello", {
      method: "OPTIONS",
      headers: {
        origin: "https://x.test",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,title",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization,title");
    const refused = await peal.request("/home/hello", { method: "POST", headers: { origin: "https://x.test" } });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("access-control-allow-credentials")).toBeNull();
    for (const [method, path] of [
      ["GET", "/-/setup"],
      ["OPTIONS", "/-/setup"],
    ] as const) {
      const own = await peal.request(path, {
        method,
        headers: { origin: "https://x.test", "access-control-request-method": "POST" },
      });
      expect(own.headers.get("access-control-allow-origin")).toBeNull();
      expect(own.headers.get("access-control-allow-methods")).toBeNull();
    }
    expect((await peal.request("/v1/nothing/here/at/all", { method: "OPTIONS" })).status).toBe(404);
  });

  test("the answer to a publish says so to a script, and is short for a tool; a refusal says it always", async () => {
    const shared = async (path: string, headers: Record<string, string>) => {
      const { status, headers: answered } = await peal.request(path, { method: "POST", body: "x", headers });
      return [status, ...["allow-origin", "expose-headers"].map((name) => answered.has(`access-control-${name}`))];
    };
    const origin = "https://x.test";
    expect(await shared("/home/hello", { ...key(), origin })).toEqual([201, true, true]);
    expect(await shared("/home/hello", { ...key(), origin: "null" })).toEqual([201, true, true]);
    expect(await shared("/home/hello", key())).toEqual([201, false, false]);
    expect(await shared("/home/hello", {})).toEqual([401, true, true]);
  });
});

describe("paths", () => {
  // prettier-ignore
  const strange: [string, string, number][] = [
    ["two slashes in front",    "//home/hello",                 404],
    ["two slashes inside",      "/home//hello",                 404],
    ["an encoded slash",        "/home%2Fhello",                404],
    ["an encoded backslash",    "/home/a%5Cb",                  404],
    ["NUL",                     "/home/a%00b",                  404],
    ["a fragment",              "/home/hello#x",                404],
    ["two trailing slashes",    "/home/hello//",                404],
    ["a reserved first word",   "/v1/hello",                    404],
    ["a reserved first word",   "/metrics/hello",               404],
    ["the operator's door",     "/-/local/namespaces",          404],
    ["dots that lead nowhere",  "/home/..",                     400], // Bun resolves it to `/`, which takes ntfy's JSON
    ["dots to a publish",       "/home/x/../../-/local/namespaces", 404],
    ["a path of the API by position", "/home/v1/home/hello",    404],
  ];
  const publishTo = async (target: string, host = "peal.test") => {
    const request = rawRequest("POST", target, { host, ...key() }, "hi");
    return statuses(await converse(peal.url, request, answers(1)));
  };
  /** All topics with their latest ids, which a publish would change. */
  const stored = async () => answer<object>(200, await peal.api("GET", "/v1/home/topics"));

  test.each(strange)("%s: %s", async (_, path, status) => {
    const before = await stored();
    expect(await publishTo(path)).toEqual([status]);
    expect(await stored()).toEqual(before);
  });
  test("a URL has a maximum length", async () => {
    const before = await stored();
    const target = `/home/hello?x=${"x".repeat(8_192)}`;
    const heard = await converse(peal.url, rawRequest("POST", target, key(), "hi"), answers(1));
    expect(statuses(heard)).toEqual([414]);
    expect(heard).toContain('"code":"uri_too_long"');
    expect(await stored()).toEqual(before);
  });
  test("a Host header without a valid host is refused with its code", async () => {
    const heard = await converse(
      peal.url,
      rawRequest("POST", "/home/hello", { ...key(), host: "a/b" }, "hi"),
      answers(1),
    );
    expect(statuses(heard)).toEqual([400]);
    expect(heard).toContain('"code":"bad_request"');
  });

  // prettier-ignore
  test.each([
    ["x", 405], ["pi", 405], ["a.b.c:80", 405], ["[::1]:7325", 405], ["x/v1/home", 400], ["x?y", 400], ["user@x", 400], ["a b", 400], ["x, y", 400],
  ] as const)("Host: %s does not move the path", async (host, status) => {
    // with Elysia's defaults a short host made `/v1/home/nope` the topic `nope` of `home` (measured)
    const before = await stored();
    expect(await publishTo("/v1/home/nope", host)).toEqual([status]);
    expect(await stored()).toEqual(before);
  });

  test.each(["/", "/-"])("%s leads to /-/", async (path) => {
    const { status, headers } = await peal.request(path);
    expect([status, headers.get("location")]).toEqual([303, "/-/"]);
  });

  test("an absolute target, and HTTP/1.0 without Host, are accepted", async () => {
    const absolute = await converse(peal.url, rawRequest("GET", "http://other.test/ready"), answers(1));
    expect(statuses(absolute)).toEqual([200]);
    const old = await converse(peal.url, "GET /ready HTTP/1.0\r\n\r\n");
    expect(statuses(old)).toEqual([200]);
    const page = await converse(peal.url, "GET /nothing/here/at-all HTTP/1.0\r\nAccept: text/html\r\n\r\n");
    expect(statuses(page)).toEqual([404]);
  });

  test("500 headers, or one of more than 16 KiB, are refused, and the server continues", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x-${i}`, "v"]));
    for (const headers of [many, { "x-long": "v".repeat(16_385) }])
      expect(statuses(await converse(peal.url, rawRequest("GET", "/ready", headers), answers(1)))).toEqual([431]);
    expect((await peal.request("/ready")).status).toBe(200);
  });
});

describe("answers", () => {
  test("carry a request id, and a problem repeats it", async () => {
    const fine = await peal.request("/health");
    expect(fine.headers.get("x-request-id")).toMatch(/^[0-9a-z]{12}$/);
    const missing = await peal.request("/nothing/here/at/all");
    const { request_id, code, type } = await answer<Record<string, string>>(404, missing);
    expect(missing.headers.get("content-type")).toBe("application/problem+json");
    expect([request_id, code, type]).toEqual([missing.headers.get("x-request-id") ?? "", "not_found", "about:blank"]);
    expect(missing.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("that are 304 have the same cache headers as the whole ones", async () => {
    for (const path of [
      `/v1/home/${topic.key}/messages`,
      `/home/${topic.key}/feed.atom`,
      `/home/${topic.key}/feed.json`,
    ]) {
      const whole = await peal.request(path);
      const again = await peal.request(path, { headers: { "if-none-match": whole.headers.get("etag") ?? "" } });
      const told = ({ headers }: Response) => [path, headers.get("cache-control"), headers.get("etag")];
      expect([again.status, ...told(again)]).toEqual([304, ...told(whole)]);
      expect(again.headers.get("cache-control")).toBe("no-cache");
    }
  });

  test("always have a type that browsers do not guess", async () => {
    const published = await peal.api("POST", "/home/typed", "<script>");
    expect([published.status, published.headers.get("x-content-type-options")]).toEqual([201, "nosniff"]);
    const paths = [
      "/health",
      "/openapi.json",
      "/docs",
      `/v1/home/${topic.key}/messages`,
      `/home/${topic.key}/feed.atom`,
    ];
    for (const path of [...paths, `/home/${topic.key}`, "/nothing/here"])
      expect([path, (await peal.request(path)).headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
  });

  test.each([
    ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html"],
    ["application/json, text/html;q=0.5", "application/problem+json"],
    ["text/html;q=0", "application/problem+json"],
    ["*/*", "application/problem+json"],
    ["", "application/problem+json"],
  ])("to Accept %p are %s", async (accept, type) => {
    const response = await peal.request("/nothing/here/at/all", { headers: { accept } });
    expect(response.headers.get("content-type")).toStartWith(type);
  });

  test("an unexpected error is a 500 without any details, and logged in full", async () => {
    await using broken = await startPeal();
    const file = new Database(join(broken.dataDir, "peal.db"));
    file.run("PRAGMA busy_timeout = 5000"); // a worker may be writing
    file.run("DROP TABLE scheduled");
    file.close();
    const response = await broken.api("GET", "/v1/home/scheduled");
    const told = await response.text();
    expect([response.status, JSON.parse(told)]).toEqual([500, expect.objectContaining({ code: "internal" })]);
    expect(told).not.toMatch(/scheduled|SQL|src/);
    const logged = `request=${response.headers.get("x-request-id") ?? ""}`;
    await eventually("its line in the log", () => broken.logs().includes(logged));
    expect(broken.logs()).toContain("no such table");
  });
});

describe("with a base path", () => {
  let based: InProcess;
  beforeAll(async () => (based = await inProcess({ env: { PEAL_BASE_URL: "https://example.test/peal" } })));
  afterAll(async () => based[Symbol.asyncDispose]());

  test("requests work with it and without it", async () => {
    for (const prefix of ["", "/peal"]) {
      const made = await answer<{ topic_url: string; topic: string }>(
        201,
        await based.api("POST", `${prefix}/home/backups`, "done"),
      );
      expect(made.topic_url).toBe(`https://example.test/peal/home/backups/${made.topic}`);
      expect((await based.request(`${prefix}/v1/home/${made.topic}/messages`)).status).toBe(200);
      expect((await based.request(`${prefix}/health`, { method: "HEAD" })).status).toBe(200);
      expect((await based.request(`${prefix}/v1/home/topics`, { method: "DELETE" })).headers.get("allow")).toContain(
        "POST",
      );
      expect((await based.request(`${prefix}/metrics/x`)).status).toBe(404);
    }
    expect((await based.request("/peal")).headers.get("location")).toBe("/peal/-/");
    expect((await based.api("POST", "/peal/hello", "hi")).status).toBe(405); // this is the key of `GET /{topic-key}`, never a namespace
    expect((await based.request("/peal/peal/health")).status).toBe(404);
  });
});
