/** Takes a request to a hook to the store, and answers it in the words of the dialect (API.md §9). */
import type { Deps } from "../deps.ts";
import { contextOf } from "../http/context.ts";
import { queryOf } from "../http/query.ts";
import type { Body } from "../messages/body/body.ts";
import type { Hooked } from "../messages/reading/hooked.ts";
import { accept, toldIn, type Taken } from "../messages/publish.ts";
import type { HookToken, Use } from "../store/hooks.ts";
import { rfc3339 } from "../util/clock.ts";
import { beginningOf, cameBy } from "./captures.ts";
import { dialects } from "./dialects/all.ts";
import { HEADERS } from "./dialects/dialect.ts";
import type { DialectName, Hook } from "./hook.ts";
import { mapInQuery, mapped } from "./map.ts";

export type TakeDeps = Pick<Deps, "config" | "clock" | "store" | "files" | "uploads" | "limits" | "log" | "metrics">;

/** The most bodies, in bytes, that wait to be written; beyond that a message is stored without its request. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** A hook, the token by which it was found, and the dialect of the request. */
export interface Asked {
  hook: Hook;
  token: HookToken;
  dialect: DialectName | undefined;
}

/** Publishes a request. @throws Problem */
export type Take = (request: Request, asked: Asked) => Promise<Response>;

/** All requests of one server go through the same taker. */
export function createTaker(deps: TakeDeps): Take {
  let held = 0;
  return async (request, { hook, token, dialect }) => {
    const context = contextOf(request);
    deps.limits.take("hook", hook.id);
    context.chargeTo("hook-bytes", hook.id);
    const query = queryOf(request);
    const named = dialect === undefined || dialect === hook.settings.as ? {} : { dialect };
    let holding = 0;
    const use = (sent: Body): Use => {
      const came = { ...cameBy(request, { from: context.address, query: withoutTokens(query), body: sent }), ...named };
      const used = { row: hook.row, token, came };
      if (hook.settings.isForgetful === true) return used;
      const { bytes, isCut } = beginningOf(sent, request.headers.get("content-type") ?? "");
      const isKept = held < MAX_HELD_BYTES;
      if (isCut || (!isKept && bytes.length > 0)) came.isCut = true;
      if (!isKept || bytes.length === 0) return used;
      held += holding = bytes.length;
      return { ...used, body: bytes };
    };
    try {
      const accepting = {
        ...{ namespaceId: hook.namespaceId, to: { id: hook.topic.id }, now: deps.clock.now(), isStrict: false },
        hooked: { id: hook.id, use, ...hookedBy(hook, dialect, query) },
      };
      return await accept(deps, request, accepting, (taken) => {
        deps.metrics.hookRequests.of(dialect ?? "none").inc();
        return dialect === undefined ? created(taken) : dialects[dialect].taken(taken, { hook, request, query });
      });
    } finally {
      held -= holding;
    }
  };
}

/** Parameters of the query that are for the dialect and are not fields. */
const NO_FIELDS = new Set(["token", "wait", "thread_id", "with_components"]);

/** What a hook knows about a request. Pure. */
export function hookedBy(
  { settings }: Pick<Hook, "settings">,
  dialect: DialectName | undefined,
  query: URLSearchParams,
): Hooked {
  const { map, defaults = {} } = settings;
  const inQuery = mapInQuery(query);
  const fields = [...query].filter(([name]) => !NO_FIELDS.has(name) && !name.startsWith(":"));
  return {
    query: new URLSearchParams(fields),
    hear: dialect === undefined ? () => undefined : dialects[dialect].hear,
    mapped: (body: unknown) => ({ ...(map && mapped(map, body)), ...(inQuery && mapped(inQuery, body)) }),
    defaults,
  };
}

const withoutTokens = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => name !== "token"));

/** Without the topic's key and link: somebody who may publish by a hook may not read. */
function created({ published, ignored }: Taken): Response {
  const { topic } = published;
  const [head, json] =
    published.kind === "stored"
      ? [{ id: published.message.id, created_at: rfc3339(published.message.createdAt) }, published.message.json]
      : [
          { scheduled: { id: published.scheduled.id, deliver_at: rfc3339(published.scheduled.deliverAt) } },
          JSON.stringify(published.scheduled.draft),
        ];
  const begin = JSON.stringify({ ...head, topic_name: topic.name }).slice(0, -1);
  const replayed = published.replayed ? { "idempotent-replay": "true" } : {};
  const lenient = ignored.length > 0 ? { "preference-applied": "handling=lenient" } : {};
  return new Response(`${begin},${json.slice(1, -1)}${toldIn(ignored)}}`, {
    status: 201,
    headers: { "content-type": "application/json", ...HEADERS, ...replayed, ...lenient },
  });
}
