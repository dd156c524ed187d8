/** Records for DNS-01 at each provider, each played by a server that speaks its documented API. */
import { expect, test } from "bun:test";
import { acmeDns } from "../../src/tls/dns/acme-dns.ts";
import { cloudflare } from "../../src/tls/dns/cloudflare.ts";
import { desec } from "../../src/tls/dns/desec.ts";
import { duckdns } from "../../src/tls/dns/duckdns.ts";
import { hetzner } from "../../src/tls/dns/hetzner.ts";
import { within, zonesOf, type DnsProvider } from "../../src/tls/dns/provider.ts";

const NAME = "_acme-challenge.peal.example.net";
const TOKEN = "a-secret-token";
const { signal } = new AbortController();

/** `records`: what the zone has, as `name value`. */
type Played = (request: {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}) => Response;
const play = (played: Played) =>
  Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: async (request) => {
      const url = new URL(request.url);
      const text = await request.text();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      return played({
        method: request.method,
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
      });
    },
  });
const isSigned = (headers: Headers, scheme: string) => headers.get("authorization") === `${scheme} ${TOKEN}`;

async function setsAndRemoves(provider: DnsProvider, records: Set<string>, name = NAME) {
  records.add(`${name} another`);
  const remove = await provider.add({ name, value: "proof" }, signal);
  expect([...records].sort()).toEqual([`${name} another`, `${name} proof`]);
  await remove();
  expect([...records]).toEqual([`${name} another`]);
}

test("Cloudflare: the zone is found, the record made in it and deleted by its id", async () => {
  const records = new Set<string>();
  using server = play(({ method, path, query, headers, body }) => {
    if (!isSigned(headers, "Bearer"))
      return Response.json({ success: false, errors: [{ code: 10000 }] }, { status: 403 });
    if (path === "/client/v4/zones")
      return Response.json({
        success: true,
        result: query.get("name") === "example.net" ? [{ id: "z1", name: "example.net" }] : [],
      });
    const { name, content, type } = (body ?? {}) as Record<string, string>;
    if (method === "POST" && path === "/client/v4/zones/z1/dns_records" && type === "TXT") {
      records.add(`${name} ${content?.replaceAll('"', "")}`);
      return Response.json({ success: true, result: { id: "r1" } });
    }
    if (method !== "DELETE" || path !== "/client/v4/zones/z1/dns_records/r1")
      return new Response(null, { status: 404 });
    records.delete(`${NAME} proof`);
    return Response.json({ success: true, result: { id: "r1" } });
  });
  await setsAndRemoves(cloudflare(TOKEN, server.url.origin), records);
  const refused = cloudflare("wrong", server.url.origin).add({ name: NAME, value: "proof" }, signal);
  expect(refused).rejects.toThrow("Cloudflare refuses PEAL_ACME_DNS_TOKEN");
  await refused.catch(() => undefined);
});

test("deSEC: other values of the set stay", async () => {
  const records = new Set<string>();
  using server = play(({ method, path, query, headers, body }) => {
    if (!isSigned(headers, "Token")) return Response.json({ detail: "Invalid token." }, { status: 401 });
    if (path === "/api/v1/domains/")
      return Response.json(query.get("owns_qname") === NAME ? [{ name: "example.net" }] : []);
    if (method === "GET" && path === "/api/v1/domains/example.net/rrsets/_acme-challenge.peal/TXT/")
      return Response.json({ ttl: 3600, records: [...records].map((record) => `"${record.split(" ")[1]}"`) });
    if (method !== "PUT" || path !== "/api/v1/domains/example.net/rrsets/") return new Response(null, { status: 404 });
    const [set] = body as { subname: string; type: string; ttl: number; records: string[] }[];
    if (set?.subname !== "_acme-challenge.peal" || set.ttl < 3600)
      return Response.json({ detail: "bad" }, { status: 400 });
    records.clear();
    for (const value of set.records) records.add(`${NAME} ${value.replaceAll('"', "")}`);
    return Response.json(body);
  });
  await setsAndRemoves(desec(TOKEN, server.url.origin), records);
});

