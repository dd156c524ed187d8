/** Sends one push to its push service and reads the answer (DELIVERY.md §4). */
import type { Deps } from "../deps.ts";
import { compose } from "./push/compose.ts";
import type { Authorized, Credentials } from "./credentials/credentials.ts";
import type { Lane, Pending } from "./delivery.ts";
import { identityOf } from "./push/identity.ts";
import type { Answer } from "./lanes/lane.ts";
import { masked } from "./credentials/masked.ts";
import type { Forwarder } from "./forwards/forwarder.ts";
import * as apns from "./providers/apns.ts";
import * as fcm from "./providers/fcm.ts";
import type { Choice } from "./push/choose.ts";
import type { Push, Verdict } from "./push/push.ts";
import type { ProviderRequest, ProviderResponse } from "./transport/answer.ts";
import type { Transport } from "./transport/transport.ts";

export interface Courier {
  /** Never rejects. */
  send(lane: Lane, choice: Choice): Promise<Answer>;
}

type CourierDeps = Pick<Deps, "config" | "clock" | "log"> & {
  credentials: Credentials;
  transport: Transport;
  forwarder: Forwarder;
};

/** Loaded with the first push to a browser: its library takes 2 MB, which a server that sends none saves (measured). */
const webPushes = async () => import("./providers/webpush.ts");
/** After these reasons Apple no longer serves the connection, or not with this token. */
const ENDS_CONNECTION: ReadonlySet<string> = new Set(["TooManyProviderTokenUpdates", "Shutdown", "IdleTimeout"]);
/** A clock that is off by more may be the reason for a refusal. */
const SKEW_MS = 120_000;

export function createCourier({ config, clock, log, credentials, transport, forwarder }: CourierDeps): Courier {
  const baseOf = ({ device }: Pick<Pending, "device">): string => config.baseUrl ?? device.base;

  function pushOf(chosen: Choice["chosen"]): Push {
    const [first] = chosen;
    const base = baseOf(first);
    return {
      device: first.device,
      ...identityOf(chosen),
      notification: compose(chosen, { base, now: clock.now() }),
      isUrgent: first.isUrgent,
      expiresAt: Math.max(...chosen.map(({ expiresAt }) => expiresAt)),
      shrunk: 0,
    };
  }

  /** Makes the request in the form of the lane's push service. `refused`: the token that was called expired. */
  async function requestOf(lane: Lane, push: Push, base: string, refused: string | undefined): Promise<Asked> {
    if (lane === "fcm") {
      const held = await credentials.fcm(refused);
      return asked(held, (auth) => ({ request: fcm.request(push, auth, clock.now()), token: auth.token }));
    }
    if (lane === "apns:production" || lane === "apns:sandbox") {
      const held = await credentials.apns(lane === "apns:production" ? "production" : "sandbox", refused);
      return asked(held, (auth) => ({ request: apns.request(push, auth), token: auth.token }));
    }
    const webPush = await webPushes();
    const held = await credentials.webPush(lane.slice("webpush:".length), base);
    return asked(held, (auth) => ({ request: webPush.request(push, auth, clock.now()), token: auth.authorization }));
  }

  async function carry(lane: Lane, push: Push, base: string): Promise<Answer> {
    const { verdict: verdictOf } = lane === "fcm" ? fcm : lane.startsWith("apns:") ? apns : await webPushes();
    let refused: { token: string; reason: string } | undefined;
    for (;;) {
      const asking = await requestOf(lane, push, base, refused?.token);
      if (asking.kind === "refused") return asking;
      const { request, session, token } = asking;
      if (token === refused?.token) return refusedTwice(refused.reason);
      const response = await transport.send(request, session === undefined ? {} : { session });
      if ("kind" in response) return { verdict: { kind: "retry", scope: "lane", reason: response.reason } };
      const { status } = response;
      const verdict = verdictOf(response, push);
      switch (verdict.kind) {
        case "shrink":
          push = { ...push, shrunk: push.shrunk + 1 };
          continue;
        case "reauthorize":
          if (refused !== undefined) return { ...refusedTwice(verdict.reason), status };
          refused = { token, reason: verdict.reason };
          continue;
        case "pause":
          if (session !== undefined) transport.reconnect(session);
          return { verdict: { ...verdict, tell: `${verdict.tell}${skewIn(response, clock.now())}` }, status };
        case "retry":
          if (session !== undefined && ENDS_CONNECTION.has(verdict.reason)) transport.reconnect(session);
          return { verdict, status };
        default:
          return { verdict, status };
      }
    }
  }
  return {
    send: async (lane, choice) => {
      const { chosen } = choice;
      try {
        if (chosen[0].device.platform === "forward")
          return await forwarder.send(choice, () => ({ push: pushOf(chosen), base: baseOf(chosen[0]) }));
        return await carry(lane, pushOf(chosen), chosen[0].device.base);
      } catch (error) {
        // the words of the error may contain the endpoint
        const words = masked(error instanceof Error ? error.message : String(error), chosen[0]);
        log.error("a push cannot be made", { lane, delivery: chosen[0].row, error: words });
        return { verdict: { kind: "fail", reason: "internal_error" } };
      }
    },
  };
}

type Asked =
  | { kind: "asked"; request: ProviderRequest; token: string; session?: string }
  | Extract<Authorized<never>, { kind: "refused" }>;

const asked = <Auth>(
  held: Authorized<Auth>,
  make: (auth: Auth) => { request: ProviderRequest; token: string },
): Asked =>
  held.kind === "refused"
    ? held
    : { kind: "asked", ...make(held.auth), ...(held.session !== undefined && { session: held.session }) };

const refusedTwice = (reason: string): { verdict: Verdict } => ({
  verdict: {
    kind: "pause",
    reason,
    tell: `The push service calls a fresh token expired (${reason}): check the clock of this server, and the credentials.`,
  },
});

/** Compares our clock with that of the answer, if the difference may be the reason for a refusal. */
function skewIn({ headers }: ProviderResponse, now: number): string {
  const skew = now - Date.parse(headers["date"] ?? "");
  if (!(Math.abs(skew) > SKEW_MS)) return "";
  return ` The clock of this server is ${Math.round(Math.abs(skew) / 60_000)} min ${skew > 0 ? "ahead of" : "behind"} that of the push service.`;
}
