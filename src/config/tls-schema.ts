/** The settings of https; `schema.ts` has the others. */
import { isAbsolute } from "node:path";
import { listenAddress, listenAddresses, secureUrl, wholeDays, word } from "./forms.ts";
import { setting } from "./setting.ts";

const isPem = (text: string): boolean => text.includes("-----BEGIN ");
const fileOrPem = (text: string): string | undefined => (isPem(text) || !text.includes("\n") ? text : undefined);

/** By their names in the file, as in `schema.ts`. */
export const TlsSettings = {
  tls: setting(
    {
      description:
        "Where the certificate for https comes from: your own files, a certificate authority (Let’s Encrypt) for the name in PEAL_BASE_URL, " +
        "or Tailscale on this machine. Without it peal speaks http alone.",
      form: "`files`, `acme` or `tailscale`",
    },
    word("files", "acme", "tailscale"),
  ),
  listen_tls: setting(
    {
      default: "[::]:7326",
      description: "Addresses to listen on with https, if PEAL_TLS is set.",
      form: "a comma list of `host:port`",
    },
    (text) => {
      const addresses = listenAddresses(text)?.filter((address) => address.kind === "tcp");
      return addresses?.length === listenAddresses(text)?.length ? addresses : undefined;
    },
  ),
  tls_cert: setting(
    {
      description:
        "The file with the certificate and those of its issuers, for PEAL_TLS=files. Read again when it changes.",
      form: "the path of a PEM file",
    },
    fileOrPem,
  ),
  tls_key: setting(
    {
      description: "The file with the private key of the certificate, for PEAL_TLS=files. Read again when it changes.",
      form: "the path of a PEM file",
      isSecret: isPem,
    },
    fileOrPem,
  ),
  hsts: setting(
    {
      default: "off",
      description:
        "Tells browsers to open this host over https only, for this many days (`Strict-Transport-Security`). It holds for all ports of the host.",
      form: "`<days>d` or `off`",
    },
    (text) => (text === "off" ? "off" : wholeDays(text)),
  ),
  acme_url: setting(
    {
      default: "https://acme-v02.api.letsencrypt.org/directory",
      description: "The directory of the certificate authority, for PEAL_TLS=acme.",
      form: "an absolute https URL",
    },
    secureUrl,
  ),
  acme_listen: setting(
    {
      default: "[::]:80",
      description:
        "Where peal listens while the certificate authority looks at port 80 of the name (HTTP-01). Open only then. It answers on PEAL_LISTEN too.",
      form: "`host:port` or `off`",
    },
    (text) => {
      if (text === "off") return "off";
      const address = listenAddress(text);
      return address?.kind === "tcp" ? address : undefined;
    },
  ),
  acme_dns: setting(
    {
      description:
        "Proves the name by a record in DNS (DNS-01), so that no port has to be open to the internet: who hosts the zone, or a program.",
      form: "`cloudflare`, `desec`, `duckdns`, `hetzner`, `acme-dns` or `exec:/path`",
    },
    (text) => {
      const path = text.startsWith("exec:") ? text.slice("exec:".length) : undefined;
      if (path !== undefined) return isAbsolute(path) ? { kind: "exec" as const, path } : undefined;
      const kind = word("cloudflare", "desec", "duckdns", "hetzner", "acme-dns")(text);
      return kind && { kind };
    },
  ),
  acme_dns_token: setting(
    {
      description:
        "The token for PEAL_ACME_DNS, best as PEAL_ACME_DNS_TOKEN_FILE. For `acme-dns`, the JSON that its `/register` answered.",
      form: "the token of an API",
      isSecret: () => true,
    },
    (text) => text,
  ),
};
