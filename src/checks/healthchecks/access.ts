/** Who asks in the form of Healthchecks' API, and for which check (CHECKINS.md §10). It refuses as Healthchecks does: `{"error": …}`. */
import type { Deps } from "../../deps.ts";
import { JSON_LIMIT, parseJson, readBytes } from "../../http/body.ts";
import { contextOf, type Formed } from "../../http/context.ts";
import { Problem, problem } from "../../http/problem.ts";
import { authorizeKey, authorizeOwn, requireStill, type Principal } from "../../keys/auth.ts";
import { allows, type Need } from "../../keys/key.ts";
import { isObject, type JsonObject } from "../../util/json.ts";
import { sha256 } from "../../util/ids.ts";
import { idsOf } from "../../util/uuid.ts";
import type { CheckDeps } from "../access.ts";
import type { Check } from "../check.ts";
import { everyCheck } from "../every.ts";
import { isToken } from "../token.ts";
import { uniqueKey, type Version } from "./json.ts";

export type HealthchecksDeps = CheckDeps &
  Pick<Deps, "answers"> & {
    /** Runs a job after those that came before it. */
    inOrder: <T>(job: () => Promise<T>) => Promise<T>;
  };

export interface Asked {
  deps: HealthchecksDeps;
  request: Request;
  version: Version;
  principal: Principal;
  /** Of a POST; without fields if it had none. */
  body: JsonObject;
}

/** @throws Problem 400, 401, 403, 404 */
export async function admitted(
  deps: HealthchecksDeps,
  request: Request,
  { version, need }: { version: string | null; need: Need },
): Promise<Asked> {
  const known = saysVersion(request, version);
  const early = await byHeader(deps, request, need);
  const body = request.method === "POST" ? await bodyOf(request) : {};
  if (early !== undefined) requireStill(deps, request, early);
  const inBody = body["api_key"];
  const principal =
    early ??
    (inBody === undefined
      ? await authorizeOwn(deps, request, need) // tells that there is no key
      : authorizeKey(deps, request, typeof inBody === "string" ? inBody : "", need));
  return { deps, request, version: known, principal, body };
}

/** The version in the path. From now on, refusals are in Healthchecks' form. @throws Problem 404 */
export function saysVersion(request: Request, text: string | null): Version {
  contextOf(request).form = refused;
  const version = VERSIONS.get(text ?? "");
  if (version === undefined) throw problem.notFound("use /api/v1/, /api/v2/ or /api/v3/");
  return version;
}

const VERSIONS = new Map<string, Version>([
  ["v1", 1],
  ["v2", 2],
  ["v3", 3],
]);

/** `X-Api-Key`, unless it is empty, or as everywhere else at this server. */
async function byHeader(deps: HealthchecksDeps, request: Request, need: Need): Promise<Principal | undefined> {
  const { headers, method } = request;
  const key = headers.get("x-api-key") ?? "";
  if (key !== "") return authorizeKey(deps, request, key, need);
  const isElsewhere = method === "POST" && headers.get("authorization") === null && !contextOf(request).local;
  return isElsewhere ? undefined : authorizeOwn(deps, request, need);
}

/** The type is not looked at: clients send a form's with an empty body. Some send `null` where they mean nothing. */
async function bodyOf(request: Request): Promise<JsonObject> {
  const bytes = await readBytes(request, JSON_LIMIT);
  if (bytes.length === 0) return {};
  let body: unknown;
  try {
    body = parseJson(bytes);
  } catch {
    throw problem.malformedJson("could not parse request body");
  }
  if (body === null) return {};
  if (!isObject(body)) throw problem.badRequest("json validation error: value is not an object");
  return body;
}

/** Healthchecks' own words, where its clients may look for them. */
const WORDS = new Map([
  ["missing_key", "missing api key"],
  ["invalid_key", "wrong api key"],
]);
/** It knows no 422, and a limit on checks is 403 there. */
const STATUSES = new Map([
  ["validation_failed", 400],
  ["unknown_topic", 400],
  ["too_many_checks", 403],
  ["too_many_topics", 403],
]);

const refused = ({ status, code, detail }: Problem): Formed => ({
  status: STATUSES.get(code) ?? status,
  type: "application/json",
  body: JSON.stringify({
    error: WORDS.get(code) ?? (code === "validation_failed" ? `json validation error: ${detail}` : detail),
  }),
});

/**
 * The check that a path names: by its UUID or its id, and for a key that may ping by its ping token, which clients take from the end
 * of `ping_url`. @throws Problem 403 if it is of another namespace, 404
 */
export async function namedCheck(asked: Asked, name: string): Promise<Check> {
  const { deps, principal } = asked;
  const check = await anywhere(deps, name, allows(principal, "full"));
  if (check === undefined) throw problem.unknownCheck();
  if (check.namespaceId !== principal.namespaceId)
    throw new Problem("wrong_namespace", "the check belongs to another namespace");
  return check;
}

/** The same, also by `unique_key`. @throws Problem 403, 404 */
export async function readCheck(asked: Asked, name: string): Promise<Check> {
  if (!UNIQUE_KEY.test(name)) return namedCheck(asked, name);
  for await (const check of everyCheck(asked.deps, asked.principal.namespaceId))
    if (uniqueKey(check.id) === name) return check;
  throw problem.unknownCheck();
}

const UNIQUE_KEY = /^[0-9a-f]{40}$/;

async function anywhere({ store }: HealthchecksDeps, name: string, mayPing: boolean): Promise<Check | undefined> {
  const ids = idsOf(name);
  if (ids !== undefined) return store.checks.within(ids.first, ids.last);
  if (!isToken(name)) return undefined;
  return (await store.checks.byId(name)) ?? (mayPing ? store.checks.find({ token: sha256(name) }) : undefined);
}
