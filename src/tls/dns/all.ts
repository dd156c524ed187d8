/** The provider of PEAL_ACME_DNS. */
import type { DnsSource } from "../../config/config.ts";
import { acmeDns } from "./acme-dns.ts";
import { cloudflare } from "./cloudflare.ts";
import { desec } from "./desec.ts";
import { duckdns } from "./duckdns.ts";
import { exec } from "./exec.ts";
import { hetzner } from "./hetzner.ts";
import type { DnsProvider } from "./provider.ts";

/** @throws Told if the token has another form */
export function providerOf(source: DnsSource): DnsProvider {
  const { token } = source;
  switch (source.kind) {
    case "cloudflare":
      return cloudflare(token);
    case "desec":
      return desec(token);
    case "duckdns":
      return duckdns(token);
    case "hetzner":
      return hetzner(token);
    case "acme-dns":
      return acmeDns(token);
    case "exec":
      return exec(source.path, token);
  }
}
