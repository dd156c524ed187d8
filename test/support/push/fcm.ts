/**
 * Google's token endpoint and FCM HTTP v1, over HTTP/2 and TLS on loopback.
 *
 *   await using fcm = await fakeFcm();
 *   startPeal({ env: { ...fcm.env, NODE_EXTRA_CA_CERTS: authority.file } })   // ./ca.ts
 *   fcm.received, fcm.accepted(token), fcm.onScreen(token)
 *   fcm.script.once(token, fcmError("UNREGISTERED"))          ./script.ts; Google's errors are in FCM_ERRORS
 *   fcm.script.always("*", { ...fcmError("QUOTA_EXCEEDED"), headers: { "retry-after": "60" } })
 *   fcm.grants.once("*", { status: 500, body: "" })           the answer of the token endpoint
 *   fcm.revokeTokens(), fcm.isRevoked = true                  access tokens become invalid; the service account is deleted
 *   fcm.wire.stop(), …                                        ./wire.ts
 *
 * Requests without a scripted answer are judged as Google judges them: the assertion's signature (RS256), issuer,
 * audience, scope and times (by `clock`, five minutes of leeway), the access token, project, size and form of the
 * message.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { systemClock, type Clock } from "../../../src/util/clock.ts";
import { http2Server, type Answer, type Http2Server, type Request } from "./http2.ts";
import { verifiedJwt } from "./jwt.ts";
import { createScript, type Fault, type Script } from "./script.ts";

export type FcmAnswer = Answer | Fault;

export interface ReceivedFcm {
  token: string;
  message: Record<string, unknown>;
  headers: Readonly<Record<string, string>>;
  /** 0: the request was not answered. */
  status: number;
}

export interface FakeFcm extends Pick<Http2Server, "wire" | "connections" | "goaway">, AsyncDisposable {
  readonly url: string;
  /** PEAL_FCM_…: the settings that a server needs to push here. */
  readonly env: Readonly<Record<string, string>>;
  readonly project: string;
  /** The service account as Firebase provides it, JSON. */
  readonly credentials: string;
  readonly script: Script<FcmAnswer>;
  readonly grants: Script<FcmAnswer>;
  readonly received: readonly ReceivedFcm[];
  /** How many access tokens were issued so far. */
  readonly granted: number;
  isRevoked: boolean;
  latencyMs: number;
  revokeTokens(): void;
  accepted(token: string): readonly ReceivedFcm[];
  /** What a device has received: the last one of each `android.collapse_key`. */
  onScreen(token: string): readonly Record<string, unknown>[];
}

const TYPE = "type.googleapis.com";
const fcm = (errorCode: string) => ({ "@type": `${TYPE}/google.firebase.fcm.v1.FcmError`, errorCode });
const violation = (field: string, description: string) => ({
  ...{ "@type": `${TYPE}/google.rpc.BadRequest`, fieldViolations: [{ field, description }] },
});

