/** What happened to a check, over HTTP (CHECKINS.md §3): its events, their bodies, its incidents. */
import { Type } from "@sinclair/typebox";
import { problem } from "../http/problem.ts";
import { whole } from "../http/query.ts";
import { json } from "../http/respond.ts";
import { endpointsOf } from "../keys/endpoint.ts";
import { LOG_LINES } from "../store/checks.ts";
import { type CheckDeps, ownCheck } from "./access.ts";
import type { PingBody } from "./check.ts";
import { eventJson, incidentJson } from "./json.ts";
import { EventList, IncidentList } from "./schema.ts";

const endpoint = endpointsOf<CheckDeps>("checks");
const of = { scope: "read", find: ownCheck } as const;
const query = {
  limit: whole(1, LOG_LINES, 50),
  before: whole(0, Number.MAX_SAFE_INTEGER, "Numbers less than this one."),
};

const events = endpoint("GET /v1/:ns/checks/:id/events", {
  ...of,
  summary: "What happened to a check, newest first, of the latest 100",
  query,
  answers: { 200: { description: "A page of it.", schema: EventList } },
  handle: async ({ deps, found: check, query }) => {
    const { page, ...next } = await paged(query, async (asked) => deps.store.checks.events(check, asked));
    return json({ events: page.map(eventJson), ...next });
  },
});

const output = endpoint("GET /v1/:ns/checks/:id/events/:n/body", {
  ...of,
  // the output of a script may contain the URL that it pings
  scope: "full",
  summary: "A job's output, byte by byte",
  description: "If it is longer than 10 kB, the first 2 and the last 8, with a line between them.",
  answers: { 200: { description: "The bytes.", type: "*/*", schema: Type.String() } },
  handle: async ({ deps, found: check, params }) => {
    const n = /^[1-9]\d{0,14}$/.test(params.n) ? Number(params.n) : 0;
    const body = await deps.store.checks.body(check, n);
    if (body === undefined) throw problem.notFound("This event has no body, or the body is no longer kept.");
    return raw(body, `${check.id}-${n}`);
  },
});

const incidents = endpoint("GET /v1/:ns/checks/:id/incidents", {
  ...of,
  summary: "When a check was down, newest first",
  query,
  answers: { 200: { description: "A page of it.", schema: IncidentList } },
  handle: async ({ deps, found: check, query }) => {
    const { page, ...next } = await paged(query, async (asked) => deps.store.checks.incidents(check, asked));
    return json({ incidents: page.map(incidentJson), ...next });
  },
});

export const checkLog = [events, output, incidents];

/** One more than was asked for tells whether there are more. */
async function paged<T extends { n: number }, Q extends { limit: number }>(
  asked: Q,
  find: (asked: Q) => Promise<T[]>,
): Promise<{ page: T[]; has_more: boolean; next_before?: number }> {
  const { limit } = asked;
  const found = await find({ ...asked, limit: limit + 1 });
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
