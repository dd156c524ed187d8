/** Healthchecks' API (https://healthchecks.io/docs/api/): its clients need another address and another key (CHECKINS.md §10). */
import { Type } from "@sinclair/typebox";
import type { Address, Documented } from "../../http/endpoint.ts";
import { namedParts } from "../../http/path.ts";
import { problem } from "../../http/problem.ts";
import { queryOf } from "../../http/query.ts";
import { json, NO_STORE } from "../../http/respond.ts";
import { baseUrl } from "../../http/urls.ts";
import { endpointsOf, routesOf, type Endpoint } from "../../keys/endpoint.ts";
import { allows, type Need } from "../../keys/key.ts";
import { LOG_LINES } from "../../store/checks.ts";
import { tokensOf } from "../../tokens/secret.ts";
import { everyTopic } from "../../topics/every.ts";
import { SECOND } from "../../util/clock.ts";
import { text } from "../../util/schema.ts";
import { uuidOf } from "../../util/uuid.ts";
import { actOn, removeCheck } from "../act.ts";
import { everyCheck } from "../every.ts";
import { raw } from "../log.ts";
import { YEAR } from "../settings.ts";
import { admitted, type Asked, type HealthchecksDeps, namedCheck, readCheck, saysVersion } from "./access.ts";
import { answer, answerList } from "./answer.ts";
import { badgeUrls, tagBadge } from "./badges.ts";
import { channelDict } from "./channels.ts";
import { type Changed, changeNamed, makeOrChange } from "./change.ts";
import { flipDict, flipsOf, pingDicts } from "./json.ts";
import { Spec } from "./spec.ts";

type Params = Record<string, string | null>;

/** As Healthchecks refuses; a path that could be read in two ways gets the edge's JSON. */
const REFUSED = { description: '`{"error": …}`', type: "*/*", schema: Type.Any() };
const REFUSALS = { 400: REFUSED, 401: REFUSED, 403: REFUSED, 404: REFUSED };
const OF_BODIES = { 413: REFUSED, 415: REFUSED };
const SPEC = { required: false, content: { "application/json": { schema: Spec } } };
const CHECK = { description: "The check, as Healthchecks shows it.", schema: Type.Object({}) };
const LIST = { description: "All of them.", schema: Type.Object({}) };

const endpoint = endpointsOf<HealthchecksDeps>("checks");
/** Of the same with another end, which no document needs. */
const twin = endpointsOf<HealthchecksDeps>();

interface Declared extends Documented {
  need: Need;
  body?: typeof SPEC;
}

/** A route with and without a slash at its end, because clients know both. One of them is in the document. */
function route(
  address: Address,
  { need, answers, ...rest }: Declared,
  handle: (asked: Asked, params: Record<string, string>) => Promise<Response>,
): Endpoint<HealthchecksDeps>[] {
  const declared = {
    ...rest,
    answers: { ...answers, ...REFUSALS, ...(address.startsWith("POST") && OF_BODIES) },
    scope: need,
    bare: async (deps: HealthchecksDeps, request: Request, params: Params) =>
      handle(await admitted(deps, request, { version: params["version"] ?? null, need }), namedParts(params)),
  };
  const other = (address.endsWith("/") ? address.slice(0, -1) : `${address}/`) as Address;
  return [endpoint(address, declared), twin(other, declared)];
}

const list = route(
  "GET /api/:version/checks/",
  {
    need: "read",
    summary: "Healthchecks: all checks of the key's namespace",
    description: "A key with scope `read` gets `unique_key` instead of `uuid` and the URLs.",
    grammar: [
      { name: "tag", schema: text(), description: "Those that have it; several times: that have all." },
      { name: "slug", schema: text(), description: "The one that has it." },
    ],
    answers: { 200: LIST },
  },
  async (asked) => {
    const query = queryOf(asked.request);
    return answerList(asked, { tags: query.getAll("tag"), slug: query.get("slug") ?? "" });
  },
);

