/** Forwards over the API: who may make, read and change them, and that no secret comes back (API.md §5). */
import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FORWARDS_PER_NAMESPACE } from "../../src/devices/device.ts";
import type { ForwardRecord } from "../../src/forwards/schema.ts";
import { answer, TIME } from "../support/client.ts";
import { send } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { forward, forwardOf } from "../support/forwards.ts";
import { fakeService } from "../support/push/service.ts";
import { inProcess, startPeal, type TestServer } from "../support/server.ts";

const MAIL = { user: "u", password: "p", from: "a@b.example", to: "c@b.example" };
const DISCORD = { url: "https://discord.com/api/webhooks/1234567890/SecretOfTheWebhook" };
const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { code: unknown }).code;
const pathsOf = async (response: Response): Promise<string[]> =>
  ((await response.json()) as { errors: { path: string }[] }).errors.map(({ path }) => path);

test("a forward is made, listed, changed and removed, and its secrets are never shown", async () => {
  await using peal = await inProcess();
  const [nas, lab] = [await peal.topic("nas"), await peal.topic("lab")];
  const made = await answer<ForwardRecord>(
    201,
    await peal.api("POST", "/v1/home/forwards", {
      kind: "discord",
      settings: DISCORD,
      topics: ["nas", lab.key],
      name: "family",
    }),
  );
  expect(made).toEqual({
    ...{
      id: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{16}$/) as string,
      namespace: "home",
      kind: "discord",
      name: "family",
    },
    ...{ host: "discord.com", settings: {}, secrets: ["url"], created_at: expect.stringMatching(TIME) as string },
    topics: [nas, lab].map(({ key, name }) => expect.objectContaining({ topic: key, name }) as never),
  });
  const path = `/v1/home/forwards/${made.id}`;
  expect(await forwardOf(peal, made.id)).toEqual(made);
  expect(await answer<unknown>(200, await peal.api("GET", "/v1/home/forwards"))).toEqual({ forwards: [made] });
  const changed = await answer<ForwardRecord>(200, await peal.api("PATCH", path, { name: null, min_priority: "high" }));
  expect(changed).toMatchObject({ min_priority: "high", secrets: ["url"], host: "discord.com" });
  expect(changed).not.toHaveProperty("name");
  const moved = await answer<ForwardRecord>(
    200,
    await peal.api("PATCH", path, { settings: { url: "https://ptb.discord.com/api/webhooks/1/another-secret" } }),
  );
  expect(moved.host).toBe("ptb.discord.com");
  expect(JSON.stringify([made, changed, moved])).not.toMatch(/SecretOf|another-secret/);
  expect((await peal.api("DELETE", path)).status).toBe(204);
  expect(await codeOf(await peal.api("GET", path))).toBe("unknown_forward");
});

test("it follows topics of its namespace, and leaves them", async () => {
  await using peal = await inProcess();
  const nas = await peal.topic("nas");
  const { id } = await forward(peal, "discord", DISCORD);
  const path = `/v1/home/forwards/${id}/subscriptions`;
  for (const status of [201, 200])
    expect(await answer<unknown>(status, await peal.api("POST", path, { topic: "nas" }))).toMatchObject({
      topic: nas.key,
    });
  expect(await codeOf(await peal.api("POST", path, { topic: "no-such-topic" }))).toBe("unknown_topic");
  expect(
    await answer<unknown>(200, await peal.api("PATCH", `${path}/${nas.key}`, { min_priority: "urgent" })),
  ).toMatchObject({
    min_priority: "urgent",
  });
  expect((await peal.api("DELETE", `${path}/${nas.key}`)).status).toBe(204);
  expect((await forwardOf(peal, id)).topics).toEqual([]);
});

test("it keeps following a topic that gets a new link, and leaves one that is deleted", async () => {
  await using peal = await inProcess();
  const nas = await peal.topic("nas");
  const { id } = await forward(peal, "discord", DISCORD, [nas]);
  const { topic: key } = await answer<{ topic: string }>(200, await peal.api("POST", `/v1/home/${nas.key}/rotate`, {}));
  expect((await forwardOf(peal, id)).topics).toMatchObject([{ topic: key }]);
  expect((await peal.api("DELETE", `/v1/home/${key}`)).status).toBe(204);
  expect((await forwardOf(peal, id)).topics).toEqual([]);
});

