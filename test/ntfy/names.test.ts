/** Who comes from ntfy enters a topic's name where its key belongs, and has to hear of it (docs/push/ntfy-app.md). */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { ntfyError } from "../support/ntfy-object.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
await peal.topic("backups");

// 404 and 405 are no answers for the Android app: the first is an old server to it, which lets everybody read
test.each(["backups", "Backups", "home", "backups,alerts", "a.b"])(
  "reading %s at the root is forbidden",
  async (topics) => {
    for (const last of ["auth", "json", "json?poll=1&since=all", "sse", "raw", "ws?since=none"]) {
      const response = await peal.request(`/${topics}/${last}`);
      const { code, error } = await ntfyError(response);
      expect([last, response.status, code]).toEqual([last, 403, 40301]);
      expect(error).toContain("by its key");
    }
  },
);

test("a browser that opens a topic of such a name is told how to publish to it", async () => {
  const response = await peal.request("/home/json", { headers: { accept: "text/html" } });
  expect([response.status, response.headers.get("content-type")]).toEqual([405, "text/html; charset=utf-8"]);
  expect(await answer(201, await peal.api("POST", "/home/json", "text"))).toMatchObject({ topic_name: "json" });
});

test("publishing to a name at the root says where it belongs", async () => {
  const response = await peal.request("/backups", { method: "POST", body: "hi" });
  expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  expect(await answer<{ detail: string }>(405, response)).toMatchObject({
    code: "method_not_allowed",
    detail: expect.stringContaining("/ntfy/home/backups") as unknown,
  });
});
