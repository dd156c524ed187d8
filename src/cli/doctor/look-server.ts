/** Asks the server over its socket, and through PEAL_BASE_URL as phones do. */
import { connect } from "node:tls";
import { localSocket, type Config } from "../../config/config.ts";
import { reasonOf } from "../../delivery/transport/reason.ts";
import { systemClock } from "../../util/clock.ts";
import { VERSION } from "../../util/version.ts";
import type { Finding } from "./finding.ts";
import {
  judgeBase,
  NO_UPSTREAM,
  judgeCertificate,
  judgeForwarded,
  judgeHealth,
  judgeStream,
  type BaseLook,
  type CertificateLook,
  type Health,
  type StreamLook,
} from "./judge-server.ts";

/** The server of this data directory, and when all has to end. */
interface Asked {
  config: Config;
  until: AbortSignal;
}

export async function lookAtServer(asked: Asked): Promise<Finding[]> {
  const health = await overSocket<Health>(asked, "/health");
  const isRunning = health !== undefined;
  const [outside, ignored] = await Promise.all([
    lookFromOutside(asked, isRunning),
    isRunning ? overSocket<{ proxy?: string; add?: string }>(asked, "/-/local/undeclared-proxy") : undefined,
  ]);
  const { proxy, add } = ignored ?? {};
  const forwarded = judgeForwarded(proxy === undefined || add === undefined ? undefined : { proxy, add });
  return [...judgeHealth(health, VERSION), ...outside, ...(isRunning ? [forwarded] : [])];
}

async function lookFromOutside(asked: Asked, isRunning: boolean): Promise<Finding[]> {
  const { baseUrl, push } = asked.config;
  if (baseUrl === undefined)
    return [judgeBase(undefined, undefined), ...(push.ntfyUpstream === undefined ? [] : [NO_UPSTREAM])];
  const own = isRunning ? overSocket<WebPush>(asked, "/v1/webpush") : undefined;
  const [base, certificate, stream] = await Promise.all([
    baseAt(baseUrl, own, asked.until),
    certificateAt(baseUrl, asked.until),
    isRunning ? streamThrough(asked, baseUrl) : ({ kind: "none", reason: "the server is not running" } as const),
  ]);
  return [
    judgeBase(baseUrl, base),
    judgeCertificate(baseUrl, certificate, systemClock.now()),
    judgeStream(base.kind === "peal" ? stream : { kind: "none", reason: "see base url" }),
  ];
}

interface WebPush {
  vapid_public_key?: string;
}

/** The JSON of the answer, whatever its status; undefined if there is none. */
async function overSocket<T>({ config, until }: Asked, path: string): Promise<T | undefined> {
  try {
    const answer = await fetch(`http://localhost${path}`, { unix: localSocket(config), signal: until });
    return (await answer.json()) as T;
  } catch {
    return undefined;
  }
}

/** A certificate that is not trusted is another finding: here it only matters who answers. */
const asPhones = (until: AbortSignal): BunFetchRequestInit => ({
  signal: until,
  tls: { rejectUnauthorized: false },
  redirect: "manual",
  proxy: "",
});

/** Each server has its own key for web push, which anybody may ask for: so it says who answers. */
async function baseAt(
  baseUrl: string,
  own: Promise<WebPush | undefined> | undefined,
  until: AbortSignal,
): Promise<BaseLook> {
  try {
    const answer = await fetch(`${baseUrl}/v1/webpush`, asPhones(until));
    const told = await answer.json().catch(() => undefined);
    const key = (told as WebPush | null | undefined)?.vapid_public_key;
    if (!answer.ok || key === undefined) return { kind: "other", status: answer.status };
    return { kind: "peal", key, own: (await own)?.vapid_public_key };
  } catch (error) {
    return { kind: "unreachable", reason: until.aborted ? "no answer within 4 s" : reasonOf(error) };
  }
}

async function certificateAt(baseUrl: string, until: AbortSignal): Promise<CertificateLook | undefined> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== "https:") return undefined;
  const host = hostname.replace(/^\[|\]$/g, "");
  const { promise, resolve } = Promise.withResolvers<CertificateLook | undefined>();
  const socket = connect({ host, port: Number(port || 443), servername: host, rejectUnauthorized: false }, () => {
    const { valid_to: until } = socket.getPeerCertificate();
    const distrust = socket.authorized ? undefined : String(socket.authorizationError);
    resolve({ expiresAt: Date.parse(until), distrust });
  });
  until.addEventListener("abort", () => resolve(undefined));
  socket.on("error", () => resolve(undefined));
  return promise.finally(() => socket.destroy());
}

/** Opens the event stream of any topic and waits for the `ready` with which each begins. */
async function streamThrough(asked: Asked, baseUrl: string): Promise<StreamLook> {
  const { until } = asked;
  const topic = await anyTopic(asked);
  if (until.aborted) return { kind: "none", reason: "the server is too slow" };
  if (topic === undefined) return { kind: "none", reason: "there is no topic yet" };
  try {
    const answer = await fetch(`${baseUrl}${topic}/events`, asPhones(until));
    if (!answer.ok) return { kind: "refused", status: answer.status };
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    return first?.value === undefined ? { kind: "silent" } : { kind: "first" };
  } catch {
    return { kind: "silent" };
  }
}

/** Its path, with its key. */
async function anyTopic(asked: Asked): Promise<string | undefined> {
  const listed = await overSocket<{ namespaces?: { name: string }[] }>(asked, "/-/local/namespaces");
  const found = listed?.namespaces?.map(async ({ name }) => {
    const page = await overSocket<{ topics?: { key: string }[] }>(asked, `/v1/${name}/topics?limit=1`);
    const key = page?.topics?.[0]?.key;
    return key === undefined ? undefined : `/${name}/${key}`;
  });
  return (await Promise.all(found ?? [])).find((path) => path !== undefined);
}
