/** Credentials for the push services: read from the settings, watched for changes, and turned into tokens (DELIVERY.md §4). */
import type { Config, PushConfig } from "../../config/config.ts";
import type { Deps } from "../../deps.ts";
import type { ApnsEnvironment, Platform } from "../../devices/device.ts";
import type { DeliveryStore } from "../../store/deliveries.ts";
import { dropOldest } from "../../util/oldest.ts";
import {
  type ApnsCredential,
  type ApnsToken,
  isApnsTokenOld,
  makeApnsToken,
  parseApnsKey,
  parseApnsToken,
} from "./apns-token.ts";
import {
  exchangeRequest,
  type Exchanged,
  type FcmCredential,
  parseExchange,
  parseServiceAccount,
} from "./fcm-token.ts";
import type { WrongCredential } from "./pem.ts";
import { APNS_ORIGINS, type ApnsAuth } from "../providers/apns.ts";
import { FCM_ORIGIN, type FcmAuth } from "../providers/fcm.ts";
import type { WebPushAuth } from "../providers/webpush.ts";
import type { Verdict } from "../push/push.ts";
import type { Transport } from "../transport/transport.ts";
import { isUsable, makeVapid, makeVapidHeader, parseVapid, subjectOf, type Vapid, type VapidHeader } from "./vapid.ts";
import { type Watched, watchCredential } from "./watched.ts";

/** `session`: the session of the transport to use, if the provider has one. */
export type Authorized<Auth> =
  | { kind: "authorized"; auth: Auth; session?: string }
  | { kind: "refused"; verdict: Extract<Verdict, { kind: "pause" | "retry" }>; status?: number };

export interface Credentials {
  readonly vapidPublicKey: string;
  /** The Firebase project, if it is known. */
  readonly project: string | undefined;
  isConfigured(platform: Platform): boolean;
  /** Sentences for the operator about credentials that cannot be read. */
  problems(): { platform: Platform; tell: string }[];
  /** `refused`: the token that the push service called expired. */
  apns(environment: ApnsEnvironment, refused?: string): Promise<Authorized<ApnsAuth>>;
  fcm(refused?: string): Promise<Authorized<FcmAuth>>;
  /** `base`: the address of this server, as the device reached it. */
  webPush(origin: string, base: string): Promise<Authorized<WebPushAuth>>;
  /** Reads replaced files again. Returns the platforms whose credentials have changed. */
  reread(): Platform[];
}

type CredentialDeps = Pick<Deps, "clock" | "log"> & {
  config: PushConfig;
  imageHosts: Config["imageHosts"];
  store: Pick<DeliveryStore, "kept" | "keep">;
  transport: Transport;
};

/** Makes the VAPID key pair if there is none yet. */
export async function openCredentials(deps: CredentialDeps): Promise<Credentials> {
  const { config } = deps;
  const apns = config.apns && openApns(deps, config.apns);
  const fcm = config.fcm && openFcm(deps, config.fcm);
  const web = await openVapid(deps);
  const absent = (platform: string) => pause("not_configured", `There are no credentials for ${platform}.`);
  return {
    vapidPublicKey: web.publicKey,
    get project() {
      return fcm?.project();
    },
    isConfigured: (platform) =>
      platform === "web" || platform === "forward" || (platform === "ios" ? apns : fcm) !== undefined,
    problems: () => [...(apns?.problems() ?? []), ...(fcm?.problems() ?? []), ...web.problems],
    apns: async (environment, refused) => apns?.authorize(environment, refused) ?? absent("iOS"),
    fcm: async (refused) => fcm?.authorize(refused) ?? absent("Android"),
    webPush: web.authorize,
    reread: () => [
      ...(apns?.reread() === true ? ["ios" as const] : []),
      ...(fcm?.reread() === true ? ["android" as const] : []),
    ],
  };
}

const pause = (reason: string, tell: string): Authorized<never> => ({
  kind: "refused",
  verdict: { kind: "pause", reason, tell },
});

/** A credential parsed from texts. `generation` counts how often it was replaced: each has its own connections. */
function parsed<T extends { kind: "credential" }>(
  { platform, sources, log }: { platform: Platform; sources: readonly Watched[]; log: Deps["log"] },
  parse: () => T | WrongCredential,
) {
  const read = () => {
    const result = parse();
    if (result.kind === "wrong") log.error("credentials cannot be read", { platform, tell: result.tell });
    return result;
  };
  let generation = 1;
  let current = read();
  return {
    current: () => current,
    generation: () => generation,
    problems: () => (current.kind === "wrong" ? [{ platform, tell: current.tell }] : []),
    reread: (): boolean => {
      if (!sources.map((source) => source.reread()).includes(true)) return false;
      current = read();
      generation++;
      return true;
    },
  };
}

