/** Providers of DNS, each played by a server that speaks its documented API, and refuses what the real one refuses. */

export const TOKEN = "a-secret-token";

export interface Played {
  readonly origin: string;
  /** What the zones have, as `name value`. */
  readonly records: Set<string>;
  stop(): Promise<void>;
}

interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

function play(records: Set<string>, answer: (asked: Asked) => Response): Played {
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: async (request) => {
      const { pathname: path, searchParams: query } = new URL(request.url);
      const text = await request.text();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      return answer({ method: request.method, path, query, headers: request.headers, body });
    },
  });
  return { origin: server.url.origin, records, stop: async () => server.stop(true) };
}
const isSigned = (headers: Headers, scheme: string) => headers.get("authorization") === `${scheme} ${TOKEN}`;
const unquoted = (text: string) => text.replaceAll('"', "");

/** https://developers.cloudflare.com/api/resources/dns/. Its records have ids: here their own text. */
export function playCloudflare(zones: readonly string[]): Played {
  const records = new Set<string>();
  const failure = (status: number, code: number, message: string, chain: object[] = []) =>
    Response.json({ success: false, errors: [{ code, message, error_chain: chain }], result: null }, { status });
  const idOf = (record: string) => Buffer.from(record).toString("hex");
  return play(records, ({ method, path, query, headers, body }) => {
    if (headers.get("authorization")?.includes(" key ") === true)
      return failure(400, 6003, "Invalid request headers", [
        { code: 6111, message: "Invalid format for Authorization header" },
      ]);
    if (!isSigned(headers, "Bearer")) return failure(403, 9109, "Invalid access token");
    if (path === "/client/v4/zones")
      return Response.json({
        ...{ success: true, errors: [] },
        result: zones.flatMap((name) => (name === query.get("name") ? [{ id: `id-${name}`, name }] : [])),
      });
    const [, zone = "", id] = /^\/client\/v4\/zones\/id-([^/]+)\/dns_records(?:\/(\w+))?$/.exec(path) ?? [];
    if (!zones.includes(zone)) return failure(404, 7003, "Could not route");
    if (method === "GET") {
      const result = [...records].flatMap((record) => {
        const [name, value] = record.split(" ");
        return name === query.get("name") ? [{ id: idOf(record), name, content: `"${value}"`, type: "TXT" }] : [];
      });
      return Response.json({ success: true, errors: [], result });
    }
    if (method === "DELETE") {
      for (const record of records) if (idOf(record) === id) records.delete(record);
      return Response.json({ success: true, errors: [], result: { id } });
    }
    const { name = "", content = "", type, ttl } = body as Record<string, string>;
    if (type !== "TXT" || Number(ttl) < 60 || !name.endsWith(zone)) return failure(400, 9021, "Invalid TTL");
    const record = `${name} ${unquoted(content)}`;
    if (records.has(record)) return failure(400, 81058, "An identical record already exists.");
    records.add(record);
    return Response.json({ success: true, errors: [], result: { id: idOf(record) } });
  });
}

/** https://desec.readthedocs.io/en/latest/dns/rrsets.html */
export function playDesec(domain: string, isThrottled = false): Played {
  const records = new Set<string>();
  const sets = `/api/v1/domains/${domain}/rrsets/`;
  return play(records, ({ method, path, query, headers, body }) => {
    if (!isSigned(headers, "Token")) return Response.json({ detail: "Invalid token." }, { status: 401 });
    if (isThrottled)
      return Response.json(
        { detail: "Request was throttled. Expected available in 3600 seconds." },
        { status: 429, headers: { "retry-after": "3600" } },
      );
    if (path === "/api/v1/domains/")
      return Response.json(
        query.get("owns_qname")?.endsWith(domain) === true ? [{ name: domain, minimum_ttl: 900 }] : [],
      );
    const [, part = ""] = path.startsWith(sets) ? (/^(.+)\/TXT\/$/.exec(path.slice(sets.length)) ?? []) : [];
    if (method === "GET" && part !== "") {
      const own = [...records].filter((record) => record.startsWith(`${part}.${domain} `));
      return own.length === 0
        ? Response.json({ detail: "Not found." }, { status: 404 })
        : Response.json({ subname: part, ttl: 900, records: own.map((record) => `"${record.split(" ")[1]}"`) });
    }
    if (method !== "PUT" || path !== sets) return Response.json({ detail: "Not found." }, { status: 404 });
    for (const set of body as { subname: string; type: string; ttl: number; records: string[] }[]) {
      if (set.type !== "TXT" || set.ttl < 900)
        return Response.json([{ ttl: ["Ensure this value is greater than or equal to 900."] }], { status: 400 });
      const name = `${set.subname}.${domain}`;
      for (const record of records) if (record.startsWith(`${name} `)) records.delete(record);
      for (const value of set.records) records.add(`${name} ${unquoted(value)}`);
    }
    return Response.json(body);
  });
}

