/** Keys that come in the URL, from senders that can set no header; and who may read (NTFY.md §1). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { secretIn } from "../../src/keys/auth.ts";
import { headerIn } from "../../src/ntfy/address.ts";
import type { TestTopic } from "../support/client.ts";
import { ntfyError, ntfyObject } from "../support/ntfy-object.ts";
import { startPeal, type Peal } from "../support/server.ts";

const SECRET = `svc_${"0123456789abcdef".repeat(4)}`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const raw = (text: string): string => base64(text).replaceAll("=", "");
const forUrls = (text: string): string => Buffer.from(text).toString("base64url");

// prettier-ignore
const FORMS: [who: string, of: (key: string) => string][] = [
  ["ntfy's web app: Basic, without padding", (key) => forUrls(`Basic ${base64(`me:${key}`)}`)],
  ["with padding",                           (key) => base64(`Basic ${base64(`me:${key}`)}`)],
  ["a token",                                (key) => raw(`Bearer ${key}`)],
  ["its header as it is",                    (key) => `Bearer ${key}`],
  ["the key alone",                          (key) => key],
  ["the key, encoded",                       (key) => raw(key)],
  ["the key, encoded twice",                 (key) => base64(base64(key))],
  ["user and password, encoded once",        (key) => base64(`me:${key}`)],
  ["no user",                                (key) => raw(`Basic ${base64(`:${key}`)}`)],
  ["the key as the user",                    (key) => raw(`Basic ${base64(`${key}:`)}`)],
  ["all of it twice",                        (key) => base64(base64(`Basic ${base64(`me:${key}`)}`))],
];

test.each(FORMS)("?auth= is understood from %s", (_, of) => {
  expect(secretIn(headerIn(of(SECRET)))).toBe(SECRET);
  // a `+` that is not escaped arrives as a blank
  expect(secretIn(headerIn(of(SECRET).replaceAll("+", " ")))).toBe(SECRET);
});

test("whatever comes as ?auth= is some header, and none throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string().map(base64)), (text) => {
      expect(secretIn(headerIn(text))).toBeString();
    }),
  );
});

let peal: Peal;
let topic: TestTopic;
let key: string;
beforeAll(async () => {
  peal = await startPeal({ env: { PEAL_LOG: "debug" } });
  topic = await peal.topic("doors");
  ({ key } = await peal.mint("publish"));
});
afterAll(async () => peal[Symbol.asyncDispose]());

describe("over HTTP", () => {
  test.each(FORMS)("a publish with the key in the URL, from %s", async (_, of) => {
    for (const name of ["auth", "authorization"])
      for (const path of [`/${topic.key}`, "/ntfy/home/doors"]) {
        const query = new URLSearchParams({ [name]: of(key), title: "T" });
        const response = await peal.request(`${path}?${query.toString()}`, { method: "POST" });
        expect(response.status).toBe(200);
        expect(ntfyObject(await response.text())).toMatchObject({ title: "T", message: "triggered" });
      }
    const told = JSON.stringify(await peal.history(topic));
    expect(told).not.toContain(key);
    expect(told).not.toContain(of(key));
  });

  test("it beats the header, which a proxy may have set", async () => {
    const headers = { authorization: `Basic ${base64("proxy:of-the-proxy")}` };
    const url = `/${topic.key}?auth=${raw(`Bearer ${key}`)}`;
    expect((await peal.request(url, { method: "POST", headers })).status).toBe(200);
  });

  test("a wrong one is refused, and peal's own addresses take none", async () => {
    const refused = await peal.request(`/${topic.key}?auth=nonsense`, { method: "POST" });
    expect([refused.status, (await ntfyError(refused)).code]).toEqual([401, 40101]);
    const own = await peal.request(`/home/doors?auth=${raw(`Bearer ${key}`)}`, { method: "POST", body: "x" });
    expect(own.status).toBe(401);
  });

  test("no log line has it, in any form", async () => {
    await peal.request(`/${topic.key}?auth=${raw(`Bearer ${key}`)}`, { method: "POST", body: "logged" });
    await peal.request(`/${topic.key}/auth?auth=${base64(key)}x`);
    const logs = peal.logs();
    expect(logs).toContain("/:topics");
    for (const [, of] of FORMS) expect(logs).not.toContain(of(key));
    for (const secret of peal.secrets) expect(logs).not.toContain(secret);
  });
});

describe("may I read?", () => {
  const asked = async (path: string, headers: Record<string, string> = {}) => {
    const response = await peal.request(path, { headers });
    if (response.status === 200) expect(await response.json()).toEqual({ success: true });
    else expect((await ntfyError(response)).http).toBe(response.status);
    return response.status;
  };
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

  test("whoever has a topic's key may, with any key of the server or none", async () => {
    const other = await peal.topic("windows");
    for (const path of [`/${topic.key}/auth`, `/${topic.key},${other.key}/auth`, `/ntfy/home/${topic.key}/auth`]) {
      expect([path, await asked(path)]).toEqual([path, 200]);
      expect([path, await asked(path, bearer(key))]).toEqual([path, 200]);
    }
  });

  test("a comma may be escaped", async () => {
    const other = await peal.topic("escaped");
    expect(await asked(`/${topic.key}%2C${other.key}/auth`)).toBe(200);
  });

  test("an unknown topic is forbidden, alone and among others; a wrong password is wrong", async () => {
    const gone = "gone-0123456789abcdefghjkmnpqrs";
    for (const path of [`/${gone}/auth`, `/${topic.key},${gone}/auth`, `/ntfy/home/${gone}/auth`])
      expect([path, await asked(path)]).toEqual([path, 403]);
    expect(await asked(`/${topic.key}/auth`, { authorization: `Basic ${base64("me:wrong")}` })).toBe(401);
  });

  test("by name it needs a key that reads the namespace", async () => {
    const { key: reader } = (await (await peal.api("POST", "/v1/keys", { scope: "read" })).json()) as { key: string };
    peal.secrets.add(reader);
    expect(await asked("/ntfy/home/doors/auth")).toBe(401);
    expect(await asked("/ntfy/home/doors/auth", bearer(key))).toBe(403);
    expect(await asked("/ntfy/home/doors/auth", bearer(reader))).toBe(200);
    expect(await asked(`/ntfy/home/doors,${topic.key}/auth`, bearer(peal.adminKey))).toBe(200);
    expect(await asked("/ntfy/home/none/auth", bearer(reader))).toBe(403);
    expect(await asked("/ntfy/other/doors/auth", bearer(reader))).toBe(403);
  });
});
