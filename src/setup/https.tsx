/** @jsxImportSource #jsx */
/** Ways to an https address, filled in with where this server is now (WEB.md §2). */
import { fill } from "../pages/elements/fill.ts";
import type { Child, Safe } from "../pages/jsx/jsx-runtime.ts";
import { Code, Icon } from "../pages/layout.tsx";
import type { View } from "../pages/view.ts";
import type { TlsStatus } from "../tls/tls.ts";

/** A name to put one's own in the place of (RFC 2606). */
const NAME = "peal.example.net";

/** What to set, with DNS-01: it works behind NAT. */
const OWN = [
  "PEAL_TLS=acme",
  "PEAL_ACME_DNS=cloudflare",
  "PEAL_ACME_DNS_TOKEN=...",
  `PEAL_BASE_URL=https://${NAME}:7326`,
];

/** `tls`: of peal's own https, if it is turned on. */
export const WaysToHttps = ({ view, tls }: { view: View; tls: TlsStatus | undefined }): Safe => {
  const words = view.texts.setup;
  const { host, port } = new URL(view.url);
  const address = <code>{`http://${host}`}</code>;
  return (
    <section class="panel" aria-label={words.ways}>
      <div class="in">
        {tls !== undefined && <OwnState view={view} tls={tls} />}
        <div>
          <Way name={words.own} isOpen text={fill(words.ownText, <code>PEAL_ACME_DNS</code>, PROVIDERS)}>
            <Code view={view} label={words.setting} text={[...OWN.slice(0, 3), `${OWN[3]}${view.base}`].join("\n")} />
            <p>{words.ownThen}</p>
            <p>{words.ownTailscale}</p>
            <Code view={view} label="Tailscale" text="PEAL_TLS=tailscale" />
          </Way>
          <Way name="Caddy" text={fill(words.caddy, <code>Caddyfile</code>)}>
            <Code view={view} label="Caddyfile" text={`${NAME} {\n    reverse_proxy ${host}\n}`} />
          </Way>
          <Way name="Tailscale" text={words.tailscale}>
            <Code view={view} label="Tailscale" text={`tailscale serve --bg ${port === "" ? "80" : port}`} />
          </Way>
          <Way name="Cloudflare Tunnel" text={fill(words.cloudflare, address)}>
            <Code view={view} label="cloudflared" text={`cloudflared tunnel run --url http://${host} peal`} />
            <p class="hint">{words.cloudflareHint}</p>
          </Way>
        </div>
        <div class="tight">
          <p>{words.thenTell}</p>
          <Code view={view} label={words.setting} text={`PEAL_BASE_URL=https://${NAME}${view.base}`} />
        </div>
      </div>
    </section>
  );
};

const PROVIDERS = <code>cloudflare, desec, duckdns, hetzner, acme-dns, exec:/…</code>;

/** Whether a browser accepts peal's own https, if it trusts the issuer. */
export function isWorking({ url }: Pick<View, "url">, { certificate, serves }: TlsStatus): boolean {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:") return serves(hostname.replace(/^\[|\]$/g, ""));
  return certificate?.names.some((name) => serves(name)) === true; // whatever name is chosen for the address
}

/** Whether peal's own https works, with the reason if it does not, as /health has it. */
export const OwnState = ({ view, tls }: { view: View; tls: TlsStatus }): Safe => {
  const words = view.texts.setup;
  const names = (tls.certificate?.names ?? []).join(", ");
  const { protocol, hostname } = new URL(view.url);
  if (isWorking(view, tls))
    return (
      <div class="note success" role="status">
        <Icon view={view} name="success" />
        <p>{fill(words.ownWorks, <code>{protocol === "https:" ? view.url : names}</code>)}</p>
      </div>
    );
  return (
    <div class="note error" role="status">
      <Icon view={view} name="error" />
      <div>
        <p>
          <strong>{words.ownFails}</strong>
        </p>
        {tls.problem === undefined ? (
          <p>{fill(words.ownOther, <code>{names}</code>, <code>{hostname}</code>)}</p>
        ) : (
          <p lang="en">{tls.problem}</p>
        )}
        <p>
          <a href={`${view.base}/-/setup/phone`}>{words.checkAgain}</a>
        </p>
      </div>
    </div>
  );
};

const Way = ({
  name,
  isOpen,
  text,
  children,
}: {
  name: string;
  isOpen?: true;
  text: Child;
  children?: Child;
}): Safe => (
  <details class="acc" name="way" open={isOpen}>
    <summary>{name}</summary>
    <div class="tight">
      <p>{text}</p>
      {children}
    </div>
  </details>
);