const make = route(
  "POST /api/:version/checks/",
  {
    need: "full",
    summary: "Healthchecks: create a check, or update the one that `unique` finds",
    body: SPEC,
    answers: { 200: CHECK, 201: CHECK, 409: REFUSED },
  },
  // two that ask for the same at once must not both find nothing
  async (asked) => changed(asked, await asked.deps.inOrder(async () => makeOrChange(asked))),
);

const one = route(
  "GET /api/:version/checks/:id",
  {
    need: "read",
    summary: "Healthchecks: one check, by UUID, `unique_key`, or its id in peal",
    answers: { 200: CHECK },
  },
  async (asked, { id = "" }) => answer(asked, await readCheck(asked, id)),
);

const change = route(
  "POST /api/:version/checks/:id",
  {
    need: "full",
    summary: "Healthchecks: update a check; what is left out stays as it is",
    body: SPEC,
    answers: { 200: CHECK, 409: REFUSED },
  },
  async (asked, { id = "" }) => changed(asked, await changeNamed(asked, await namedCheck(asked, id))),
);

const remove = route(
  "DELETE /api/:version/checks/:id",
  { need: "full", summary: "Healthchecks: delete a check, and answer with it", answers: { 200: CHECK } },
  async (asked, { id = "" }) => {
    const check = await namedCheck(asked, id);
    const last = await answer(asked, check);
    await removeCheck(asked.deps, check);
    return last;
  },
);

const pause = route(
  "POST /api/:version/checks/:id/pause",
  { need: "full", summary: "Healthchecks: pause a check", answers: { 200: CHECK } },
  async (asked, { id = "" }) => answer(asked, await actOn(asked.deps, await namedCheck(asked, id), { kind: "pause" })),
);

const resume = route(
  "POST /api/:version/checks/:id/resume",
  { need: "full", summary: "Healthchecks: resume a paused check", answers: { 200: CHECK, 409: REFUSED } },
  async (asked, { id = "" }) => {
    const check = await namedCheck(asked, id);
    if (check.standing.state !== "paused") return json({ error: "check is not paused" }, 409, NO_STORE);
    return answer(asked, await actOn(asked.deps, check, { kind: "resume" }));
  },
);

const pings = route(
  "GET /api/:version/checks/:id/pings/",
  {
    need: "read",
    summary: `Healthchecks: the pings among the latest ${LOG_LINES} lines of a check's log, newest first`,
    answers: { 200: LIST },
  },
  async (asked, { id = "" }) => {
    const { deps, request, version, principal } = asked;
    const check = await readCheck(asked, id);
    const base = baseUrl(deps, request);
    const url = allows(principal, "full") ? `${base}/api/v${version}/checks/${uuidOf(check.id)}` : undefined;
    const events = await deps.store.checks.events(check, { limit: LOG_LINES });
    return json({ pings: pingDicts(events, { url, scheme: new URL(base).protocol.slice(0, -1) }) }, 200, NO_STORE);
  },
);

const pingBody = route(
  "GET /api/:version/checks/:id/pings/:n/body",
  {
    // the output of a script may contain the URL that it pings
    need: "full",
    summary: "Healthchecks: what a job sent with a ping",
    answers: { 200: { description: "The bytes that were kept.", type: "*/*", schema: Type.String() } },
  },
  async (asked, { id = "", n = "" }) => {
    const check = await namedCheck(asked, id);
    const body = /^[1-9]\d{0,14}$/.test(n) ? await asked.deps.store.checks.body(check, Number(n)) : undefined;
    if (body === undefined) throw problem.notFound("this ping has no body, or it is no longer kept");
    return raw(body, `${check.id}-${n}`);
  },
);

const MOST_INCIDENTS = 1_000;

