/**
 * Home Assistant's integration of ntfy, request for request: what its set-up, its re-authentication and its sensors ask for,
 * decoded as strictly as its library does. Sources: home-assistant/core, components/ntfy (config_flow.py, coordinator.py,
 * sensor.py); aiontfy 0.8, types.py and exceptions.py.
 */
import { afterAll, expect, test } from "bun:test";
import { apiKeySecret } from "../../src/util/ids.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const { key } = await peal.mint("publish");

type Fields = Record<string, unknown>;

const ask = async (method: string, path: string, authorization?: string, body?: object) => {
  const response = await fetch(`${peal.url}${path}`, {
    method,
    headers: {
      "user-agent": "HomeAssistant/2026.11.1 aiohttp/3.14.3 Python/3.14",
      accept: "*/*",
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, fields: JSON.parse(text) as Fields };
};
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/** The numbers of `AccountStats` and `AccountLimits`: each is required where the object is there, and an integer. */
const STATS =
  "messages messages_remaining emails emails_remaining calls calls_remaining reservations reservations_remaining attachment_total_size attachment_total_size_remaining";
const LIMITS =
  "messages messages_expiry_duration emails calls reservations attachment_total_size attachment_file_size attachment_expiry_duration attachment_bandwidth";

function expectAccount({ status, fields }: Awaited<ReturnType<typeof ask>>): string {
  expect(status).toBe(200);
  const { username, stats, limits } = fields as { username: string; stats: Fields; limits: Fields };
  expect(typeof username).toBe("string");
  const numbers = (object: Fields, names: string) =>
    names.split(" ").filter((name) => !Number.isSafeInteger(object[name]));
  expect(numbers(stats, STATS)).toEqual([]);
  expect(numbers(limits, LIMITS)).toEqual([]);
  return username;
}

test("set-up with a user and the key as password ends with a token that publishes and reads", async () => {
  const topic = await peal.topic("door");
  const authorization = basic("homeassistant", key);
  expect(expectAccount(await ask("GET", "/v1/account", authorization))).toBe("homeassistant");

  const made = await ask("POST", "/v1/account/token", authorization, { label: "Home Assistant", expires: 0 });
  expect(made).toMatchObject({ status: 200, fields: { token: expect.any(String) as string } });
  for (const name of ["expires", "last_access"])
    if (name in made.fields) expect(Number.isSafeInteger(made.fields[name])).toBe(true);

  const bearer = `Bearer ${String(made.fields["token"])}`;
  // the sensors ask every quarter of an hour, and re-authentication compares the name
  expectAccount(await ask("GET", "/v1/account", bearer));
  expect(await ask("GET", `/${topic.key}/auth`, bearer)).toEqual({ status: 200, fields: { success: true } });
  const message = {
    ...{ topic: topic.key, message: "The door is open", title: "Door", tags: [], priority: null, actions: [], click: null },
    ...{ attach: null, markdown: false, icon: null, filename: null, delay: null, email: null, call: null, sequence_id: null },
  };
  const sent = await ask("POST", "/", bearer, message);
  expect(sent).toMatchObject({ status: 200, fields: { event: "message", topic: topic.key, title: "Door" } });
  expect(await peal.history(topic)).toMatchObject([{ title: "Door", message: "The door is open", priority: "normal" }]);
});

test("set-up below a namespace", async () => {
  await peal.topic("window");
  const authorization = basic("homeassistant", key);
  expectAccount(await ask("GET", "/ntfy/home/v1/account", authorization));
  const { fields } = await ask("POST", "/ntfy/home/v1/account/token", authorization, { label: "Home Assistant", expires: 0 });
  const sent = await ask("POST", "/ntfy/home", `Bearer ${String(fields["token"])}`, { topic: "window", message: "shut" });
  expect(sent).toMatchObject({ status: 200, fields: { topic: "window", message: "shut" } });
});

test("set-up without a user finds an account of nobody, and reads", async () => {
  const topic = await peal.topic("open");
  expect(expectAccount(await ask("GET", "/v1/account"))).toBe("*");
  expect(await ask("GET", `/${topic.key}/auth`)).toEqual({ status: 200, fields: { success: true } });
});

/** `raise_http_error(**json)` takes these and no others; the code decides which page the form shows. */
const REFUSALS: [what: string, method: string, path: string, authorization: string, code: number][] = [
  ["a wrong password is said to be one", "GET", "/v1/account", basic("homeassistant", apiKeySecret()), 40101],
  ["a wrong token too", "POST", "/v1/account/token", `Bearer ${apiKeySecret()}`, 40101],
  ["an unknown topic can't be read", "GET", "/door-0123456789abcdefghjkmnpqrs/auth", `Bearer ${key}`, 40301],
];
test.each(REFUSALS)("%s", async (_, method, path, authorization, code) => {
  const { status, fields } = await ask(method, path, authorization);
  expect([status, fields["http"], fields["code"]]).toEqual([Math.floor(code / 100), Math.floor(code / 100), code]);
  expect(typeof fields["error"]).toBe("string");
  expect(Object.keys(fields).filter((name) => !["code", "http", "error", "link"].includes(name))).toEqual([]);
});
