/** Hostile requests to the URLs of hooks: odd paths, huge bodies, many at once. */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { heldClock } from "../support/clock.ts";
import { messagesBy, newHook, requestsOf, tokenOf } from "../support/hooks.ts";
import { metric } from "../support/metric.ts";
import { answers, converse, rawRequest, statuses, unannounced } from "../support/raw.ts";
import { examples } from "../support/rounds.ts";
import { inProcess, startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

test("10 MB are refused, with or without a length, compressed or not; nothing is stored, and memory stays the same", async () => {
  const hook = await newHook(peal, { topic: "large" });
  const large = new Uint8Array(10_000_000).fill(0x61);
  const before = await metric(peal, "process_resident_memory_bytes");
  const packed = Bun.gzipSync(large);
  for (const path of ["", "/slack", "/discord", "/gotify"]) {
    const sent = { method: "POST", body: packed, headers: { "content-encoding": "gzip" } };
    expect([path, (await peal.request(hook.url + path, sent)).status]).toEqual([path, 413]);
    const head = rawRequest("POST", new URL(hook.url + path).pathname, { "content-length": String(large.length) });
    expect([path, statuses(await converse(peal.url, head, answers(1)))]).toEqual([path, [413]]);
    for (const body of [large, large, large, large, large, unannounced(large)]) {
      // a client that is still sending may see the connection close before it sees the answer
      const answered = await peal.request(hook.url + path, { method: "POST", body }).then(
        ({ status }) => status,
        () => "cut off",
      );
      expect(answered).toBeOneOf([413, "cut off"]);
    }
  }
  expect((await metric(peal, "process_resident_memory_bytes")) - before).toBeLessThan(40e6);
  expect(await messagesBy(peal, hook)).toEqual([]);
  expect(await requestsOf(peal, hook.id)).toEqual([]);
});

test("no path below the URLs of hooks is answered with 5xx or publishes without a token", async () => {
  await using own = await inProcess({ clock: heldClock() });
  const hook = await newHook(own);
  const token = tokenOf(hook);
  const segment = fc.oneof(
    fc.constantFrom(
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase(),
      hook.gotify_token,
      ...["slack", "discord", "notify", "message"],
      "",
      ".",
      "%",
      "%00",
      "%2f",
      "...",
    ),
    fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 40 }),
  );
  const begin = fc.constantFrom(
    "/v1/hook",
    "/api/webhooks",
    "/api/webhooks/1",
    "/v1/apprise",
    "/v1/apprise/notify",
    "/v1/gotify",
  );
  const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD");
  const path = fc.tuple(begin, fc.array(segment, { maxLength: 4 })).map(([first, rest]) => [first, ...rest].join("/"));
  await fc.assert(
    fc.asyncProperty(method, path, async (how, where) => {
      const request = rawRequest(how, where.replaceAll(/[?#]/g, "x"), { connection: "close" });
      const [status = 0] = statuses(await converse(own.url, request));
      expect([where, status >= 400 && status < 500]).toEqual([where, true]);
    }),
    { numRuns: examples(500) },
  );
  expect(await messagesBy(own, hook)).toEqual([]);
});

test("fifty simultaneous requests of 64 KiB are all stored, and the last 20 are kept", async () => {
  const hook = await newHook(peal, { topic: "flood" });
  const body = "x".repeat(65_536);
  const sent = Array.from({ length: 50 }, async () => peal.request(hook.url, { method: "POST", body }));
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([201]));
  expect(await messagesBy(peal, hook)).toHaveLength(50);
  expect((await requestsOf(peal, hook.id)).map(({ body_bytes }) => body_bytes)).toEqual(Array<number>(20).fill(65_536));
});
