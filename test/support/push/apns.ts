/**
 * Apple's push service, over HTTP/2 and TLS on loopback.
 *
 *   await using apns = await fakeApns();
 *   startPeal({ env: { ...apns.env, NODE_EXTRA_CA_CERTS: authority.file } })   // ./ca.ts
 *   apns.received                          every request in order, with its answer
 *   apns.onScreen(token)                   what the device shows: one payload per apns-collapse-id
 *   apns.script.once(token, refused("BadDeviceToken"))        ./script.ts
 *   apns.script.always("*", { status: 503, reason: "ServiceUnavailable" })
 *   apns.script.once(token, gone(Date.now()))                 410 Unregistered with its timestamp
 *   apns.script.once(token, { kind: "silence" })              also reset, goaway
 *   apns.wire.stop(), .start(), .cut(), .freeze()             ./wire.ts
 *   apns.goaway(0, "Shutdown"), apns.latencyMs = 50
 *
 * Requests without a scripted answer are judged as Apple judges them: path, method, headers, size, the token's
 * signature (ES256), issuer, key, age (by `clock`, five minutes ahead allowed), and that it is not renewed more often
 * than every 20 minutes. A connection has one stream until its first accepted push, then `streams`.
 * Source: Apple, "Establishing a token-based connection to APNs", "Handling notification responses from APNs".
 */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { systemClock, type Clock } from "../../../src/util/clock.ts";
import { http2Server, type Answer, type Connection, type Http2Server, type Request } from "./http2.ts";
import { verifiedJwt } from "./jwt.ts";
import { createScript, type Fault, type Script } from "./script.ts";

/** An error as Apple words it; `timestamp` in ms, with 410. */
export type ApnsAnswer =
  { status: number; reason?: string; timestamp?: number; headers?: Record<string, string> } | Fault;

export interface ReceivedApns {
  token: string;
  /** The `apns-id`. */
  id: string;
  collapseId: string;
  headers: Readonly<Record<string, string>>;
  payload: Record<string, unknown>;
  /** 0: the request was not answered. */
  status: number;
  reason?: string;
  connection: number;
}

export interface FakeApns extends Pick<Http2Server, "wire" | "connections" | "goaway">, AsyncDisposable {
  readonly url: string;
  /** PEAL_APNS_…: the settings that a server needs to push here. */
  readonly env: Readonly<Record<string, string>>;
  readonly keyId: string;
  readonly teamId: string;
  readonly topic: string;
  /** The key with which tokens are signed, PEM. */
  readonly key: string;
  readonly script: Script<ApnsAnswer>;
  readonly received: readonly ReceivedApns[];
  /** Empties `received`, for a run whose end is far. */
  drain(): readonly ReceivedApns[];
  /** The different provider tokens so far, in order. */
  readonly tokens: readonly string[];
  latencyMs: number;
  /** What was accepted for a device. */
  accepted(token: string): readonly ReceivedApns[];
  /** What a device shows: the last one of each `apns-collapse-id`. */
  onScreen(token: string): readonly Record<string, unknown>[];
}

export interface ApnsOptions {
  clock?: Clock;
  /** How many streams a connection allows after its first accepted push. */
  streams?: number;
}

/** A refusal: status 400 unless Apple uses another for this reason. */
export const refused = (reason: string): ApnsAnswer => ({ status: STATUS.get(reason) ?? 400, reason });
/** The answer when the app was removed at this time, ms. */
export const gone = (timestamp: number): ApnsAnswer => ({ status: 410, reason: "Unregistered", timestamp });

const STATUS = new Map([
  ...(["ExpiredProviderToken", "InvalidProviderToken", "MissingProviderToken", "Forbidden"] as const).map(
    (reason) => [reason, 403] as const,
  ),
  ...([
    ["BadPath", 404],
    ["MethodNotAllowed", 405],
    ["PayloadTooLarge", 413],
    ["TooManyRequests", 429],
  ] as const),
  ...([
    ["TooManyProviderTokenUpdates", 429],
    ["InternalServerError", 500],
    ["ServiceUnavailable", 503],
  ] as const),
  ["Shutdown", 503],
]);

const MINUTE = 60_000;
const TOKEN_AGE = 60 * MINUTE;
const TOKEN_PACE = 20 * MINUTE;
const LEEWAY = 5 * MINUTE;
const PUSH_TYPES = ["alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity"];

