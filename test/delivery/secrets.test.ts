/** The answer of a push service may contain secrets: none of them gets into a verdict. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import * as apns from "../../src/delivery/providers/apns.ts";
import * as fcm from "../../src/delivery/providers/fcm.ts";
import * as webpush from "../../src/delivery/providers/webpush.ts";
import { masked } from "../../src/delivery/credentials/masked.ts";
import type { Push } from "../../src/delivery/push/push.ts";
import { CORPUS } from "../support/hostile.ts";
import { examples } from "../support/rounds.ts";
import { answered, APNS_TOKEN, aPush, ENDPOINT, FCM_TOKEN, leaks } from "./pushes.ts";

const KEYS = {
  p256dh: "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
  auth: "tBHItJI5svbpez7KI4CCXg",
};
const PATH = new URL(ENDPOINT).pathname;
/** Any JWT, any access token. */
const JWT =
  "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ.eyJpc3MiOiJERUYxMjNHSElKIiwiaWF0IjoxNDM3MTc5MDM2fQ.c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJl";
const OAUTH = "ya29.c.b0AXv0zTPxnIEyWzEZzrPwLm5Q0kQpOqRsTuVwXyZ0123456789";

const providers = {
  ios: { verdict: apns.verdict, push: aPush(), secrets: [APNS_TOKEN], tokens: [JWT] },
  android: {
    verdict: fcm.verdict,
    push: aPush({ device: { platform: "android", token: FCM_TOKEN } }),
    ...{ secrets: [FCM_TOKEN], tokens: [OAUTH] },
  },
  web: {
    verdict: webpush.verdict,
    push: aPush({ device: { platform: "web", token: ENDPOINT, keys: KEYS } }),
    ...{ secrets: [PATH, ENDPOINT, KEYS.p256dh, KEYS.auth], tokens: [JWT] },
  },
};

/** A secret in the forms in which servers repeat it: whole, cut off, in capitals, escaped, with a prefix. */
const echoes = (secret: string) =>
  fc.tuple(fc.nat(secret.length - 12), fc.integer({ min: 12, max: secret.length })).chain(([from, length]) => {
    const part = secret.slice(from, from + length);
    return fc.constantFrom(
      part,
      part.toUpperCase(),
      encodeURIComponent(part),
      `"${part}"`,
      `token=${part}`,
      `x ${part} y`,
      `(${part})`,
    );
  });

const STATUSES = fc.constantFrom(200, 201, 301, 400, 401, 403, 404, 410, 413, 418, 429, 500, 503);

test.each(Object.entries(providers))(
  "no verdict on a push to %s contains any part of a token or key",
  (_, { verdict, push, secrets, tokens }) => {
    const sentence = fc.tuple(
      fc.constantFrom("", "Invalid token: ", "no such device "),
      fc.oneof(fc.constantFrom(...secrets).chain(echoes), fc.constantFrom(...tokens)),
    );
    const words = sentence.map(([before, echo]) => before + echo);
    const bodies = words.chain((text) =>
      fc.constantFrom(
        text,
        JSON.stringify({ reason: text, timestamp: 9e15 }),
        JSON.stringify({ message: text, errno: 110 }),
        JSON.stringify({
          error: { status: text, message: text, details: [{ "@type": "x.fcm.v1.FcmError", errorCode: text }] },
        }),
        JSON.stringify({ error: { status: "INVALID_ARGUMENT", message: text } }),
        JSON.stringify({ error: { status: "PERMISSION_DENIED", message: text } }),
      ),
    );
    fc.assert(
      fc.property(STATUSES, bodies, (status, body) => {
        const said = JSON.stringify(verdict(answered(status, body), push)).toLowerCase();
        const parts = tokens.flatMap((token) => token.split(".")).filter((part) => part.length >= 32);
        for (const secret of [...secrets.map((one) => one.replace("https://push.example", "")), ...parts])
          expect([said, leaks(said, secret.toLowerCase())]).toEqual([said, false]);
      }),
      { numRuns: examples(500) },
    );
  },
);

test("nor where it looks like an error code of Google's", () => {
  const { verdict, push } = providers.android;
  const part = FCM_TOKEN.slice(6, 19).toUpperCase();
  const body = JSON.stringify({
    error: { status: part, details: [{ "@type": "x.fcm.v1.FcmError", errorCode: part }] },
  });
  for (const status of [400, 401, 404, 429, 500])
    expect(JSON.stringify(verdict(answered(status, body), push))).not.toContain(part);
});

const said = (text: string, push: Push = providers.web.push) => masked(text, push);

test("the useful part for operators remains", () => {
  for (const text of [
    "BadEnvironmentKeyIdInToken",
    "TooManyProviderTokenUpdates",
    "push subscription has unsubscribed or expired.",
    "Firebase Cloud Messaging API has not been used in project 123 before or it is disabled.",
    "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=123",
    "Request to push.example did not validate",
  ])
    expect(said(text)).toBe(text);
});

// prettier-ignore
test.each([
  ["seven characters of an endpoint tell nothing", "no gAAAAAB!",                    "no gAAAAAB!"],
  ["eight do",                                     "no gAAAAABn!",                   "no …!"],
  ["at its end too",                               "no TokenToken-_x",               "no …"],
  ["and of a key",                                 "tBHItJI5 BNcRdreA tBHItJI BNc",  "… … tBHItJI BNc"],
  ["a word of 31 characters is one",               `a ${"b".repeat(31)}`,            `a ${"b".repeat(31)}`],
  ["one of 32 is a token",                         `a ${"b".repeat(32)} c`,          "a … c"],
  ["two hundred characters are told",              "é ".repeat(300),                 "é ".repeat(100)],
])("%s", (_, text, told) => {
  expect(said(text)).toBe(told);
});

test("it is one short line, whatever the answer", () => {
  for (const text of [...CORPUS, "\u0000\u001b[31mred\n\tline", "👨‍👩‍👧‍👦".repeat(500), "\ud800", "x ".repeat(20_000)]) {
    const line = said(text);
    expect(line.length).toBeLessThanOrEqual(200);
    expect(line).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(line.isWellFormed()).toBe(true);
  }
});
