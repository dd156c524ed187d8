/** Which requests count as the same client, and how many a client may make (API.md §7). */
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { clientAddress, createTrust, network } from "../../src/http/address.ts";
import { createLimits } from "../../src/http/limits.ts";
import type { Problem } from "../../src/http/problem.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { unannounced } from "../support/raw.ts";
import { inProcess, startPeal } from "../support/server.ts";

const TRUSTED = createTrust(["127.0.0.0/8", "::1", "10.0.0.0/8", "2001:db8:1::/48", "::ffff:192.168.7.0/120"]);

// prettier-ignore
const hops: [string, peer: string, forwardedFor: string, client: string][] = [
  ["a proxy says who it was",                "10.0.0.1",      "203.0.113.9",                      "203.0.113.9"],
  ["what the client made up is left of it",  "10.0.0.1",      "1.1.1.1, 203.0.113.9",             "203.0.113.9"],
  ["a chain of trusted proxies",             "127.0.0.1",     "1.1.1.1, 203.0.113.9, 10.2.3.4",   "203.0.113.9"],
  ["only proxies: the first of them",        "127.0.0.1",     "10.0.0.9, 10.0.0.8",               "10.0.0.9"],
  ["IPv4 inside IPv6",                       "10.0.0.1",      "::ffff:203.0.113.9",               "203.0.113.9"],
  ["with a port",                            "10.0.0.1",      "203.0.113.9:4711",                 "203.0.113.9"],
  ["IPv6 with a port",                       "10.0.0.1",      "[2001:db8::9]:4711",               "2001:db8::9"],
  ["an IPv6 proxy",                          "::1",           "2001:db8::9, 2001:db8:1::7",       "2001:db8::9"],
  ["no address: the hop that wrote it",      "10.0.0.1",      "unknown",                          "10.0.0.1"],
  ["no address inside a chain",              "127.0.0.1",     "1.1.1.1, <script>, 10.0.0.8",      "10.0.0.8"],
  ["empty",                                  "10.0.0.1",      "",                                 "10.0.0.1"],
];
test.each(hops)("X-Forwarded-For, %s", (_, peer, forwardedFor, client) => {
  expect(clientAddress(peer, forwardedFor, TRUSTED)).toBe(client);
});

test.each([
  ["127.9.9.9", true],
  ["128.0.0.1", false],
  ["10.255.0.1", true],
  ["2001:db8:1:ffff::1", true],
  ["2001:db8:2::1", false],
  ["192.168.7.200", true],
  ["192.168.8.1", false],
  ["nobody", false],
])("%s is a trusted proxy: %p", (address, isTrusted) => {
  expect(TRUSTED(address)).toBe(isTrusted);
});

test.each([
  ["2001:db8::1", "2001:db8::ffff"],
  ["2001:db8:0:0:1:2:3:4", "2001:db8::"],
  ["::1", "::2"],
])("%s and %s share a limit, because a household has one /64", (one, other) => {
  expect(network(one)).toBe(network(other));
  expect(network(one)).not.toBe(network("2001:db8:0:1::1"));
});

