/**
 * Home Assistant's own ntfy integration, request by request as its config flow, coordinators and notify entities send them
 * (home-assistant/core, homeassistant/components/ntfy; aiontfy 0.8, ntfy.py), and decoded as strictly (aiontfy, types.py).
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Static, Type, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { ntfyError, ntfyObject } from "../support/ntfy-object.ts";
import { inProcess, type InProcess } from "../support/server.ts";

const int = Type.Integer();
const figures = (names: string) => Type.Object(Object.fromEntries(names.split(" ").map((name) => [name, int])));
/** `Account`: its `stats` has no default, nor has any of its figures, and `limits` has none if it is there. */
const Account = Type.Object({
  username: Type.String(),
  role: Type.Optional(Type.String()),
  limits: Type.Optional(
    Type.Composite([
      Type.Object({ basis: Type.String() }),
      figures(
        "messages messages_expiry_duration emails calls reservations attachment_total_size attachment_file_size attachment_expiry_duration attachment_bandwidth",
      ),
    ]),
  ),
  stats: figures(
    "messages messages_remaining emails emails_remaining calls calls_remaining reservations reservations_remaining attachment_total_size attachment_total_size_remaining",
  ),
});
const Token = Type.Object({ token: Type.String({ minLength: 1 }), expires: Type.Optional(int) });

let peal: InProcess;
let topic: TestTopic;
let key: string;
beforeAll(async () => {
  peal = await inProcess();
  topic = await peal.topic("assistant");
  ({ key } = await peal.mint("publish"));
});
afterAll(async () => peal[Symbol.asyncDispose]());

interface Credentials {
  username?: string;
  password?: string;
  token?: string;
}

interface Sent extends Pick<RequestInit, "body"> {
  headers?: Record<string, string>;
}

