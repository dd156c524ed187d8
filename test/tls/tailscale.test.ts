/** `PEAL_TLS=tailscale`: the certificate of tailscaled, here a fake that speaks its LocalAPI on a socket (`ipn/localapi`). */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR, SECOND } from "../../src/util/clock.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { inProcess } from "../support/server.ts";
import { fresh } from "./load.ts";

const NAME = "nas.tail1234.ts.net";
const folder = mkdtempSync(join(tmpdir(), "peal-ts-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
let made = 0;

function tailscaled(socket: string, refusal?: () => Response) {
  const state = { pair: authority.issue([NAME]), refusal };
  const server = Bun.serve({
    unix: socket,
    fetch: (request) => {
      const { pathname, search, host } = new URL(request.url);
      // `validHost`, and no page of a browser
      if (host !== "local-tailscaled.sock" || request.headers.has("origin") || request.headers.has("referer"))
        return new Response("invalid localapi request\n", { status: 403 });
      if (pathname === "/localapi/v0/status")
        return Response.json({
          ...{ CertDomains: [NAME], Self: { DNSName: `${NAME}.` } },
          ...(search !== "?peers=false" && { Peer: {} }),
        });
      if (state.refusal !== undefined) return state.refusal();
      if (pathname !== `/localapi/v0/cert/${NAME}` || search !== "?type=pair")
        return new Response(null, { status: 404 });
      return new Response(state.pair.key + state.pair.cert); // in this order (`serveKeyPair`)
    },
  });
  return { state, server };
}

async function start(refusal?: () => Response) {
  const tailscaleSocket = join(folder, `${++made}.sock`);
  const { state, server } = tailscaled(tailscaleSocket, refusal);
  const clock = heldClock(Date.now());
  const env = { PEAL_TLS: "tailscale", PEAL_LISTEN_TLS: "127.0.0.1:0" };
  const peal = await inProcess({ clock, tailscaleSocket, env });
  const { tls } = peal.running.deps;
  if (tls === undefined) throw new Error("no https");
  return {
    ...{ peal, tls, clock, state },
    [Symbol.asyncDispose]: async () => {
      await peal[Symbol.asyncDispose]();
      await server.stop(true);
    },
  };
}

test("the certificate is asked for by the name in the tailnet, and followed when tailscaled renews it", async () => {
  await using own = await start();
  const { peal, tls, clock, state } = own;
  await eventually("a certificate", () => tls.certificate);
  expect(tls.status().certificate?.names).toEqual([NAME]);
  const url = `https://127.0.0.1:${peal.running.tlsAddresses[0]?.port}/ready`;
  const { serial } = await fresh(url);
  state.pair = authority.issue([NAME]);
  clock.advance(7 * HOUR);
  await eventually("the renewed certificate", async () => {
    clock.advance(SECOND);
    return (await fresh(url)).serial !== serial;
  });
});

test("a user that may not have it is told what to set, and the certificate comes once it may", async () => {
  await using own = await start(() => new Response("cert access denied\n", { status: 403 }));
  const { tls, clock, state } = own;
  await eventually("the trouble", () => tls.problem()?.includes("TS_PERMIT_CERT_UID"));
  state.refusal = undefined;
  clock.advance(2 * HOUR);
  await eventually("a certificate", () => {
    clock.advance(60 * SECOND);
    return tls.certificate;
  });
});

test("a rate limit of its authority is told, and waited for", async () => {
  const limited = () => new Response("acme: rate limited\n", { status: 429, headers: { "retry-after": "10800" } });
  await using own = await start(limited);
  const { tls, clock, state } = own;
  await eventually("the trouble", () => tls.problem()?.includes("rate limited"));
  const began = clock.now();
  state.refusal = undefined;
  await eventually("a certificate", () => {
    clock.advance(600 * SECOND);
    return tls.certificate;
  });
  expect(clock.now() - began).toBeGreaterThanOrEqual(3 * HOUR);
});
