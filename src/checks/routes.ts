/** Checks over HTTP (docs/design/CHECKINS.md §3), but for what is of one check: one.ts, log.ts. */
import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { authorize, requireStill } from "../keys/auth.ts";
import { readJson } from "../http/body.ts";
import { jsonBody, operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { integer, queryOf, text as textOf } from "../http/query.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { MAX_TAG_CHARACTERS } from "../drafts/limits.ts";
import type { CheckPlace } from "../store/checks.ts";
import { serverZone } from "../util/calendar.ts";
import { type Millis, rfc3339 } from "../util/clock.ts";
import { text } from "../util/schema.ts";
import { answerCheck, type CheckDeps, shown } from "./access.ts";
import { badgeRoute } from "./badges.ts";
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
import { tokensOf } from "../tokens/secret.ts";
import { upsertCheck } from "./upsert.ts";

const MAX_LISTED = 200;

export function checkRoutes(given: Omit<CheckDeps, "tokens">) {
  const deps: CheckDeps = { ...given, tokens: tokensOf(given) };
  return new Elysia()
    .use(collection(deps))
    .use(oneCheck(deps))
    .use(checkLog(deps))
    .use(pingKeyRoutes(deps))
    .use(badgeRoute(deps));
}

const collection = (deps: CheckDeps) =>
  new Elysia({ prefix: "/v1/:ns/checks" })
    .get(
      "",
      async ({ request, params }) => {
        const { namespaceId } = await authorize(deps, request, params.ns, "full");
        const query = queryOf(request);
        const limit = integer(query, "limit", { min: 1, max: MAX_LISTED, default: 100 });
        const after = placeIn(query);
        const tag = textOf(query, "tag", MAX_TAG_CHARACTERS);
        const { checks, hasMore } = await deps.store.checks.list(namespaceId, {
          limit,
          ...(after !== undefined && { after }),
          ...(tag !== undefined && { tag }),
        });
        const last = hasMore ? checks.at(-1) : undefined;
        const about = await shown(deps, request);
        const next = last === undefined ? {} : { next_after: `${last.id}.${last.standing.settings.name}` };
        const page = checks.map((check) => checkJson(check, about));
        return json({ checks: page, has_more: hasMore, ...next }, 200, NO_STORE);
      },
      {
        detail: operation({
          tag: "checks",
          summary: "The namespace's checks by name",
          key: true,
          parameters: [
            { name: "limit", schema: Type.Integer({ minimum: 1, maximum: MAX_LISTED, default: 100 }) },
            { name: "after", schema: text(), description: "The `next_after` of the page before." },
            { name: "tag", schema: text({ maxLength: MAX_TAG_CHARACTERS }), description: "Those that have it." },
          ],
          answers: { 200: { description: "A page of checks.", schema: CheckList } },
          problems: [400],
        }),
      },
    )
    .post(
      "",
      async ({ request, params }) => {
        const principal = await authorize(deps, request, params.ns, "full");
        const body = await readJson(request, CheckBody);
        requireStill(deps, request, principal);
        const { check, isNew } = await upsertCheck(deps, await deps.tokens(), principal.namespaceId, body);
        return answerCheck(deps, request, check, isNew ? 201 : 200);
      },
      {
        parse: "none",
        detail: operation({
          tag: "checks",
          summary: "Create a check, or update the one that has the slug",
          key: true,
          body: jsonBody(CheckBody),
          answers: {
            200: { description: "The check that had the slug.", schema: CheckRecord },
            201: { description: "The check.", schema: CheckRecord },
          },
          problems: [400, 404, 409, 413, 415, 422],
        }),
      },
    )
    .get(
      "/preview",
      async ({ request, params }) => {
        await authorize(deps, request, params.ns, "full");
        return json(preview(queryOf(request), deps.clock.now()));
      },
      {
        detail: operation({
          tag: "checks",
          summary: "The next times of a cron schedule",
          key: true,
          parameters: [
            { name: "cron", required: true, schema: text({ minLength: 1, maxLength: MAX_CRON_CHARACTERS }) },
            { name: "timezone", schema: text(), description: "Default: the server's." },
          ],
          answers: { 200: { description: "The next five slots.", schema: Preview } },
          problems: [400],
        }),
      },
    );

/** `next_after` of a page: the id of its last check and its name, which may be any text. */
function placeIn(query: URLSearchParams): CheckPlace | undefined {
  const after = textOf(query, "after", 27 + 2 * MAX_NAME_CHARACTERS);
  if (after === undefined) return undefined;
  const [, id, name] = /^([0-9a-z]{26})\.(.*)$/.exec(after) ?? [];
  if (id !== undefined && name !== undefined) return { id, name };
  throw problem.invalidParameter("after", "`after` takes the `next_after` of the page before.");
}

/** @throws Problem 400 `invalid_cron`, `invalid_timezone` */
function preview(query: URLSearchParams, now: Millis): Static<typeof Preview> {
  const expression = textOf(query, "cron", MAX_CRON_CHARACTERS) ?? "";
  const schedule = cronSchedule(expression, textOf(query, "timezone", MAX_ZONE_CHARACTERS) ?? serverZone());
  if ("refused" in schedule)
    throw problem.invalidParameter(schedule.field, `\`${schedule.field}\`: ${schedule.refused.message}.`);
  return { cron: schedule.expression, timezone: schedule.timezone, slots: nextSlots(schedule, now).map(rfc3339) };
}
