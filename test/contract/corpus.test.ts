/** What tools post, even damaged on the way, is never refused and always readable (docs/publish.md). */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { REWRITES } from "../../src/rewrites/rewrite.ts";
import { fixtures } from "../rewrites/fixtures.ts";
import { answer } from "../support/client.ts";
import { messagesBy, newHook } from "../support/hooks.ts";
import { examples } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

/** Moves parts of a payload, changes their type or removes them. */
function mutated(value: unknown, turn: () => number): unknown {
  const odd: unknown[] = [
    null,
    "",
    0,
    -1,
    true,
    [],
    {},
    "x".repeat(3_000),
    ["a", 1],
    { a: { b: [1] } },
    "\u0000\u001b[31m",
    "<b>x</b>",
  ];
  if (turn() % 11 === 0) return odd[turn() % odd.length];
  if (Array.isArray(value)) return value.map((each) => mutated(each, turn));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(() => turn() % 13 !== 0);
  return Object.fromEntries(kept.map(([name, each]) => [name, mutated(each, turn)]));
}

interface Body {
  type: string;
  bytes: Uint8Array;
}
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const JSON_TYPE = "application/json";
const json = (value: unknown): Body => ({ type: JSON_TYPE, bytes: bytesOf(JSON.stringify(value)) });

const fixture = fc.constantFrom(...fixtures.map(({ raw }) => raw));
const mutant = fc.tuple(fixture, fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 })).map(([raw, turns]) => {
  let at = 0;
  return mutated(JSON.parse(raw), () => turns[at++ % turns.length] ?? 0);
});
const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const line = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

const anyBody: fc.Arbitrary<Body> = fc.oneof(
  { weight: 6, arbitrary: mutant.map(json) },
  { weight: 2, arbitrary: fixture.map((raw) => ({ type: JSON_TYPE, bytes: bytesOf(raw) })) },
  { weight: 2, arbitrary: fc.json().map((text) => ({ type: JSON_TYPE, bytes: bytesOf(text) })) },
  // cut off in the middle, with the type text/plain or none
  {
    weight: 2,
    arbitrary: fc
      .tuple(fixture, fc.nat(400), fc.constantFrom(JSON_TYPE, "text/plain", "", "application/octet-stream"))
      .map(([raw, end, type]) => ({ type, bytes: bytesOf(raw).subarray(0, end) })),
  },
  {
    weight: 2,
    arbitrary: mutant.map((value) => ({
      type: "application/x-www-form-urlencoded",
      bytes: bytesOf(`payload=${encodeURIComponent(JSON.stringify(value))}`),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.dictionary(line, line, { maxKeys: 6 }).map((fields) => ({
      type: "application/x-www-form-urlencoded",
      bytes: bytesOf(new URLSearchParams(fields).toString()),
    })),
  },
  {
    weight: 2,
    arbitrary: mutant.map((value) => ({
      type: "multipart/form-data; boundary=x",
      bytes: bytesOf(`${part("data", JSON.stringify(value))}--x--`),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom("title", "message", "level", "text", "f"), line).map((fields) => ({
      type: "multipart/form-data; boundary=x",
      bytes: bytesOf(
        `${Object.entries(fields)
          .map(([name, value]) => part(name, value))
          .join("")}--x--`,
      ),
    })),
  },
  {
    weight: 1,
    arbitrary: line.map((text) => ({
      type: "text/plain",
      bytes: Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.constantFrom(
          "<p>",
          "</p>",
          "<a href='https://h/'>",
          "&uuml;",
          "&",
          "<",
          "text ",
          "<script>x</script>",
          "<!--",
          "]]>",
        ),
      )
      .map((all) => ({ type: "text/html", bytes: bytesOf(all.join("")) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("<a><b c='d'/></a>", "a;b;c\n1;2;3", "", " ", "{}", "[]", "1", "null", '"x"', "[[[[", "\ufeff{}")
      .map((text) => ({ type: "application/xml", bytes: bytesOf(text) })),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ type: "image/png", bytes })) },
);

/** Requires that a message is readable. */
function requireReadable({ message, title = "" }: { message: string; title?: string }): void {
  expect(message.trim()).not.toBe("");
  expect(`${title}${message}`).not.toMatch(CONTROL);
  expect(message.split("\n").filter((each) => each.length > 200 && RAW_JSON.test(each))).toEqual([]);
}

const RAW_JSON = /^\s*[[{].*[:,\]}]/;
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

test("none of a thousand bodies is refused at any publishing URL, and each makes a readable message", async () => {
  const topic = await peal.topic("corpus");
  const urls = [
    "/home/corpus",
    `/v1/home/${topic.key}/publish`,
    ...REWRITES.map((name) => `/home/corpus?rewrite=${name}`),
  ];
  const headers = { authorization: `Bearer ${peal.adminKey}` };
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(anyBody, fc.nat(), async ({ type, bytes }, n) => {
      const all = [urls[0] ?? "", urls[1] ?? "", urls[2 + (n % REWRITES.length)] ?? ""];
      const answers = await Promise.all(
        all.map(async (url) =>
          peal.request(url, {
            method: n % 2 === 0 ? "POST" : "PUT",
            body: bytes,
            headers: { ...headers, ...(type !== "" && { "content-type": type }) },
          }),
        ),
      );
      for (const response of answers) {
        requireReadable(await answer<{ message: string; title?: string }>(201, response));
        sent++;
      }
    }),
    { numRuns: examples(1_000) },
  );
  expect(sent).toBe(3 * examples(1_000));
});

test("nor at a hook's URL, in any dialect", async () => {
  const hook = await newHook(peal, { topic: "by-hook" });
  const dialects = [
    ...["slack", "discord", "github", "gotify", "apprise"].map((name) => `${hook.url}/${name}`),
    ...[hook.discord_url, hook.apprise_url, `/message?token=${hook.gotify_token}`],
  ];
  await fc.assert(
    fc.asyncProperty(anyBody, fc.nat(), async ({ type, bytes }, n) => {
      const urls = [hook.url, dialects[n % dialects.length] ?? ""];
      const statuses = urls.map(async (url) => {
        const headers = type === "" ? {} : { "content-type": type };
        return (await peal.request(url, { method: "POST", body: bytes, headers })).status;
      });
      for (const status of await Promise.all(statuses)) expect([200, 201, 202, 204]).toContain(status);
    }),
    { numRuns: examples(1_000) },
  );
  const messages = await messagesBy(peal, hook);
  expect(messages).toHaveLength(2 * examples(1_000));
  for (const message of messages) requireReadable(message);
});
