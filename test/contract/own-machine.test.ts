/** What is open to this machine only is closed to websites that are shown in a browser on it (OPERATIONS.md §5). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { heldClock } from "../support/clock.ts";
import { keptLog } from "../support/log.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { person } from "../support/signin.ts";

const TOKEN = "t".repeat(32);
const BEARER = { authorization: `Bearer ${TOKEN}` };
type Asked = [who: string, headers: Record<string, string>, status: number];

describe("metrics on loopback", () => {
  let peal: InProcess;
  beforeAll(async () => (peal = await inProcess()));
  afterAll(async () => peal[Symbol.asyncDispose]());

  // prettier-ignore
  const asked: Asked[] = [
    ["curl by name",                        { host: "localhost:7325" },                                       200],
    ["Prometheus by address",               { host: "127.0.0.1:7325" },                                       200],
    ["another address of loopback",         { host: "127.0.1.1" },                                            200],
    ["IPv6",                                { host: "[::1]:7325" },                                           200],
    ["a tunnel to another port",            { host: "LOCALHOST:9999" },                                       200],
    ["whoever types the address",           { host: "localhost:7325", "sec-fetch-site": "none" },             200],
    ["a website's script",                  { origin: "https://evil.example" },                               403],
    ["a sandboxed frame of one",            { origin: "null" },                                               403],
    ["a website's image",                   { "sec-fetch-site": "cross-site" },                               403],
    ["another server on this machine",      { "sec-fetch-site": "same-site" },                                403],
    ["a website rebound to 127.0.0.1",      { host: "evil.example:7325" },                                    404],
    ["one below a name of loopback",        { host: "localhost.evil.example" },                               404],
    ["one that looks like an address",      { host: "127.0.0.1.evil.example:7325" },                          404],
  ];
  test.each(asked)("%s", async (_, headers, status) => {
    const answered = await peal.request("/metrics", { headers });
    expect([answered.status, answered.headers.get("access-control-allow-origin")]).toEqual([status, null]);
    expect((await answered.text()).includes("peal_build_info")).toBe(status === 200);
  });

  test("are not available to scripts of other origins, and the operator reads them over peal.sock", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "GET" };
    const preflight = await peal.request("/metrics", { method: "OPTIONS", headers });
    expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect((await peal.local("/metrics", { headers: { host: "peal" } })).status).toBe(200);
  });
});

test("a host in PEAL_LISTEN counts as this machine", async () => {
  const headers = { host: "0.0.0.0:7325" };
  await using named = await inProcess({ env: { PEAL_LISTEN: "0.0.0.0:0" } });
  await using other = await inProcess();
  const statuses = [named, other].map(async (peal) => (await peal.request("/metrics", { headers })).status);
  expect(await Promise.all(statuses)).toEqual([200, 404]);
});

test("a token opens the metrics under any name, and no website can read them with it", async () => {
  await using peal = await inProcess({ env: { PEAL_METRICS: TOKEN } });
  const rows: Asked[] = [
    ["this machine", {}, 200],
    ["rebound", { host: "evil.example" }, 401],
    ["with the token", { host: "peal.example", ...BEARER }, 200],
    ["a website that has it", { origin: "https://grafana.example", ...BEARER }, 403],
  ];
  for (const [who, headers, status] of rows) {
    const answered = await peal.request("/metrics", { headers });
    const allowed = answered.headers.get("access-control-allow-origin");
    expect([who, answered.status, allowed]).toEqual([who, status, null]);
  }
});

describe("the name that a proxy on this machine sets", () => {
  const ENV = { PEAL_AUTH_HEADER: "Remote-User" };
  const isIn = async (peal: InProcess, headers: Record<string, string>) =>
    (await peal.request("/-/login", { headers: { "remote-user": "mara", ...headers } })).status === 303;

  test("has no effect in the request of a rebound website, which is for another host", async () => {
    await using peal = await inProcess({ env: { ...ENV, PEAL_BASE_URL: "https://peal.example" } });
    await person(peal);
    // prettier-ignore
    const rows: [headers: Record<string, string>, isIn: boolean][] = [
      [{ host: "peal.example" },                                          true],
      [{ host: "PEAL.example:443" },                                      true],
      [{ host: "127.0.0.1:7325" },                                        true],
      [{ host: "evil.example:7325" },                                     false],
      [{ host: "evil.example:7325", "x-forwarded-host": "peal.example" }, false],
    ];
    for (const [headers, expected] of rows) expect([headers, await isIn(peal, headers)]).toEqual([headers, expected]);
  });

  test("is logged where it is ignored, once for each host and at most one line a minute", async () => {
    const clock = heldClock();
    const { log, lines } = keptLog(clock);
    await using peal = await inProcess({ env: { ...ENV, PEAL_BASE_URL: "https://peal.example" }, clock, log });
    await person(peal);
    const told = () => lines.filter((line) => line.includes("PEAL_AUTH_HEADER is ignored"));
    const long = `${"a".repeat(60)}.`.repeat(30);
    for (const host of ["peal.example", "127.0.0.1:7325"]) await isIn(peal, { host });
    for (const host of ["nas.lan:7325", "NAS.lan", "other.example"]) await isIn(peal, { host });
    expect(told().length).toBe(1);
    expect(told()[0]).toMatch(/ warn .* host=nas\.lan .*PEAL_BASE_URL/);
    clock.advance(60_000);
    for (const host of ["nas.lan:7325", `${long}example`, "other.example"]) await isIn(peal, { host });
    expect(told().length).toBe(2);
    expect(told()[1]).toMatch(/ host="?a{60}\./);
    expect(told()[1]?.length).toBeLessThan(600);
    expect(lines.some((line) => line.includes("mara"))).toBe(false);
  });

  test("causes a warning where the server does not know its own hosts", async () => {
    const { log, lines } = keptLog();
    await using peal = await inProcess({ env: ENV, log });
    await person(peal);
    expect(await isIn(peal, { host: "peal.example" })).toBe(true);
    expect(lines.filter((line) => line.includes("PEAL_BASE_URL"))).toHaveLength(1);
  });
});
