/** @jsxImportSource #jsx */
/** Ways to an https address, filled in with where this server is now (WEB.md §2). */
import { fill } from "../pages/elements/fill.ts";
import type { Child, Safe } from "../pages/jsx/jsx-runtime.ts";
import { Code } from "../pages/layout.tsx";
import type { View } from "../pages/view.ts";

/** A name to put one's own in the place of (RFC 2606). */
const NAME = "peal.example.net";

export const WaysToHttps = ({ view }: { view: View }): Safe => {
  const words = view.texts.setup;
  const { host, port } = new URL(view.url);
  const address = <code>{`http://${host}`}</code>;
  return (
    <section class="panel" aria-label={words.ways}>
      <div class="in">
        <div>
          <Way name="Caddy" isOpen text={fill(words.caddy, <code>Caddyfile</code>)}>
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
