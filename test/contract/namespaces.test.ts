/** Two namespaces on one server: neither can be used to reach the other (API.md §1, §3). */
import { afterAll, expect, test } from "bun:test";
import { answer, type TestMessage } from "../support/client.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

const home = await peal.topic("shared");
await peal.publish(home, { message: "of home" });
const post = (body: object) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});
await answer(201, await peal.local("/-/local/namespaces", post({ name: "media" })));
const media = await answer<{ id: string; key: string; namespace: string }>(
  201,
  await peal.local("/v1/keys?namespace=media", post({ scope: "admin" })),
);
peal.secrets.add(media.key);

/** Sends a request with the other namespace's key. */
const asMedia = async (method: string, path: string, body?: object) =>
  peal.request(path, {
    ...(body === undefined ? {} : post(body)),
    method,
    headers: { authorization: `Bearer ${media.key}`, "content-type": "application/json" },
  });

test("the same name is another topic in each, with its own key", async () => {
  expect(media.namespace).toBe("media");
  const message = await answer<TestMessage & { created_topic: boolean }>(
    201,
    await asMedia("POST", "/media/shared", { message: "of media" }),
  );
  expect(message).toMatchObject({ id: 1, namespace: "media", created_topic: true });
  expect(message.topic).not.toBe(home.key);
  expect((await peal.history(home)).map((each) => each.message)).toEqual(["of home"]);
});

// prettier-ignore
const foreign: [what: string, method: string, path: string, status: number, code: string][] = [
  ["publish in its namespace",             "POST",   "/home/shared",                              403, "wrong_namespace"],
  ["publish by its key there",             "POST",   `/v1/home/${home.key}/publish`,              403, "wrong_namespace"],
  ["publish by its key here",              "POST",   `/v1/media/${home.key}/publish`,             404, "unknown_topic"],
  ["publish to its key as a name here",    "POST",   `/media/${home.key}`,                        404, "unknown_topic"],
  ["read it under this namespace",         "GET",    `/v1/media/${home.key}/messages`,            404, "unknown_topic"],
  ["read one message here",                "GET",    `/v1/media/${home.key}/messages/1`,          404, "unknown_topic"],
  ["delete its message there",             "DELETE", `/v1/home/${home.key}/messages/1`,           403, "wrong_namespace"],
  ["delete its message here",              "DELETE", `/v1/media/${home.key}/messages/1`,          404, "unknown_topic"],
  ["change it there",                      "PATCH",  `/v1/home/${home.key}`,                      403, "wrong_namespace"],
  ["change it here",                       "PATCH",  `/v1/media/${home.key}`,                     404, "unknown_topic"],
  ["rotate it here",                       "POST",   `/v1/media/${home.key}/rotate`,              404, "unknown_topic"],
  ["delete it here",                       "DELETE", `/v1/media/${home.key}`,                     404, "unknown_topic"],
  ["list its topics",                      "GET",    "/v1/home/topics",                           403, "wrong_namespace"],
  ["list its waiting messages",            "GET",    "/v1/home/scheduled",                        403, "wrong_namespace"],
];
test.each(foreign)("an admin of another namespace may not %s", async (_, method, path, status, code) => {
  const body = method === "POST" || method === "PATCH" ? { message: "m" } : undefined;
  expect(await answer(status, await asMedia(method, path, body))).toMatchObject({ code });
  expect(await peal.history(home)).toHaveLength(1);
});

test("delayed messages and keys of one are not visible in the other", async () => {
  const waiting = await answer<{ scheduled: { id: string } }>(
    201,
    await peal.api("POST", "/home/shared", { message: "m", delay: 600 }),
  );
  expect(await answer<object>(200, await asMedia("GET", "/v1/media/scheduled"))).toEqual({
    scheduled: [],
    has_more: false,
  });
  await answer(404, await asMedia("GET", `/v1/media/scheduled/${waiting.scheduled.id}`));
  await answer(404, await asMedia("DELETE", `/v1/media/scheduled/${waiting.scheduled.id}`));
  const { id } = await peal.mint("publish");
  expect(await answer(404, await asMedia("DELETE", `/v1/keys/${id}`))).toMatchObject({ code: "unknown_key" });
  const { keys } = await answer<{ keys: { id: string }[] }>(200, await asMedia("GET", "/v1/keys"));
  expect(keys.map((key) => key.id)).toEqual([media.id]);
});

test("an idempotency key belongs to its namespace", async () => {
  const keyed = { "idempotency-key": "same" };
  await answer(201, await peal.api("POST", "/home/shared", { message: "m" }, keyed));
  const headers = { authorization: `Bearer ${media.key}`, "content-type": "application/json", ...keyed };
  const response = await peal.request("/media/shared", { ...post({ message: "other" }), headers });
  expect(response.headers.get("idempotent-replay")).toBeNull();
  await answer(201, response);
});