/** `Ntfy(url, session, username, password, token)`: its requests, each decoded. */
function library(base: string, { username, password, token }: Credentials = {}) {
  const authorization =
    username !== undefined && password !== undefined
      ? `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
      : token === undefined
        ? undefined
        : `Bearer ${token}`;
  const ask = async (method: string, path: string, init: Sent = {}) => {
    const url = path === "" && base === "" ? "/" : `${base}${path}`; // yarl writes a host without a path with a slash
    const response = await peal.request(url, {
      ...init,
      method,
      headers: { ...(authorization !== undefined && { authorization }), ...init.headers },
    });
    if (response.status >= 400) throw Object.assign(new Error("refused"), await ntfyError(response));
    return response.text();
  };
  const json = (body: object): Sent => ({
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  return {
    account: async () => decoded(Account, await ask("GET", "/v1/account")),
    generateToken: async (label: string) =>
      decoded(Token, await ask("POST", "/v1/account/token", json({ label, expires: 0 }))),
    version: async () => ask("GET", "/v1/version"),
    canSubscribe: async (topics: readonly string[]) => ask("GET", `/${topics.join(",")}/auth`),
    publish: async (message: object) => ntfyObject(await ask("POST", "", json({ ...UNSET, ...message }))),
    publishFile: async (to: string, file: Uint8Array, headers: Record<string, string>) =>
      ntfyObject(await ask("PUT", `/${to}`, { body: file, headers })),
    clear: async (of: string, sequence: string) => ntfyObject(await ask("PUT", `/${of}/${sequence}/clear`)),
    remove: async (of: string, sequence: string) => ntfyObject(await ask("DELETE", `/${of}/${sequence}`)),
  };
}

/** `Message.to_dict()`: all of its fields, most of them null. */
const UNSET = {
  ...{ message: null, title: null, tags: [], priority: null, actions: [], click: null, attach: null, markdown: false },
  ...{ icon: null, filename: null, delay: null, email: null, call: null, sequence_id: null },
};

function decoded<T extends TSchema>(schema: T, text: string) {
  const value: unknown = JSON.parse(text);
  for (const { path, message } of Value.Errors(schema, value)) throw new Error(`${path}: ${message} in ${text}`);
  return value as Static<T>;
}

/** `async_step_user`: what it stores, or the error that its form shows. */
async function configFlow(base: string, username?: string, password = "") {
  const ntfy = username === undefined ? library(base) : library(base, { username, password });
  const account = await ntfy.account();
  const token = account.username === "*" ? undefined : (await ntfy.generateToken("Home Assistant")).token;
  return { base, username, token };
}

describe.each(["", "/ntfy/home"])("with the base %j", (base) => {
  const name = () => (base === "" ? topic.key : "assistant");

  test("it is set up without a user, and may then read by the topic's key", async () => {
    const entry = await configFlow(base);
    expect(entry.token).toBeUndefined();
    await library(base).canSubscribe([topic.key]);
  });

  test("it is set up with any user and a key as the password, and publishes with the token", async () => {
    const entry = await configFlow(base, "mara", key);
    expect(entry.token).toBe(key);
    const ntfy = library(base, { token: entry.token ?? "" });
    expect((await ntfy.account()).username).not.toBe("*");
    expect(
      await ntfy.publish({ topic: name(), title: "Door", message: "open", priority: 4, tags: ["door"] }),
    ).toMatchObject({
      ...{ event: "message", topic: name(), title: "Door", message: "open", priority: 4, tags: ["door"] },
    });
  });

  test("a wrong password is invalid_auth", async () => {
    expect(await configFlow(base, "mara", "wrong").catch((error: unknown) => error)).toMatchObject({ code: 40101 });
  });

  test("signing in again is for the same user", async () => {
    expect((await library(base, { username: "mara", password: key }).account()).username).toBe("mara");
  });

  test("it asks for the version, hears that there is none, and goes on", async () => {
    const refusal: unknown = await library(base, { token: key })
      .version()
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 40401, http: 404 });
  });

  test("it updates, clears and deletes what it sent", async () => {
    const ntfy = library(base, { token: key });
    expect(await ntfy.publish({ topic: name(), message: "washing", sequence_id: "washer" })).toMatchObject({
      sequence_id: "washer",
    });
    expect(await ntfy.clear(name(), "washer")).toMatchObject({ event: "message_clear", sequence_id: "washer" });
    expect(await ntfy.remove(name(), "washer")).toMatchObject({ event: "message_delete", sequence_id: "washer" });
  });

  test("it sends a picture, with all else in headers", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
      "base64",
    );
    const headers = {
      ...{
        "X-Message": "Somebody is at the door\\nlook",
        "X-Title": "Door",
        "X-Filename": "door.png",
        "X-Markdown": "0",
      },
      "X-Actions": "action='view', label='Open', url='https://ha.example/lovelace', clear=0",
    };
    const told = await library(base, { token: key }).publishFile(name(), png, headers);
    expect(told).toMatchObject({
      ...{ title: "Door", message: "Somebody is at the door\nlook" },
      attachment: { name: "door.png", type: "image/png", size: png.length },
    });
    expect(told.actions).toMatchObject([{ label: "Open", url: "https://ha.example/lovelace" }]);
  });
});

test("an account without a user is named after its key, and by another namespace's address nobody is", async () => {
  const named = (await (await peal.api("POST", "/v1/keys", { scope: "publish", name: "Home Assistant" })).json()) as {
    key: string;
  };
  expect(await library("", { token: named.key }).account()).toMatchObject({ username: "Home Assistant", role: "user" });
  const foreign: unknown = await library("/ntfy/work", { token: named.key })
    .account()
    .catch((error: unknown) => error);
  expect(foreign).toMatchObject({ code: 40301 });
});

test("a client whose user is nobody is named after its key, and without a name after its namespace", async () => {
  const made = await peal.api("POST", "/v1/keys", { scope: "publish", name: "Attic" });
  const { key: named } = (await made.json()) as { key: string };
  expect((await library("", { username: "*", password: named }).account()).username).toBe("Attic");
  expect((await library("", { username: "*", password: key }).account()).username).toBe("home");
});

test("a token expires when its key does", async () => {
  const expires_at = "2999-01-01T00:00:00.000Z";
  const made = await peal.api("POST", "/v1/keys", { scope: "publish", expires_at });
  const { key: until } = (await made.json()) as { key: string };
  expect(await library("", { token: until }).generateToken("Home Assistant")).toEqual({
    token: until,
    expires: Date.parse(expires_at) / 1000,
  });
});

test("the figures are its limits, what came since midnight UTC and what files take, for keys that read", async () => {
  const clock = heldClock();
  const env = { PEAL_LIMITS_PUBLISH: "1/s:100", PEAL_FILES: "1MB:10MB:7d", PEAL_RETENTION_DAYS: "30" };
  await using own = await inProcess({ clock, env });
  const figuresFor = async (secret: string) => {
    const response = await own.request("/v1/account", { headers: { authorization: `Bearer ${secret}` } });
    return decoded(Account, await response.text());
  };
  const { key: address } = await own.topic("figures");
  const send = async (filename?: string) => {
    const headers = { authorization: `Bearer ${own.adminKey}`, ...(filename !== undefined && { filename }) };
    expect((await own.request(`/${address}`, { method: "PUT", body: "bytes", headers })).status).toBe(200);
  };
  await send("a.txt");
  clock.advance(23 * 3_600_000);
  await send();
  const { limits, stats } = await figuresFor(own.adminKey);
  expect(limits).toMatchObject({
    ...{ messages: 86_400, messages_expiry_duration: 30 * 86_400, attachment_expiry_duration: 7 * 86_400 },
    ...{ attachment_file_size: 1_000_000, attachment_total_size: 10_000_000 },
  });
  expect(stats).toMatchObject({
    ...{ messages: 2, messages_remaining: 86_398 },
    ...{ attachment_total_size: 5, attachment_total_size_remaining: 9_999_995 },
  });
  const { key: reader } = await own.mint("read");
  expect((await figuresFor(reader)).stats).toMatchObject({ messages: 2, attachment_total_size: 0 }); // others' files are nobody's business
  const { key: publisher } = await own.mint("publish");
  expect((await figuresFor(publisher)).stats).toMatchObject({ messages: 0, attachment_total_size: 0 });
  clock.advance(3_600_000);
  expect((await figuresFor(own.adminKey)).stats).toMatchObject({ messages: 0, messages_remaining: 86_400 });
});

test("a client that signs out revokes no key", async () => {
  const headers = { authorization: `Bearer ${key}` };
  const out = await peal.request("/v1/account/token", { method: "DELETE", headers });
  expect([out.status, await out.json()]).toEqual([200, { success: true }]);
  expect((await library("", { token: key }).account()).username).not.toBe("*");
});

test("a client that has no key gets none", async () => {
  for (const method of ["POST", "PATCH", "DELETE"]) {
    const response = await peal.request("/v1/account/token", { method });
    expect([method, response.status]).toEqual([method, 401]);
    expect(await ntfyError(response)).toMatchObject({ code: 40101 });
  }
});