describe("nobody else", () => {
  test("reads, changes or removes it: not by a key of another namespace, nor one that may only publish, nor without one", async () => {
    await using peal = await inProcess();
    const { id } = await forward(peal, "discord", DISCORD);
    const { key: publisher } = await peal.mint("publish");
    await answer(201, await local(peal, "POST", "/-/local/namespaces", { name: "other" }));
    const minted = await local(peal, "POST", "/v1/keys?namespace=other", { scope: "admin" });
    const { key: foreign } = await answer<{ key: string }>(201, minted);
    const tries: [string, string, number][] = [
      ["GET", `/v1/home/forwards/${id}`, 403],
      ["PATCH", `/v1/home/forwards/${id}`, 403],
      ["DELETE", `/v1/home/forwards/${id}`, 403],
      ["POST", `/v1/home/forwards/${id}/test`, 403],
      ["GET", "/v1/home/forwards", 403],
    ];
    for (const [method, path, status] of tries) {
      expect((await peal.request(path, { method })).status).toBe(401);
      for (const key of [publisher, foreign]) {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        expect([
          method,
          path,
          (await peal.request(path, { method, headers, ...(method === "GET" ? {} : { body: "{}" }) })).status,
        ]).toEqual([method, path, status]);
      }
    }
    expect((await forwardOf(peal, id)).id).toBe(id);
  });

  test("opens it as a device, even who knows its id in the store", async () => {
    await using peal = await startPeal();
    const nas = await peal.topic("nas");
    const { id: ref } = await forward(peal, "discord", DISCORD, [nas]);
    using db = new Database(join(peal.dataDir, "peal.db"), { readonly: true });
    const [row] = db.prepare<{ id: string }, []>("SELECT id FROM device").all();
    for (const id of [ref, row?.id ?? ""]) {
      expect((await send(peal, "GET", `/v1/devices/${id}`)).status).toBe(404);
      expect((await send(peal, "DELETE", `/v1/devices/${id}`)).status).toBe(404);
      expect((await send(peal, "PATCH", `/v1/devices/${id}`, { name: "mine" })).status).toBe(404);
      expect((await send(peal, "POST", `/v1/devices/${id}/test`)).status).toBe(404);
      const subscription = { namespace: "home", topic: nas.key };
      expect((await send(peal, "POST", `/v1/devices/${id}/subscriptions`, subscription)).status).toBe(404);
    }
    const listed = await (await peal.api("GET", `/v1/home/${nas.key}/devices`)).json();
    expect(listed).toMatchObject({ devices: [{ ref, platform: "forward" }] });
    const local = await (await peal.local(`/v1/home/${nas.key}/devices`)).json();
    expect(JSON.stringify([listed, local])).not.toContain(row?.id ?? "");
  });

  test("registers one without a key", async () => {
    await using peal = await inProcess();
    const body = { platform: "forward", token: "x".repeat(64) };
    expect((await send(peal, "POST", "/v1/devices", body)).status).toBe(422);
  });
});

test("secrets are sealed in the database, in its copies, and in no log", async () => {
  await using service = await fakeService(({ headers }) => ({ status: 500, body: headers["x-gotify-key"] ?? "" }));
  await using peal = await startPeal({ env: { ...service.env, PEAL_LOG: "debug" } });
  const token = "AxSecretToken00";
  const nas = await peal.topic("nas");
  const { id } = await forward(peal, "gotify", { server: service.origin, token }, [nas]);
  await peal.publish(nas, { message: "disk full" });
  await eventually("tries", () => service.received.length > 0);
  expect(service.received[0]?.headers["x-gotify-key"]).toBe(token);
  expect(JSON.stringify(await forwardOf(peal, id))).not.toContain(token);
  for (const file of readdirSync(peal.dataDir).filter((name) => name.startsWith("peal.db")))
    expect(readFileSync(join(peal.dataDir, file)).includes(token)).toBe(false);
  expect(peal.logs() + peal.output()).not.toContain(token);
  await peal.kill("SIGKILL");
  await peal.start();
  const before = service.received.length;
  await eventually("a try after the restart", () => service.received.length > before);
  expect(service.received.at(-1)?.headers["x-gotify-key"]).toBe(token);
}, 30_000);

