/** Credentials as people configure them, and the tokens that are made from them. */
import { beforeAll, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { decodeProtectedHeader, jwtVerify } from "jose";
import {
  type ApnsCredential,
  isApnsTokenOld,
  makeApnsToken,
  parseApnsKey,
  parseApnsToken,
} from "../../src/delivery/credentials/apns-token.ts";
import { exchangeRequest, parseExchange, parseServiceAccount } from "../../src/delivery/credentials/fcm-token.ts";
import { makeVapid, makeVapidHeader, parseVapid, subjectOf, type Vapid } from "../../src/delivery/credentials/vapid.ts";
import { answered, NOW } from "./pushes.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const IDS = { keyId: "ABC123DEFG", teamId: "DEF123GHIJ" };
const AT = { currentDate: new Date(NOW) };

const pemOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" });
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const P8 = pemOf(p256.privateKey);

function credential<T extends { kind: string }>(parsed: T): Extract<T, { kind: "credential" }> {
  expect(parsed.kind).toBe("credential");
  return parsed as Extract<T, { kind: "credential" }>;
}
const told = (parsed: { kind: string; tell?: string }) => parsed.tell ?? "";

const apns = (text = P8): ApnsCredential => credential(parseApnsKey(text, IDS));

test.each([
  ["as it is in the file", P8],
  ["without its last line break", P8.trimEnd()],
  ["with line breaks of Windows", P8.replaceAll("\n", "\r\n")],
  ["in one line with \\n", P8.replaceAll("\n", "\\n")],
  ["in one line with \\r\\n", P8.replaceAll("\n", "\\r\\n")],
  ["with blanks around it", `\n  ${P8}\n\n`],
])("Apple's key is read %s", (_, text) => {
  expect(createPublicKey(apns(text).key).equals(p256.publicKey)).toBe(true);
});

const P384 = pemOf(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey);
const SEC1 = p256.privateKey.export({ type: "sec1", format: "pem" });
const ENCRYPTED = p256.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" });

// prettier-ignore
test.each([
  ["",                                                   "PEAL_APNS_KEY is no PEM text"],
  ["/run/secrets/AuthKey.p8",                            "is no PEM text"],
  [P8.split("\n").slice(1, -2).join("\n"),               "is no PEM text"],
  ["-----BEGIN CERTIFICATE-----\nAA\n-----END-----",     "of another kind (CERTIFICATE)"],
  [SEC1,                                                 "of another kind (EC PRIVATE KEY)"],
  [ENCRYPTED,                                            "of another kind (ENCRYPTED PRIVATE KEY)"],
  [p256.publicKey.export({ type: "spki", format: "pem" }), "of another kind (PUBLIC KEY)"],
  [P8.replace(/.{20}\n-----END/, "\n-----END"),          "cannot be read"],
  [pemOf(rsa.privateKey),                                "of another kind (rsa)"],
  [P384,                                                 "of another kind (ec)"],
  [pemOf(generateKeyPairSync("ed25519").privateKey),     "of another kind (ed25519)"],
])("what is not a key of Apple's is reported without a byte of it: %#", (text, what) => {
  const tell = told(parseApnsKey(text, IDS));
  expect(tell).toStartWith("PEAL_APNS_KEY ");
  expect(tell).toContain(what);
  expectNothingOf(text, tell);
});

function expectNothingOf(secret: string, tell: string): void {
  for (const line of secret.split("\n").filter((one) => one.length > 20 && !one.startsWith("-----")))
    for (let i = 0; i + 8 <= line.length; i++) expect(tell).not.toContain(line.slice(i, i + 8));
}

test("Apple's token is ES256 with the key's id, the team and the time, and nothing else", async () => {
  const made = await makeApnsToken(apns(), NOW + 999);
  expect(made).toMatchObject({ iat: NOW / 1000, ...IDS });
  const { payload, protectedHeader } = await jwtVerify(made.token, p256.publicKey, AT);
  expect([payload, protectedHeader]).toEqual([
    { iss: IDS.teamId, iat: NOW / 1000 },
    { alg: "ES256", kid: IDS.keyId },
  ]);
});

test("a stored token is used after a restart, unless it belongs to another key", async () => {
  const made = await makeApnsToken(apns(), NOW);
  const text = JSON.stringify(made);
  expect(await parseApnsToken(text, apns())).toEqual(made);
  const replaced = apns(pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey));
  expect(await parseApnsToken(text, replaced)).toBeUndefined();
  for (const other of [{ keyId: "OTHER23DEF" }, { teamId: "OTHER23DEF" }])
    expect(await parseApnsToken(text, { ...apns(), ...other })).toBeUndefined();
  for (const broken of [
    "",
    "null",
    "[]",
    "{}",
    JSON.stringify({ ...made, token: "a.b.c" }),
    JSON.stringify({ ...made, iat: "now" }),
  ])
    expect(await parseApnsToken(broken, apns())).toBeUndefined();
});

