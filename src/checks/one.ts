/** One check over HTTP (CHECKINS.md §3): read, changed, deleted, and what its owner does to it. */
import { jsonBody, optionalJson } from "../http/endpoint.ts";
import { json, noContent, NO_STORE } from "../http/respond.ts";
import { endpointsOf } from "../keys/endpoint.ts";
import { answerCheck, type CheckDeps, ownCheck, seen } from "./access.ts";
import { actOn, idOf, removeCheck, rotateCheck, snoozeEnd } from "./act.ts";
import { checkJson } from "./json.ts";
import { CheckBody, CheckRecord, RotateBody, SnoozeBody } from "./schema.ts";
import { changeCheck } from "./upsert.ts";

const endpoint = endpointsOf<CheckDeps>("checks");
const of = {
  scope: "full",
  find: ownCheck,
  answers: { 200: { description: "The check as it is now.", schema: CheckRecord } },
} as const;

const one = endpoint("GET /v1/:ns/checks/:id", {
  ...of,
  scope: "read",
  summary: "One check",
  handle: async ({ deps, request, principal, found: check }) =>
    json(checkJson(check, await seen(deps, request, principal)), 200, NO_STORE),
});

const change = endpoint("PATCH /v1/:ns/checks/:id", {
  ...of,
  summary: "Change settings; what is left out stays as it is",
  body: jsonBody(CheckBody),
  problems: [409],
  handle: async ({ deps, request, found: check, body }) =>
    answerCheck(deps, request, await changeCheck(deps, idOf(check), body)),
});

const remove = endpoint("DELETE /v1/:ns/checks/:id", {
  summary: "Delete a check with its log and incidents",
  scope: "full",
  answers: { 204: { description: "Its ping URL returns 404 from now on." } },
  handle: async ({ deps, principal: { namespaceId }, params: { id } }) => {
    await removeCheck(deps, { namespaceId, id });
    return noContent();
  },
});

/** A button without a word: `POST …/pause`. */
const button = (kind: "pause" | "resume" | "ack" | "test", summary: string) =>
  endpoint(`POST /v1/:ns/checks/:id/${kind}`, {
    ...of,
    summary,
    handle: async ({ deps, request, found: check }) => answerCheck(deps, request, await actOn(deps, check, { kind })),
  });

const snooze = endpoint("POST /v1/:ns/checks/:id/snooze", {
  ...of,
  summary: "Send no alerts for a while; if it is still down then, it alerts",
  body: jsonBody(SnoozeBody),
  handle: async ({ deps, request, found: check, body }) => {
    const until = snoozeEnd(body, deps.clock.now());
    return answerCheck(deps, request, await actOn(deps, check, { kind: "snooze", until }));
  },
});

const rotate = endpoint("POST /v1/:ns/checks/:id/rotate", {
  ...of,
  summary: "Give it a new ping URL; the old one keeps working for a while",
  body: optionalJson(RotateBody),
  handle: async ({ deps, request, found: check, body }) =>
    answerCheck(deps, request, await rotateCheck(deps, check, body)),
});

export const oneCheck = [
  one,
  change,
  remove,
  button("pause", "Record pings, but send no alerts"),
  button("resume", "Resume it, from the next slot"),
  button("ack", "Acknowledge it: no more reminders of this incident"),
  button("test", "Send a test alert to its topic"),
  snooze,
  rotate,
];
