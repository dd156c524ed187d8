/** What happened to a check, over HTTP (docs/design/CHECKINS.md §3): its events, their bodies, its incidents. */
import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { integer, queryOf } from "../http/query.ts";
import { json } from "../http/respond.ts";
import { LOG_LINES } from "../store/checks.ts";
import { type CheckDeps, type CheckPath, ownCheck } from "./access.ts";
import type { Check, PingBody } from "./check.ts";
import { eventJson, incidentJson } from "./json.ts";
import { EventList, IncidentList } from "./schema.ts";

interface Asking<More = object> {
  request: Request;
  params: CheckPath & More;
}

export const checkLog = (deps: CheckDeps) =>
  new Elysia({ prefix: "/v1/:ns/checks/:id" })
    .get(
      "/events",
      async ({ request, params }: Asking) => {
        const { page, ...next } = await paged(deps, { request, params }, async (...of) =>
          deps.store.checks.events(...of),
        );
        return json({ events: page.map(eventJson), ...next });
      },
      listed("What happened to a check, newest first, of the latest 100", EventList),
    )
    .get(
      "/events/:n/body",
      async ({ request, params }: Asking<{ n: string | null }>) => {
        const { check } = await ownCheck(deps, request, params);
        const n = /^[1-9]\d{0,14}$/.test(params.n ?? "") ? Number(params.n) : 0;
        const body = await deps.store.checks.body(check, n);
        if (body === undefined) throw problem.notFound("This event has no body, or the body is no longer kept.");
        return raw(body, `${check.id}-${n}`);
      },
      {
        detail: operation({
          tag: "checks",
          summary: "A job's output, byte by byte",
          description: "If it is longer than 10 kB, the first 2 and the last 8, with a line between them.",
          key: true,
          answers: { 200: { description: "The bytes.", type: "*/*", schema: Type.String() } },
          problems: [404],
        }),
      },
    )
    .get(
      "/incidents",
      async ({ request, params }: Asking) => {
        const { page, ...next } = await paged(deps, { request, params }, async (...of) =>
          deps.store.checks.incidents(...of),
        );
        return json({ incidents: page.map(incidentJson), ...next });
      },
      listed("When a check was down, newest first", IncidentList),
    );

const PARAMETERS = [
  { name: "limit", schema: Type.Integer({ minimum: 1, maximum: LOG_LINES }), description: "Default 50." },
  { name: "before", schema: Type.Integer({ minimum: 0 }), description: "Numbers less than this one." },
];

const listed = (summary: string, schema: TSchema) => ({
  detail: operation({
    tag: "checks",
    summary,
    key: true,
    parameters: PARAMETERS,
    answers: { 200: { description: "A page of it.", schema } },
    problems: [400, 404],
  }),
});

/** One more than was asked for tells whether there are more. @throws Problem 400 `invalid_limit`, `invalid_before`, 401, 403, 404 */
async function paged<T extends { n: number }>(
  deps: CheckDeps,
  { request, params }: Asking,
  find: (check: Check, asked: { before?: number; limit: number }) => Promise<T[]>,
): Promise<{ page: T[]; has_more: boolean; next_before?: number }> {
  const { check } = await ownCheck(deps, request, params);
  const query = queryOf(request);
  const limit = integer(query, "limit", { min: 1, max: LOG_LINES, default: 50 });
  const before = integer(query, "before", { min: 0, max: Number.MAX_SAFE_INTEGER });
  const found = await find(check, { limit: limit + 1, ...(before !== undefined && { before }) });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { page, has_more: last !== undefined, ...(last !== undefined && { next_before: last.n }) };
}

/** As bytes that nobody runs or guesses a type for, whatever a job sent. */
function raw({ head, tail, totalBytes }: PingBody, name: string): Response {
  const left = totalBytes - head.length - tail.length;
  const gap = left > 0 ? `\n… ${left} bytes left out …\n` : "";
  const bytes = Buffer.concat([head, Buffer.from(gap), tail]);
  const isText = !bytes.includes(0);
  return new Response(bytes, {
    headers: {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
      "content-disposition": `${isText ? "inline" : "attachment"}; filename="${name}.${isText ? "txt" : "bin"}"`,
      "content-security-policy": "sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
