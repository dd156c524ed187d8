/** Pings over HTTP (CHECKINS.md §2). No key, no schema, and a body that nobody parses. */
import { Type } from "@sinclair/typebox";
import { contextOf } from "../../http/context.ts";
import { queryOf } from "../../http/query.ts";
import { endpointsOf, routesOf } from "../../keys/endpoint.ts";
import { text } from "../../util/schema.ts";
import { tokensOf } from "../../tokens/secret.ts";
import { KEPT_BYTES } from "./body.ts";
import { ALERTED, createByPing, CREATION } from "./create.ts";
import { parsePing, parsePush, type Segment } from "./grammar.ts";
import { createReceiver, type PingDeps, type Receive, type Received } from "./receive.ts";

function pinger(deps: PingDeps, receive: Receive) {
  const tokens = tokensOf(deps);
  return async (request: Request, ...path: Segment[]): Promise<Response> => {
    const query = queryOf(request);
    const asked = parsePing(path, query);
    if (asked === undefined) return answer(request, "unknown");
    const take = receive(request, asked);
    let received = await take();
    if (received === "unknown" && "slug" in asked.which && query.get("create") === "1") {
      const created = await createByPing(deps, tokens, asked.which, request);
      if (created !== undefined) received = await take();
      if (created === "made" && received !== "unknown") return plain(201, "created");
    }
    return answer(request, received);
  };

  function answer(request: Request, received: Received): Response {
    if (received !== "unknown") return plain(200, "ok", received.isCoalesced ? COALESCED : {});
    countMiss(deps, request);
    return plain(404, "not found");
  }
}

function pusher(deps: PingDeps, receive: Receive) {
  return async (request: Request, token: Segment): Promise<Response> => {
    const asked = parsePush(token, queryOf(request));
    const received = asked === undefined ? "unknown" : await receive(request, asked)();
    if (received !== "unknown") return jsonOf(200, { ok: true }, received.isCoalesced ? COALESCED : {});
    countMiss(deps, request);
    return jsonOf(404, { ok: false, msg: "not found" });
  };
}

/** Slows down guessing; known tokens never are. @throws Problem 429 */
const countMiss = ({ limits }: PingDeps, request: Request) => {
  limits.take("ping", contextOf(request).address);
};

const HEADERS = {
  "cache-control": "no-store",
  "ping-body-limit": String(KEPT_BYTES),
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
};
const COALESCED = { "ping-coalesced": "1" };

const plain = (status: number, body: string, more: Record<string, string> = {}) =>
  new Response(body, { status, headers: { "content-type": "text/plain", ...HEADERS, ...more } });
const jsonOf = (status: number, body: object, more: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...HEADERS, ...more } });

const RUN = {
  name: "rid",
  schema: text(),
  description: "The run that it belongs to: 1 to 64 of A-Z a-z 0-9 . _ -; another value is ignored.",
};
const EXTENSION = { name: "extend", schema: text(), description: "With `log`: the open run may take so much longer." };
const CREATE = { name: "create", schema: text(), description: "`1`: creates the check if the slug is new." };

const plainly = (description: string) => ({ description, type: "text/plain", schema: Type.String() });
const OK = plainly("`ok`: it is on disk. `Ping-Coalesced: 1`: together with others.");
/** A path that could be read in two ways gets the edge's JSON. */
const NOT_FOUND = { description: "`not found`, as text.", type: "*/*", schema: Type.Any() };
const OUTPUT = { required: false, content: { "*/*": { schema: Type.Any({ description: "The job's output." }) } } };

const of = { scope: "ping token", body: OUTPUT } as const;
const bySlug = {
  ...of,
  query: { ...CREATION, ...ALERTED },
  grammar: [RUN, EXTENSION, CREATE],
  answers: { 200: OK, 201: plainly("`created`"), 404: NOT_FOUND },
  problems: [409, 429],
} as const;

/** Each path takes the methods that a job's tool may use; OPTIONS is the edge's, HEAD runs as GET. */
const byAny = <const Path extends string>(path: Path) => [`GET ${path}`, `POST ${path}`, `PUT ${path}`] as const;

export function pingRoutes(deps: PingDeps) {
  const receive = createReceiver(deps);
  const [ping, push] = [pinger(deps, receive), pusher(deps, receive)];
  const endpoint = endpointsOf<PingDeps>("pings");
  return routesOf(deps, [
    endpoint(byAny("/v1/ping/:token"), {
      ...of,
      summary: "A job has succeeded",
      description: "By the token of a check. No body, type or user agent is refused.",
      grammar: [RUN],
      answers: { 200: OK, 404: NOT_FOUND },
      problems: [429],
      bare: async (_, request, { token }) => ping(request, token),
    }),
    endpoint(byAny("/v1/ping/:token/:suffix"), {
      ...bySlug,
      summary: "A job has started, failed, logs something, or sends its exit code",
      description:
        "`start`, `fail`, `log` or `0` to `255` behind a token; a slug behind a ping key: then it is a success.",
      bare: async (_, request, { token, suffix }) => ping(request, token, suffix),
    }),
    endpoint(byAny("/v1/ping/:token/:suffix/:outcome"), {
      ...bySlug,
      summary: "The same by ping key and slug",
      bare: async (_, request, { token, suffix, outcome }) => ping(request, token, suffix, outcome),
    }),
    endpoint(byAny("/api/push/:token"), {
      ...of,
      summary: "A push in the form of Uptime Kuma's monitors",
      description: "Any `status` other than `up` is a failure.",
      grammar: [
        { name: "status", schema: text() },
        { name: "msg", schema: text(), description: "The job's output." },
        { name: "ping", schema: text(), description: "Ignored." },
      ],
      answers: {
        200: { description: "It is on disk.", schema: Type.Object({ ok: Type.Literal(true) }) },
        404: { description: '`{"ok":false,"msg":"not found"}`', type: "*/*", schema: Type.Any() },
      },
      problems: [429],
      bare: async (_, request, { token }) => push(request, token),
    }),
  ]);
}
