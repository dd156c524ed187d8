/** Checks over HTTP (CHECKINS.md §3), but for what is of one check: one.ts, log.ts. */
import { jsonBody } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { pageMark, phrase, whole } from "../http/query.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { MAX_TAG_CHARACTERS } from "../drafts/limits.ts";
import { tokensOf } from "../tokens/secret.ts";
import { rfc3339 } from "../util/clock.ts";
import { answerCheck, type CheckDeps, seen } from "./access.ts";
import { badge } from "./badges.ts";
import { checkJson } from "./json.ts";
import { checkLog } from "./log.ts";
import { oneCheck } from "./one.ts";
import { pingKeyRoutes } from "./pingkey.ts";
import { cronSchedule, nextSlots } from "./schedule/preview.ts";
import {
  CheckBody,
  CheckList,
  CheckRecord,
  MAX_CRON_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_ZONE_CHARACTERS,
  Preview,
} from "./schema.ts";
import { serverZone } from "../util/calendar.ts";
import { upsertCheck } from "./upsert.ts";

const MAX_LISTED = 200;

const endpoint = endpointsOf<CheckDeps>("checks");

const list = endpoint("GET /v1/:ns/checks", {
  summary: "The namespace's checks by name",
  scope: "read",
  query: {
    limit: whole(1, MAX_LISTED, 100),
    // the id of the last check of the page before, and its name, which may be any text
    after: pageMark(27 + 2 * MAX_NAME_CHARACTERS, /^([0-9a-z]{26})\.(.*)$/, ([, id = "", name = ""]) => ({ id, name })),
    tag: phrase(MAX_TAG_CHARACTERS, "Those that have it."),
  },
  answers: { 200: { description: "A page of checks.", schema: CheckList } },
  handle: async ({ deps, request, principal, query }) => {
    const { checks, hasMore } = await deps.store.checks.list(principal.namespaceId, query);
    const last = hasMore ? checks.at(-1) : undefined;
    const about = await seen(deps, request, principal);
    const next = last === undefined ? {} : { next_after: `${last.id}.${last.standing.settings.name}` };
    const page = checks.map((check) => checkJson(check, about));
    return json({ checks: page, has_more: hasMore, ...next }, 200, NO_STORE);
  },
});

const make = endpoint("POST /v1/:ns/checks", {
  summary: "Create a check, or update the one that has the slug",
  scope: "full",
  body: jsonBody(CheckBody),
  answers: {
    200: { description: "The check that had the slug.", schema: CheckRecord },
    201: { description: "The check.", schema: CheckRecord },
  },
  problems: [409],
  handle: async ({ deps, request, principal, body }) => {
    const { check, isNew } = await upsertCheck(deps, await deps.tokens(), principal.namespaceId, body);
    return answerCheck(deps, request, check, isNew ? 201 : 200);
  },
});

const preview = endpoint("GET /v1/:ns/checks/preview", {
  summary: "The next times of a cron schedule",
  scope: "read",
  query: {
    cron: { ...phrase(MAX_CRON_CHARACTERS), required: true },
    timezone: phrase(MAX_ZONE_CHARACTERS, "Default: the server's."),
  },
  answers: { 200: { description: "The next five slots.", schema: Preview } },
  handle: ({ deps, query: { cron = "", timezone = serverZone() } }) => {
    const schedule = cronSchedule(cron, timezone);
    if ("refused" in schedule)
      throw problem.invalidParameter(schedule.field, `\`${schedule.field}\`: ${schedule.refused.message}.`);
    const slots = nextSlots(schedule, deps.clock.now()).map(rfc3339);
    return json({ cron: schedule.expression, timezone: schedule.timezone, slots });
  },
});

export const checkRoutes = (given: Omit<CheckDeps, "tokens">) =>
  routesOf({ ...given, tokens: tokensOf(given) }, [
    ...[list, make, preview],
    ...oneCheck,
    ...checkLog,
    ...pingKeyRoutes,
    badge,
  ]);
