/** Puts the settings of https together, which make sense only so. */
import { isIP } from "node:net";
import { DAY, SECOND } from "../util/clock.ts";
import type { TlsConfig } from "./config.ts";
import { ConfigError } from "./errors.ts";
import { envName, type Decoded, type SettingName } from "./schema.ts";

/**
 * Undefined: http alone. `files`: the files that settings were read from.
 * @throws ConfigError if something is missing, or set and not used
 */
export function tlsOf(values: Decoded, files: ReadonlyMap<SettingName, string>): TlsConfig | undefined {
  const { tls, base_url: baseUrl, acme_dns: dns, acme_dns_token: token } = values;
  const refuse = (name: SettingName, detail: string): never => {
    throw new ConfigError([
      { key: envName(name), source: `with PEAL_TLS${tls === undefined ? " not set" : `=${tls}`}`, detail },
    ]);
  };
  for (const name of ["tls_cert", "tls_key"] as const)
    if (values[name] !== undefined && tls !== "files") refuse(name, "is not used. Set PEAL_TLS=files, or remove it.");
  for (const name of ["acme_dns", "acme_dns_token"] as const)
    if (values[name] !== undefined && tls !== "acme") refuse(name, "is not used. Set PEAL_TLS=acme, or remove it.");
  if (tls === undefined) return undefined;
  const listen = values.listen_tls;
  const url = baseUrl?.startsWith("https:") === true ? new URL(baseUrl) : undefined;
  const name = url?.hostname;
  if (tls === "tailscale") return { listen, source: { kind: "tailscale", ...(name !== undefined && { name }) } };
  if (tls === "files") {
    const pathOf = (setting: "tls_cert" | "tls_key"): string => {
      const path = files.get(setting) ?? values[setting];
      if (path === undefined)
        return refuse(setting, "is missing: PEAL_TLS=files needs PEAL_TLS_CERT and PEAL_TLS_KEY.");
      return path.includes("-----BEGIN ") ? refuse(setting, `holds PEM. It has to be the path of a file.`) : path;
    };
    return { listen, source: { kind: "files", cert: pathOf("tls_cert"), key: pathOf("tls_key") } };
  }
  if (name === undefined) return refuse("base_url", "has to be an https URL: the certificate is for its name.");
  if (isIP(name.replace(/^\[|\]$/g, "")) !== 0)
    return refuse("base_url", "has an address instead of a name. Certificates are for names.");
  if (dns !== undefined && dns.kind !== "exec" && token === undefined)
    return refuse("acme_dns_token", `is missing: PEAL_ACME_DNS=${dns.kind} needs it.`);
  if (dns === undefined && token !== undefined)
    return refuse("acme_dns", "is missing: whose token is PEAL_ACME_DNS_TOKEN?");
  const acmeListen = values.acme_listen === "off" ? undefined : values.acme_listen;
  return {
    listen,
    source: {
      ...{ kind: "acme", name, directory: values.acme_url },
      ...(acmeListen && { listen: acmeListen }),
      ...(dns && { dns: { ...dns, token: token ?? "" } }),
    },
  };
}

/** In seconds, as the header has it. */
export const hstsOf = ({ hsts }: Decoded): number | undefined => (hsts === "off" ? undefined : (hsts * DAY) / SECOND);
