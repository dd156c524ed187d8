/** Who is let in, black-box: how a key is sent, what it may do, and that a key stops working when it is revoked (API.md §3). */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { answers, converse, rawRequest, statuses } from "../support/raw.ts";
import { startPeal } from "../support/server.ts";
import { expectRefused, WITHHELD } from "./withheld.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const topic = await peal.topic("hello");

const ask = async (key: string, headers = {}) =>
  peal.request("/v1/home/topics", { headers: { authorization: `Bearer ${key}`, ...headers } });

// prettier-ignore
const forms: [string, header: (key: string) => string, number][] = [
  ["bearer",        (key) => `Bearer ${key}`,                 200],
  ["lower case",    (key) => `bearer ${key}`,                 200],
  ["password",      (key) => `Basic ${btoa(`anyone:${key}`)}`, 200],
  ["user",          (key) => `Basic ${btoa(`${key}:`)}`,      200],
  ["user alone",    (key) => `Basic ${btoa(key)}`,            200],
  ["in the query",  () => "",                                 401],
  ["twice",         (key) => `Bearer ${key}, Bearer ${key}`,  401],
  ["other scheme",  (key) => `Digest ${key}`,                 401],
  ["upper case",    (key) => `Bearer ${key.toUpperCase()}`,   401],
  ["padded",        (key) => `Bearer ${key}x`,                401],
];
test.each(forms)("a key as %s", async (_, header, status) => {
  const response = await peal.request(`/v1/home/topics?key=${peal.adminKey}&auth=${peal.adminKey}`, {
    headers: { authorization: header(peal.adminKey) },
  });
  expect(response.status).toBe(status);
  if (status === 401) expect(response.headers.get("www-authenticate")).toBe('Bearer realm="peal"');
});

test("two Authorization headers do not count as a key, and nothing is stored", async () => {
  const bearer = `authorization: Bearer ${peal.adminKey}`;
  const twice = rawRequest("POST", "/home/twice", {}, "hi").replace("host:", `${bearer}\r\n${bearer}\r\nhost:`);
  const heard = await converse(peal.url, twice, answers(1));
  expect(statuses(heard)).toEqual([401]);
  expect(heard).toContain("invalid_key");
  const { topics } = await answer<{ topics: { name: string }[] }>(200, await peal.api("GET", "/v1/home/topics"));
  expect(topics.map(({ name }) => name)).not.toContain("twice");
});

test("a key belongs to one namespace, even where there is no other; a publish key can only publish", async () => {
  const { key } = await peal.mint("publish");
  const codes = async (method: string, path: string) => {
    const sent = { method, headers: { authorization: `Bearer ${key}` }, body: method === "POST" ? "x" : null };
    return ((await (await peal.request(path, sent)).json()) as { code?: string }).code;
  };
  expect(await codes("POST", "/other/hello")).toBe("wrong_namespace");
  expect(await codes("GET", "/v1/home/topics")).toBe("insufficient_scope");
  expect(await codes("GET", "/v1/keys")).toBe("admin_required");
  expect(await codes("POST", "/home/hello")).toBeUndefined();
});

test("a key shows when it was last used, also after a restart", async () => {
  const { id, key } = await peal.mint("full");
  const used = async () => {
    const { keys } = await answer<{ keys: { id: string; last_used_at?: string }[] }>(
      200,
      await peal.api("GET", "/v1/keys"),
    );
    return keys.find((listed) => listed.id === id)?.last_used_at;
  };
  const before = new Date().toISOString();
  await answer(200, await ask(key));
  const after = new Date().toISOString();
  await peal.kill("SIGTERM"); // the time is written once a minute, and when the server stops
  await peal.start();
  const at = (await used()) ?? "";
  expect(before <= at && at <= after).toBe(true);
});

test.each(WITHHELD)(
  "%s %s with a key that is revoked while the body is held back is refused",
  async (method, path, body) => {
    const { id, key } = await peal.mint("admin");
    const end = async () => {
      expect((await peal.api("DELETE", `/v1/keys/${id}`)).status).toBe(204);
    };
    await expectRefused(peal, { method, path, body }, { key, topic: topic.key, end });
  },
);