describe("settings", () => {
  // prettier-ignore
  test.each<[wrong: string, body: object, paths: string[]]>([
    ["an unknown kind",            { kind: "fax", settings: {} },                                              ["/kind"]],
    ["no settings",                { kind: "gotify" },                                                         ["/settings"]],
    ["a required one missing",     { kind: "gotify", settings: { server: "https://g.example" } },              ["/settings/token"]],
    ["one that does not exist",    { kind: "slack", settings: { url: "https://s.example/x", chanel: "x" } },   ["/settings/chanel"]],
    ["one of a wrong type",        { kind: "slack", settings: { url: 1 } },                                    ["/settings/url"]],
    ["no URL",                     { kind: "slack", settings: { url: "hooks.slack.com/x" } },                  ["/settings/url"]],
    ["a URL with a password",      { kind: "slack", settings: { url: "https://a:b@s.example/x" } },            ["/settings/url"]],
    ["half of a login",            { kind: "ntfy", settings: { topic: "t", user: "phil" } },                   ["/settings/password"]],
    ["a token with a line feed",   { kind: "gotify", settings: { server: "https://g.example", token: "Ab\n" } }, ["/settings/token"]],
    ["a topic that ntfy refuses",  { kind: "ntfy", settings: { topic: "a b" } },                               ["/settings/topic"]],
    ["a bad time zone",            { kind: "slack", settings: { url: "https://s.example" }, quiet_hours: { from: "22:00", to: "07:00", timezone: "X" } }, ["/quiet_hours/timezone"]],
    ["a name that is no topic's",  { kind: "slack", settings: { url: "https://s.example" }, topics: ["a/b"] }, ["/topics/0"]],
  ])("with %s are refused, each at its field", async (_, body, paths) => {
    await using peal = await inProcess();
    const response = await peal.api("POST", "/v1/home/forwards", body);
    expect(response.status).toBe(422);
    expect(await pathsOf(response)).toEqual(paths);
  });

  // prettier-ignore
  test.each<[where: string, url: string, hosts: string, isAllowed: boolean]>([
    ["https in the internet",           "https://hooks.example.com/x",  "",                   true],
    ["with another port",               "https://hooks.example.com:8443/x", "",               true],
    ["http in the internet",            "http://hooks.example.com/x",   "",                   false],
    ["http that the operator allows",   "http://hooks.example.com/x",   "hooks.example.com",  true],
    ["a private address",               "https://192.168.1.5/x",        "",                   false],
    ["one that the operator allows",    "http://192.168.1.5:8080/x",    "192.168.1.5:8080",   true],
    ["its other port",                  "http://192.168.1.5:8081/x",    "192.168.1.5:8080",   false],
    ["all ports of a host",             "http://192.168.1.5:8081/x",    "192.168.1.5",        true],
    ["IPv6 too",                        "http://[fd00::5]:8080/x",      "[fd00::5]:8080",     true],
    ["loopback in disguise",            "https://0x7f.1/x",             "",                   false],
    ["this machine",                    "https://localhost/x",          "",                   false],
    ["its metadata",                    "https://169.254.169.254/x",    "",                   false],
  ])("may name %s: %p", async (_, url, hosts, isAllowed) => {
    await using peal = await inProcess({ env: hosts === "" ? {} : { PEAL_FORWARD_HOSTS: hosts } });
    const response = await peal.api("POST", "/v1/home/forwards", { kind: "webhook", settings: { url } });
    expect(response.status).toBe(isAllowed ? 201 : 422);
    const said = (await response.json()) as { code?: string; detail?: string };
    if (!isAllowed) expect([said.code, said.detail]).toEqual(["host_not_allowed", expect.stringContaining("PEAL_FORWARD_HOSTS") as string]);
  });

  test("of a forward to this server itself are refused", async () => {
    await using peal = await inProcess({
      env: { PEAL_FORWARD_HOSTS: "127.0.0.1", PEAL_BASE_URL: "https://peal.example.com/x" },
    });
    for (const url of ["https://peal.example.com/v1/hook/h_abc", "https://peal.example.com:443/x"]) {
      const response = await peal.api("POST", "/v1/home/forwards", { kind: "webhook", settings: { url } });
      expect(await pathsOf(response)).toEqual(["/settings/url"]);
    }
  });

  test("keep secrets that a change leaves out or empty, and lose those that it takes away", async () => {
    await using service = await fakeService(() => ({ status: 200, body: '{"id":"abcdefghijkl"}' }));
    await using peal = await inProcess({ env: service.env });
    const settings = { server: service.origin, topic: "one", token: "tk_abcdefgh" };
    const nas = await peal.topic("nas");
    const { id } = await forward(peal, "ntfy", settings, [nas]);
    const change = async (given: object) =>
      answer<ForwardRecord>(200, await peal.api("PATCH", `/v1/home/forwards/${id}`, { settings: given }));
    const last = async () => {
      const before = service.received.length;
      await peal.publish(nas, { message: "x" });
      await eventually("a request", () => service.received.length > before);
      const { headers, body } = service.received.at(-1) ?? { headers: {}, body: "{}" };
      return [(JSON.parse(body) as { topic: string }).topic, (headers as Record<string, string>)["authorization"]];
    };
    expect(await change({ topic: "two", token: "" })).toMatchObject({ settings: { topic: "two" }, secrets: ["token"] });
    expect(await last()).toEqual(["two", "Bearer tk_abcdefgh"]);
    expect((await change({ token: null })).secrets).toEqual([]);
    expect(await last()).toEqual(["two", undefined]);
    expect(await pathsOf(await peal.api("PATCH", `/v1/home/forwards/${id}`, { settings: { topic: null } }))).toEqual([
      ...["/settings/topic"],
    ]);
  });
});

