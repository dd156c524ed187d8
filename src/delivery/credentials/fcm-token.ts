/** The access token that Google wants with each push, exchanged for a JWT by a service account (RFC 7523). */
import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { Millis } from "../../util/clock.ts";
import { jsonOf, type ProviderRequest, type ProviderResponse, retryAfterMs, stringOf } from "../transport/answer.ts";
import { pemOf, privateKey, type WrongCredential } from "./pem.ts";

export interface FcmCredential {
  kind: "credential";
  key: KeyObject;
  /** Absent in old files of service accounts. */
  keyId: string | undefined;
  email: string;
  project: string;
  tokenUrl: string;
}

const NAME = "PEAL_FCM_CREDENTIALS";
const MIN_RSA_BITS = 2_048;

/** Parses the JSON of Firebase, or says what is wrong with it. `fcmUrl`: the setting PEAL_FCM_URL, a host to trust. */
export function parseServiceAccount(text: string, fcmUrl?: string): FcmCredential | WrongCredential {
  const wrong = (what: string): WrongCredential => ({ kind: "wrong", tell: `${NAME} ${what}` });
  const account = jsonOf({ body: text });
  const field = (name: string) => stringOf(account[name]);
  if (Object.keys(account).length === 0)
    return wrong("is no JSON object: it has to be the file of a Firebase service account.");
  if (field("type") !== "service_account")
    return wrong('is not of a service account: its `type` has to be "service_account".');
  const [project, email, tokenUri] = [field("project_id"), field("client_email"), field("token_uri")];
  if (!/^[a-z0-9.:-]{1,128}$/.test(project)) return wrong("has no `project_id`.");
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) return wrong("has no `client_email`.");
  const tokenUrl = URL.parse(tokenUri);
  if (tokenUrl === null || !isTrusted(tokenUrl, fcmUrl))
    return wrong(
      "has a `token_uri` that is not https at a host of googleapis.com: the key would be shown to somebody else.",
    );
  const pem = pemOf(field("private_key"));
  if (pem.kind !== "PRIVATE KEY") return wrong(`has a \`private_key\` that ${pem.tell}`);
  const key = privateKey(pem.text);
  if (key === undefined) return wrong("has a `private_key` that cannot be read: it was changed or cut off.");
  if (key.asymmetricKeyType !== "rsa" || (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS)
    return wrong(`has a \`private_key\` that is no RSA key of ${MIN_RSA_BITS} bits or more.`);
  return {
    kind: "credential",
    key,
    keyId: field("private_key_id") || undefined,
    email,
    project,
    tokenUrl: tokenUrl.href,
  };
}

function isTrusted({ protocol, host, username, password }: URL, fcmUrl: string | undefined): boolean {
  if (protocol !== "https:" || username !== "" || password !== "") return false;
  return (
    host === "googleapis.com" ||
    host.endsWith(".googleapis.com") ||
    (fcmUrl !== undefined && host === new URL(fcmUrl).host)
  );
}

const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const HOUR_SECONDS = 3_600;

/** Source: Google, "Using OAuth 2.0 for server to server applications". */
export async function exchangeRequest(credential: FcmCredential, now: Millis): Promise<ProviderRequest> {
  const { key, keyId, email, tokenUrl } = credential;
  const iat = Math.floor(now / 1000);
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt(iat)
    .setExpirationTime(iat + HOUR_SECONDS)
    .sign(key);
  return {
    url: tokenUrl,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
  };
}

/** The result of an exchange. `until`: the token is used up to then. */
export type Exchanged =
  | { kind: "token"; token: string; until: Millis }
  | { kind: "retry"; afterMs?: number; reason: string }
  | { kind: "pause"; reason: string; tell: string };

/** A token is used no longer than this before it expires, since Google's clock is not ours. */
const MARGIN_MS = 300_000;

export function parseExchange(response: ProviderResponse, now: Millis): Exchanged {
  const { status } = response;
  const answer = jsonOf(response);
  const [token, error] = [stringOf(answer["access_token"]), stringOf(answer["error"])];
  const seconds = answer["expires_in"];
  if (status === 200 && /^[\x21-\x7e]{1,8192}$/.test(token) && typeof seconds === "number" && seconds > 0)
    return { kind: "token", token, until: now + Math.max(0, seconds * 1000 - MARGIN_MS) };
  // the description may hold anything; the code is one of RFC 6749 §5.2
  const reason = /^[a-z_]{1,40}$/.test(error) ? error : `status ${status}`;
  if (error !== "" && status >= 400 && status < 500 && status !== 429) {
    const isClock = /timeframe|\biat\b|\bexp\b/i.test(stringOf(answer["error_description"]));
    const mend = isClock
      ? "The clock of this server is wrong"
      : `The service account of ${NAME} was removed, or its key is no longer valid`;
    return { kind: "pause", reason, tell: `${mend}. Google says ${reason}.` };
  }
  const afterMs = retryAfterMs(response);
  return { kind: "retry", reason, ...(afterMs !== undefined && { afterMs }) };
}
