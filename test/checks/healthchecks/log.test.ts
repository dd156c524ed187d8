/** Pings, flips and badges of Healthchecks' API (its own cases: hc/api/tests; CHECKINS.md §10). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ping } from "../../support/checks.ts";
import { asker, type Healthchecks, startHealthchecks } from "./asking.ts";

let hc: Healthchecks;
beforeAll(async () => {
  hc = await startHealthchecks();
});
afterAll(async () => hc[Symbol.asyncDispose]());

test("pings come newest first, with their bodies at an address of their own", async () => {
  const { uuid, ping_url } = await hc.made({ name: "pinged", timeout: 3600 });
  const rid = "6a2c1c1e-1b1e-4b0e-8a53-0d6b6b7a3f11";
  await ping(hc.peal, `${ping_url}/start?rid=${rid}`);
  hc.clock.advance(1_234);
  await ping(hc.peal, `${ping_url}?rid=${rid}`, {
    method: "POST",
    body: "all fine",
    headers: { "user-agent": "job/1" },
  });
  await ping(hc.peal, `${ping_url}/3?rid=nightly`);
  const [, { pings }] = await hc.ask("GET", `/checks/${uuid}/pings/`);
  const found = pings as Record<string, unknown>[];
  expect(found.map(({ type }) => type)).toEqual(["fail", "success", "start"]);
  expect(found[1]).toEqual({
    ...{ type: "success", n: 2, scheme: "http", remote_addr: "127.0.0.1", method: "POST", ua: "job/1", rid },
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
    ...{ duration: 1.23, body_url: `${hc.peal.url}/api/v3/checks/${uuid}/pings/2/body` },
  });
  expect(found[0]).toMatchObject({ rid: null, body_url: null });
  const body = await hc.peal.request(String(found[1]?.["body_url"]), { headers: { "x-api-key": hc.full } });
  expect([body.status, await body.text()]).toEqual([200, "all fine"]);
  for (const n of ["3", "99", "x"]) expect((await hc.ask("GET", `/checks/${uuid}/pings/${n}/body`))[0]).toBe(404);
});

test("flips say when it went down and came up, and can be asked for by time", async () => {
  const { uuid, ping_url } = await hc.made({ name: "flipping", timeout: 3600 });
  const began = Math.floor(hc.clock.now() / 1000);
  for (const path of ["", "/fail", ""]) {
    await ping(hc.peal, `${ping_url}${path}`);
    hc.clock.advance(60_000);
  }
  const flips = async (query = "", key = hc.full) => {
    const [status, { flips = [] }] = await asker(hc.peal, key)("GET", `/checks/${uuid}/flips/${query}`);
    return [status, (flips as { timestamp: string; up: number }[]).map(({ up }) => up)];
  };
  expect(await flips()).toEqual([200, [1, 0, 1]]);
  expect(await flips("?seconds=61")).toEqual([200, [1]]);
  expect(await flips("?seconds=0")).toEqual([200, [1, 0, 1]]);
  expect(await flips(`?start=${began + 1}`)).toEqual([200, [1, 0]]);
  expect(await flips(`?start=${began}&end=${began + 60}`)).toEqual([200, [1]]);
  expect(await flips("", hc.read)).toEqual([200, [1, 0, 1]]);
  for (const wrong of ["seconds=-1", "seconds=31536001", "start=surprise", "end=10000000001"])
    expect((await flips(`?${wrong}`))[0]).toBe(400);
  const [, { flips: [first] = [] }] = (await hc.ask("GET", `/checks/${uuid}/flips/`)) as [number, { flips?: object[] }];
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/) as string;
  expect(first).toEqual({ timestamp, up: 1 });
});

test("badges show the worst state of a tag to anybody, and to nobody who has only guessed its address", async () => {
  const { ping_url } = await hc.made({ name: "badged", tags: "b1 b2", timeout: 60, grace: 600 });
  await ping(hc.peal, ping_url);
  const [, { badges }] = await hc.ask("GET", "/badges/");
  const { b1 = {} } = badges as Record<string, Record<string, string>>;
  expect(Object.keys(b1)).toEqual(["svg", "svg3", "json", "json3", "shields", "shields3"]);
  const get = async (url = "") => (await hc.peal.request(url)).json();
  expect(await get(b1["json"])).toEqual({ status: "up", total: 1, grace: 0, down: 0 });
  hc.clock.advance(61_000);
  expect(await get(b1["json3"])).toEqual({ status: "late", total: 1, grace: 1, down: 0 });
  expect(await get(b1["json"])).toMatchObject({ status: "up", grace: 1 });
  expect(await get(b1["shields3"])).toMatchObject({ schemaVersion: 1, label: "b1", message: "late" });
  await ping(hc.peal, `${ping_url}/fail`);
  expect(await get(b1["shields"])).toMatchObject({ message: "down" });
  const svg = await hc.peal.request(b1["svg"] ?? "");
  expect(svg.headers.get("content-type")).toBe("image/svg+xml");
  expect(await svg.text()).toContain("b1: down");
  expect((await hc.peal.request((b1["json"] ?? "").replace("tag=b1", "tag=b2"))).status).toBe(404);
});