test.each([
  ["gotify", { server: "https://a.example", token: "AxVh8zPQ9n2bK1c" }, { server: "https://b.example" }, "token"],
  ["ntfy", { topic: "t", token: "tk_abcdefgh" }, { server: "https://b.example" }, "token"],
  [
    "webhook",
    { url: "https://a.example/x", secret: "correct horse battery" },
    { url: "https://b.example/x" },
    "secret",
  ],
  ["telegram", { bot_token: `123456:${"A".repeat(35)}`, chat: "1" }, { server: "https://b.example" }, "bot_token"],
  ["email", { ...MAIL, host: "a.example" }, { host: "b.example" }, "password"],
])("a secret of %s goes to no other host than it was entered for", async (kind, settings, elsewhere, secret) => {
  await using peal = await inProcess();
  const { id } = await forward(peal, kind, settings);
  const change = async (given: object) => peal.api("PATCH", `/v1/home/forwards/${id}`, { settings: given });
  for (const kept of [{}, { [secret]: "" }]) {
    const refused = await change({ ...elsewhere, ...kept });
    expect(refused.status).toBe(422);
    expect(await pathsOf(refused)).toEqual([`/settings/${secret}`]);
  }
  const again = (settings as Record<string, unknown>)[secret];
  expect((await change({ ...elsewhere, [secret]: again })).status).toBe(200);
});

test("another path of the same host needs no secret again", async () => {
  await using peal = await inProcess();
  const { id } = await forward(peal, "gotify", { server: "https://a.example", token: "AxVh8zPQ9n2bK1c" });
  const settings = { server: "https://a.example/gotify" };
  expect((await peal.api("PATCH", `/v1/home/forwards/${id}`, { settings })).status).toBe(200);
});

test("a namespace has at most a hundred, which are no devices that strangers could push out", async () => {
  await using peal = await inProcess();
  for (let n = 0; n < FORWARDS_PER_NAMESPACE; n++) await forward(peal, "discord", DISCORD);
  const response = await peal.api("POST", "/v1/home/forwards", { kind: "discord", settings: DISCORD });
  expect([response.status, await codeOf(response)]).toEqual([409, "too_many_forwards"]);
});

test("it is deleted with its namespace", async () => {
  await using peal = await inProcess();
  await answer(201, await local(peal, "POST", "/-/local/namespaces", { name: "media" }));
  await answer(201, await local(peal, "POST", "/v1/media/topics", { name: "nas" }));
  await answer(
    201,
    await local(peal, "POST", "/v1/media/forwards", { kind: "discord", settings: DISCORD, topics: ["nas"] }),
  );
  await answer(200, await local(peal, "DELETE", "/-/local/namespaces/media"));
  expect((await local(peal, "GET", "/v1/media/forwards")).status).toBe(404);
  while (await peal.running.deps.store.sweep({ days: 0, messages: 0 }, 1_000));
  using db = new Database(join(peal.dataDir, "peal.db"), { readonly: true });
  for (const table of ["device", "subscription", "topic"])
    expect([table, db.prepare<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n]).toEqual([table, 0]);
});

const local = async (peal: TestServer, method: string, path: string, body?: object): Promise<Response> =>
  peal.local(path, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
