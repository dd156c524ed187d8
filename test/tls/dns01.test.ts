/** DNS-01 (RFC 8555 §8.4): where the record goes, and when an authority may look for it. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dns01 } from "../../src/tls/acme/dns01.ts";
import { acmeDns } from "../../src/tls/dns/acme-dns.ts";
import { cloudflare } from "../../src/tls/dns/cloudflare.ts";
import { exec } from "../../src/tls/dns/exec.ts";
import { aliasOf } from "../../src/tls/dns/zone.ts";
import { MINUTE, SECOND } from "../../src/util/clock.ts";
import { heldClock } from "../support/clock.ts";
import { startDns, type DnsServer } from "../support/dns.ts";
import { eventually } from "../support/eventually.ts";
import { TOKEN, playCloudflare } from "./providers.ts";

const NAME = "peal.example.net";
const OWN = `_acme-challenge.${NAME}`;
const ALIAS = "peal.acme.example.org";
const PROOF = { name: NAME, token: "token", keyAuthorization: "token.thumbprint" };
const VALUE = createHash("sha256").update(PROOF.keyAuthorization).digest("base64url");

/** A resolver, and the two servers of the zone acme.example.org. */
async function internet() {
  const resolver = await startDns();
  const { port } = resolver;
  const servers = [await startDns("127.0.0.2", port), await startDns("127.0.0.3", port)] as const;
  resolver.records.push(
    { name: OWN, type: "CNAME", data: ALIAS },
    ...servers.flatMap(({ address }, n) => [
      { name: "acme.example.org", type: "NS" as const, data: `ns${n}.example.org` },
      { name: `ns${n}.example.org`, type: "A" as const, data: address.split(":")[0] ?? "" },
    ]),
  );
  return {
    ...{ resolver, servers, nameservers: { resolvers: [resolver.address], port } },
    [Symbol.asyncDispose]: async () => {
      for (const server of [resolver, ...servers]) await server[Symbol.asyncDispose]();
    },
  };
}
const show = ({ records }: DnsServer) => void records.push({ name: ALIAS, type: "TXT", data: VALUE });

/** Begins to prove the name with a zone at Cloudflare. */
function begin({ nameservers }: Pick<Awaited<ReturnType<typeof internet>>, "nameservers">) {
  const provider = playCloudflare(["acme.example.org", "example.net"]);
  const clock = heldClock();
  const end = new AbortController();
  const prover = dns01({
    ...{ provider: cloudflare(TOKEN, provider.origin), clock, signal: end.signal, nameservers },
  });
  let outcome: "shown" | "failed" | undefined;
  const proving = prover.prove(PROOF).then(
    (proof) => {
      outcome = "shown";
      return proof;
    },
    () => {
      outcome = "failed";
      return undefined;
    },
  );
  return {
    provider,
    clock,
    end,
    prover,
    proving,
    outcome: () => outcome,
    [Symbol.dispose]: () => void provider.stop(),
  };
}

test("a CNAME leads to the zone of the record, and the authority is asked once all servers of that zone show it", async () => {
  await using net = await internet();
  using begun = begin(net);
  const { provider, clock } = begun;
  const [first, second] = net.servers;
  await eventually("the record", () => provider.records.has(`${ALIAS} ${VALUE}`));
  show(first);
  await eventually("several looks", () => {
    clock.advance(SECOND);
    return second.asked.filter((question) => question === `TXT ${ALIAS}`).length >= 3;
  });
  expect(begun.outcome()).toBeUndefined();
  show(second);
  const proof = await eventually("the end of it", async () => {
    clock.advance(SECOND);
    return begun.outcome() && (await begun.proving);
  });
  expect(begun.prover.advice(NAME)).toContain(`${OWN}, which has to be a CNAME to ${ALIAS}`);
  await proof.withdraw();
  expect([...provider.records]).toEqual([]);
});

test("where a server never shows the record, the authority is asked after two minutes all the same", async () => {
  await using net = await internet();
  using begun = begin(net);
  show(net.servers[0]);
  await eventually("the end of it", () => {
    begun.clock.advance(SECOND);
    return begun.outcome();
  });
  expect(begun.outcome()).toBe("shown");
  expect(begun.clock.monotonic()).toBeGreaterThanOrEqual(2 * MINUTE);
});

test("where nobody says which servers the zone has, it waits half a minute", async () => {
  await using net = await internet();
  net.resolver.records.splice(1);
  using begun = begin(net);
  await eventually("the end of it", () => {
    begun.clock.advance(SECOND);
    return begun.outcome();
  });
  expect(begun.outcome()).toBe("shown");
  expect(begun.clock.monotonic()).toBeGreaterThanOrEqual(30 * SECOND);
  expect(begun.clock.monotonic()).toBeLessThan(2 * MINUTE);
});

test("a server that stops meanwhile takes the record away", async () => {
  await using net = await internet();
  using begun = begin(net);
  const { provider } = begun;
  await eventually("the record", () => provider.records.size === 1 && net.servers[1].asked.length > 0);
  begun.end.abort();
  await begun.proving;
  expect(begun.outcome()).toBe("failed");
  expect([...provider.records]).toEqual([]);
});

test("a chain of CNAMEs is followed to its end, and a circle is not followed for ever", async () => {
  await using resolver = await startDns();
  const { records, address } = resolver;
  records.push({ name: "a.example", type: "CNAME", data: "b.example" });
  records.push({ name: "b.example", type: "CNAME", data: "c.example" });
  const nameservers = { resolvers: [address] };
  expect(await aliasOf("a.example", nameservers)).toBe("c.example");
  expect(await aliasOf("c.example", nameservers)).toBeUndefined();
  records.push({ name: "c.example", type: "CNAME", data: "a.example" });
  expect(await aliasOf("a.example", nameservers)).toBeDefined();
});

test("with acme-dns, the advice names the CNAME that is needed", () => {
  const account = { username: "u", password: "p", subdomain: "s", fulldomain: "s.auth.example" };
  const { signal } = new AbortController();
  const prover = dns01({ provider: acmeDns(JSON.stringify(account)), clock: heldClock(), signal });
  expect(prover.advice(NAME)).toContain("which has to be a CNAME to s.auth.example");
});

test("a program may leave something running, sees no secret of peal, and what it says is told without its token", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peal-dns-"));
  const [program, pid, env] = [join(folder, "dns"), join(folder, "pid"), join(folder, "env")];
  const script = `#!/bin/sh\n[ "$1" = remove ] && { echo "no $PEAL_ACME_DNS_TOKEN here" >&2; exit 3; }
env >${env}\nsleep 600 & echo $! >${pid}\n`;
  await writeFile(program, script, { mode: 0o755 });
  process.env["PEAL_ADMIN_KEY"] = "a-key-of-peal";
  const { signal } = new AbortController();
  const remove = await exec(program, TOKEN).add({ name: OWN, value: VALUE }, signal);
  delete process.env["PEAL_ADMIN_KEY"];
  process.kill(Number(await readFile(pid, "utf8")));
  const seen = await readFile(env, "utf8");
  expect(seen).toContain(`PEAL_ACME_DNS_TOKEN=${TOKEN}`);
  expect(seen).not.toContain("a-key-of-peal");
  const failed = remove(signal);
  expect(failed).rejects.toThrow(`${program} ended with 3 when it was to remove the record: no … here`);
  await failed.catch(() => undefined);
  await rm(folder, { recursive: true });
});
