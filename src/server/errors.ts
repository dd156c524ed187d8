/** The one place where an error becomes an answer: RFC 9457 JSON, or a page for browsers (ARCHITECTURE.md §6). */
import type { Deps } from "../deps.ts";
import { elsewhere } from "../accounts/visitor.ts";
import { contextOf } from "../http/context.ts";
import { Problem, problem } from "../http/problem.ts";
import { prefersHtml } from "../http/respond.ts";
import { viewOf } from "../pages/view.ts";
import { errorPage } from "../pages/error.tsx";
import { seeOther } from "../pages/respond.ts";
import { StoreUnavailable } from "../store/store.ts";

/** Anything that is no Problem is logged whole under the request id, and shown never. */
export function refusal(deps: Pick<Deps, "log" | "config" | "clock">, request: Request, error: unknown): Response {
  const location = elsewhere(deps, request, error);
  if (location !== undefined) return seeOther(location);
  const { id } = contextOf(request);
  const known = asProblem(error);
  if (known.code === "internal") deps.log.error("request failed", { request: id, error });
  // every publish of a full disk comes here: one line each, no stacks
  if (error instanceof StoreUnavailable)
    deps.log.warn("the store took no write", {
      request: id,
      reason: (error.cause instanceof Error ? error.cause : error).message,
    });
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

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return error instanceof StoreUnavailable ? problem.unavailable() : problem.internal();
}
