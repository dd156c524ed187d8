/** Who may publish and read at ntfy's addresses, how much, and how the others are told (NTFY.md §1, §4). */
import { afterAll, describe, expect, test } from "bun:test";
import type { TestMessage } from "../support/client.ts";
import { newTopicKey } from "../../src/names/topic.ts";
import { eventually } from "../support/eventually.ts";
import { ntfyError } from "../support/ntfy-object.ts";
import { inProcess, startPeal } from "../support/server.ts";
import { openLines, poll, readLines, type Reading } from "./reader.ts";
import { basic, bearer, sendingWith, type Sent } from "./sending.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const topic = await peal.topic("backups");
const { key } = await peal.mint("publish");
const send = sendingWith(peal, key);

/** Makes namespace `work`, if there is none yet, and a topic and a key of it. */
async function elsewhere(): Promise<{ topic: string; key: string }> {
  const local = async (path: string, body: object): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    return (await peal.local(path, { method: "POST", body: JSON.stringify(body), headers })).json();
  };
  await local("/-/local/namespaces", { name: "work" });
  const { key } = (await local("/v1/keys?namespace=work", { scope: "full" })) as { key: string };
  const { topic } = (await local("/v1/work/topics", { name: `topic-${++made}` })) as { topic: string };
  return { topic, key };
}
let made = 0;

describe("who may publish", () => {
  const refused = async (path: string, headers: Record<string, string>, method = "POST") => {
    const response = await peal.request(path, { method, headers, ...(method === "POST" && { body: "x" }) });
    return { status: response.status, headers: response.headers, ...(await ntfyError(response)) };
  };

  test("a key comes as a token, as the password of any user, or as the user", async () => {
    for (const headers of [bearer(key), basic("anybody", key), basic("", key), basic(key, ""), basic(key, "None")])
      expect(await send(`/${topic.key}`, { body: "by whatever", headers })).toMatchObject({ message: "by whatever" });
  });

  test("without a key, or with a wrong one, the apps are to ask for a password", async () => {
    for (const headers of [{}, bearer(`svc_${"0".repeat(64)}`), basic("me", "wrong")])
      for (const path of [`/${topic.key}`, "/ntfy/home/backups", "/", "/ntfy/home"]) {
        const { status, code, headers: answered } = await refused(path, headers);
        expect({ path, status, code }).toEqual({ path, status: 401, code: 40101 });
        expect(answered.get("www-authenticate")).toStartWith("Basic realm=");
      }
  });

  test("a key of another namespace may not, nor one that only reads; a topic that does not exist looks the same", async () => {
    const { key: foreign } = await elsewhere();
    const { key: reader } = (await (await peal.api("POST", "/v1/keys", { scope: "read" })).json()) as { key: string };
    for (const secret of [foreign, reader])
      for (const path of [`/${topic.key}`, "/ntfy/home/backups"])
        expect(await refused(path, bearer(secret))).toMatchObject({ status: 403, code: 40301 });
    expect(await refused("/gone-0123456789abcdefghjkmnpqrs", bearer(key))).toMatchObject({ status: 403, code: 40301 });
    // nor take back what waits
    await send(`/${topic.key}/reminder`, { body: "still waits", headers: { Delay: "1d" } });
    expect(await refused(`/${topic.key}/reminder`, bearer(foreign), "DELETE")).toMatchObject({
      status: 403,
      code: 40301,
    });
    const { scheduled } = (await (await peal.api("GET", "/v1/home/scheduled?limit=100")).json()) as {
      scheduled: TestMessage[];
    };
    expect(scheduled.map(({ message }) => message)).toContain("still waits");
  });
});

