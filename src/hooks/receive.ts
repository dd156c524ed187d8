/** What is sent to hooks over HTTP (API.md §9): no key, and no body that is refused for what it is. */
import { Elysia } from "elysia";
import { isPreview } from "../checks/ping/link-preview.ts";
import { secretIn } from "../keys/auth.ts";
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

export type ReceiveDeps = TakeDeps;

/** Of a path; null where its escapes are broken. */
type Segment = string | null;
const UNREAD = { parse: "none" } as const;
interface Asking<Path> {
  request: Request;
  params: Path;
}

export function receiveRoutes(deps: ReceiveDeps) {
  const { find, take } = receiver(deps);
  const byUrl = async (request: Request, token: Segment, dialect?: Segment) => {
    const known = dialect === undefined ? undefined : DIALECTS.find((name) => name === dialect);
    if (dialect !== undefined && known === undefined) throw problem.notFound(`Use one of ${DIALECTS.join(", ")}.`);
    return find(request, token ?? "", known);
  };
  const bare = async ({ request, params }: Asking<{ token: Segment }>) =>
    take(request, await byUrl(request, params.token));
  const named = async ({ request, params }: Asking<{ token: Segment; dialect: Segment }>) =>
    take(request, await byUrl(request, params.token, params.dialect));
  const webhook = async ({ request, params }: Asking<{ token: Segment }>) =>
    take(request, await byUrl(request, params.token, "discord"));
  const message = async ({ request }: { request: Request }) =>
    take(request, await find(request, gotifyToken(request), "gotify", gotifyRefusal));
  const notify = async ({ request, params }: Asking<{ token: Segment }>) =>
    take(request, await byUrl(request, params.token, "apprise"));
  /** Apprise's clients send the token in a header, unless they are told to use version 1 of its API. */
  const notifyByHeader = async ({ request }: { request: Request }) =>
    take(request, await byUrl(request, request.headers.get("x-apprise-config-id"), "apprise"));
  const version = () => json({ version: VERSION, commit: "unknown", buildDate: "unknown" });
  return new Elysia()
    .get("/v1/hook/:token", bare, documented.got)
    .post("/v1/hook/:token", bare, documented.bare)
    .put("/v1/hook/:token", bare, documented.bare)
    .get("/v1/hook/:token/:dialect", named, documented.got)
    .post("/v1/hook/:token/:dialect", named, documented.named)
    .put("/v1/hook/:token/:dialect", named, documented.named)
    .get("/api/webhooks/:id/:token", webhook, documented.webhookShown)
    .post("/api/webhooks/:id/:token", webhook, documented.webhook)
    .post("/message", message, documented.gotify)
    .post("/v1/gotify/message", message, documented.gotify)
    .post(SHOUTRRR[0], message, UNREAD)
    .post(SHOUTRRR[1], message, UNREAD)
    .get("/version", version, documented.version)
    .get("/v1/gotify/version", version, documented.version)
    .post("/v1/apprise/notify", notifyByHeader, documented.apprise)
    .post("/v1/apprise/notify/:token", notify, documented.apprise);
}

function receiver(deps: ReceiveDeps) {
  const publish = createTaker(deps);
  return {
    /** The hook of a token, from now on refusing in its dialect. @throws Problem 401 for Gotify's, 404 `unknown_hook`, 429 */
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
    /** GET publishes only where the hook says so; else it shows what tools look for, or refuses. */
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

/** Gotify's clients may have the token of the URL too, where they do not check its form. */
function tokenOf(text: string, dialect: DialectName | undefined): HookToken | undefined {
  if (isHookToken(text)) return { url: sha256(text) };
  return dialect === "gotify" && isGotifyToken(text) ? { gotify: sha256(text) } : undefined;
}

/** In the three places where Gotify looks. @throws Problem 401: it is in none */
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

/** Who guesses is slowed down, who is known never. @throws Problem 429 */
function countMiss({ limits, metrics }: ReceiveDeps, request: Request, dialect: DialectName | undefined): void {
  metrics.hookMisses.of(dialect ?? "none").inc();
  limits.take("ping", contextOf(request).address);
}
