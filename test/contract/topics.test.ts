/** Topics, black-box: making, listing, reading, changing, rotating and deleting them (API.md §1, §2). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, TIME } from "../support/client.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

type Topic = Record<string, unknown> & { topic: string; key: string; name: string };
const SUFFIX = "[0-9a-hjkmnp-tv-z]{26}";
const make = async (body?: object) => answer<Topic>(201, await peal.api("POST", "/v1/home/topics", body));
const UNKNOWN = "x-0123456789abcdefghjkmnpqrs";

test("a topic by name", async () => {
  const made = await make({ name: "My.Topic", description: "d", retention_days: 1, retention_messages: 0 });
  expect(made.topic).toMatch(new RegExp(`^my-topic-${SUFFIX}$`));
  expect(made).toEqual({
    namespace: "home",
    topic: made.topic,
    key: made.topic,
    name: "My.Topic",
    url: `${peal.url}/home/My.Topic/${made.topic}`,
    description: "d",
    last_id: 0,
    retention_days: 1,
    retention_messages: 0,
    archived: false,
    created_at: expect.stringMatching(TIME) as unknown,
  });
  expect(await answer<Topic>(200, await peal.api("GET", `/v1/home/${made.topic}`))).toEqual(made);
  expect(await answer(409, await peal.api("POST", "/v1/home/topics", { name: "My.Topic" }))).toMatchObject({
    code: "topic_exists",
  });
});

test("a topic with a prefix is named after it, a second one with a tail", async () => {
  const first = await make({ prefix: "nightly_1" });
  expect(first.name).toBe("nightly_1");
  expect(first.key).toMatch(new RegExp(`^nightly_1-${SUFFIX}$`));
  const second = await make({ prefix: "nightly_1" });
  expect(second.name).toMatch(/^nightly_1-[0-9a-z]+$/);
  expect(second.key).not.toBe(first.key);
});

test("a topic without any settings, with and without a body", async () => {
  for (const body of [undefined, {}]) {
    const made = await make(body);
    expect(made.name).toMatch(/^topic-[0-9a-z]+$/);
    expect(made.key).toMatch(new RegExp(`^topic-[0-9a-z]+-${SUFFIX}$`));
  }
});

// prettier-ignore
const refused: [body: object, path: string][] = [
  [{ prefix: "" },                             "/prefix"],
  [{ prefix: "x".repeat(33) },                 "/prefix"],
  [{ prefix: "Upper" },                        "/prefix"],
  [{ prefix: "a.b" },                          "/prefix"],
  [{ prefix: 1 },                              "/prefix"],
  [{ prefix: "a-0123456789abcdefghjkmnpqrs" }, "/prefix"],
  [{ prefix: "a", name: "a" },                 "/prefix"],
  [{ name: "" },                               "/name"],
  [{ name: ".a" },                             "/name"],
  [{ name: "a b" },                            "/name"],
  [{ name: "a/b" },                            "/name"],
  [{ name: "x".repeat(65) },                   "/name"],
  [{ name: UNKNOWN },                          "/name"],
  [{ description: "x".repeat(1_001) },         "/description"],
  [{ retention_days: -1 },                     "/retention_days"],
  [{ retention_days: 1.5 },                    "/retention_days"],
  [{ retention_messages: "5" },                "/retention_messages"],
];
test.each(refused)("%j is refused", async (body, path) => {
  const { key } = await make();
  for (const [method, url] of [
    ["POST", "/v1/home/topics"],
    ["PATCH", `/v1/home/${key}`],
  ] as const) {
    if (method === "PATCH" && "prefix" in body) continue;
    const problem = await answer<{ code: string; errors: { path: string }[] }>(422, await peal.api(method, url, body));
    expect([problem.code, problem.errors.map((error) => error.path)]).toEqual(["validation_failed", [path]]);
  }
});

test("names and prefixes at their limits", async () => {
  expect((await make({ name: "x".repeat(64) })).key).toMatch(new RegExp(`^x{32}-${SUFFIX}$`));
  expect((await make({ prefix: "p".repeat(32) })).name).toBe("p".repeat(32));
  expect((await make({ prefix: "p".repeat(32) })).name).toMatch(/^p{32}-/);
});

test("a body that is not JSON", async () => {
  expect(
    await answer(400, await peal.api("POST", "/v1/home/topics", "{", { "content-type": "application/json" })),
  ).toMatchObject({ code: "malformed_json" });
  expect(
    await answer(415, await peal.api("POST", "/v1/home/topics", "a=b", { "content-type": "text/plain" })),
  ).toMatchObject({ code: "unsupported_media_type" });
});

const { topic } = await make({ name: "life", description: "old" });
describe("a topic's life", () => {
  const patch = async (body: object, status = 200) =>
    answer<Topic>(status, await peal.api("PATCH", `/v1/home/${topic}`, body));

  test("it is renamed, described, given its own retention and freed of it", async () => {
    expect(await patch({ name: "renamed", description: "new", retention_days: 7 })).toMatchObject({
      name: "renamed",
      description: "new",
      retention_days: 7,
      key: topic,
    });
    const freed = await patch({ description: null, retention_days: null });
    expect(freed).not.toHaveProperty("description");
    expect(freed).not.toHaveProperty("retention_days");
    expect(await patch({})).toEqual(freed);
    await make({ name: "taken" });
    expect(await patch({ name: "taken" }, 409)).toMatchObject({ code: "topic_exists" });
    expect(await patch({ name: "renamed" })).toMatchObject({ name: "renamed" });
    await make({ name: "life" }); // the old name is free
  });

  test("its messages show its current name, and it shows its newest message", async () => {
    await answer(201, await peal.api("POST", "/home/renamed", { message: "m" }));
    const read = await answer<Topic>(200, await peal.api("GET", `/v1/home/${topic}`));
    expect(read).toMatchObject({ last_id: 1, last_message_at: expect.stringMatching(TIME) as unknown });
    await patch({ name: "again" });
    expect(await answer(200, await peal.request(`/v1/home/${topic}/messages/1`))).toMatchObject({
      topic_name: "again",
    });
  });

  test("a new key continues to read, the old one is unknown, also instead of a name", async () => {
    const made = await answer<Topic>(200, await peal.api("POST", `/v1/home/${topic}/rotate`, { keep_devices: [] }));
    expect(made).toMatchObject({ name: "again", last_id: 1, kept_devices: [], dropped_devices: [] });
    expect(made.key).not.toBe(topic);
    expect(await answer(200, await peal.request(`/v1/home/${made.key}/messages`))).toMatchObject({ last_id: 1 });
    for (const [method, path] of [
      ["GET", `/v1/home/${topic}`],
      ["GET", `/v1/home/${topic}/messages`],
      ["PATCH", `/v1/home/${topic}`],
      ["DELETE", `/v1/home/${topic}`],
      ["POST", `/v1/home/${topic}/rotate`],
      ["POST", `/v1/home/${topic}/publish`],
      ["POST", `/home/${topic}`],
    ] as const)
      expect(
        await answer(404, await peal.api(method, path, method === "GET" ? undefined : { message: "m" })),
      ).toMatchObject({ code: "unknown_topic" });
    expect((await peal.api("DELETE", `/v1/home/${made.key}`)).status).toBe(204);
    expect(await answer(404, await peal.api("GET", `/v1/home/${made.key}`))).toMatchObject({ code: "unknown_topic" });
    expect(await answer(201, await peal.api("POST", "/home/again", { message: "m" }))).toMatchObject({
      id: 1,
      created_topic: true,
    });
  });
});

test("the list has the namespace's own topics by name, archived ones separately, page by page", async () => {
  await using own = await startPeal();
  const topics = async (query = "") =>
    answer<{ topics: Topic[]; has_more: boolean; next_after?: string }>(
      200,
      await own.api("GET", `/v1/home/topics${query}`),
    );
  const names = async (query = "") => (await topics(query)).topics.map(({ name }) => name);
  expect(await topics()).toEqual({ topics: [], has_more: false });
  const made = [];
  for (const name of ["c", "a", "B", "d"]) made.push(await own.topic(name));
  expect(await names()).toEqual(["B", "a", "c", "d"]);
  expect(await topics("?limit=2")).toMatchObject({ has_more: true, next_after: "a" });
  expect(await topics("?limit=4")).toMatchObject({ has_more: false });
  expect(await names("?limit=2&after=a")).toEqual(["c", "d"]);
  await answer(200, await own.api("PATCH", `/v1/home/${made[0]?.key}`, { archived: true }));
  expect([await names(), await names("?archived=true")]).toEqual([["B", "a", "d"], ["c"]]);
  for (const [query, code] of [
    ["?limit=0", "invalid_limit"],
    ["?limit=1001", "invalid_limit"],
    ["?archived=maybe", "invalid_archived"],
  ] as const)
    expect(await answer(400, await own.api("GET", `/v1/home/topics${query}`))).toMatchObject({ code });
});

test("no key, and the key of another namespace", async () => {
  const { key } = await make();
  for (const [method, path] of [
    ["GET", "/topics"],
    ["POST", "/topics"],
    ["GET", `/${key}`],
    ["PATCH", `/${key}`],
    ["DELETE", `/${key}`],
    ["POST", `/${key}/rotate`],
  ] as const) {
    expect(await answer(401, await peal.request(`/v1/home${path}`, { method }))).toMatchObject({ code: "missing_key" });
    expect(await answer(403, await peal.api(method, `/v1/nowhere${path}`))).toMatchObject({ code: "wrong_namespace" });
  }
});