describe("who may read", () => {
  const asked = async (path: string) => (await peal.request(path)).status;

  test("whoever has the key of a topic, but not at the address of another namespace", async () => {
    const { topic: theirs } = await elsewhere();
    for (const end of ["auth", "json?poll=1"]) {
      expect([end, await asked(`/${theirs}/${end}`), await asked(`/ntfy/work/${theirs}/${end}`)]).toEqual([
        end,
        200,
        200,
      ]);
      expect([end, await asked(`/ntfy/home/${theirs}/${end}`)]).toEqual([end, 403]);
    }
  });

  test("the topics of one address may be of several namespaces", async () => {
    const { topic: theirs, key: foreign } = await elsewhere();
    const ours = await peal.topic("ours");
    const publish = async (secret: string, address: string, body: string) =>
      peal.request(`/${address}`, { method: "POST", body, headers: bearer(secret) });
    await publish(key, ours.key, "one");
    await publish(foreign, theirs, "two");
    const url = `${peal.url}/${ours.key},${theirs}/json`;
    const stored = await poll(`${url}?poll=1`);
    expect(stored.map(({ topic: of, message }) => [of, message])).toEqual([
      [ours.key, "one"],
      [theirs, "two"],
    ]);
    const stream = await readLines(`${url}?since=${stored[0]?.id}`);
    await publish(key, ours.key, "three");
    await publish(foreign, theirs, "four");
    await eventually("all", () => stream.messages().length === 3);
    expect(stream.messages()).toEqual(["two", "three", "four"]);
    await stream.close();
  });

  test("a hundred topics in one address, and no more", async () => {
    const many = Array.from({ length: 101 }, () => newTopicKey("t"));
    const response = await peal.request(`/${many.join(",")}/json`);
    expect(response.status).toBe(400);
    expect(await ntfyError(response)).toMatchObject({ code: 40009 });
    expect(await asked(`/${many.slice(1).join(",")}/json`)).toBe(403); // there are no such topics
  });
});

describe("what is refused otherwise has ntfy's form too", () => {
  const refusal = async (path: string, init: Sent = {}) => {
    const response = await peal.request(path, {
      method: "POST",
      ...init,
      headers: { ...bearer(key), ...init.headers },
    });
    return ntfyError(response);
  };

  test("a name that no topic can have", async () => {
    for (const name of [".hidden", "a%20b", "x".repeat(65), "%zz"])
      expect([name, await refusal(`/ntfy/home/${name}`)]).toMatchObject([name, { code: 40009 }]);
  });

  test("a body that is too large", async () => {
    expect(await refusal(`/${topic.key}`, { body: "x".repeat(1_048_577) })).toMatchObject({ code: 41301 });
  });

  test("a method that the address does not take", async () => {
    for (const end of ["", "/json", "/auth"])
      for (const address of [`/${topic.key}${end}`, `/ntfy/home/backups${end}`])
        expect([address, await refusal(address, { method: "DELETE" })]).toMatchObject([address, { code: 40500 }]);
    expect(await refusal("/ntfy/home/backups/json", { body: "no sequence" })).toMatchObject({ code: 40500 });
  });

  test("an idempotency key that was used for something else", async () => {
    const headers = { "idempotency-key": "one of two" };
    await send(`/${topic.key}`, { body: "first", headers });
    expect(await refusal(`/${topic.key}`, { body: "second", headers })).toMatchObject({ code: 40900 });
  });

  test.each([
    ["PEAL_LIMITS_PUBLISH", "POST", ""],
    ["PEAL_LIMITS_READ", "GET", "/json?poll=1"],
  ])("more than %s allows, with the time to come back", async (limit, method, end) => {
    await using limited = await inProcess({ env: { [limit]: "1/h:2" } });
    const { key: address } = await limited.topic("few");
    const headers = bearer(limited.adminKey);
    const asked = async () =>
      limited.request(`/${address}${end}`, { method, headers, ...(method === "POST" && { body: "x" }) });
    let response = await asked();
    for (let n = 0; n < 20 && response.status === 200; n++) response = await asked();
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await ntfyError(response)).toMatchObject({ code: 42901 });
  });

  test("a stream for which there is no room, with the time to come back", async () => {
    await using full = await startPeal({ ulimit: "-n 64", env: { PEAL_LIMITS_STREAMS: "0:20000" } });
    const { key: address } = await full.topic("full");
    const streams: Reading[] = [];
    let refused: Response | undefined;
    while (refused === undefined && streams.length < 64) {
      const response = await openLines(`${full.url}/${address}/json`);
      if (response instanceof Response) refused = response;
      else streams.push(response);
    }
    expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await ntfyError(refused ?? new Response())).toMatchObject({ code: 50300 });
    await Promise.all(streams.map(async (stream) => stream.close()));
  });
});
