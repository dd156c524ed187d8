/** The only place where an error becomes an answer: RFC 9457 JSON, or a page for browsers (ARCHITECTURE.md §6). */
import type { Deps } from "../deps.ts";
import { elsewhere } from "../accounts/visitor.ts";
import { contextOf, type Formed } from "../http/context.ts";
import { Problem, problem } from "../http/problem.ts";
import { prefersHtml } from "../http/respond.ts";
import { viewOf } from "../pages/view.ts";
import { errorPage } from "../pages/error.tsx";
import { seeOther } from "../pages/respond.ts";
import { StoreTrouble, StoreUnavailable } from "../store/store.ts";

/** nginx's status for a client that did not wait for its answer: nobody reads this one, but it is counted. */
const CLIENT_GONE = 499;

/** Anything that is not a Problem is logged in full under the request id, and never shown. */
export function refusal(deps: Pick<Deps, "log" | "config" | "clock">, request: Request, error: unknown): Response {
  if (isGone(request, error)) return new Response(null, { status: CLIENT_GONE });
  const location = elsewhere(deps, request, error);
  if (location !== undefined) return seeOther(location);
  const { id } = contextOf(request);
  const known = asProblem(error);
  if (known.code === "internal") deps.log.error("request failed", { request: id, error });
  // every publish of a full disk comes here: one line each, no stacks
  if (error instanceof StoreUnavailable && !(error instanceof StoreTrouble))
    deps.log.warn("the store took no write", {
      request: id,
      reason: (error.cause instanceof Error ? error.cause : error).message,
    });
  const { form } = contextOf(request);
  if (form !== undefined) return formed(form(known), known);
  if (prefersHtml(request)) return errorPage(known, id, viewOf(deps, request));
  const { code, title, status, detail, errors, headers } = known;
  const body = { type: "about:blank", title, status, code, detail, ...(errors && { errors }), request_id: id };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/problem+json",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...headers,
    },
  });
}

/** For clients that expect another server's refusals. */
const formed = ({ status, type, body, headers }: Formed, known: Problem): Response =>
  new Response(body, {
    status: status ?? known.status,
    headers: {
      "content-type": type,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...known.headers,
      ...headers,
    },
  });

/** The work stopped because the connection was closed. */
const isGone = (request: Request, error: unknown): boolean =>
  error instanceof DOMException && error === request.signal.reason;

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreTrouble) return problem.unavailable(error.message);
  return error instanceof StoreUnavailable ? problem.unavailable() : problem.internal();
}
