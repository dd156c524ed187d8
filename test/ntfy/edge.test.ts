/** ntfy's addresses beside peal's own: paths that are none, scripts of other origins, HEAD, and PEAL_BASE_URL (NTFY.md §1). */
import { afterAll, describe, expect, test } from "bun:test";
import { ntfyError, ntfyObject } from "../support/ntfy-object.ts";
import { inProcess } from "../support/server.ts";
import { bearer } from "./sending.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const topic = await peal.topic("backups");
const { key } = await peal.mint("publish");

test("below the path of PEAL_BASE_URL both bases are there too, and JSON goes to it without a slash", async () => {
  await using based = await inProcess({ env: { PEAL_BASE_URL: "https://house.example/peal" } });
  const { key: address } = await based.topic("based");
  const headers = bearer(based.adminKey);
  for (const path of ["/peal", "/peal/", "/peal/ntfy/home"]) {
    const body = JSON.stringify({ topic: address, message: path });
    expect([path, (await based.request(path, { method: "POST", body, headers })).status]).toEqual([path, 200]);
  }
  const response = await based.request(`/peal/${address}`, { method: "POST", body: "x".repeat(9_000), headers });
  expect(ntfyObject(await response.text()).message).toContain(`https://house.example/peal/home/${address}`);
});

describe("addresses", () => {
  test("that are none are refused in ntfy's form, and those of peal as before", async () => {
    for (const path of ["/ntfy/home/backups/a/b", "/ntfy", "/ntfy/", `/${topic.key}/a/b/c`, "/v1/version"]) {
      const response = await peal.request(path, { headers: { accept: "text/html" } });
      expect([path, response.status]).toEqual([path, 404]);
      if (path !== "/ntfy") expect(await ntfyError(response)).toMatchObject({ code: 40401 });
    }
    const own = await peal.request("/v1/home/topics/none/of/these");
    expect(own.headers.get("content-type")).toBe("application/problem+json");
  });

  test("tell scripts of other origins what they may do", async () => {
    const asks = { "access-control-request-method": "POST", "access-control-request-headers": "authorization,x-title" };
    for (const [path, allow] of [
      [`/${topic.key}`, "POST"],
      [`/${topic.key}/copy-1`, "DELETE"],
      [`/${topic.key}/auth`, "GET"],
      ["/ntfy/home/backups", "PUT"],
      ["/", "POST"],
      ["/v1/account/token", "PATCH"],
    ] as const) {
      const { status, headers } = await peal.request(path, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", ...asks },
      });
      expect([path, status]).toEqual([path, 204]);
      expect(headers.get("access-control-allow-methods")?.split(", ")).toContain(allow);
      expect(headers.get("access-control-allow-headers")).toBe("authorization,x-title");
      expect(headers.get("access-control-allow-origin")).toBe("*");
    }
    const sent = await peal.request(`/${topic.key}`, {
      method: "POST",
      body: "x",
      headers: { ...bearer(key), origin: "https://app.example" },
    });
    expect(sent.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("that are asked for by HEAD answer without a body", async () => {
    const { key: address } = topic;
    for (const path of [`/${address}/auth`, "/ntfy/home/v1/health", "/v1/health"]) {
      const response = await peal.request(path, { method: "HEAD" });
      expect([path, response.status, await response.text()]).toEqual([path, 200, ""]);
    }
  });

  test("of a topic's key alone still lead a browser to the feed", async () => {
    const response = await peal.request(`/${topic.key}`, { headers: { accept: "text/html" } });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/home/${topic.key}`]);
  });

  test("of peal itself still answer 201 and their own JSON", async () => {
    const response = await peal.api("POST", "/home/backups", "as before");
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ topic_name: "backups", message: "as before", source: "api" });
  });
});