describe("a bucket", () => {
  const clock = heldClock();
  const limited = (rate: number, burst: number, limit: "publish" | "bytes" | "register" | "auth" = "publish") => {
    const metrics = createMetrics({ version: "1", startedAt: 0 });
    const limits = {
      ...{
        publish: undefined,
        bytes: undefined,
        read: undefined,
        ping: undefined,
        auth: undefined,
        register: undefined,
      },
      [limit]: { rate, burst },
      streams: { perAddress: 0, all: 0 },
    };
    const { take } = createLimits({ limits }, clock, metrics);
    const isRefused = (who = "key", cost?: number) => {
      try {
        take(limit, who, cost);
        return undefined;
      } catch (error) {
        return error as Problem;
      }
    };
    const taken = (n: number, who?: string) =>
      Array.from({ length: n }, () => isRefused(who)).filter((no) => no === undefined).length;
    return { take, isRefused, taken, metrics };
  };

  test("allows its burst, then its rate, and never saves more than its burst", () => {
    const { taken } = limited(20, 200);
    expect(taken(300)).toBe(200);
    clock.advance(1_000);
    expect(taken(300)).toBe(20);
    clock.advance(3_600_000);
    expect(taken(300)).toBe(200);
  });

  test("says how long to wait and which setting changes it; then it allows one more", () => {
    const { isRefused, taken, metrics } = limited(0.5, 2);
    taken(2);
    const { status, code, headers, detail } = isRefused() ?? { headers: {} };
    expect([status, code]).toEqual([429, "rate_limited"]);
    expect(headers).toEqual({
      "retry-after": "2",
      ratelimit: '"publish";r=0;t=2',
      "ratelimit-policy": '"publish";q=2;w=4',
    });
    expect(detail).toContain("PEAL_LIMITS_PUBLISH");
    expect(metrics.render()).toContain('peal_rate_limited_total{limit="publish"} 1');
    clock.advance(2_000);
    expect(taken(2)).toBe(1);
  });

  test("of bytes is emptied by a request that costs more than is left; the rest is owed", () => {
    const { take, isRefused } = limited(1_000_000, 3_000_000, "bytes");
    const send = (bytes: number) => {
      const refused = isRefused("key", bytes);
      return refused && [refused.status, refused.headers["retry-after"], refused.detail];
    };
    expect([send(2_000_000), send(2_500_000)]).toEqual([undefined, undefined]);
    const why =
      "Too many bytes sent with this API key: 1 MB a second, at most 3 MB at once. Wait 2 s; `PEAL_LIMITS_PUBLISH` changes the limit.";
    expect(send(1)).toEqual([429, "2", why]);
    expect(isRefused("key", 1)?.headers).toMatchObject({
      "ratelimit-policy": '"bytes";q=3000000;w=3;qu="content-bytes"',
      ratelimit: '"bytes";r=0;t=2',
    });
    take("bytes", "another key", 3_000_000);
    clock.advance(1_501);
    expect(send(9_000_000)).toBeUndefined();
    expect(send(1)?.[1]).toBe("9");
  });

  test("exists for each client, not for the operator, and not where the limit is off", () => {
    const { taken, take } = limited(1, 1);
    expect([taken(2, "a"), taken(2, "b"), taken(50, "local")]).toEqual([1, 1, 50]);
    for (let n = 0; n < 50; n++) take("read", "a");
  });

  // prettier-ignore
  test.each(["register", "auth"] as const)("of %s is four times as large for the /48 of an IPv6 address, and each /64 in it has its own", (limit) => {
    const { taken, isRefused } = limited(0.5, 10, limit);
    expect([1, 2, 3, 4, 5].map((n) => taken(15, `2001:db8:1:${n}::1`))).toEqual([10, 10, 10, 10, 0]);
    expect(isRefused("2001:db8:1:6::1")?.headers).toMatchObject({ "ratelimit-policy": `"${limit}";q=40;w=20` });
    expect(taken(15, "2001:db8:2:1::1")).toBe(10);
    expect(taken(15, "203.0.113.1")).toBe(10);
    clock.advance(1_000);
    expect([taken(9, "2001:db8:1:7::1"), taken(9, "203.0.113.1")]).toEqual([2, 0]);
  });

  test("of any other kind exists for each /64, however many of a /48 come", () => {
    const { taken } = limited(1, 10);
    for (let n = 0; n < 9; n++) expect(taken(15, `2001:db8:1:${n}::1`)).toBe(10);
  });

  test("is forgotten when 20,000 others came after it, so the table does not grow", () => {
    const { taken } = limited(0.001, 1);
    expect(taken(2, "first")).toBe(1);
    for (let n = 0; n < 19_999; n++) taken(1, `client ${n}`);
    expect(taken(1, "first")).toBe(0); // used again, so that another one is the least recently used
    for (let n = 0; n < 19_999; n++) taken(1, `other ${n}`);
    expect(taken(1, "first")).toBe(0);
    for (let n = 0; n < 20_000; n++) taken(1, `third ${n}`);
    expect(taken(1, "first")).toBe(1);
  });
});

