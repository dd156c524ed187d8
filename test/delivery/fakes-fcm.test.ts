/** The fake of Google decides as Google does: requests come from jose and fetch, which do not know it. */
import { expect, test } from "bun:test";
import { importPKCS8, SignJWT, type JWTPayload } from "jose";
import { generateKeyPairSync } from "node:crypto";
import { heldClock } from "../support/clock.ts";
import { fakeFcm, FCM_ERRORS, fcmError, type FakeFcm } from "../support/push/fcm.ts";
import { answered, transport } from "./sending.ts";

const clock = heldClock();
const NOW = clock.now() / 1000;
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const strangersKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs8",
  format: "pem",
});
using on = transport();
const session = "fcm";

interface Account {
  client_email: string;
  private_key: string;
  token_uri: string;
}
const accountOf = ({ credentials }: FakeFcm) => JSON.parse(credentials) as Account;

interface Answered {
  status: number;
  body: { error?: string; error_description?: string; access_token?: string; expires_in?: number };
}

async function grant(fcm: FakeFcm, claims: JWTPayload = {}, key = accountOf(fcm).private_key): Promise<Answered> {
  const { client_email: iss, token_uri: aud } = accountOf(fcm);
  const payload = { iss, aud, scope: SCOPE, iat: NOW, exp: NOW + 3600, ...claims };
  const assertion = await new SignJWT(payload)
    .setProtectedHeader({ alg: "RS256" })
    .sign(await importPKCS8(key, "RS256"));
  const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = answered(await on.send({ url: aud, headers, body }, { session }));
  return { status: answer.status, body: JSON.parse(answer.body) as Answered["body"] };
}

async function send(fcm: FakeFcm, access: string, message: object, project = fcm.project) {
  const url = `${fcm.url}/v1/projects/${project}/messages:send`;
  const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
  const { status, body } = answered(await on.send({ url, headers, body: JSON.stringify({ message }) }, { session }));
  return { status, body: JSON.parse(body) as { name?: string; error?: { status: string; message: string } } };
}
const accessOf = async (fcm: FakeFcm) => (await grant(fcm)).body.access_token ?? "";

// prettier-ignore
test.each<[what: string, claims: JWTPayload, error: RegExp]>([
  ["of another issuer",        { iss: "other@peal.example" },             /account not found/],
  ["for another audience",     { aud: "https://other.example/token" },    /audience/],
  ["with another scope",       { scope: "https://mail.google.com/" },     /^$/],
  ["longer than an hour",      { exp: NOW + 3601 },                       /short-lived/],
  ["of the past",              { iat: NOW - 4000, exp: NOW - 400 },       /reasonable timeframe/],
  ["of the future",            { iat: NOW + 600, exp: NOW + 4200 },       /reasonable timeframe/],
])("an assertion %s gets no access token", async (_, claims, error) => {
  await using fcm = await fakeFcm({ clock });
  const { status, body } = await grant(fcm, claims);
  expect([status, body.access_token]).toEqual([400, undefined]);
  expect(body.error_description ?? "").toMatch(error);
  expect(fcm.granted).toBe(0);
});

test("an assertion of another key, or of a deleted account, gets none either", async () => {
  await using fcm = await fakeFcm({ clock });
  const refusal = (error_description: string) => ({ status: 400, body: { error: "invalid_grant", error_description } });
  expect(await grant(fcm, {}, strangersKey)).toEqual(refusal("Invalid JWT Signature."));
  fcm.isRevoked = true;
  expect(await grant(fcm)).toEqual(refusal("Invalid grant: account not found"));
});

test("an access token lasts an hour, or until it is revoked", async () => {
  const held = heldClock();
  await using fcm = await fakeFcm({ clock: held });
  const { body } = await grant(fcm);
  expect(body).toMatchObject({ expires_in: 3599, token_type: "Bearer" });
  const status = async (access: string) => (await send(fcm, access, { token: "t" })).status;
  const access = body.access_token ?? "";
  expect([await status(access), await status("made up"), await status("")]).toEqual([200, 401, 401]);
  held.advance(3599_000);
  expect(await status(access)).toBe(401);
  const iat = held.now() / 1000;
  const other = (await grant(fcm, { iat, exp: iat + 3600 })).body.access_token ?? "";
  expect(await status(other)).toBe(200);
  fcm.revokeTokens();
  expect([await status(other), fcm.granted]).toEqual([401, 2]);
});

// prettier-ignore
test.each<[what: string, message: object, status: number, said: string]>([
  ["data",                      { token: "t", data: { a: "1" } },                         200, ""],
  ["data that is not text",     { token: "t", data: { a: 1 } },                           400, "INVALID_ARGUMENT"],
  ["data by a reserved name",   { token: "t", data: { google_a: "1" } },                  400, "INVALID_ARGUMENT"],
  ["no token",                  { data: { a: "1" } },                                     400, "INVALID_ARGUMENT"],
  ["more than 4096 bytes",      { token: "t", data: { a: "x".repeat(4096) } },            400, "INVALID_ARGUMENT"],
])("a message with %s is answered %#", async (_, message, status, said) => {
  await using fcm = await fakeFcm({ clock });
  const { status: answered, body } = await send(fcm, await accessOf(fcm), message);
  expect([answered, body.error?.status ?? ""]).toEqual([status, said]);
  if (status === 200) expect(body.name).toStartWith(`projects/${fcm.project}/messages/`);
});

test("a project that does not belong to the account is not found", async () => {
  await using fcm = await fakeFcm({ clock });
  expect((await send(fcm, await accessOf(fcm), { token: "t" }, "other")).status).toBe(404);
});

test.each(Object.keys(FCM_ERRORS) as (keyof typeof FCM_ERRORS)[])("%s is reported in Google's format", async (name) => {
  await using fcm = await fakeFcm({ clock });
  fcm.script.once("t", fcmError(name));
  const [code, status, message] = FCM_ERRORS[name];
  expect(await send(fcm, await accessOf(fcm), { token: "t" })).toMatchObject({
    ...{ status: code, body: { error: { code, status, message } } },
  });
  expect(fcm.received).toMatchObject([{ token: "t", status: code }]);
});

test("a device has received the last message of each collapse key, and each without one", async () => {
  await using fcm = await fakeFcm({ clock });
  const access = await accessOf(fcm);
  const message = (n: string, android?: object) => ({ token: "t", data: { n }, ...(android && { android }) });
  const given = [message("1", { collapse_key: "a" }), message("2"), message("3"), message("4", { collapse_key: "a" })];
  for (const one of given) await send(fcm, access, one);
  expect(fcm.onScreen("t")).toEqual([message("4", { collapse_key: "a" }), message("2"), message("3")]);
});

test("the token endpoint gives its scripted answers", async () => {
  await using fcm = await fakeFcm({ clock });
  fcm.grants.once("*", { status: 503, body: "{}" });
  expect([(await grant(fcm)).status, (await grant(fcm)).status]).toEqual([503, 200]);
});
