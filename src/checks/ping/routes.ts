/** Pings over HTTP (docs/design/CHECKINS.md §2). No key, no schema, and a body that nobody parses. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { contextOf } from "../../http/context.ts";
import { operation, type Operation } from "../../http/operation.ts";
import { queryOf } from "../../http/query.ts";
import { text } from "../../util/schema.ts";
import { tokensOf } from "../../tokens/secret.ts";
import { KEPT_BYTES } from "./body.ts";
import { createByPing } from "./create.ts";
import { parsePing, parsePush, type Segment } from "./grammar.ts";
import { createReceiver, type PingDeps, type Receive, type Received } from "./receive.ts";

interface Asking<Path> {
  request: Request;
  params: Path;
}

/** Each path takes the methods that a job's tool may use; OPTIONS is the edge's, HEAD runs as GET. */
export function pingRoutes(deps: PingDeps) {
  const receive = createReceiver(deps);
  const ping = pinger(deps, receive);
  const push = pusher(deps, receive);
  const bare = async ({ request, params }: Asking<{ token: Segment }>) => ping(request, params.token);
  const suffixed = async ({ request, params }: Asking<{ token: Segment; suffix: Segment }>) =>
    ping(request, params.token, params.suffix);
  const slugged = async ({ request, params }: Asking<{ token: Segment; suffix: Segment; outcome: Segment }>) =>
    ping(request, params.token, params.suffix, params.outcome);
  const pushed = async ({ request, params }: Asking<{ token: Segment }>) => push(request, params.token);
  return new Elysia()
    .get("/v1/ping/:token", bare, documented.bare)
    .post("/v1/ping/:token", bare, documented.bare)
    .put("/v1/ping/:token", bare, documented.bare)
    .get("/v1/ping/:token/:suffix", suffixed, documented.suffixed)
    .post("/v1/ping/:token/:suffix", suffixed, documented.suffixed)
    .put("/v1/ping/:token/:suffix", suffixed, documented.suffixed)
    .get("/v1/ping/:token/:suffix/:outcome", slugged, documented.slugged)
    .post("/v1/ping/:token/:suffix/:outcome", slugged, documented.slugged)
    .put("/v1/ping/:token/:suffix/:outcome", slugged, documented.slugged)
    .get("/api/push/:token", pushed, documented.pushed)
    .post("/api/push/:token", pushed, documented.pushed)
    .put("/api/push/:token", pushed, documented.pushed);
}

function pinger(deps: PingDeps, receive: Receive) {
  const tokens = tokensOf(deps);
  return async (request: Request, ...path: Segment[]): Promise<Response> => {
    const query = queryOf(request);
    const asked = parsePing(path, query);
    if (asked === undefined) return answer(request, "unknown");
    const take = receive(request, asked);
    let received = await take();
    if (received === "unknown" && "slug" in asked.which && query.get("create") === "1") {
      const created = await createByPing(deps, tokens, asked.which, query);
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

/** Who guesses is slowed down, who is known never. @throws Problem 429 */
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
const CREATION = [
  { name: "create", schema: text(), description: "`1`: creates the check if the slug is new." },
  { name: "every", schema: text(), description: "Of a check it creates, for example `1d`; default 1 day." },
  { name: "cron", schema: text(), description: "Instead of `every`: five fields, with `+` or `%20` between them." },
  { name: "tz", schema: text(), description: "Of `cron`, for example `Europe/Berlin`. Default: the server's." },
  { name: "grace", schema: text(), description: "Of a check it creates, for example `1h`." },
  { name: "topic", schema: text(), description: "Where its alerts go. Default `checks`." },
  { name: "name", schema: text(), description: "Of a check it creates. Default: the slug." },
];

const described = (operationOf: Omit<Operation, "tag" | "body">) =>
  ({
    parse: "none",
    detail: operation({
      ...operationOf,
      tag: "pings",
      body: {
        required: false,
        content: { "*/*": { schema: Type.Any({ description: "The job's output." }) } },
      },
    }),
  }) as const;

const plainly = (description: string) => ({ description, type: "text/plain", schema: Type.String() });
const OK = plainly("`ok`: it is on disk. `Ping-Coalesced: 1`: together with others.");
/** A path that could be read in two ways gets the edge's JSON. */
const NOT_FOUND = { description: "`not found`, as text.", type: "*/*", schema: Type.Any() };

const documented = {
  bare: described({
    summary: "A job has succeeded",
    description: "By the token of a check. No body, type or user agent is refused.",
    parameters: [RUN],
    answers: { 200: OK, 404: NOT_FOUND },
    problems: [429],
  }),
  suffixed: described({
    summary: "A job has started, failed, logs something, or sends its exit code",
    description:
      "`start`, `fail`, `log` or `0` to `255` behind a token; a slug behind a ping key: then it is a success.",
    parameters: [RUN, EXTENSION, ...CREATION],
    answers: { 200: OK, 201: plainly("`created`"), 404: NOT_FOUND },
    problems: [400, 409, 429],
  }),
  slugged: described({
    summary: "The same by ping key and slug",
    parameters: [RUN, EXTENSION, ...CREATION],
    answers: { 200: OK, 201: plainly("`created`"), 404: NOT_FOUND },
    problems: [400, 409, 429],
  }),
  pushed: described({
    summary: "A push in the form of Uptime Kuma's monitors",
    description: "Any `status` other than `up` is a failure.",
    parameters: [
      { name: "status", schema: text() },
      { name: "msg", schema: text(), description: "The job's output." },
      { name: "ping", schema: text(), description: "Ignored." },
    ],
    answers: {
      200: { description: "It is on disk.", schema: Type.Object({ ok: Type.Literal(true) }) },
      404: { description: '`{"ok":false,"msg":"not found"}`', type: "*/*", schema: Type.Any() },
    },
    problems: [429],
  }),
};