// prettier-ignore
test.each([
  // age             refused  old
  [0,                false,   false],
  [45 * MINUTE - 1,  false,   false],
  [45 * MINUTE,      false,   true],
  [0,                true,    false], // Apple's limit: one in 20 min
  [20 * MINUTE - 1,  true,    false],
  [20 * MINUTE,      true,    true],
  [20 * MINUTE,      false,   false],
  [-MINUTE,          false,   false], // a clock that was corrected a little
  [-MINUTE - 1,      false,   true],
  [-10 * HOUR,       true,    true],
])("a token of %d ms, refused %p, is old: %p", (age, isRefused, isOld) => {
  expect(isApnsTokenOld({ token: "", iat: NOW / 1000, ...IDS }, { now: NOW + age, isRefused })).toBe(isOld);
});

const ACCOUNT = {
  type: "service_account",
  project_id: "home-1234",
  private_key_id: "0123456789abcdef",
  private_key: pemOf(rsa.privateKey),
  client_email: "firebase-adminsdk@home-1234.iam.gserviceaccount.example",
  token_uri: "https://oauth2.googleapis.com/token",
};
const account = (fields: Record<string, unknown> = {}, fcmUrl?: string) =>
  parseServiceAccount(JSON.stringify({ ...ACCOUNT, ...fields }), fcmUrl);

test("a service account is read, also with the line breaks of its key escaped twice", () => {
  for (const private_key of [ACCOUNT.private_key, ACCOUNT.private_key.replaceAll("\n", "\\n")]) {
    const { key, ...rest } = credential(account({ private_key }));
    expect(createPublicKey(key).equals(rsa.publicKey)).toBe(true);
    expect(rest).toEqual({
      ...{ kind: "credential", keyId: "0123456789abcdef", email: ACCOUNT.client_email },
      ...{ project: "home-1234", tokenUrl: "https://oauth2.googleapis.com/token" },
    });
  }
});

// prettier-ignore
test.each([
  [{ type: "authorized_user" },                    "`type` has to be"],
  [{ type: undefined },                            "`type` has to be"],
  [{ project_id: "" },                             "`project_id`"],
  [{ project_id: "../x" },                         "`project_id`"],
  [{ client_email: "nobody" },                     "`client_email`"],
  [{ client_email: 7 },                            "`client_email`"],
  [{ private_key: "" },                            "`private_key` that is no PEM text"],
  [{ private_key: undefined },                     "`private_key` that is no PEM text"],
  [{ private_key: P8 },                            "no RSA key"],
  [{ private_key: pemOf(generateKeyPairSync("rsa", { modulusLength: 1_024 }).privateKey) }, "no RSA key of 2048 bits"],
  [{ private_key: ACCOUNT.private_key.slice(0, 400) }, "cannot be read"],
  [{ token_uri: undefined },                       "`token_uri`"],
  [{ token_uri: "http://oauth2.googleapis.com/token" },     "`token_uri`"],
  [{ token_uri: "https://oauth2.googleapis.com.evil.example/" }, "`token_uri`"],
  [{ token_uri: "https://evilgoogleapis.com/" },   "`token_uri`"],
  [{ token_uri: "https://oauth2.googleapis.com@evil.example/" }, "`token_uri`"],
  [{ token_uri: "https://u:p@oauth2.googleapis.com/" },     "`token_uri`"],
  [{ token_uri: "https://oauth2.googleapis.com:8443/" },    "`token_uri`"],
  [{ token_uri: "https://localhost:8443/token" },  "`token_uri`"],
])("what is not a service account is reported: %j", (fields, what) => {
  const tell = told(account(fields));
  expect(tell).toStartWith("PEAL_FCM_CREDENTIALS ");
  expect(tell).toContain(what);
  expectNothingOf(ACCOUNT.private_key, tell);
});

