/** Deleting a namespace: nothing of it can be found any more, its name is free, and its rows are deleted in slices (WEB.md §3). */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { answer, type TestMessage } from "../support/client.ts";
import { peal as cli } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

const json = (method: string, body?: object) => ({
  method,
  ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
});
const remove = async (name: string) => peal.local(`/-/local/namespaces/${name}`, json("DELETE"));

/** Makes a namespace with a key, a topic with messages, a check and a device that follows the topic. */
async function furnished(name: string) {
  await answer(201, await peal.local("/-/local/namespaces", json("POST", { name })));
  const { key } = await answer<{ key: string }>(
    201,
    await peal.local(`/v1/keys?namespace=${name}`, json("POST", { scope: "admin" })),
  );
  peal.secrets.add(key);
  const as = async (method: string, path: string, body: object, more: Record<string, string> = {}) => {
    const { headers, ...init } = json(method, body);
    return peal.request(path, { ...init, headers: { ...headers, authorization: `Bearer ${key}`, ...more } });
  };
  const message = await answer<TestMessage>(
    201,
    await as("POST", `/${name}/nas`, { message: "m" }, { "idempotency-key": "once" }),
  );
  await answer(201, await as("POST", `/${name}/nas`, { message: "later", delay: 3_600 }));
  const check = await answer<{ id: string; ping_url: string }>(
    201,
    await as("POST", `/v1/${name}/checks`, { name: "backup", topic: "nas", every: 60 }),
  );
  const device = await answer<{ id: string }>(
    201,
    await peal.request(
      "/v1/devices",
      json("POST", { token: key.slice(-32), platform: "android", topics: [{ namespace: name, topic: message.topic }] }),
    ),
  );
  return { key, as, topic: message.topic, ping: new URL(check.ping_url).pathname, device: device.id };
}

test("its keys, readers, pings and devices lose it at once, and its name is free", async () => {
  const media = await furnished("media");
  const stream = await peal.request(`/media/${media.topic}/events`);
  expect(stream.status).toBe(200);

  expect(await answer<object>(200, await remove("media"))).toEqual({ topics: 1, messages: 1, checks: 1, keys: 1 });
  expect(await stream.text()).toContain("event: gone");
  await answer(401, await media.as("POST", "/media/nas", { message: "m" }));
  await answer(404, await peal.request(`/v1/media/${media.topic}/messages`));
  expect((await peal.request(`/${media.topic}`)).status).toBe(404);
  expect((await peal.request(media.ping)).status).toBe(404);
  expect(await answer<object>(200, await peal.request(`/v1/devices/${media.device}`))).toMatchObject({ topics: [] });
  expect(await answer<object>(200, await peal.local("/-/local/namespaces"))).toMatchObject({
    namespaces: [{ name: "home" }],
  });
  await answer(404, await remove("media"));

  const again = await furnished("media"); // with the same idempotency key, too
  expect(again.topic).not.toBe(media.topic);
  expect((await peal.request(again.ping)).status).toBe(200);
  await answer(200, await remove("media"));
});

test("leaves no row behind, even when the server stops meanwhile", async () => {
  const attic = await furnished("attic");
  await answer(200, await remove("attic"));
  await peal.restart();
  expect((await peal.request(attic.ping)).status).toBe(404);
  await answer(401, await attic.as("POST", "/attic/nas", { message: "m" }));
  using db = new Database(`${peal.dataDir}/peal.db`, { readonly: true });
  const count = (table: string) =>
    db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${table}"`).get()?.rows ?? -1;
  await eventually("the sweep", () => (count("namespace") === 1 ? true : undefined));
  const tables = ["topic", "message", "check", "check_event", "scheduled", "idempotency", "subscription"];
  expect(tables.map(count)).toEqual(tables.map(() => 0));
  expect(count("api_key")).toBe(1);
});

test("affects only the given one: the others stay", async () => {
  const topic = await peal.topic("stays");
  await peal.publish(topic, { message: "here" });
  await furnished("cellar");
  await answer(200, await remove("cellar"));
  expect((await peal.history(topic)).map(({ message }) => message)).toEqual(["here"]);
});

test("reports what was deleted, and the key that no restart restores", async () => {
  await using own = await inProcess();
  await own.topic("nas");
  const deleted = await cli(["namespaces", "delete", "home"], { PEAL_DATA_DIR: own.dataDir });
  expect(deleted).toEqual({
    code: 0,
    stdout:
      "deleted home: 1 topic, 0 messages, 0 checks, 1 key, including the key from PEAL_ADMIN_KEY: a restart doesn't bring it back\n",
    stderr: "",
  });
});
