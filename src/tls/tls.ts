/** What the rest of peal sees of its own https (OPERATIONS.md §7). */
import type { TlsConfig } from "../config/config.ts";
import type { Millis } from "../util/clock.ts";
import type { Certificate, Pair } from "./certificate.ts";

/** Below it, at port 80, an authority reads the answer to its challenge (RFC 8555 §8.3). */
export const CHALLENGE = "/.well-known/acme-challenge/";

export interface Tls {
  status(): TlsStatus;
  /** A sentence for the operator; undefined: all is well. */
  problem(): string | undefined;
  /** The certificate in use. */
  readonly certificate: Certificate | undefined;
  /** What the authority wants to read at `CHALLENGE` and the token. */
  challenge(token: string): string | undefined;
  /** Begins to look after the certificate. */
  start(ears: Ears): Promise<void>;
  stop(): Promise<void>;
}

export interface TlsStatus {
  kind: TlsConfig["source"]["kind"];
  certificate?: Pick<Certificate, "names" | "issuer" | "from" | "until">;
  /** When the next one is fetched; absent: when the files change. */
  renewAt?: Millis;
  /** In words; absent: all is well. */
  problem?: string;
  /** Whether browsers accept it for this host now, if they trust its issuer. */
  serves: (host: string) => boolean;
}

/** Whoever listens with the certificate. */
export interface Ears {
  /** From now on new connections get this one. @throws ListenError */
  use(pair: Pair): Promise<void>;
}

/** Where certificates come from. */
export interface Source {
  readonly kind: TlsConfig["source"]["kind"];
  /** The pair that is kept on this machine; asks nobody. */
  kept(): Promise<Pair | undefined>;
  /** Looks for another one. `signal`: the server stops. */
  renew(current: Certificate | undefined, signal: AbortSignal): Promise<Renewal>;
  /** When to look again while all is well. */
  nextAt(current: Certificate | undefined, now: Millis): Millis;
  /** How long to wait after this many failures in a row. */
  pauseMs(failures: number): number;
  /** When it fetches another one, for people; undefined: when somebody changes the files. */
  renewAt?(current: Certificate): Millis;
  challenge?(token: string): string | undefined;
}

export type Renewal =
  | { kind: "same" }
  | { kind: "new"; pair: Pair }
  /** `reason`: a sentence. `afterMs`: not sooner, said the other side. */
  | { kind: "failed"; reason: string; afterMs?: number };