/** https://docs.hetzner.cloud/reference/cloud#zone-rrset-actions. Sets that are there have a TTL of an hour. */
export function playHetzner(zone: string): Played {
  const records = new Set<string>();
  const failure = (status: number, code: string, message: string) =>
    Response.json({ error: { code, message, details: null } }, { status });
  return play(records, ({ method, path, query, headers, body }) => {
    if (!isSigned(headers, "Bearer")) return failure(401, "unauthorized", "unable to authenticate");
    if (path === "/v1/zones")
      return Response.json({ zones: query.get("name") === zone ? [{ id: 42, name: zone, mode: "primary" }] : [] });
    const [, part = "", action] =
      /^\/v1\/zones\/42\/rrsets\/([^/]+)\/TXT(?:\/actions\/(add|remove)_records)?$/.exec(path) ?? [];
    const name = `${part}.${zone}`;
    const own = [...records].filter((record) => record.startsWith(`${name} `));
    if (method === "GET")
      return part === "" || own.length === 0
        ? failure(404, "not_found", "rrset not found")
        : Response.json({
            rrset: {
              ...{ name: part, type: "TXT", ttl: 3600 },
              records: own.map((r) => ({ value: `"${r.split(" ")[1]}"` })),
            },
          });
    if (method !== "POST" || action === undefined) return failure(404, "not_found", "not found");
    const { records: given, ttl } = body as { records: { value: string }[]; ttl?: number };
    if (own.length > 0 && ttl !== undefined && ttl !== 3600)
      return failure(422, "invalid_input", "has differing record TTLs");
    for (const { value } of given) {
      const record = `${name} ${unquoted(value)}`;
      if (!/^".*"$/.test(value)) return failure(422, "invalid_input", "TXT values have to be quoted");
      if (action === "add" && records.has(record)) return failure(409, "uniqueness_error", "record already exists");
      records[action === "add" ? "add" : "delete"](record);
    }
    return Response.json({ action: { id: 1, status: "running", error: null } }, { status: 201 });
  });
}

/** https://www.duckdns.org/spec.jsp. It answers OK or KO, always with 200; all names below a domain show its one record. */
export function playDuckdns(domain: string, isDown = false): Played {
  const records = new Set<string>();
  return play(records, ({ path, query }) => {
    if (isDown) return new Response(`<html>502 for ${path}?${query.toString()}</html>`, { status: 502 });
    if (path !== "/update" || query.get("token") !== TOKEN || query.get("domains") !== domain)
      return new Response("KO");
    records.clear();
    if (query.get("clear") !== "true") records.add(`${domain}.duckdns.org ${query.get("txt")}`);
    return new Response("OK");
  });
}

/** github.com/joohoi/acme-dns, `api.go`. A value has 43 characters; the two newest are kept. */
export function playAcmeDns(subdomain: string): Played {
  const records = new Set<string>();
  return play(records, ({ method, path, headers, body }) => {
    const { subdomain: named, txt = "" } = (body ?? {}) as Record<string, string>;
    if (headers.get("x-api-user") !== "user" || headers.get("x-api-key") !== TOKEN || named !== subdomain)
      return Response.json({ error: "forbidden" }, { status: 401 });
    if (method !== "POST" || path !== "/update") return new Response(null, { status: 404 });
    if (!/^[\w-]{43}$/.test(txt)) return Response.json({ error: "bad_txt" }, { status: 400 });
    records.add(`${subdomain} ${txt}`);
    return Response.json({ txt });
  });
}