test("publishes count per key, reads per address, also behind a proxy; health is never limited", async () => {
  await using peal = await inProcess({
    clock: heldClock(),
    env: { PEAL_LIMITS_PUBLISH: "1/h:2", PEAL_LIMITS_READ: "1/h:2" },
  });
  const { key } = await peal.topic("hello");
  const other = await peal.mint("publish");
  const publish = async (path: string, headers = {}) => peal.api("POST", path, "hi", headers);
  const paths = ["/home/hello", `/v1/home/${key}/publish`];
  for (const path of paths) await answer(201, await publish(path));
  for (const path of paths) expectLimited(await publish(path), "publish");
  await answer(201, await publish("/home/hello", { authorization: `Bearer ${other.key}` }));

  const read = async (client: string, path = `/v1/home/${key}/messages`) => {
    const headers: Record<string, string> = client === "" ? {} : { "x-forwarded-for": client };
    return peal.request(path, { headers });
  };
  await read("203.0.113.9");
  await read("203.0.113.9, 127.0.0.1");
  expectLimited(await read("made up, 203.0.113.9"), "read");
  expect((await read("203.0.113.10")).status).toBe(200);
  expect((await read("")).status).toBe(200);
  for (let n = 0; n < 20; n++)
    for (const path of ["/health", "/ready"]) expect((await read("203.0.113.9", path)).status).toBe(200);
});

/** @throws when the answer is not a 429 of a limit of 1 an hour that is used up */
function expectLimited(response: Response, limit: "publish" | "read"): void {
  const told = ["retry-after", "ratelimit", "ratelimit-policy"].map((name) => response.headers.get(name));
  expect([response.status, ...told]).toEqual([429, "3600", `"${limit}";r=0;t=3600`, `"${limit}";q=2;w=7200`]);
}

test("bytes of bodies count per key, however they arrive and whatever they are for", async () => {
  const clock = heldClock();
  await using peal = await inProcess({ clock, env: { PEAL_LIMITS_PUBLISH: "0,1kB/s:100kB" } });
  const { key } = await peal.topic("hello");
  const other = await peal.mint("publish");
  const full = "x".repeat(100_000);
  const ways: [string, NonNullable<RequestInit["body"]>, Record<string, string>][] = [
    ["announced", full, {}],
    ["of no announced length", unannounced(full), {}],
    ["inflated", gzipSync(full), { "content-encoding": "gzip" }],
  ];
  for (const [way, body, more] of ways) {
    clock.advance(3_600_000); // time enough for the bucket to fill up
    const headers = { authorization: `Bearer ${peal.adminKey}`, "content-type": "text/plain", ...more };
    const sent = await peal.request("/home/hello", { method: "POST", headers, body });
    expect([way, sent.status]).toEqual([way, 201]);
    for (const [method, path, body] of [
      ["POST", "/home/hello", "hi"],
      ["POST", "/v1/home/topics", { name: "another" }],
      ["PATCH", `/v1/home/${key}`, { description: "d" }],
    ] as const) {
      const refused = await peal.api(method, path, body);
      expect([way, path, refused.status]).toEqual([way, path, 429]);
      expect(await refused.json()).toMatchObject({
        code: "rate_limited",
        detail: expect.stringContaining("bytes sent with this API key") as unknown,
      });
    }
    expect((await peal.api("GET", "/v1/home/topics")).status).toBe(200);
    await answer(201, await peal.api("POST", "/home/hello", "hi", { authorization: `Bearer ${other.key}` }));
  }
  clock.advance(1_000);
  await answer(201, await peal.api("POST", "/home/hello", "hi"));
});