test("Hetzner: the value is added to the set of the Cloud API, and removed from it", async () => {
  const records = new Set<string>();
  using server = play(({ method, path, query, headers, body }) => {
    if (!isSigned(headers, "Bearer")) return Response.json({ error: { code: "unauthorized" } }, { status: 401 });
    if (path === "/v1/zones")
      return Response.json({ zones: query.get("name") === "example.net" ? [{ id: 42, name: "example.net" }] : [] });
    const [, action] =
      /^\/v1\/zones\/42\/rrsets\/_acme-challenge\.peal\/TXT\/actions\/(add|remove)_records$/.exec(path) ?? [];
    if (method !== "POST" || action === undefined)
      return Response.json({ error: { message: "not found" } }, { status: 404 });
    for (const { value } of (body as { records: { value: string }[] }).records)
      records[action === "add" ? "add" : "delete"](`${NAME} ${value.replaceAll('"', "")}`);
    return Response.json({ action: { id: 1, status: "running" } }, { status: 201 });
  });
  await setsAndRemoves(hetzner(TOKEN, server.url.origin), records);
  const lost = hetzner(TOKEN, server.url.origin).add({ name: "_acme-challenge.other.example", value: "proof" }, signal);
  expect(lost).rejects.toThrow("shows no zone for _acme-challenge.other.example");
  await lost.catch(() => undefined);
});

test("DuckDNS: its one record is set and cleared, and KO is a refusal", async () => {
  const seen: string[] = [];
  using server = play(({ path, query }) => {
    seen.push(`${path}?${query.toString()}`);
    return new Response(query.get("token") === TOKEN && query.get("domains") === "mine" ? "OK" : "KO");
  });
  const provider = duckdns(TOKEN, server.url.origin);
  const remove = await provider.add({ name: "_acme-challenge.mine.duckdns.org", value: "proof" }, signal);
  await remove();
  expect(seen).toEqual([
    `/update?domains=mine&token=${TOKEN}&txt=proof`,
    `/update?domains=mine&token=${TOKEN}&txt=proof&clear=true`,
  ]);
  const refused = duckdns("wrong", server.url.origin).add(
    { name: "_acme-challenge.mine.duckdns.org", value: "proof" },
    signal,
  );
  expect(refused).rejects.toThrow("DuckDNS did not set the record");
  await refused.catch(() => undefined);
});

test("acme-dns: the name of the account is updated", async () => {
  const seen: unknown[] = [];
  using server = play(({ method, path, headers, body }) => {
    if (headers.get("x-api-user") !== "user" || headers.get("x-api-key") !== TOKEN)
      return Response.json({ error: "forbidden" }, { status: 401 });
    seen.push({ method, path, body });
    return Response.json({ txt: "proof" });
  });
  const account = {
    username: "user",
    password: TOKEN,
    subdomain: "d420c923",
    fulldomain: "d420c923.auth.example",
    server_url: server.url.origin,
  };
  await acmeDns(JSON.stringify(account)).add({ name: NAME, value: "proof" }, signal);
  expect(seen).toEqual([{ method: "POST", path: "/update", body: { subdomain: "d420c923", txt: "proof" } }]);
  expect(() => acmeDns("no json")).toThrow("/register");
});

test("a provider that is away is told without its address, which may have the token", async () => {
  const lost = duckdns(TOKEN, "http://127.0.0.1:1").add(
    { name: "_acme-challenge.mine.duckdns.org", value: "proof" },
    signal,
  );
  const error = await lost.then(
    () => "",
    (reason: unknown) => String(reason),
  );
  expect(error).toContain("DuckDNS could not be reached");
  expect(error).not.toContain(TOKEN);
});

test("zones are tried from the longest, and names are told within them", () => {
  expect(zonesOf("_acme-challenge.a.b.example")).toEqual(["a.b.example", "b.example"]);
  expect(within("_acme-challenge.a.b.example", "b.example")).toBe("_acme-challenge.a");
  expect(within("b.example", "b.example")).toBe("@");
});