/** Starts a fake with its own key pair. */
export async function fakeApns({ clock = systemClock, streams = 1000 }: ApnsOptions = {}): Promise<FakeApns> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [keyId, teamId, topic] = ["PEALTESTK1", "PEALTEAM01", "example.peal.app"];
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const script = createScript<ApnsAnswer>();
  const received: ReceivedApns[] = [];
  const tokens: string[] = [];
  const trust = { publicKey, keyId, teamId, topic };
  /** For each connection the token that it has accepted, and when. */
  const used = new WeakMap<Connection, { token: string; at: number }>();

  function judge(request: Request): ApnsAnswer {
    const { headers, connection } = request;
    const wrong = wrongRequest(request) ?? wrongHeaders(request, topic);
    if (wrong !== undefined) return refused(wrong);
    const token = /^bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
    if (token === undefined) return refused("MissingProviderToken");
    if (!tokens.includes(token)) tokens.push(token);
    const doubt = wrongToken(token, trust, clock.now());
    if (doubt !== undefined) return refused(doubt);
    const last = used.get(connection);
    if (last !== undefined && last.token !== token && clock.now() - last.at < TOKEN_PACE)
      return refused("TooManyProviderTokenUpdates");
    if (last?.token !== token) used.set(connection, { token, at: clock.now() });
    return { status: 200 };
  }
  function handle(request: Request): Answer | Fault {
    const { headers, body, connection } = request;
    const token = request.path.replace(/^\/3\/device\//, "");
    const id = text(headers["apns-id"]);
    const answer = script.next(token) ?? judge(request);
    received.push({
      ...{ token, id, collapseId: text(headers["apns-collapse-id"]), connection: connection.number },
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)])),
      payload: parsed(body) ?? {},
      status: "status" in answer ? answer.status : 0,
      ...("reason" in answer && { reason: answer.reason }),
    });
    if (!("status" in answer)) return answer;
    const { status, reason, timestamp, headers: extra = {} } = answer;
    if (status === 200) connection.allow(streams);
    const said = reason === undefined ? {} : { body: JSON.stringify({ reason, timestamp }) };
    return { status, headers: { "apns-id": id, ...extra }, ...said };
  }

  const server = await http2Server({ clock, streams: 1, latencyMs: () => fake.latencyMs }, handle);
  const { wire, connections, goaway } = server;
  const url = `https://localhost:${wire.port}`;
  const accepted = (token: string) => received.filter((push) => push.token === token && push.status === 200);
  const fake: FakeApns = {
    ...{
      url,
      keyId,
      teamId,
      topic,
      key,
      script,
      received,
      drain: () => received.splice(0),
      tokens,
      wire,
      connections,
      goaway,
      accepted,
    },
    env: {
      ...{ PEAL_APNS_KEY: key, PEAL_APNS_KEY_ID: keyId, PEAL_APNS_TEAM_ID: teamId },
      ...{ PEAL_APNS_TOPIC: topic, PEAL_APNS_URL: url },
    },
    latencyMs: 0,
    onScreen: (token) => [...new Map(accepted(token).map((push) => [push.collapseId, push.payload])).values()],
    [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
  };
  return fake;
}

function wrongRequest({ method, path, body }: Request): string | undefined {
  if (method !== "POST") return "MethodNotAllowed";
  const token = /^\/3\/device\/([^/?]+)$/.exec(path)?.[1];
  if (token === undefined) return "BadPath";
  if (!/^(?:[0-9a-f]{2})+$/i.test(token)) return "BadDeviceToken";
  if (body.length === 0) return "PayloadEmpty";
  return body.length > 4096 ? "PayloadTooLarge" : undefined;
}

function wrongHeaders({ headers, body }: Request, topic: string): string | undefined {
  const said = (name: string) => text(headers[name]);
  if (said("apns-topic") === "") return "MissingTopic";
  if (said("apns-topic") !== topic) return "DeviceTokenNotForTopic";
  if (!PUSH_TYPES.includes(said("apns-push-type"))) return "InvalidPushType";
  if (!["", "1", "5", "10"].includes(said("apns-priority"))) return "BadPriority";
  if (!/^\d*$/.test(said("apns-expiration"))) return "BadExpirationDate";
  if (Buffer.byteLength(said("apns-collapse-id")) > 64) return "BadCollapseId";
  if (!/^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})?$/.test(said("apns-id"))) return "BadMessageId";
  return parsed(body)?.["aps"] === undefined ? "PayloadEmpty" : undefined;
}

/** Apple reports a time in the future as an invalid token. */
function wrongToken(
  token: string,
  { publicKey, keyId, teamId }: { publicKey: KeyObject; keyId: string; teamId: string },
  now: number,
): string | undefined {
  const jwt = verifiedJwt(token, "ES256", publicKey);
  if (jwt?.header["kid"] !== keyId || jwt.claims["iss"] !== teamId) return "InvalidProviderToken";
  const issuedAt = Number(jwt.claims["iat"]) * 1000;
  if (!Number.isInteger(issuedAt) || issuedAt > now + LEEWAY) return "InvalidProviderToken";
  return now - issuedAt > TOKEN_AGE ? "ExpiredProviderToken" : undefined;
}

const text = (value: string | readonly string[] | undefined): string => (value === undefined ? "" : String(value));

function parsed(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
