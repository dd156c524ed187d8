/**
 * A hook ignores a tool's own `delay` and `at`, and follows those in its URL and headers, which its owner sets
 * (docs/publish.md).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { messagesBy, newHook, post } from "../support/hooks.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess({ clock: heldClock() });
afterAll(async () => peal[Symbol.asyncDispose]());

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const multipart = new FormData();
for (const [name, value] of Object.entries({ message: "Door open", at: "front door" })) multipart.append(name, value);

// prettier-ignore
const bodies: [string, string, object | string | FormData, Record<string, string>, string[]][] = [
  ["JSON with a delay",        "",         { message: "Pump stopped", device: "pump", delay: 3600 }, {},   ["/delay"]],
  ["JSON with our names only", "",         { message: "Door open", at: "front door" },               {},   ["/at"]],
  ["JSON with both",           "",         { message: "Door open", At: "30m", DELAY: "n/a" },        {},   ["/At", "/DELAY"]],
  ["JSON without a message",   "",         { text: "Door open", at: "2027-01-01T00:00:00Z" },        {},   []],
  ["a form",                   "",         "message=Door+open&at=front+door",                        FORM, ["/at"]],
  ["a form with ntfy's name",  "",         "message=Door+open&in=1h",                                FORM, ["/delay"]],
  ["a multipart form",         "",         multipart,                                                {},   ["/at"]],
  ["Gotify's",                 "/gotify",  { message: "Door open", at: "front door" },               {},   []],
  ["Apprise's",                "/apprise", { body: "Door open", delay: "n/a" },                      {},   []],
];
test.each(bodies)("in %s neither delays nor refuses the message", async (name, dialect, body, headers, told) => {
  const hook = await newHook(peal, { topic: name.replaceAll(/\W/g, "-") });
  const response =
    body instanceof FormData
      ? await peal.request(hook.url + dialect, { method: "POST", body })
      : await post(peal, hook.url + dialect, body, headers);
  if (dialect === "") {
    const { ignored = [] } = await answer<{ ignored?: { path: string; message: string }[] }>(201, response);
    expect(ignored.map(({ path }) => path)).toEqual(told);
    for (const { message } of ignored) expect(message).toStartWith("belongs to the tool");
  } else expect(response.status).toBe(200);
  expect(await messagesBy(peal, hook)).toHaveLength(1);
});

// prettier-ignore
const meant: [string, string, Record<string, string>, object][] = [
  ["the query",          "?in=1h", {},                  {}],
  ["an X- header",       "",       { "x-delay": "1h" }, {}],
  ["the hook's defaults","",       {},                  { defaults: { delay: 3600 } }],
];
describe("as the hook's owner wants it", () => {
  test.each(meant)("%s still delays it", async (_, query, headers, settings) => {
    const hook = await newHook(peal, { topic: "meant", ...settings });
    const response = await post(peal, hook.url + query, { message: "m", at: "front door" }, headers);
    expect(await answer<object>(201, response)).toMatchObject({
      scheduled: { deliver_at: "2026-01-01T01:00:00.000Z" },
      ignored: [{ path: "/at" }],
    });
  });
});

// prettier-ignore
const unread: [string, string][] = [
  ["delay=soon", "/delay"],
  ["in=soon", "/delay"],
  ["in=31d", "/delay"],
  ["at=soon", "/at"],
  ["at=2030-01-01T00:00:00Z", "/at"],
];
test.each(unread)("%s is refused, and the answer says what is accepted", async (query, path) => {
  const hook = await newHook(peal, { topic: "refused" });
  const { errors } = await answer<{ errors: object[] }>(422, await post(peal, `${hook.url}?${query}`));
  const times = "must be seconds, a duration like `30m`, or a time like 2026-11-20T18:00:00Z or `tomorrow, 10am`";
  expect(errors).toEqual([{ path, message: `${times}, within the next 30 days` }]);
});
