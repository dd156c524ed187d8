/** The token that Apple wants with each push: a JWT signed with the key of a `.p8` file (DELIVERY.md §4). */
import { createPublicKey, type KeyObject } from "node:crypto";
import { compactVerify, SignJWT } from "jose";
import { appleId } from "../../config/forms.ts";
import { type Millis, MINUTE } from "../../util/clock.ts";
import { jsonOf, stringOf } from "../transport/answer.ts";
import { pemOf, privateKey, type WrongCredential } from "./pem.ts";

export interface ApnsCredential {
  kind: "credential";
  key: KeyObject;
  keyId: string;
  teamId: string;
}

/** The token is stored, so that a restart does not need a new one. */
export interface ApnsToken {
  token: string;
  /** Epoch seconds. */
  iat: number;
  keyId: string;
  teamId: string;
}

/** The key in the text of a `.p8` file, or a sentence that says what it holds instead. */
export function parseApnsKey(text: string, ids: { keyId: string; teamId: string }): ApnsCredential | WrongCredential {
  const wrong = (what: string): WrongCredential => ({ kind: "wrong", tell: `PEAL_APNS_KEY ${what}` });
  const pem = pemOf(text);
  if (pem.kind !== "PRIVATE KEY")
    return wrong(`${pem.tell} It has to be the text of the .p8 file that Apple made for pushes.`);
  const key = privateKey(pem.text);
  if (key === undefined) return wrong("holds a private key that cannot be read: it was changed or cut off.");
  if (key.asymmetricKeyType !== "ec" || key.asymmetricKeyDetails?.namedCurve !== "prime256v1")
    return wrong(
      `holds a key of another kind (${key.asymmetricKeyType ?? "unknown"}): Apple's are EC keys of the curve P-256.`,
    );
  // a file that is read again while the server runs may hold another id
  if (appleId(ids.keyId) === undefined)
    return { kind: "wrong", tell: "PEAL_APNS_KEY_ID is no id of a key at Apple: it has 10 letters and digits." };
  return { kind: "credential", key, ...ids };
}

/** Source: Apple, "Establishing a token-based connection to APNs". */
export async function makeApnsToken({ key, keyId, teamId }: ApnsCredential, now: Millis): Promise<ApnsToken> {
  const iat = Math.floor(now / 1000);
  const jwt = new SignJWT({}).setProtectedHeader({ alg: "ES256", kid: keyId }).setIssuer(teamId).setIssuedAt(iat);
  return { token: await jwt.sign(key), iat, keyId, teamId };
}

/** Parses a token that was stored as JSON. Undefined if it belongs to another key, or is not a token. */
export async function parseApnsToken(text: string, credential: ApnsCredential): Promise<ApnsToken | undefined> {
  const kept = jsonOf({ body: text });
  const { iat } = kept;
  const [token, keyId, teamId] = [kept["token"], kept["keyId"], kept["teamId"]].map(stringOf);
  if (token === undefined || keyId !== credential.keyId || teamId !== credential.teamId || typeof iat !== "number")
    return undefined;
  const isOurs = await compactVerify(token, createPublicKey(credential.key)).then(
    () => true,
    () => false,
  );
  return isOurs ? { token, iat, keyId, teamId } : undefined;
}

/** Apple refuses tokens that are older than an hour. */
const REFRESH_MS = 45 * MINUTE;
/** If tokens follow each other faster, Apple refuses everything on the connection (429 TooManyProviderTokenUpdates). */
const LEAST_MS = 20 * MINUTE;

/** Whether another token is due. `isRefused`: Apple called it expired. A wrong clock made one from the future. */
export function isApnsTokenOld({ iat }: ApnsToken, { now, isRefused }: { now: Millis; isRefused: boolean }): boolean {
  const age = now - iat * 1000;
  return age < -MINUTE || age >= (isRefused ? LEAST_MS : REFRESH_MS);
}
