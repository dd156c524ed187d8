/** What the answers of services mean (DELIVERY.md §11). */
import { describe, expect, test } from "bun:test";
import { discord } from "../../src/delivery/forwards/discord.ts";
import { gotify } from "../../src/delivery/forwards/gotify.ts";
import type { ForwardVerdict, Kind } from "../../src/delivery/forwards/kind.ts";
import { ntfy } from "../../src/delivery/forwards/ntfy.ts";
import { slack } from "../../src/delivery/forwards/slack.ts";
import { webhook } from "../../src/delivery/forwards/webhook.ts";
import { aForward, answered, later, paused } from "./pushes.ts";

const said = (
  kind: Kind,
  to: Record<string, unknown>,
  answer: Parameters<typeof answered>,
  shrunk = 0,
): ForwardVerdict => {
  if ("talk" in kind) throw new Error(`${kind.name} is no HTTP`);
  return kind.verdict(answered(...answer), aForward({ shrunk }), to);
};

type Row = [promise: string, answer: Parameters<typeof answered>, verdict: unknown, shrunk?: number];

/** What all of them share, where a service has no words of its own. */
// prettier-ignore
const usual: Row[] = [
  ["a redirect is not followed",     [302, "", { location: "https://other.example" }], paused("status 302", undefined, "redirects")],
  ["a time-out is tried again",      [408],                                            later("status 408", "device")],
  ["what is too large is shortened", [413],                                            { kind: "shrink", reason: "status 413" }],
  ["but not for ever",               [413],                                            { kind: "fail", reason: "status 413" }, 3],
  ["any other refusal is the end",   [422],                                            { kind: "fail", reason: "status 422" }],
  ["an error of a server is not",    [500],                                            later("status 500", "lane")],
  ["a proxy's neither",              [502, "<html>Bad Gateway</html>"],                later("status 502", "lane")],
  ["it may say until when",          [503, "", { "retry-after": "120" }],              later("status 503", "lane", 120_000)],
];

describe.each([
  ["webhook", webhook, {}],
  ["ntfy", ntfy, { topic: "t" }],
  ["gotify", gotify, { server: "https://g.example", token: "A" }],
  ["discord", discord, { url: "https://discord.example/x" }],
  ["slack", slack, { url: "https://slack.example/x" }],
] as const)("%s:", (_, kind, to) => {
  test.each(usual)("%s", (_promise, answer, verdict, ...[shrunk]) => {
    expect(said(kind, to, answer, shrunk)).toEqual(verdict as ForwardVerdict);
  });
});

