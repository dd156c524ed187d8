/** Chooses where the certificate comes from. Imported only where PEAL_TLS is set. */
import type { TlsConfig } from "../config/config.ts";
import type { Notices } from "../ops/notices.ts";
import type { Log } from "../telemetry/log.ts";
import type { Clock } from "../util/clock.ts";
import { acmeSource } from "./acme/source.ts";
import { filesSource } from "./files.ts";
import { createKeeper } from "./keeper.ts";
import { tailscaleSource } from "./tailscale.ts";
import type { Source, Tls } from "./tls.ts";

interface Parts {
  dataDir: string;
  clock: Clock;
  log: Log;
  notices: Notices;
  /** PEM: the authorities that are trusted instead of the machine's. */
  ca?: string;
  /** Instead of that of the machine's tailscaled. */
  tailscaleSocket?: string;
}

export const openTls = ({ source }: TlsConfig, parts: Parts): Tls =>
  createKeeper({ ...parts, source: sourceOf(source, parts) });

function sourceOf(source: TlsConfig["source"], parts: Parts): Source {
  switch (source.kind) {
    case "files":
      return filesSource(source);
    case "acme":
      return acmeSource(source, parts);
    case "tailscale":
      return tailscaleSource(source, parts.tailscaleSocket);
  }
}