test("a body over its limit is refused for that reason and costs nothing", async () => {
  await using peal = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_PUBLISH: "0,1B/h:1kB" } });
  for (let n = 0; n < 3; n++)
    await answer(413, await peal.api("POST", "/v1/home/topics", { name: "n", pad: "x".repeat(70_000) }));
  await answer(201, await peal.api("POST", "/v1/home/topics", { name: "n" }));
});

test("everything that is publicly readable counts as a read", async () => {
  await using peal = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_READ: "1/h:2" } });
  const { key } = await peal.topic("hello");
  await peal.api("POST", "/home/hello", "hi");
  const feed = ["", "/feed.atom", "/feed.json", "/manifest.webmanifest"].map((end) => `/home/${key}${end}`);
  const history = ["", "/1"].map((end) => `/v1/home/${key}/messages${end}`);
  for (const [n, path] of ["/docs", "/openapi.json", `/home/hello/${key}`, ...feed, ...history].entries()) {
    const ask = async () => peal.request(path, { headers: { "x-forwarded-for": `203.0.113.${n}` } });
    const [first, second, third] = [await ask(), await ask(), await ask()];
    expect([path, first.status, second.status]).toEqual([path, 200, 200]);
    expectLimited(third, "read");
    expect(await third.json()).toMatchObject({ code: "rate_limited" });
  }
});

test("a client that waits for as long as Retry-After says is let in again", async () => {
  const clock = heldClock();
  await using peal = await inProcess({ clock, env: { PEAL_LIMITS_PUBLISH: "1/s:1" } });
  const publish = async () => peal.api("POST", "/home/hello", "hi");
  await answer(201, await publish());
  const refused = await publish();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  clock.advance(1_000);
  await answer(201, await publish());
});

test("a proxy that was not configured is not believed, and the log says once what to add", async () => {
  await using peal = await startPeal({ env: { PEAL_TRUSTED_PROXIES: "192.0.2.0/24", PEAL_LIMITS_READ: "1/h:2" } });
  const read = async (client: string) =>
    (await peal.request("/home/a/nothing", { headers: { "x-forwarded-for": client, "x-forwarded-host": "evil.test" } }))
      .status;
  expect([await read("1.1.1.1"), await read("2.2.2.2"), await read("3.3.3.3")]).toEqual([404, 404, 429]);
  const { topic_url } = await answer<{ topic_url: string }>(
    201,
    await peal.api("POST", "/home/hello", "hi", { "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" }),
  );
  expect(topic_url).toStartWith(peal.url);
  await peal.kill("SIGTERM"); // the log is complete now
  expect(peal.logs().match(/PEAL_TRUSTED_PROXIES=192\.0\.2\.0\/24,127\.0\.0\.1/g)).toHaveLength(1);
});

test("a configured proxy sets scheme and host of the share links, if they are valid", async () => {
  await using peal = await inProcess();
  const urlBehind = async (proto: string, host: string) => {
    const headers = { "x-forwarded-proto": proto, "x-forwarded-host": host };
    return (await answer<{ topic_url: string }>(201, await peal.api("POST", "/home/hello", "hi", headers))).topic_url;
  };
  expect(await urlBehind("https", "peal.example.org")).toStartWith("https://peal.example.org/home/hello/");
  expect(await urlBehind("https", "made.up, peal.example.org:8443")).toStartWith("https://peal.example.org:8443/home/");
  expect(await urlBehind("javascript", "a/b?c")).toStartWith(`${peal.url}/home/hello/`);
});

test("refused keys are logged with the client's address, without the key that was tried", async () => {
  await using peal = await startPeal();
  const tried = `svc_${"0".repeat(64)}`;
  await peal.request("/v1/home/topics", {
    headers: { authorization: `Bearer ${tried}`, "x-forwarded-for": "203.0.113.9" },
  });
  await peal.request("/v1/home/topics");
  await eventually("the second in the log", () => /client=127\.0\.0\.1 code=missing_key/.test(peal.logs()));
  expect(peal.logs()).toMatch(/warn +authentication failed client=203\.0\.113\.9 code=invalid_key/);
  expect(peal.logs()).not.toContain(tried);
});