function openApns({ clock, log, store, transport }: CredentialDeps, apns: NonNullable<PushConfig["apns"]>) {
  const { topic, url, isCritical, teamId } = apns;
  const [pem, keyId] = [watchCredential(apns.key, log), watchCredential(apns.keyId, log)];
  const key = parsed({ platform: "ios", sources: [pem, keyId], log }, () =>
    parseApnsKey(pem.text, { keyId: keyId.text, teamId }),
  );
  let token: ApnsToken | undefined;
  let making: Promise<ApnsToken> | undefined;
  const sessionOf = (environment: ApnsEnvironment) => `apns:${environment}:${key.generation()}`;

  /** The latest token is stored, since Apple wants no new one more often than every 20 min. */
  async function renewed(credential: ApnsCredential, isRefused: boolean): Promise<ApnsToken> {
    const text = token === undefined ? await store.kept("apns_token") : undefined;
    const known = token ?? (text === undefined ? undefined : await parseApnsToken(text, credential));
    const isGood = known !== undefined && !isApnsTokenOld(known, { now: clock.now(), isRefused });
    const made = isGood ? known : await makeApnsToken(credential, clock.now());
    if (key.current() !== credential) return made; // the key was replaced meanwhile
    token = made;
    if (!isGood)
      await store.keep("apns_token", JSON.stringify(made)).catch((error: unknown) => {
        log.warn("the token for Apple is not kept", { error });
      });
    return made;
  }
  return {
    problems: key.problems,
    reread: () => {
      const sessions = (["production", "sandbox"] as const).map(sessionOf);
      if (!key.reread()) return false;
      for (const session of sessions) transport.reconnect(session);
      token = undefined;
      making = undefined;
      return true;
    },
    authorize: async (environment: ApnsEnvironment, refused?: string): Promise<Authorized<ApnsAuth>> => {
      const credential = key.current();
      if (credential.kind === "wrong") return pause("invalid_credentials", credential.tell);
      const isRefused = refused !== undefined && token?.token === refused;
      const held =
        token !== undefined && !isApnsTokenOld(token, { now: clock.now(), isRefused })
          ? token
          : await (making ??= renewed(credential, isRefused).finally(() => (making = undefined)));
      const auth = { origin: url ?? APNS_ORIGINS[environment], topic, token: held.token, isCritical };
      return { kind: "authorized", auth, session: sessionOf(environment) };
    },
  };
}

function openFcm({ clock, log, transport, imageHosts }: CredentialDeps, fcm: NonNullable<PushConfig["fcm"]>) {
  const { url, style } = fcm;
  const json = watchCredential(fcm.credentials, log);
  const account = parsed({ platform: "android", sources: [json], log }, () => parseServiceAccount(json.text, url));
  let access: Extract<Exchanged, { kind: "token" }> | undefined;
  let exchanging: Promise<Exchanged & { status?: number }> | undefined;
  const session = () => `fcm:${account.generation()}`;

  async function exchange(credential: FcmCredential): Promise<Exchanged & { status?: number }> {
    const response = await transport.send(await exchangeRequest(credential, clock.now()), { session: session() });
    if ("kind" in response) return { kind: "retry", reason: response.reason };
    return { ...parseExchange(response, clock.now()), status: response.status };
  }
  return {
    problems: account.problems,
    project: () => {
      const credential = account.current();
      return credential.kind === "wrong" ? undefined : credential.project;
    },
    reread: () => {
      const old = session();
      if (!account.reread()) return false;
      transport.reconnect(old);
      access = undefined;
      exchanging = undefined;
      return true;
    },
    authorize: async (refused?: string): Promise<Authorized<FcmAuth>> => {
      const credential = account.current();
      if (credential.kind === "wrong") return pause("invalid_credentials", credential.tell);
      if (access !== undefined && (access.token === refused || access.until <= clock.now())) access = undefined;
      let held = access;
      if (held === undefined) {
        const { status, ...exchanged } = await (exchanging ??= exchange(credential).finally(
          () => (exchanging = undefined),
        ));
        if (exchanged.kind !== "token")
          return {
            kind: "refused",
            verdict: exchanged.kind === "retry" ? { ...exchanged, scope: "lane" } : exchanged,
            ...(status !== undefined && { status }),
          };
        if (account.current() === credential) access = exchanged;
        held = exchanged;
      }
      const auth = { origin: url ?? FCM_ORIGIN, project: credential.project, token: held.token, style, imageHosts };
      return { kind: "authorized", auth, session: session() };
    },
  };
}

/** The number of push services that headers are kept for. Beyond it the oldest is dropped, and made again when it is needed. */
const MOST_HEADERS = 1_000;

async function openVapid({ config, imageHosts, clock, store }: CredentialDeps) {
  let text = await store.kept("vapid");
  if (text === undefined) await store.keep("vapid", (text = await makeVapid()));
  const vapid = await parseVapid(text);
  const headers = new Map<string, Promise<VapidHeader>>();

  async function headerOf(pair: Vapid, origin: string, base: string): Promise<VapidHeader> {
    const subject = subjectOf(config.vapidSubject, base);
    const name = `${origin} ${subject}`;
    const known = headers.get(name);
    if (known !== undefined && isUsable(await known, clock.now())) return known;
    dropOldest(headers, MOST_HEADERS);
    const made = makeVapidHeader(pair, { origin, subject, now: clock.now() });
    headers.set(name, made);
    return made;
  }
  return {
    publicKey: vapid.kind === "wrong" ? "" : vapid.publicKey,
    problems: vapid.kind === "wrong" ? [{ platform: "web" as const, tell: vapid.tell }] : [],
    authorize: async (origin: string, base: string): Promise<Authorized<WebPushAuth>> => {
      if (vapid.kind === "wrong") return pause("invalid_credentials", vapid.tell);
      const { authorization } = await headerOf(vapid, origin, base);
      return { kind: "authorized", auth: { authorization, imageHosts } };
    },
  };
}