test("what is not a JSON object is reported", () => {
  for (const text of ["", "{", "null", "[]", "7", '"text"', "/run/secrets/firebase.json"])
    expect(told(parseServiceAccount(text))).toContain("no JSON object");
});

test("where Google's servers are replaced, tokens come from that host too, and from no other", () => {
  const token_uri = "https://localhost:8443/token";
  expect(credential(account({ token_uri }, "https://localhost:8443")).tokenUrl).toBe(token_uri);
  expect(told(account({ token_uri }, "https://localhost:8444"))).toContain("`token_uri`");
});

test("the exchange requests an hour, with an RS256 assertion", async () => {
  const { url, headers, body } = await exchangeRequest(credential(account()), NOW);
  expect([url, headers]).toEqual([ACCOUNT.token_uri, { "content-type": "application/x-www-form-urlencoded" }]);
  const form = new URLSearchParams(body as string);
  expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
  const { payload, protectedHeader } = await jwtVerify(form.get("assertion") ?? "", rsa.publicKey, AT);
  expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT", kid: "0123456789abcdef" });
  expect(payload).toEqual({
    ...{
      iss: ACCOUNT.client_email,
      scope: "https://www.googleapis.com/auth/firebase.messaging",
      aud: ACCOUNT.token_uri,
    },
    ...{ iat: NOW / 1000, exp: NOW / 1000 + 3_600 },
  });
});

// prettier-ignore
test.each([
  [200, { access_token: "ya29.a", expires_in: 3_599, token_type: "Bearer" }, { kind: "token", token: "ya29.a", until: NOW + 3_299_000 }],
  [200, { access_token: "ya29.a", expires_in: 60 },   { kind: "token", token: "ya29.a", until: NOW }],
  [200, { access_token: "", expires_in: 60 },         { kind: "retry", reason: "status 200" }],
  [200, { access_token: "a\r\nb", expires_in: 60 },   { kind: "retry", reason: "status 200" }],
  [200, { access_token: "a", expires_in: "60" },      { kind: "retry", reason: "status 200" }],
  [200, "<html>",                                     { kind: "retry", reason: "status 200" }],
  [302, "",                                           { kind: "retry", reason: "status 302" }],
  [404, "",                                           { kind: "retry", reason: "status 404" }],
  [429, { error: "rate_limit_exceeded" },             { kind: "retry", reason: "rate_limit_exceeded" }],
  [503, { error: "backend_error" },                   { kind: "retry", reason: "backend_error" }],
])("the exchange answers %d %j", (status, body, then) => {
  expect(parseExchange(answered(status, body), NOW)).toEqual(then as ReturnType<typeof parseExchange>);
});

test("the exchange may require to wait", () => {
  expect(parseExchange(answered(503, "", { "retry-after": "30" }), NOW)).toEqual({
    kind: "retry",
    reason: "status 503",
    afterMs: 30_000,
  });
});