// prettier-ignore
describe.each<[name: string, kind: Kind, to: Record<string, unknown>, rows: Row[]]>([
  ["webhook", webhook, {}, [
    ["any 2xx is taken",                    [204],                                            { kind: "accepted" }],
    ["401 waits for the owner",             [401, "no"],                                      paused("status 401", undefined, "Authorization")],
    ["403 too",                             [403],                                            paused("status 403", undefined, "Authorization")],
    ["404 too",                             [404],                                            paused("status 404", undefined, "URL")],
    ["410 too, as Standard Webhooks says",  [410],                                            paused("status 410", undefined, "URL")],
    ["429 waits as long as it says",        [429, "", { "retry-after": "7" }],                later("status 429", "device", 7_000)],
    ["or until a date",                     [429, "", { "retry-after": "Thu, 15 Jan 2026 12:01:00 GMT", date: "Thu, 15 Jan 2026 12:00:00 GMT" }], later("status 429", "device", 60_000)],
    ["the receiver's words are not told",   [400, '{"error":"internal host"}'],               { kind: "fail", reason: "status 400" }],
  ]],
  ["ntfy", ntfy, { topic: "t" }, [
    ["200 with an id is taken",             [200, { id: "xE73Iyuabi12", event: "message" }],  { kind: "accepted", id: "xE73Iyuabi12" }],
    ["another page at that address is not", [200, "<html>"],                                  paused("not ntfy", undefined, "ntfy server")],
    ["401 waits for the owner",             [401, { code: 40101, http: 401, error: "unauthorized" }], paused("unauthorized", undefined, "token")],
    ["403 too",                             [403, { code: 40301, http: 403, error: "forbidden" }],    paused("forbidden", undefined, "token")],
    ["404 too",                             [404, { code: 40401, http: 404, error: "page not found" }], paused("page not found", undefined, "server")],
    ["a topic that it keeps for itself waits for the owner", [400, { code: 40010, http: 400, error: "invalid request: topic name is disallowed" }], paused("invalid request: topic name is disallowed", undefined, "another topic")],
    ["another fault is the end",            [400, { code: 40018, http: 400, error: "invalid request: actions invalid" }], { kind: "fail", reason: "invalid request: actions invalid" }],
    ["429 holds for all of the account",    [429, { code: 42901, http: 429, error: "limit reached: too many requests" }], later("limit reached: too many requests", "lane")],
    ["the quota of a day for a while",      [429, { code: 42908, http: 429, error: "limit reached: too many messages" }], later("limit reached: too many messages", "lane", 900_000)],
    ["Retry-After decides",                 [429, { code: 42908, http: 429, error: "limit" }, { "retry-after": "30" }],    later("limit", "lane", 30_000)],
    ["too large is shortened",              [413, { code: 41303, http: 413, error: "JSON body too large" }], { kind: "shrink", reason: "JSON body too large" }],
    ["its own error is tried again",        [500, { code: 50001, http: 500, error: "internal server error" }], later("internal server error", "lane")],
  ]],
  ["gotify", gotify, { server: "https://g.example", token: "A" }, [
    ["200 with an id is taken",             [200, { id: 25, appid: 5 }],                      { kind: "accepted", id: "25" }],
    ["another page at that address is not", [200, "<html>"],                                  paused("not Gotify", undefined, "Gotify server")],
    ["401 waits for the owner",             [401, { error: "Unauthorized", errorCode: 401, errorDescription: "you need to provide a valid access token" }], paused("you need to provide a valid access token", undefined, "application")],
    ["404 too",                             [404, { error: "Not Found", errorCode: 404, errorDescription: "page not found" }], paused("page not found", undefined, "address")],
    ["400 is the end",                      [400, { error: "Bad Request", errorCode: 400, errorDescription: "Field 'message' is required" }], { kind: "fail", reason: "Field 'message' is required" }],
    ["a proxy's limit is kept",             [429, "", { "retry-after": "5" }],                later("status 429", "device", 5_000)],
  ]],
  ["discord", discord, { url: "https://discord.example/x" }, [
    ["200 has the id of the post",          [200, { id: "1234567890" }],                      { kind: "accepted", id: "1234567890" }],
    ["204 has none",                        [204],                                            { kind: "accepted" }],
    ["another page at that address is not", [200, "<html>"],                                  paused("not Discord", undefined, "URL")],
    ["a webhook that was deleted waits",    [404, { message: "Unknown Webhook", code: 10015 }],       paused("Unknown Webhook", undefined, "deleted")],
    ["a wrong token too",                   [401, { message: "Invalid Webhook Token", code: 50027 }], paused("Invalid Webhook Token", undefined, "URL")],
    ["its limit has fractions",             [429, { message: "You are being rate limited.", retry_after: 0.65, global: false }, { "retry-after": "1" }], later("You are being rate limited.", "device", 650)],
    ["Cloudflare's has whole seconds",      [429, "error code: 1015", { "retry-after": "60" }], later("status 429", "device", 60_000)],
    ["400 is the end",                      [400, { message: "Cannot send an empty message", code: 50006 }], { kind: "fail", reason: "Cannot send an empty message" }],
    ["an embed that it refuses is made barer", [400, { embeds: ["0"] }],                      { kind: "shrink", reason: "Discord refuses the embed" }],
    ["… however it says so",                [400, { message: "Invalid Form Body", code: 50035, errors: { embeds: {} } }], { kind: "shrink", reason: "Invalid Form Body" }],
    ["… but not for ever",                  [400, { embeds: ["0"] }],                         { kind: "fail", reason: "status 400" }, 3],
    ["a forum wants one of its posts",      [400, { message: "Webhooks posted to forum channels must have a thread_name or thread_id", code: 220001 }], paused("Webhooks posted to forum channels must have a thread_name or thread_id", undefined, "thread_id")],
  ]],
  ["slack", slack, { url: "https://slack.example/x" }, [
    ["200 is taken",                        [200, "ok"],                                      { kind: "accepted" }],
    ["another page at that address is not", [200, "\n<!doctype html>"],                       paused("not Slack", undefined, "URL")],
    ["what it cannot read is the end",      [400, "invalid_payload"],                         { kind: "fail", reason: "invalid_payload" }],
    ["whoever is gone waits for the owner", [400, "user_not_found"],                          paused("user_not_found", undefined, "gone")],
    ["403 waits for the owner",             [403, "action_prohibited"],                       paused("action_prohibited", undefined, "workspace")],
    ["a revoked webhook too",               [404, "no_service"],                              paused("no_service", undefined, "gone")],
    ["an archived channel too",             [410, "channel_is_archived"],                     paused("channel_is_archived", undefined, "gone")],
    ["429 waits as long as it says",        [429, "rate_limited", { "retry-after": "30" }],   later("rate_limited", "device", 30_000)],
    ["a rollup error is tried again",       [500, "rollup_error"],                            later("rollup_error", "lane")],
    ["a page is no word of Slack's",        [403, "<html>forbidden</html>"],                  paused("status 403", undefined, "workspace")],
  ]],
])("%s:", (_, kind, to, rows) => {
  test.each(rows)("%s", (_promise, answer, verdict, ...[shrunk]) => {
    expect(said(kind, to, answer, shrunk)).toEqual(verdict as ForwardVerdict);
  });
});
