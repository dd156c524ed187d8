/**
 * `PEAL_TLS=tailscale`: the certificate of tailscaled, which gets and renews it, over its local socket (`ipn/localapi` of
 * github.com/tailscale/tailscale: `cert.go`, `serveStatus`, `validHost`).
 */
import type { TailscaleSource } from "../config/config.ts";
import { HOUR, MINUTE } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { fieldsOf, listOf, parsed, textOf } from "./acme/json.ts";
import { retryAfterMs } from "./acme/problem.ts";
import type { Pair } from "./certificate.ts";
import type { Renewal, Source } from "./tls.ts";

const SOCKET = "/run/tailscale/tailscaled.sock";
/** tailscaled renews when it is asked for a certificate that is old enough, so it has to be asked. */
const ASK_MS = 6 * HOUR;
/** It may have to get the certificate first, which takes a minute. */
const REQUEST_MS = 3 * MINUTE;
/** The name that tailscaled's own clients use; it takes no other. */
const HOST = "http://local-tailscaled.sock";

/** `socket`: another one in tests. */
export function tailscaleSource({ name }: TailscaleSource, socket = SOCKET): Source {
  const ask = async (path: string, signal: AbortSignal): Promise<string> => {
    const response = await fetch(`${HOST}/localapi/v0/${path}`, {
      unix: socket,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
    const text = await response.text();
    if (response.ok) return text;
    throw new Refused(response, text.trim().slice(0, 300));
  };
  const ownName = async (signal: AbortSignal): Promise<string | undefined> => {
    const status = fieldsOf(parsed(await ask("status?peers=false", signal)));
    const [first] = listOf(status, "CertDomains");
    return typeof first === "string" ? first : textOf(fieldsOf(status["Self"]), "DNSName")?.replace(/\.$/, "");
  };
  return {
    kind: "tailscale",
    kept: async () => Promise.resolve(undefined), // tailscaled keeps it, and is asked at once
    renew: async (current, signal): Promise<Renewal> => {
      try {
        const domain = name ?? (await ownName(signal));
        if (domain === undefined || domain === "")
          return {
            kind: "failed",
            reason:
              "Tailscale has no name for this machine. Turn on MagicDNS and HTTPS certificates in its admin console, under DNS.",
          };
        const pair = pairOf(await ask(`cert/${encodeURIComponent(domain)}?type=pair`, signal));
        if (pair === undefined)
          return { kind: "failed", reason: "tailscaled answered with something other than a certificate." };
        return pair.cert === current?.pair.cert ? { kind: "same" } : { kind: "new", pair };
      } catch (error) {
        const afterMs = error instanceof Refused ? error.afterMs : undefined;
        return { kind: "failed", reason: reasonOf(error, socket), ...defined({ afterMs }) };
      }
    },
    nextAt: (_, now) => now + ASK_MS,
    pauseMs: (failures) => Math.min(MINUTE * 2 ** Math.min(failures - 1, 6), HOUR),
  };
}

class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  /** The authority allows tailscaled no certificate before. */
  readonly afterMs: number | undefined;
  constructor({ status, headers }: Response, text: string) {
    super(text);
    this.status = status;
    this.afterMs = retryAfterMs(headers.get("retry-after"));
  }
}

/** The private key first, then the chain. */
function pairOf(text: string): Pair | undefined {
  const blocks = text.match(/-----BEGIN [A-Z ]+-----[^]*?-----END [A-Z ]+-----\n?/g) ?? [];
  const key = blocks.find((block) => block.includes("PRIVATE KEY"));
  const cert = blocks.filter((block) => block.startsWith("-----BEGIN CERTIFICATE-----")).join("");
  return key === undefined || cert === "" ? undefined : { key, cert };
}

function reasonOf(error: unknown, socket: string): string {
  if (error instanceof Refused)
    return error.status === 401 || error.status === 403
      ? `tailscaled does not let this user have the certificate. Set TS_PERMIT_CERT_UID for tailscaled to the user of peal. It says: ${error.message}`
      : `tailscaled has no certificate: ${error.message}`;
  const detail = error instanceof Error ? error.message : String(error);
  return `tailscaled cannot be asked at ${socket}: ${detail}. Does Tailscale run here, and in a container, is its socket mounted?`;
}
