/** Who may publish and read at ntfy's addresses, how much, and how the others are told (NTFY.md §1, §4). */
import { afterAll, describe, expect, test } from "bun:test";
import type { TestMessage } from "../support/client.ts";
import { ntfyError } from "../support/ntfy-object.ts";
import { inProcess } from "../support/server.ts";
import { basic, bearer, sendingWith } from "./sending.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const topic = await peal.topic("backups");
const { key } = await peal.mint("publish");
const send = sendingWith(peal, key);

describe("who may", () => {
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
    const local = async (path: string, body: object) =>
      peal.local(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
    await local("/-/local/namespaces", { name: "work" });
    const { key: foreign } = (await (await local("/v1/keys?namespace=work", { scope: "full" })).json()) as {
      key: string;
    };
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

  test("too many are told when to come back", async () => {
    await using limited = await inProcess({ env: { PEAL_LIMITS_PUBLISH: "1/h:2" } });
    const { key: address } = await limited.topic("few");
    const asked = async () =>
      limited.request(`/${address}`, { method: "POST", body: "x", headers: bearer(limited.adminKey) });
    let response = await asked();
    for (let n = 0; n < 20 && response.status === 200; n++) response = await asked();
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await ntfyError(response)).toMatchObject({ code: 42901 });
  });
});
