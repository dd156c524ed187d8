/**
 * A push service of browsers (RFC 8030, 8188, 8291, 8292), over HTTP/1.1 and TLS on loopback.
 *
 *   await using service = await fakePushService();
 *   startPeal({ env: { ...service.env, NODE_EXTRA_CA_CERTS: authority.file } })   // ./ca.ts; env is PEAL_PUSH_HOSTS
 *   const { endpoint, keys } = service.subscribe();           // `service.subscribe(vapidPublicKey)` accepts no other key
 *   service.received                                          every request in order: plaintext, headers, status
 *   service.onScreen(endpoint)                                the last plaintext of each Topic, as JSON
 *   service.script.once(endpoint, { status: 503 })            ./script.ts; also silence, reset, and
 *   service.script.once(endpoint, { status: 500, body: "x".repeat(1_000_000) })
 *   service.script.once(endpoint, { kind: "drip", status: 500 })        an answer that never ends
 *   service.script.once(endpoint, { status: 307, headers: { location } })
 *   service.unsubscribe(endpoint)                             410 from now on
 *   service.wire.stop(), …                                    ./wire.ts
 *
 * Requests without a scripted answer are judged: VAPID (signature, aud, exp within 24 h by `clock`, sub that is not
 * localhost, k), TTL, Urgency, Topic, size, and that the body can be decrypted with the subscription's keys.
 */
import { createECDH, createPublicKey, randomBytes, type ECDH } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { systemClock, type Clock } from "../../../src/util/clock.ts";
import { authority, type Certificate } from "./ca.ts";
import { opened } from "./encrypted.ts";
import type { Answer } from "./http2.ts";
import { verifiedJwt } from "./jwt.ts";
import { createScript, type Fault, type Script } from "./script.ts";
import { listening, wireTo, type Wire } from "./wire.ts";

export type WebPushAnswer = Answer | Exclude<Fault, { kind: "goaway" | "half" }> | { kind: "drip"; status: number };

export interface TestSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface ReceivedWebPush {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** Undefined: it could not be decrypted. */
  plaintext?: string;
  /** Claims of the VAPID token. */
  vapid?: Readonly<Record<string, unknown>>;
  /** 0: the request was not answered. */
  status: number;
  /** The reason of a refusal. */
  said?: string;
}

export interface FakePushService extends AsyncDisposable {
  readonly origin: string;
  /** PEAL_PUSH_HOSTS. */
  readonly env: Readonly<Record<string, string>>;
  readonly script: Script<WebPushAnswer>;
  readonly received: readonly ReceivedWebPush[];
  /** Empties `received`, for a run whose end is far. */
  drain(): readonly ReceivedWebPush[];
  readonly wire: Wire;
  latencyMs: number;
  subscribe(vapidPublicKey?: string): TestSubscription;
  unsubscribe(endpoint: string): void;
  accepted(endpoint: string): readonly ReceivedWebPush[];
  onScreen(endpoint: string): readonly unknown[];
}

interface Subscriber {
  ecdh: ECDH;
  auth: Buffer;
  /** The only key that may push. */
  vapidPublicKey: string | undefined;
  isGone: boolean;
}

