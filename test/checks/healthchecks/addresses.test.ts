/** The addresses of Healthchecks' API: who may ask there, and from where (CHECKINS.md §10). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newCheck, ping } from "../../support/checks.ts";
import { answer } from "../../support/client.ts";
import { asker, decoded, type Healthchecks, ReadOnlyDict, startHealthchecks } from "./asking.ts";

let hc: Healthchecks;
beforeAll(async () => {
  hc = await startHealthchecks();
});
afterAll(async () => hc[Symbol.asyncDispose]());

test("the status needs no key", async () => {
  const response = await hc.peal.request("/api/v3/status/");
  expect([response.status, await response.text()]).toEqual([200, "OK"]);
});

test("every address answers a key, with and without a slash at its end, in all versions, and no other", async () => {
  const { uuid } = await hc.made({ name: "slashes" });
  for (const path of [
    "/checks",
    `/checks/${uuid}`,
    `/checks/${uuid}/pings`,
    `/checks/${uuid}/flips`,
    "/channels",
    "/badges",
    "/status",
  ])
    for (const address of ["v1", "v2", "v3"].flatMap((version) => [
      `/api/${version}${path}`,
      `/api/${version}${path}/`,
    ])) {
      const known = await hc.peal.request(address, { headers: { "x-api-key": hc.full } });
      const nobody = await hc.peal.request(address);
      expect([address, known.status, nobody.status]).toEqual([address, 200, path === "/status" ? 200 : 401]);
    }
  for (const version of ["v0", "v4", "push", "webhooks"])
    expect((await hc.peal.request(`/api/${version}/checks`, { headers: { "x-api-key": hc.full } })).status).toBe(404);
  expect((await hc.peal.request("/api/v3/checks", { method: "POST", headers: { "x-api-key": hc.full } })).status).toBe(
    201,
  );
  expect((await hc.peal.request("/api/v3/checks/", { method: "PUT", headers: { "x-api-key": hc.full } })).status).toBe(
    405,
  );
});

test("the addresses of Uptime Kuma's pushes and Discord's webhooks are theirs", async () => {
  const check = await newCheck(hc.peal, { name: "pushed", every: 3600 });
  const token = check.ping_url.split("/").at(-1) ?? "";
  expect(await answer<object>(200, await hc.peal.request(`/api/push/${token}?status=up`))).toEqual({ ok: true });
  for (const name of ["checks", "channels", "badges", "status"])
    expect(await answer<object>(404, await hc.peal.request(`/api/push/${name}`))).toEqual({
      ok: false,
      msg: "not found",
    });
  for (const path of ["/api/webhooks/1/checks", `/api/webhooks/checks/${token}`])
    expect(await answer<object>(404, await hc.peal.request(path, { method: "POST", body: "{}" }))).toMatchObject({
      code: 10015,
    });
});

test("scripts of any origin may ask", async () => {
  for (const path of ["/api/v1/checks/", "/api/v3/channels"]) {
    const headers = {
      origin: "https://other.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "x-api-key",
    };
    const preflight = await hc.peal.request(path, { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("GET");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("x-api-key");
    const response = await hc.peal.request(path, { headers: { "x-api-key": hc.full } });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  }
  const posted = await hc.peal.request("/api/v3/checks/", { method: "POST", headers: { "x-api-key": hc.full } });
  expect(posted.headers.get("access-control-allow-origin")).toBe("*");
});

test("a key that only reads sees no UUID, no URL and no output, and can change nothing", async () => {
  const { uuid, ping_url } = await hc.made({ name: "read only", timeout: 3600 });
  await ping(hc.peal, ping_url, { method: "POST", body: "out" });
  const reader = asker(hc.peal, hc.read);
  const [, { checks = [] }] = await reader("GET", "/checks/");
  for (const check of checks) decoded(ReadOnlyDict, check);
  expect(JSON.stringify(checks)).not.toContain(uuid);
  expect((await reader("GET", `/checks/${uuid}/pings/1/body`))[0]).toBe(403);
  const [, { pings = [] }] = (await reader("GET", `/checks/${uuid}/pings/`)) as [
    number,
    { pings?: { body_url: null }[] },
  ];
  expect(pings.map(({ body_url }) => body_url)).toEqual([null]);
  for (const [method, path] of [
    ["POST", "/checks/"],
    ["POST", `/checks/${uuid}`],
    ["DELETE", `/checks/${uuid}`],
    ["POST", `/checks/${uuid}/pause`],
  ] as const)
    expect([method, path, (await reader(method, path, "{}"))[0]]).toEqual([method, path, 403]);
  const publisher = (await hc.peal.mint("publish")).key;
  expect((await asker(hc.peal, publisher)("GET", "/checks/"))[0]).toBe(403);
});