// prettier-ignore
test.each([
  [400, "invalid_grant",       "Invalid JWT Signature.",                                                            "was removed"],
  [400, "invalid_grant",       "Invalid grant: account not found",                                                  "was removed"],
  [401, "invalid_client",      "Unexpected: eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl",                      "was removed"],
  [400, "invalid_grant",       "Invalid JWT: Token must be a short-lived token and in a reasonable timeframe. Check your iat and exp values", "clock"],
])("a refusal of the account is reported: %d %s, %s", (status, error, error_description, what) => {
  const made = parseExchange(answered(status, { error, error_description }), NOW);
  expect(made).toMatchObject({ kind: "pause", reason: error });
  expect(told(made)).toContain(what);
  expect(told(made)).toContain(error);
  expect(told(made)).not.toContain("eyJ");
});

let text: string;
let vapid: Vapid;
beforeAll(async () => {
  text = await makeVapid();
  vapid = credential(await parseVapid(text));
});

test("a key pair is made once, stored as text, and read again", async () => {
  const kept = JSON.parse(text) as Record<string, string>;
  expect(Object.keys(kept)).toEqual(["publicKey", "privateKey"]);
  const point = Buffer.from(vapid.publicKey, "base64url");
  expect([point.length, point[0], vapid.publicKey]).toEqual([65, 4, kept["publicKey"] ?? ""]);
  expect(await makeVapid()).not.toBe(text);
});

test("a pair whose halves do not match, or that is invalid, is not used", async () => {
  const [one, other] = [text, await makeVapid()].map((kept) => JSON.parse(kept) as Record<string, string>);
  const mixed = { publicKey: one?.["publicKey"], privateKey: other?.["privateKey"] };
  const zero = { ...one, privateKey: Buffer.alloc(32).toString("base64url") };
  for (const broken of [
    "",
    "null",
    "{}",
    JSON.stringify(mixed),
    JSON.stringify(zero),
    JSON.stringify({ ...one, privateKey: "AA" }),
  ])
    expect(await parseVapid(broken)).toMatchObject({
      kind: "wrong",
      tell: expect.stringContaining("VAPID") as unknown as string,
    });
});

test("a push service can verify the header with the key that it contains", async () => {
  const { authorization, until } = await makeVapidHeader(vapid, {
    origin: "https://push.example",
    subject: "mailto:a@h.example",
    now: NOW,
  });
  const [, token = "", key = ""] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]{87})$/.exec(authorization) ?? [];
  expect(key).toBe(vapid.publicKey);
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const publicKey = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" } });
  const { payload } = await jwtVerify(token, publicKey, AT);
  expect(decodeProtectedHeader(token)).toEqual({ typ: "JWT", alg: "ES256" });
  expect(payload).toEqual({ aud: "https://push.example", exp: (NOW + 12 * HOUR) / 1000, sub: "mailto:a@h.example" });
  expect(until).toBe(NOW + 11 * HOUR);
});

const NOBODY = "mailto:peal@example.com";

// prettier-ignore
test.each([
  ["mailto:me@h.example", "https://peal.example.org",       "mailto:me@h.example"],
  [undefined,             "https://peal.example.org",       "https://peal.example.org"],
  [undefined,             "https://peal.example.org:8443/peal", "https://peal.example.org:8443"],
  [undefined,             "http://peal.example.org",        NOBODY],
  [undefined,             "https://localhost:7325",         NOBODY],
  [undefined,             "https://peal.localhost",         NOBODY],
  [undefined,             "https://nas.local",              NOBODY],
  [undefined,             "https://nas.local.",             NOBODY],
  [undefined,             "https://nas",                    NOBODY],
  [undefined,             "https://nas.home.arpa",          NOBODY],
  [undefined,             "https://nas.invalid",            NOBODY],
  [undefined,             "https://192.168.1.2",            NOBODY],
  [undefined,             "https://[fd00::1]",              NOBODY],
  [undefined,             "",                               NOBODY],
])("the contact in the signature: setting %p, address %p", (configured, base, subject) => {
  expect(subjectOf(configured, base)).toBe(subject);
});