const flips = route(
  "GET /api/:version/checks/:id/flips/",
  {
    need: "read",
    summary: "Healthchecks: when a check went down and came up, newest first",
    grammar: [
      { name: "seconds", schema: text(), description: "Those of the last so many seconds." },
      { name: "start", schema: text(), description: "Those since then, Unix time." },
      { name: "end", schema: text(), description: "Those before then, Unix time." },
    ],
    answers: { 200: LIST },
  },
  async (asked, { id = "" }) => {
    const { deps, request } = asked;
    const check = await readCheck(asked, id);
    const { seconds = 0, start = 0, end = Infinity } = spanOf(queryOf(request));
    // no seconds are all of them
    const since = Math.max(start * SECOND, seconds === 0 ? 0 : deps.clock.now() - seconds * SECOND);
    const [incidents, events] = await Promise.all([
      deps.store.checks.incidents(check, { limit: MOST_INCIDENTS }),
      deps.store.checks.events(check, { limit: LOG_LINES }),
    ]);
    const found = flipsOf(incidents, events).filter(({ at }) => at >= since && at < end * SECOND);
    return json({ flips: found.map(flipDict) }, 200, NO_STORE);
  },
);

/** Healthchecks takes no later time: it is the year 2286. */
const LATEST = 10_000_000_000;

/** @throws Problem 400 */
function spanOf(query: URLSearchParams): { seconds?: number; start?: number; end?: number } {
  const span: { seconds?: number; start?: number; end?: number } = {};
  for (const [name, most] of [
    ["seconds", YEAR],
    ["start", LATEST],
    ["end", LATEST],
  ] as const) {
    const given = query.get(name);
    if (given === null || given === "") continue;
    if (!/^\d{1,12}$/.test(given) || Number(given) > most)
      throw problem.badRequest(`${name} must be a whole number of seconds, at most ${most}`);
    span[name] = Number(given);
  }
  return span;
}

const channels = route(
  "GET /api/:version/channels/",
  { need: "read", summary: "Healthchecks: the topics that alerts may go to", answers: { 200: LIST } },
  async ({ deps, principal }) => {
    const all = [];
    for await (const topic of everyTopic(deps, principal.namespaceId)) all.push(channelDict(topic));
    return json({ channels: all }, 200, NO_STORE);
  },
);

const badges = route(
  "GET /api/:version/badges/",
  { need: "read", summary: "Healthchecks: the URLs of badges, by tag", answers: { 200: LIST } },
  async ({ deps, request, principal }) => {
    const { namespace, namespaceId } = principal;
    const tags = new Set<string>();
    let hasChecks = false;
    for await (const { standing } of everyCheck(deps, namespaceId)) {
      hasChecks = true;
      for (const tag of standing.settings.tags) tags.add(tag);
    }
    const place = { base: baseUrl(deps, request), namespace, namespaceId };
    // without a check there may be no secret yet, and nobody who only reads makes one
    return json({ badges: hasChecks ? badgeUrls(await deps.tokens(), place, tags) : {} }, 200, NO_STORE);
  },
);

const ofStatus = {
  scope: "none",
  summary: "Healthchecks: whether the server works",
  answers: { 200: { description: "`OK`", type: "text/plain", schema: Type.String() }, 404: REFUSED, 503: REFUSED },
  bare: ({ store }: HealthchecksDeps, request: Request, { version }: Record<"version", string | null>) => {
    saysVersion(request, version);
    const trouble = store.trouble();
    if (trouble !== undefined) throw problem.unavailable(trouble);
    return new Response("OK", { headers: { "content-type": "text/plain", ...NO_STORE } });
  },
} as const;
const status = [endpoint("GET /api/:version/status/", ofStatus), twin("GET /api/:version/status", ofStatus)];

const changed = async (asked: Asked, { check, isNew, ignored }: Changed): Promise<Response> =>
  answer(asked, check, { status: isNew ? 201 : 200, ignored });

export const healthchecksRoutes = (given: Omit<HealthchecksDeps, "tokens" | "inOrder">) =>
  routesOf({ ...given, tokens: tokensOf(given), inOrder: oneByOne() }, [
    ...[list, make, one, change, remove, pause, resume, pings, pingBody, flips, channels, badges, status].flat(),
    tagBadge,
  ]);

/** Runs jobs one after the other. */
function oneByOne(): HealthchecksDeps["inOrder"] {
  let last: Promise<unknown> = Promise.resolve();
  return async (job) => {
    const mine = last.then(job);
    last = mine.catch(() => undefined);
    return mine;
  };
}