/** Status, gRPC status, message and details of Google's errors. */
export const FCM_ERRORS = {
  UNREGISTERED: [404, "NOT_FOUND", "Requested entity was not found.", [fcm("UNREGISTERED")]],
  INVALID_TOKEN: [
    ...([400, "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token"] as const),
    [fcm("INVALID_ARGUMENT")],
  ],
  INVALID_FIELD: [
    ...([400, "INVALID_ARGUMENT", "Invalid value at 'message.data[0].value' (TYPE_STRING), 1"] as const),
    [violation("message.data[0].value", "Invalid value at 'message.data[0].value' (TYPE_STRING), 1")],
  ],
  TOO_BIG: [400, "INVALID_ARGUMENT", "Android message is too big", [fcm("INVALID_ARGUMENT")]],
  SENDER_ID_MISMATCH: [403, "PERMISSION_DENIED", "SenderId mismatch", [fcm("SENDER_ID_MISMATCH")]],
  PERMISSION_DENIED: [
    ...([403, "PERMISSION_DENIED", "Firebase Cloud Messaging API has not been used in this project"] as const),
    [{ "@type": `${TYPE}/google.rpc.ErrorInfo`, reason: "SERVICE_DISABLED", domain: "googleapis.com" }],
  ],
  NOT_FOUND: [404, "NOT_FOUND", "Requested entity was not found.", []],
  UNAUTHENTICATED: [
    ...([401, "UNAUTHENTICATED", "Request had invalid authentication credentials."] as const),
    [{ "@type": `${TYPE}/google.rpc.ErrorInfo`, reason: "ACCESS_TOKEN_EXPIRED", domain: "googleapis.com" }],
  ],
  THIRD_PARTY_AUTH_ERROR: [
    ...([401, "UNAUTHENTICATED", "Auth error from APNS or Web Push Service"] as const),
    [fcm("THIRD_PARTY_AUTH_ERROR")],
  ],
  QUOTA_EXCEEDED: [
    ...([429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Messages sent'"] as const),
    [
      fcm("QUOTA_EXCEEDED"),
      {
        "@type": `${TYPE}/google.rpc.QuotaFailure`,
        violations: [{ subject: "project:1", description: "Message rate exceeded for project" }],
      },
    ],
  ],
  INTERNAL: [500, "INTERNAL", "Internal error encountered.", [fcm("INTERNAL")]],
  UNAVAILABLE: [503, "UNAVAILABLE", "The service is currently unavailable.", [fcm("UNAVAILABLE")]],
} as const;

/** The answer for an error, word for word as Google's. */
export function fcmError(name: keyof typeof FCM_ERRORS): Answer {
  const [code, status, message, details] = FCM_ERRORS[name];
  return json(code, { error: { code, message, status, details } });
}

/** What the token endpoint answers to an assertion that it refuses. */
export const grantError = (description: string): Answer =>
  json(400, { error: "invalid_grant", error_description: description });

const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const LEEWAY_S = 300;
const HOUR_S = 3600;

/** Generating 2048 bits takes a while, so all fakes of a test process share one key. */
let rsa: ReturnType<typeof newRsa> | undefined;
const newRsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Starts a fake with a project and one service account. */
export async function fakeFcm({ clock = systemClock }: { clock?: Clock } = {}): Promise<FakeFcm> {
  const { privateKey, publicKey } = (rsa ??= newRsa());
  const [project, email] = ["peal-test", "push@peal-test.iam.gserviceaccount.example"];
  const script = createScript<FcmAnswer>();
  const grants = createScript<FcmAnswer>();
  const received: ReceivedFcm[] = [];
  /** Access tokens, and when they expire. */
  const access = new Map<string, number>();
  let granted = 0;

  function grant({ headers, body }: Request): FcmAnswer {
    const scripted = grants.next("*");
    if (scripted !== undefined) return scripted;
    const form = new URLSearchParams(body.toString());
    if (
      headers["content-type"]?.startsWith("application/x-www-form-urlencoded") !== true ||
      form.get("grant_type") !== GRANT
    )
      return json(400, { error: "unsupported_grant_type", error_description: "Invalid grant_type" });
    if (fake.isRevoked) return grantError("Invalid grant: account not found");
    const claims = verifiedJwt(form.get("assertion") ?? "", "RS256", publicKey)?.claims;
    if (claims === undefined) return grantError("Invalid JWT Signature.");
    const now = clock.now() / 1000;
    const [issued, ends] = [Number(claims["iat"]), Number(claims["exp"])];
    const isTimely = issued <= now + LEEWAY_S && ends >= now - LEEWAY_S && ends - issued <= HOUR_S && issued < ends;
    if (!isTimely)
      return grantError(
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.",
      );
    if (claims["aud"] !== `${fake.url}/token`) return grantError("Invalid JWT: Failed audience check.");
    if (claims["iss"] !== email) return grantError("Invalid grant: account not found");
    if (claims["scope"] !== SCOPE) return json(400, { error: "invalid_scope" });
    const token = `ya29.${randomBytes(24).toString("base64url")}`;
    access.set(token, clock.now() + (HOUR_S - 1) * 1000);
    granted++;
    return json(200, { access_token: token, expires_in: HOUR_S - 1, token_type: "Bearer" });
  }
  function judge({ path, headers }: Request, message: Record<string, unknown>): Answer {
    const until = access.get(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "");
    if (until === undefined || until <= clock.now()) return fcmError("UNAUTHENTICATED");
    if (path !== `/v1/projects/${project}/messages:send`) return fcmError("NOT_FOUND");
    const { data = {}, token, notification } = message;
    if (typeof token !== "string" || token === "") return fcmError("INVALID_TOKEN");
    const fields = Object.entries(data as Record<string, unknown>);
    const isReserved = (name: string) => /^(?:from$|message_type$|gcm|google)/.test(name);
    if (fields.some(([name, value]) => typeof value !== "string" || isReserved(name))) return fcmError("INVALID_FIELD");
    const size = Buffer.byteLength(JSON.stringify([data, notification ?? {}]));
    if (size > 4096) return fcmError("TOO_BIG");
    return json(200, { name: `projects/${project}/messages/0:${clock.now()}%${randomBytes(8).toString("hex")}` });
  }
  function send(request: Request): FcmAnswer {
    const message = (parsed(request.body)["message"] ?? {}) as Record<string, unknown>;
    const token = typeof message["token"] === "string" ? message["token"] : "";
    const answer = script.next(token) ?? judge(request, message);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ token, message, headers, status: "status" in answer ? answer.status : 0 });
    return answer;
  }

  const server = await http2Server({ clock, streams: 100, latencyMs: () => fake.latencyMs }, (request) =>
    request.path === "/token" ? grant(request) : send(request),
  );
  const { wire, connections, goaway } = server;
  const url = `https://localhost:${wire.port}`;
  const credentials = JSON.stringify({
    ...{ type: "service_account", project_id: project, private_key_id: randomBytes(20).toString("hex") },
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    ...{ client_email: email, client_id: "1", token_uri: `${url}/token` },
  });
  const accepted = (token: string) => received.filter((push) => push.token === token && push.status === 200);
  const fake: FakeFcm = {
    ...{ url, project, credentials, script, grants, received, wire, connections, goaway, accepted },
    env: { PEAL_FCM_CREDENTIALS: credentials, PEAL_FCM_URL: url },
    isRevoked: false,
    latencyMs: 0,
    get granted() {
      return granted;
    },
    revokeTokens: () => access.clear(),
    onScreen: (token) => [...new Map(accepted(token).map(({ message }) => [collapseKey(message), message])).values()],
    [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
  };
  return fake;
}

/** Without one nothing is replaced. */
const collapseKey = (message: Record<string, unknown>): unknown =>
  (message["android"] as { collapse_key?: string } | undefined)?.collapse_key ?? message;

const json = (status: number, body: object): Answer => ({
  ...{ status, headers: { "content-type": "application/json; charset=UTF-8" }, body: JSON.stringify(body) },
});

function parsed(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}
