/** One check over HTTP (docs/design/CHECKINS.md §3): read, changed, deleted, and what its owner does to it. */
import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { authorize, requireStill } from "../http/auth.ts";
import { readJson } from "../http/body.ts";
import { jsonBody, operation, type Operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { parseTime } from "../messages/time.ts";
import { readOptionalJson } from "../topics/spec.ts";
import type { Millis } from "../util/clock.ts";
import { sha256 } from "../util/ids.ts";
import { answerCheck, type CheckDeps, type CheckPath, doTo, ownCheck } from "./access.ts";
import type { Check } from "./check.ts";
import { CheckBody, CheckRecord, RotateBody, SnoozeBody } from "./schema.ts";
import { secondsOf, YEAR } from "./settings.ts";
import { changeCheck } from "./upsert.ts";

interface Asking {
  request: Request;
  params: CheckPath;
}

export const oneCheck = (deps: CheckDeps) =>
  new Elysia({ prefix: "/v1/:ns/checks/:id" })
    .get(
      "",
      async ({ request, params }: Asking) => answerCheck(deps, request, (await ownCheck(deps, request, params)).check),
      { detail: described({ summary: "One check" }) },
    )
    .patch(
      "",
      async ({ request, params }: Asking) => {
        const { principal, check } = await ownCheck(deps, request, params);
        const body = await readJson(request, CheckBody);
        requireStill(deps, request, principal);
        return answerCheck(deps, request, await changeCheck(deps, idOf(check), body));
      },
      {
        parse: "none",
        detail: described({
          summary: "Change settings; what is left out stays as it is",
          body: jsonBody(CheckBody),
          problems: [400, 409, 413, 415, 422],
        }),
      },
    )
    .delete(
      "",
      async ({ request, params }: Asking) => {
        const { namespaceId } = await authorize(deps, request, params.ns, "full");
        if (!(await deps.store.checks.remove(namespaceId, params.id ?? ""))) throw problem.unknownCheck();
        return new Response(null, { status: 204 });
      },
      {
        detail: described({
          summary: "Delete a check with its log and incidents",
          answers: { 204: { description: "Its ping URL answers 404 from now on." } },
        }),
      },
    )
    .post("/pause", async ({ request, params }: Asking) => doTo(deps, request, params, () => ({ kind: "pause" })), {
      parse: "none",
      detail: described({ summary: "Record pings, and tell nothing" }),
    })
    .post("/resume", async ({ request, params }: Asking) => doTo(deps, request, params, () => ({ kind: "resume" })), {
      parse: "none",
      detail: described({ summary: "Watch it again, from the next slot on" }),
    })
    .post("/ack", async ({ request, params }: Asking) => doTo(deps, request, params, () => ({ kind: "ack" })), {
      parse: "none",
      detail: described({ summary: "Remind nobody of this incident any more" }),
    })
    .post("/test", async ({ request, params }: Asking) => doTo(deps, request, params, () => ({ kind: "test" })), {
      parse: "none",
      detail: described({ summary: "Send a test alert to its topic" }),
    })
    .post(
      "/snooze",
      async ({ request, params }: Asking) =>
        doTo(deps, request, params, async () => ({
          kind: "snooze",
          until: snoozeEnd(await readJson(request, SnoozeBody), deps.clock.now()),
        })),
      {
        parse: "none",
        detail: described({
          summary: "Tell nothing for a while; if it is down then, that is told",
          body: jsonBody(SnoozeBody),
          problems: [400, 413, 415, 422],
        }),
      },
    )
    .post(
      "/rotate",
      async ({ request, params }: Asking) => {
        const { principal, check } = await ownCheck(deps, request, params);
        const oldUntil = deps.clock.now() + overlapOf(await readOptionalJson(request, RotateBody));
        requireStill(deps, request, principal);
        return answerCheck(deps, request, await rotated(deps, check, oldUntil));
      },
      {
        parse: "none",
        detail: described({
          summary: "Give it a new ping URL; the old one works on for a while",
          body: jsonBody(RotateBody, false),
          problems: [400, 413, 415, 422],
        }),
      },
    );

const described = ({ answers, problems = [], ...rest }: Pick<Operation, "summary" | "body"> & Partial<Operation>) =>
  operation({
    ...rest,
    tag: "checks",
    key: true,
    answers: answers ?? { 200: { description: "The check as it is now.", schema: CheckRecord } },
    problems: [404, ...problems],
  });

const idOf = ({ namespaceId, id }: Check) => ({ namespaceId, id });

/** @throws Problem 422 */
function snoozeEnd({ for: length, until }: Static<typeof SnoozeBody>, now: Millis): Millis {
  if ((length === undefined) === (until === undefined))
    throw problem.validationFailed([{ path: "/", message: "must have one of `for` and `until`" }]);
  if (length !== undefined) return now + inMs("/for", length, 1);
  const at = parseTime(until ?? "");
  if (at !== undefined && at > now && at <= now + YEAR * 1000) return at;
  const message = "must be an RFC 3339 time to come, at most 365 days ahead";
  throw problem.validationFailed([{ path: "/until", message }]);
}

const DEFAULT_OVERLAP = "7d";

const overlapOf = ({ overlap = DEFAULT_OVERLAP }: Static<typeof RotateBody>): number => inMs("/overlap", overlap, 0);

function inMs(path: string, duration: unknown, min: number): number {
  const seconds = secondsOf(duration, { min, max: YEAR });
  if (typeof seconds === "number") return seconds * 1000;
  throw problem.validationFailed([{ path, message: seconds }]);
}

/** Two who rotate at once rotate once: the later one is shown what the other made. */
async function rotated({ store, tokens }: CheckDeps, check: Check, oldUntil: Millis): Promise<Check> {
  const token = (await tokens()).ofCheck(check.id, check.tokenGeneration + 1);
  const now = (await store.checks.rotate(check, sha256(token), oldUntil)) ?? (await store.checks.find(idOf(check)));
  if (now === undefined) throw problem.unknownCheck();
  return now;
}