interface PushRequest {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface PushServiceOptions {
  clock?: Clock;
  certificate?: Certificate;
}

const DAY_S = 86_400;
const DRIP_MS = 20;

/** Starts a service without subscriptions. */
export async function fakePushService({
  clock = systemClock,
  certificate = authority.issue(),
}: PushServiceOptions = {}): Promise<FakePushService> {
  const script = createScript<WebPushAnswer>();
  const received: ReceivedWebPush[] = [];
  const subscribers = new Map<string, Subscriber>();

  function judge(
    { headers, body }: PushRequest,
    subscriber: Subscriber | undefined,
    push: Partial<ReceivedWebPush>,
  ): Answer {
    if (subscriber === undefined) return { status: 404, body: "no such subscription" };
    if (subscriber.isGone) return { status: 410, body: "unsubscribed" };
    const refusal = wrongVapid(headers["authorization"] ?? "", fake.origin, clock.now(), subscriber);
    if (typeof refusal === "string") return { status: 403, body: JSON.stringify({ reason: refusal }) };
    push.vapid = refusal;
    const wrong = wrongHeaders(headers);
    if (wrong !== undefined) return { status: 400, body: wrong };
    if (body.length > 4096) return { status: 413, body: "payload too large" };
    if (push.plaintext === undefined) return { status: 400, body: "cannot be decrypted" };
    return { status: 201, headers: { location: `${fake.origin}/m/${randomBytes(8).toString("hex")}` } };
  }
  function handle(path: string, request: PushRequest): WebPushAnswer {
    const endpoint = `${fake.origin}${path}`;
    const subscriber = subscribers.get(endpoint);
    const plaintext = subscriber && opened(request.body, subscriber.ecdh, subscriber.auth);
    const push: ReceivedWebPush = { endpoint, headers: request.headers, status: 0 };
    if (plaintext !== undefined) push.plaintext = plaintext.toString();
    received.push(push);
    const answer = script.next(endpoint) ?? judge(request, subscriber, push);
    if (!("status" in answer)) return answer;
    push.status = answer.status;
    if ("body" in answer && answer.status >= 400) push.said = String(answer.body).slice(0, 200);
    return answer;
  }

  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const answer = handle(request.url ?? "", { headers, body: Buffer.concat(chunks) });
      if (fake.latencyMs === 0) act(request, response, answer);
      else setTimeout(() => act(request, response, answer), fake.latencyMs);
    });
  });
  const wire = await wireTo(await listening(server));
  const accepted = (endpoint: string) => received.filter((push) => push.endpoint === endpoint && push.status === 201);
  const fake: FakePushService = {
    ...{ script, received, drain: () => received.splice(0), wire, accepted },
    origin: `https://localhost:${wire.port}`,
    env: { PEAL_PUSH_HOSTS: `localhost:${wire.port}` },
    latencyMs: 0,
    subscribe: (vapidPublicKey) => {
      const ecdh = createECDH("prime256v1");
      const p256dh = ecdh.generateKeys("base64url");
      const auth = randomBytes(16);
      const endpoint = `${fake.origin}/push/${randomBytes(16).toString("base64url")}`;
      subscribers.set(endpoint, { ecdh, auth, vapidPublicKey, isGone: false });
      return { endpoint, keys: { p256dh, auth: auth.toString("base64url") } };
    },
    unsubscribe: (endpoint) => {
      const subscriber = subscribers.get(endpoint);
      if (subscriber !== undefined) subscriber.isGone = true;
    },
    onScreen: (endpoint) => {
      // without a Topic nothing is replaced
      const last = new Map(accepted(endpoint).map((push) => [push.headers["topic"] ?? push, push]));
      return [...last.values()].map(({ plaintext = "null" }) => JSON.parse(plaintext) as unknown);
    },
    [Symbol.asyncDispose]: async () => {
      await wire.stop();
      server.closeAllConnections();
      server.close();
    },
  };
  return fake;
}

function act(request: IncomingMessage, response: ServerResponse, answer: WebPushAnswer): void {
  if (!("kind" in answer)) {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  } else if (answer.kind === "reset") request.socket.destroy();
  else if (answer.kind === "drip") {
    response.writeHead(answer.status);
    const drip = setInterval(() => response.write("."), DRIP_MS);
    response.on("close", () => clearInterval(drip));
  }
}

function wrongHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  if (!/^\d+$/.test(headers["ttl"] ?? "")) return "TTL is missing"; // RFC 8030 §5.2
  if (headers["content-encoding"] !== "aes128gcm") return "Content-Encoding has to be aes128gcm";
  if (!/^(?:very-low|low|normal|high)$/.test(headers["urgency"] ?? "normal")) return "BadUrgency";
  return /^[A-Za-z0-9_-]{1,32}$/.test(headers["topic"] ?? "t") ? undefined : "BadWebPushTopic";
}

/** The claims; or the message with which Apple would refuse them. */
function wrongVapid(
  authorization: string,
  origin: string,
  now: number,
  { vapidPublicKey }: Subscriber,
): string | Readonly<Record<string, unknown>> {
  const [, token = "", key = ""] = /^vapid t=([^,\s]+), ?k=([^,\s]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65 || point[0] !== 4) return "BadAuthorizationHeader";
  if (vapidPublicKey !== undefined && vapidPublicKey !== key) return "VapidPkHashMismatch";
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const claims = verifiedJwt(token, "ES256", publicKey)?.claims;
  if (claims === undefined) return "BadJwtToken";
  const ends = Number(claims["exp"]);
  const isTimely = ends * 1000 > now && ends <= now / 1000 + DAY_S;
  const subject = String(claims["sub"]);
  const isReachable = /^(?:mailto:|https:\/\/)/.test(subject) && !/[/@]localhost(?:[:/]|$)/.test(subject);
  return claims["aud"] === origin && isTimely && isReachable ? claims : "BadJwtToken";
}
