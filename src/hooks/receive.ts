/** Takes requests to hooks over HTTP (API.md §9): without a key, and it refuses no body for its content. */
import type { Deps } from "../deps.ts";
import { isPreview } from "../checks/ping/link-preview.ts";
import { secretIn } from "../keys/auth.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { contextOf } from "../http/context.ts";
import { SHOUTRRR } from "../http/path.ts";
import { Problem, problem } from "../http/problem.ts";
import { queryOf } from "../http/query.ts";
import { json } from "../http/respond.ts";
import type { HookToken } from "../store/hooks.ts";
import { sha256 } from "../util/ids.ts";
import { VERSION } from "../util/version.ts";
import { dialects } from "./dialects/all.ts";
import { HEADERS } from "./dialects/dialect.ts";
import { DIALECTS, type DialectName } from "./hook.ts";
import { documented } from "./documented.ts";
import { createTaker, type Asked, type TakeDeps } from "./take.ts";
import { isGotifyToken, isHookToken } from "./token.ts";

export type ReceiveDeps = TakeDeps & Pick<Deps, "keyUse">;

/** A part of a path; null if its escapes are broken. */
type Segment = string | null;
const scope = "hook token";

export function receiveRoutes(deps: ReceiveDeps) {
  const { find, take } = receiver(deps);
  const byUrl = async (request: Request, token: Segment, dialect?: Segment) => {
    const known = dialect === undefined ? undefined : DIALECTS.find((name) => name === dialect);
    if (dialect !== undefined && known === undefined) throw problem.notFound(`Use one of ${DIALECTS.join(", ")}.`);
    return take(request, await find(request, token ?? "", known));
  };
  type Named = Record<"token" | "dialect", Segment>;
  const bare = async (_: ReceiveDeps, request: Request, { token }: Pick<Named, "token">) => byUrl(request, token);
  const named = async (_: ReceiveDeps, request: Request, { token, dialect }: Named) => byUrl(request, token, dialect);
  const webhook = async (_: ReceiveDeps, request: Request, { token }: Pick<Named, "token">) =>
    byUrl(request, token, "discord");
  const message = async (_: ReceiveDeps, request: Request) =>
    take(request, await find(request, gotifyToken(request), "gotify", gotifyRefusal));
  const endpoint = endpointsOf<ReceiveDeps>("hooks");
  return routesOf(deps, [
    endpoint("GET /v1/hook/:token", { ...documented.got, scope, bare }),
    endpoint(["POST /v1/hook/:token", "PUT /v1/hook/:token"], { ...documented.bare, scope, bare }),
    endpoint("GET /v1/hook/:token/:dialect", { ...documented.got, scope, bare: named }),
    endpoint(["POST /v1/hook/:token/:dialect", "PUT /v1/hook/:token/:dialect"], {
      ...documented.named,
      scope,
      bare: named,
    }),
    endpoint("GET /api/webhooks/:id/:token", { ...documented.webhookShown, scope, bare: webhook }),
    endpoint("POST /api/webhooks/:id/:token", { ...documented.webhook, scope, bare: webhook }),
    endpoint(["POST /message", "POST /v1/gotify/message"], { ...documented.gotify, scope, bare: message }),
    endpointsOf<ReceiveDeps>()([`POST ${SHOUTRRR[0]}`, `POST ${SHOUTRRR[1]}`], { scope, bare: message }),
    endpoint(["GET /version", "GET /v1/gotify/version"], {
      ...documented.version,
      scope: "none",
      bare: () => json({ version: VERSION, commit: "unknown", buildDate: "unknown" }),
    }),
    // Apprise's clients send the token in a header, unless they are set to use version 1 of its API
    endpoint("POST /v1/apprise/notify", {
      ...documented.apprise,
      scope,
      bare: async (_, request) => byUrl(request, request.headers.get("x-apprise-config-id"), "apprise"),
    }),
    endpoint("POST /v1/apprise/notify/:token", {
      ...documented.apprise,
      scope,
      bare: async (_, request, { token }) => byUrl(request, token, "apprise"),
    }),
  ]);
}

function receiver(deps: ReceiveDeps) {
  const publish = createTaker(deps);
  return {
    /** The hook of a token; from now on, refusals are in its dialect. @throws Problem 401 (Gotify's), 404 `unknown_hook`, 429 */
    find: async (
      request: Request,
      text: string,
      named?: DialectName,
      unknown: () => Problem = problem.unknownHook,
    ): Promise<Asked> => {
      speakAs(request, named);
      const token = tokenOf(text, named);
      const hook = token && (await deps.store.hooks.byToken(token));
      if (token === undefined || hook === undefined) {
        countMiss(deps, request, named);
        throw unknown();
      }
      const dialect = named ?? hook.settings.as;
      speakAs(request, dialect);
      return { hook, token, dialect };
    },
    /** A GET publishes only if the hook says so; otherwise it shows what tools look for, or is refused. */
    take: async (request: Request, asked: Asked): Promise<Response> => {
      const { hook, dialect } = asked;
      if (request.method !== "GET" && request.method !== "HEAD") return publish(request, asked);
      const shown = dialect && dialects[dialect].shown?.(hook);
      const isLook = shown !== undefined && !request.url.includes("?");
      if (hook.settings.get === true && !isLook) {
        const isMeant = !contextOf(request).head && !isPreview(request);
        return isMeant ? publish(request, asked) : new Response(null, { status: 204, headers: HEADERS });
      }
      if (shown === undefined) throw problem.hookByPost(["POST", "PUT", "OPTIONS"]);
      return shown;
    },
  };
}

function speakAs(request: Request, dialect: DialectName | undefined): void {
  if (dialect !== undefined) contextOf(request).form = dialects[dialect].refused;
}

/** Gotify's clients may also use the token of the URL, if they do not check its form. */
function tokenOf(text: string, dialect: DialectName | undefined): HookToken | undefined {
  if (isHookToken(text)) return { url: sha256(text) };
  return dialect === "gotify" && isGotifyToken(text) ? { gotify: sha256(text) } : undefined;
}

/** The token in one of the three places where Gotify looks. @throws Problem 401 if it is in none */
function gotifyToken(request: Request): string {
  speakAs(request, "gotify");
  const { headers } = request;
  const token =
    queryOf(request).get("token") || headers.get("x-gotify-key") || secretIn(headers.get("authorization") ?? "");
  if (token === "") throw new Problem("missing_key", GOTIFY_KEY);
  return token;
}

const GOTIFY_KEY = "Send the `gotify_token` of a hook: `?token=…`, `X-Gotify-Key: …` or `Authorization: Bearer …`.";
const gotifyRefusal = () => new Problem("invalid_key", GOTIFY_KEY);

/** Slows down guessing; known tokens never are. @throws Problem 429 */
function countMiss({ limits, metrics }: ReceiveDeps, request: Request, dialect: DialectName | undefined): void {
  metrics.hookMisses.of(dialect ?? "none").inc();
  limits.take("ping", contextOf(request).address);
}
