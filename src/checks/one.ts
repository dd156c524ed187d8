/** One check over HTTP (docs/design/CHECKINS.md §3): read, changed, deleted, and what its owner does to it. */
import { Elysia } from "elysia";
import { authorize, requireStill } from "../keys/auth.ts";
import { readJson, readOptionalJson } from "../http/body.ts";
import { jsonBody, operation, type Operation } from "../http/operation.ts";
import { answerCheck, type CheckDeps, type CheckPath, doTo, ownCheck } from "./access.ts";
import { idOf, removeCheck, rotateCheck, snoozeEnd } from "./act.ts";
import { CheckBody, CheckRecord, RotateBody, SnoozeBody } from "./schema.ts";
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
        await removeCheck(deps, { namespaceId, id: params.id ?? "" });
        return new Response(null, { status: 204 });
      },
      {
        detail: described({
          summary: "Delete a check with its log and incidents",
          answers: { 204: { description: "Its ping URL returns 404 from now on." } },
        }),
      },
    )
    .post("/pause", async ({ request, params }: Asking) => doTo(deps, request, params, () => ({ kind: "pause" })), {
      parse: "none",
      detail: described({ summary: "Record pings, but send no alerts" }),
    })
    .post("/resume", async ({ request, params }: Asking) => doTo(deps, request, params, () => ({ kind: "resume" })), {
      parse: "none",
      detail: described({ summary: "Resume it, from the next slot" }),
    })
    .post("/ack", async ({ request, params }: Asking) => doTo(deps, request, params, () => ({ kind: "ack" })), {
      parse: "none",
      detail: described({ summary: "Acknowledge it: no more reminders of this incident" }),
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
          summary: "Send no alerts for a while; if it is still down then, it alerts",
          body: jsonBody(SnoozeBody),
          problems: [400, 413, 415, 422],
        }),
      },
    )
    .post(
      "/rotate",
      async ({ request, params }: Asking) => {
        const { principal, check } = await ownCheck(deps, request, params);
        const asked = await readOptionalJson(request, RotateBody);
        requireStill(deps, request, principal);
        return answerCheck(deps, request, await rotateCheck(deps, check, asked));
      },
      {
        parse: "none",
        detail: described({
          summary: "Give it a new ping URL; the old one keeps working for a while",
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
