/** A certificate authority that issues nothing for now (RFC 8555 §6.6). */
import type { Clock } from "../../src/util/clock.ts";
import { authority } from "./push/ca.ts";

/** As Let's Encrypt says it. */
const DETAIL =
  "too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-11-23 04:10:00 UTC: " +
  "see https://letsencrypt.org/docs/rate-limits/#new-certificates-per-exact-set-of-identifiers";

/** `clock`: says what time it is there. `onOrder`: it was asked for a certificate. Its own certificate is signed by `authority`. */
export function limitedAuthority(clock: Pick<Clock, "now">, onOrder = () => {}): Disposable & { url: string } {
  const { cert, key } = authority.issue();
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", tls: { cert, key } },
    fetch: (request) => {
      const { pathname, origin } = new URL(request.url);
      const date = new Date(clock.now()).toUTCString();
      const headers = { "replay-nonce": crypto.randomUUID(), location: `${origin}/account/1`, date };
      const at = { newNonce: `${origin}/nonce`, newAccount: `${origin}/account`, newOrder: `${origin}/order` };
      if (pathname === "/dir") return Response.json(at, { headers });
      if (pathname !== "/order")
        return Response.json({ status: "valid" }, { status: pathname === "/account" ? 201 : 200, headers });
      onOrder();
      const problem = { type: "urn:ietf:params:acme:error:rateLimited", detail: DETAIL };
      return new Response(JSON.stringify(problem), {
        status: 429,
        headers: { ...headers, "content-type": "application/problem+json", "retry-after": "7200" },
      });
    },
  });
  return { url: `https://127.0.0.1:${server.port}/dir`, [Symbol.dispose]: () => void server.stop(true) };
}
