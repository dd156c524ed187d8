/** A route as its room declares it: who may call, in which order it refuses, and what it answers (API.md §6). */
import type { Deps } from "../deps.ts";
import { contextOf } from "../http/context.ts";
import { type Address, type Body, described, type Documented, type ParamsOf, type Tag } from "../http/endpoint.ts";
import { namedParts } from "../http/path.ts";
import { problem } from "../http/problem.ts";
import { type Query, type QueryOf, readQuery } from "../http/query.ts";
import { isOfTopics, type Direct, type Route } from "../http/route.ts";
import { authorize, authorizeOwn, requireStill, type Principal } from "./auth.ts";
import { NEEDS, type Need } from "./key.ts";

/**
 * Who may call: a key of this scope (of the namespace in the path, or of the key's if the path names none); the operator over
 * `peal.sock`; `none`: everybody; else anybody who knows what the path names, which `find` or the room's grammar looks up.
 */
export type Who =
  | Need
  | "operator"
  | "none"
  | "topic key"
  | "device id"
  | "badge token"
  | "ping token"
  | "hook token"
  | "metrics token";

type AuthDeps = Pick<Deps, "store" | "clock" | "keyUse" | "limits" | "log">;

/** The request of somebody who may ask. */
export interface Asked<D, P, W extends Who = Who, A = undefined> {
  deps: D;
  request: Request;
  params: P;
  principal: W extends Need ? Principal : undefined;
  /** What a page is answered with; other routes have none. */
  answering: A;
}

interface Steps<D, P, W extends Who, A, F, Q extends Query, B> {
  scope: W;
  /** Rate limits that count the client's address. */
  limit?: readonly ("read" | "register")[];
  /** What the path names, looked up before the query and the body are read. @throws Problem 404 */
  find?: (asked: Asked<D, P, W, A>) => F | Promise<F>;
  query?: Q;
  /** When the body has come, the key is looked at again: its sender may have held it back for long. */
  body?: Body<B>;
  handle: (asked: Asked<D, P, W, A> & { found: F; query: QueryOf<Q>; body: B }) => Response | Promise<Response>;
}

/** The room enforces what it declares: publishes, pings and hooks pay for no step that they do not need (measured). */
interface Bare<D, P> {
  scope: Who;
  query?: Query;
  body?: Pick<Body<unknown>, "required" | "content">;
  /** A value of `params` is null if its escapes are broken. */
  bare: (deps: D, request: Request, params: { [Name in keyof P]: P[Name] | null }) => Response | Promise<Response>;
}

/** A value is null if its escapes are broken. */
type Params = Record<string, string | null>;

/** A route before it is mounted. */
export interface Endpoint<D, A = undefined> {
  addresses: readonly Address[];
  detail: object;
  /** Its room enforces what it declares. */
  isBare: boolean;
  answer: (deps: D, request: Request, params: Params, answering: A) => Response | Promise<Response>;
}

type Declare<D, A, More> = <
  const At extends Address,
  const W extends Who,
  const Q extends Query,
  F = undefined,
  B = undefined,
>(
  address: At | readonly At[],
  declared: More & (Steps<D, ParamsOf<At>, W, A, F, Q, B> | Bare<D, ParamsOf<At>>),
) => Endpoint<D, A>;

/** Declares routes of a room that is given `D`. Routes without a tag are in no document. */
export function endpointsOf<D extends AuthDeps, A = undefined>(tag: Tag): Declare<D, A, Documented>;
export function endpointsOf<D extends AuthDeps, A = undefined>(): Declare<D, A, object>;
export function endpointsOf<D extends AuthDeps, A>(tag?: Tag): Declare<D, A, Documented> {
  return (address, declared) => {
    const byKey = isNeed(declared.scope);
    return {
      addresses: typeof address === "string" ? [address] : address,
      detail: tag === undefined ? { "x-scope": declared.scope } : described(tag, declared, byKey),
      isBare: "bare" in declared,
      answer:
        "bare" in declared
          ? (declared.bare as unknown as Endpoint<D, A>["answer"])
          : stepping(declared as unknown as AnySteps<D, A>),
    };
  };
}

interface Routed {
  request: Request;
  /** Absent if the address has none. */
  params?: Params;
}

/** The routes of endpoints, which get these dependencies. */
export const routesOf = <D>(deps: D, endpoints: readonly Endpoint<D>[]): Route[] =>
  endpoints.flatMap((endpoint) => {
    const { answer, isBare } = endpoint;
    const direct: Direct = (request, params): ReturnType<Direct> => answer(deps, request, params, undefined);
    const handler = ({ request, params = {} }: Routed): ReturnType<Direct> => direct(request, params);
    return routed([endpoint], () => handler).map((route) =>
      isOfTopics(route.path) || (isBare && (route.method === "POST" || route.method === "PUT"))
        ? { ...route, direct }
        : route,
    );
  });

/** A route for each address of the endpoints; `handlerOf` makes the handler. */
export const routed = <D, A>(
  endpoints: readonly Endpoint<D, A>[],
  handlerOf: (endpoint: Endpoint<D, A>) => Route["handler"],
): Route[] =>
  endpoints.flatMap((endpoint) =>
    endpoint.addresses.map((address) => {
      const [method = "", path = ""] = address.split(" ");
      return { method, path, handler: handlerOf(endpoint), detail: endpoint.detail };
    }),
  );

type AnySteps<D, A> = Steps<D, Record<string, string>, Who, A, unknown, Query, unknown>;

const isNeed = (who: Who): who is Need => NEEDS.some((need) => need === who);

/** Keeps the order of refusals, after the method: the key, the rate, the path, the query, the body, the key again. */
function stepping<D extends AuthDeps, A>(declared: AnySteps<D, A>): Endpoint<D, A>["answer"] {
  const { scope, limit = [], find, query, body: sent, handle } = declared;
  return async (deps, request, given, answering) => {
    const principal = await admitted(deps, request, scope, given);
    for (const rate of limit) deps.limits.take(rate, contextOf(request).address);
    const asked = { deps, request, params: namedParts(given), principal, answering };
    const found = find && (await find(asked));
    const wanted = query === undefined ? {} : readQuery(request, query);
    const body = sent && (await sent.read(request));
    if (sent !== undefined && principal !== undefined) requireStill(deps, request, principal);
    return handle({ ...asked, found, query: wanted, body });
  };
}

/** @throws Problem 401, 403, 404 */
async function admitted(deps: AuthDeps, request: Request, who: Who, params: Params): Promise<Principal | undefined> {
  if (who === "operator" && !contextOf(request).local) throw problem.notFound();
  if (!isNeed(who)) return undefined;
  return "ns" in params ? authorize(deps, request, params["ns"] ?? null, who) : authorizeOwn(deps, request, who);
}
