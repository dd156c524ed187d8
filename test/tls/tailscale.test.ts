/** `PEAL_TLS=tailscale`: the certificate of tailscaled, here a fake that speaks its LocalAPI on a socket. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR } from "../../src/util/clock.ts";
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

function tailscaled(socket: string) {
  const state = { pair: authority.issue([NAME]), isAllowed: true };
  const server = Bun.serve({
    unix: socket,
    fetch: (request) => {
      const { pathname, search, host } = new URL(request.url);
      if (host !== "local-tailscaled.sock") return new Response("invalid localapi request", { status: 403 });
      if (!state.isAllowed) return new Response("cert access denied", { status: 403 });
      if (pathname === "/localapi/v0/status")
        return Response.json({ CertDomains: [NAME], Self: { DNSName: `${NAME}.` } });
      if (pathname !== `/localapi/v0/cert/${NAME}` || search !== "?type=pair")
        return new Response(null, { status: 404 });
      return new Response(state.pair.key + state.pair.cert);
    },
  });
  return { state, server };
}

test("the certificate is asked for by the name in the tailnet, and followed when tailscaled renews it", async () => {
  const tailscaleSocket = join(folder, "1.sock");
  const { state, server } = tailscaled(tailscaleSocket);
  const clock = heldClock(Date.now());
  await using peal = await inProcess({
    clock,
    tailscaleSocket,
    env: { PEAL_TLS: "tailscale", PEAL_LISTEN_TLS: "127.0.0.1:0" },
  });
  const { tls } = peal.running.deps;
  await eventually("a certificate", () => tls?.certificate);
  expect(tls?.status().certificate?.names).toEqual([NAME]);
  const url = `https://127.0.0.1:${peal.running.tlsAddresses[0]?.port}/ready`;
  const { serial } = await fresh(url);
  state.pair = authority.issue([NAME]);
  clock.advance(7 * HOUR);
  await eventually("the renewed certificate", async () => {
    clock.advance(1_000);
    return (await fresh(url)).serial !== serial;
  });
  await server.stop(true);
});

test("a user that may not have it is told what to set, and the certificate comes once it may", async () => {
  const tailscaleSocket = join(folder, "2.sock");
  const { state, server } = tailscaled(tailscaleSocket);
  state.isAllowed = false;
  const clock = heldClock(Date.now());
  await using peal = await inProcess({
    clock,
    tailscaleSocket,
    env: { PEAL_TLS: "tailscale", PEAL_LISTEN_TLS: "127.0.0.1:0" },
  });
  const { tls } = peal.running.deps;
  await eventually("the trouble", () => tls?.problem()?.includes("TS_PERMIT_CERT_UID"));
  state.isAllowed = true;
  clock.advance(2 * HOUR);
  await eventually("a certificate", () => {
    clock.advance(60_000);
    return tls?.certificate;
  });
  await server.stop(true);
});
