/** Records for DNS-01 at each provider (`providers.ts` plays them). */
import { expect, test } from "bun:test";
import { Told } from "../../src/tls/acme/problem.ts";
import { acmeDns } from "../../src/tls/dns/acme-dns.ts";
import { cloudflare } from "../../src/tls/dns/cloudflare.ts";
import { desec } from "../../src/tls/dns/desec.ts";
import { duckdns } from "../../src/tls/dns/duckdns.ts";
import { hetzner } from "../../src/tls/dns/hetzner.ts";
import { within, zonesOf, type DnsProvider } from "../../src/tls/dns/provider.ts";
import { playAcmeDns, playCloudflare, playDesec, playDuckdns, playHetzner, TOKEN, type Played } from "./providers.ts";

const NAME = "_acme-challenge.peal.example.net";
const { signal } = new AbortController();

async function failureOf(provider: DnsProvider, name = NAME): Promise<Told> {
  const outcome = await provider.add({ name, value: "proof" }, signal).catch((error: unknown) => error);
  if (outcome instanceof Told) return outcome;
  throw new Error("it was not refused in words");
}

// each with other values of the same name, which stay
const REAL: [name: string, start: () => Played, of: (token: string, origin: string) => DnsProvider][] = [
  ["Cloudflare", () => playCloudflare(["example.net"]), cloudflare],
  ["deSEC", () => playDesec("example.net"), desec],
  ["Hetzner", () => playHetzner("example.net"), hetzner],
];
test.each(REAL)("%s: the record is set and taken away, and other values of the name stay", async (_, start, of) => {
  const played = start();
  const { records, origin } = played;
  for (const others of [[], [`${NAME} another`]]) {
    records.clear();
    for (const other of others) records.add(other);
    const remove = await of(TOKEN, origin).add({ name: NAME, value: "proof" }, signal);
    expect([...records].toSorted()).toEqual([...others, `${NAME} proof`]);
    await remove(signal);
    expect([...records]).toEqual(others);
  }
  await played.stop();
});

test.each(REAL)("%s: a record that a try before left there is taken for its own", async (_, start, of) => {
  const played = start();
  const { records, origin } = played;
  records.add(`${NAME} proof`);
  const remove = await of(TOKEN, origin).add({ name: NAME, value: "proof" }, signal);
  expect([...records]).toEqual([`${NAME} proof`]);
  await remove(signal);
  expect([...records]).toEqual([]);
  await played.stop();
});

test.each(REAL)("%s: a wrong token and a zone that it does not have are told in words", async (name, start, of) => {
  const played = start();
  const { message } = await failureOf(of("wrong", played.origin));
  expect(message).toContain(`${name} refuses PEAL_ACME_DNS_TOKEN`);
  expect(message).toMatch(/It says: (?:Invalid|unable)/);
  const lost = await failureOf(of(TOKEN, played.origin), "_acme-challenge.other.example");
  expect(lost.message).toMatch(/shows no (?:zone|domain) for _acme-challenge\.other\.example to this token/);
  await played.stop();
});

test("Cloudflare: a key in the place of a token, which it answers otherwise, is told as a wrong token too", async () => {
  const played = playCloudflare(["example.net"]);
  const { message } = await failureOf(cloudflare("global key here", played.origin));
  expect(message).toContain("refuses PEAL_ACME_DNS_TOKEN (400)");
  expect(message).toContain("Invalid format for Authorization header");
  await played.stop();
});

test("deSEC: a rate limit says how long to wait", async () => {
  const played = playDesec("example.net", true);
  const { message, afterMs } = await failureOf(desec(TOKEN, played.origin));
  expect(message).toContain("deSEC takes no more requests for now: Request was throttled.");
  expect(afterMs).toBe(3_600_000);
  await played.stop();
});

test("DuckDNS: its one record is set and cleared, and KO is a refusal", async () => {
  const played = playDuckdns("mine");
  const { records, origin } = played;
  const name = "_acme-challenge.peal.mine.duckdns.org";
  const remove = await duckdns(TOKEN, origin).add({ name, value: "proof" }, signal);
  expect([...records]).toEqual(["mine.duckdns.org proof"]);
  await remove(signal);
  expect([...records]).toEqual([]);
  expect((await failureOf(duckdns("wrong", origin), name)).message).toContain("DuckDNS did not set the record");
  expect((await failureOf(duckdns(TOKEN, origin))).message).toContain("is no name of DuckDNS");
  await played.stop();
});

test("acme-dns: the name of the account is updated", async () => {
  const played = playAcmeDns("d420c923");
  const { records, origin } = played;
  const account = { username: "user", password: TOKEN, subdomain: "d420c923", server_url: origin };
  const value = "x".repeat(43);
  await acmeDns(JSON.stringify(account)).add({ name: NAME, value }, signal);
  expect([...records]).toEqual([`d420c923 ${value}`]);
  expect((await failureOf(acmeDns(JSON.stringify(account)))).message).toContain("(400): bad_txt");
  expect((await failureOf(acmeDns(JSON.stringify({ ...account, password: "x" })))).message).toContain("forbidden");
  expect(() => acmeDns("no json")).toThrow("/register");
  await played.stop();
});

test("a provider that is away, or a proxy before it, is told without its address, which may have the token", async () => {
  const played = playDuckdns("mine", true);
  for (const [origin, words] of [
    ["http://127.0.0.1:1", "DuckDNS could not be reached"],
    [played.origin, "DuckDNS did not set the record (502)."],
  ] as const) {
    const { message } = await failureOf(duckdns(TOKEN, origin), "_acme-challenge.mine.duckdns.org");
    expect(message).toContain(words);
    expect(message).not.toContain(TOKEN);
  }
  await played.stop();
});

test("zones are tried from the longest, and names are told within them", () => {
  expect(zonesOf("_acme-challenge.a.b.example")).toEqual(["a.b.example", "b.example"]);
  expect(zonesOf("acme.b.example")).toEqual(["acme.b.example", "b.example"]);
  expect(within("_acme-challenge.a.b.example", "b.example")).toBe("_acme-challenge.a");
  expect(within("b.example", "b.example")).toBe("@");
});
