/** The certificate and its key on the disk of this machine. */
import type { Log } from "../../telemetry/log.ts";
import type { Clock } from "../../util/clock.ts";
import { certificateOf, type Certificate, type Pair } from "../certificate.ts";
import { readKept, writeKept } from "../kept.ts";
import { renewAt } from "./when.ts";

export interface KeptPair {
  /** Undefined: there is none that can be read. @throws Told */
  read(): Pair | undefined;
  /** One that is still young, and not `current`. @throws Told */
  unused(current: Certificate | undefined): Pair | undefined;
  keep(pair: Pair): void;
}

export function createKeptPair(path: string, { clock, log }: { clock: Clock; log: Log }): KeptPair {
  const read = () => pairOf(readKept(path));
  return {
    read,
    unused: (current) => {
      const pair = read();
      if (pair === undefined || pair.cert === current?.pair.cert) return undefined;
      const certificate = certificateOf(pair);
      return typeof certificate === "string" || clock.now() >= renewAt(certificate, undefined, 0) ? undefined : pair;
    },
    keep: ({ key, cert }) => {
      try {
        writeKept(path, key + cert);
      } catch (error) {
        // it is used all the same: the authority would soon issue no more
        log.error("the new certificate cannot be kept: after a restart another is needed", { error });
      }
    },
  };
}

/** The key first, then the chain: one file, so that they belong together whatever happens. */
function pairOf(text: string | undefined): Pair | undefined {
  const [, key, cert] = /^(-----BEGIN PRIVATE KEY-----[^]*?-----END PRIVATE KEY-----\n)([^]+)$/.exec(text ?? "") ?? [];
  return key === undefined || cert === undefined ? undefined : { key, cert };
}
