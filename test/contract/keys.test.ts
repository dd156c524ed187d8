/**
 * API keys, black-box: shown once when made, listed without secrets, and invalid as soon as their deletion is answered
 * (API.md §3).
 */
import { afterAll, expect, test } from "bun:test";
import { answer, TIME } from "../support/client.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

type Key = Record<string, unknown> & { id: string; key: string };
const publishes = async (key: string) =>
  (
    await peal.request("/home/keys", {
      method: "POST",
      body: "m",
      headers: { authorization: `Bearer ${key}`, "content-type": "text/plain" },
    })
  ).status;

async function mint(body: object): Promise<Key> {
  const made = await answer<Key>(201, await peal.api("POST", "/v1/keys", body));
  peal.secrets.add(made.key);
  return made;
}

test("a key is shown once, with all its properties", async () => {
  const expires_at = "2999-01-01T00:00:00.000Z";
  const response = await peal.api("POST", "/v1/keys", { name: "nas", scope: "publish", expires_at });
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { key, ...made } = await answer<Key>(201, response);
  peal.secrets.add(key);
  expect(key).toMatch(/^svc_[0-9a-f]{64}$/);
  expect(made).toEqual({
    id: made.id,
    name: "nas",
    prefix: key.slice(0, 12),
    namespace: "home",
    scope: "publish",
    created_at: expect.stringMatching(TIME) as unknown,
    expires_at,
  });
  const listed = await (await peal.api("GET", "/v1/keys")).text();
  expect(listed).not.toContain(key);
  expect((JSON.parse(listed) as { keys: object[] }).keys).toContainEqual(made);
});

test("a key is `full` by default", async () => {
  const made = await mint({ name: "" });
  expect(made).toMatchObject({ scope: "full" });
  expect(made).not.toHaveProperty("name");
  expect(made).not.toHaveProperty("expires_at");
  expect(await publishes(made.key)).toBe(201);
});

// prettier-ignore
const refused: [body: object, path: string][] = [
  [{ scope: "root" },                          "/scope"],
  [{ name: "x".repeat(101) },                  "/name"],
  [{ name: 1 },                                "/name"],
  [{ name: "two\nlines" },                     "/name"],
  [{ name: "nas\u202Ednelkcab" },              "/name"],
  [{ name: "nas\u200B" },                      "/name"],
  [{ expires_at: "2020-01-01T00:00:00Z" },     "/expires_at"],
  [{ expires_at: "tomorrow" },                 "/expires_at"],
  [{ expires_at: 1 },                          "/expires_at"],
];
test.each(refused)("%j is refused", async (body, path) => {
  const problem = await answer<{ code: string; errors: { path: string }[] }>(
    422,
    await peal.api("POST", "/v1/keys", body),
  );
  expect([problem.code, problem.errors.map((error) => error.path)]).toEqual(["validation_failed", [path]]);
});

test("a revoked key is invalid by the time of the answer", async () => {
  const { id, key } = await mint({ scope: "publish" });
  expect(await publishes(key)).toBe(201);
  expect((await peal.api("DELETE", `/v1/keys/${id}`)).status).toBe(204);
  expect(await publishes(key)).toBe(401);
  for (const gone of [id, "nobody", "%27"])
    expect(await answer(404, await peal.api("DELETE", `/v1/keys/${gone}`))).toMatchObject({ code: "unknown_key" });
});

test("an admin key may revoke itself", async () => {
  const { id, key } = await mint({ scope: "admin" });
  const headers = { authorization: `Bearer ${key}` };
  expect((await peal.request(`/v1/keys/${id}`, { method: "DELETE", headers })).status).toBe(204);
  expect(await answer(401, await peal.request("/v1/keys", { headers }))).toMatchObject({ code: "invalid_key" });
});

test("only an admin key manages keys", async () => {
  const { id } = await mint({});
  for (const [method, path] of [
    ["GET", "/v1/keys"],
    ["POST", "/v1/keys"],
    ["DELETE", `/v1/keys/${id}`],
  ] as const) {
    expect(await answer(401, await peal.request(path, { method }))).toMatchObject({ code: "missing_key" });
    for (const scope of ["publish", "full"] as const) {
      const { key } = await mint({ scope });
      const response = await peal.request(path, { method, headers: { authorization: `Bearer ${key}` } });
      expect(await answer(403, response)).toMatchObject({ code: "admin_required" });
    }
  }
});
