/** People and their sessions for the command line, over `peal.sock`: the edge lets nobody else here. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { readJson } from "../http/body.ts";
import { problem, type FieldError } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { settleFirstAdmin } from "./first-admin.ts";
import { rfc3339 } from "../util/clock.ts";
import { agentWords } from "./agent.ts";
import { addPerson, changePerson, removePerson, setPassword, type Faulty, type PersonFaults } from "./people.ts";
import type { Person } from "./person.ts";
import { MAX_NAME, MAX_PASSWORD, MIN_PASSWORD } from "../names/person.ts";
import type { Session } from "./session.ts";

const Names = Type.Array(Type.String());
const NewPerson = Type.Object({
  name: Type.String(),
  password: Type.Optional(Type.String()),
  admin: Type.Boolean(),
  namespaces: Type.Optional(Names),
});
/** `null`: all namespaces. */
const PersonPatch = Type.Object({
  name: Type.Optional(Type.String()),
  admin: Type.Optional(Type.Boolean()),
  namespaces: Type.Optional(Type.Union([Names, Type.Null()])),
});
/** `null`: none any more. */
const NewPassword = Type.Object({ password: Type.Union([Type.String(), Type.Null()]) });

type PeopleDeps = Pick<Deps, "config" | "store" | "passwords" | "log">;

export const peopleRoutes = (deps: PeopleDeps) => {
  const { accounts, namespaces } = deps.store;
  const shown = async (person: Person) => personJson(person, await namespaces.list());
  return new Elysia({ prefix: "/-/local/people" })
    .get("", async () => {
      const all = await namespaces.list();
      return json({ people: (await accounts.people()).map((person) => personJson(person, all)) }, 200, NO_STORE);
    })
    .post("", async ({ request }) => {
      const { name, password, admin, namespaces: seen } = await readJson(request, NewPerson);
      const isFirst = !deps.store.setup.state().claimed;
      const made = await addPerson(deps, {
        ...{ name, isAdmin: admin },
        ...(password !== undefined && { password }),
        ...(seen !== undefined && { namespaces: seen }),
      });
      if ("faults" in made) throw refusal(made, name);
      if (isFirst) await settleFirstAdmin(deps);
      return json(await shown(made), 201, NO_STORE);
    })
    .patch("/:id", async ({ params, request }) => {
      const { name, admin, namespaces: seen } = await readJson(request, PersonPatch);
      const changed = await changePerson(deps, params.id, {
        ...(name !== undefined && { name }),
        ...(admin !== undefined && { isAdmin: admin }),
        ...(seen !== undefined && { namespaces: seen ?? "all" }),
      });
      if (changed === undefined) throw problem.unknownPerson();
      if ("faults" in changed) throw refusal(changed, name);
      return json(await shown(changed), 200, NO_STORE);
    })
    .delete("/:id", async ({ params }) => nothing(await removePerson(deps, params.id)))
    .put("/:id/password", async ({ params, request }) => {
      const { password } = await readJson(request, NewPassword);
      return nothing(await setPassword(deps, params.id, password ?? undefined));
    })
    .get("/:id/sessions", async ({ params }) =>
      json({ sessions: (await accounts.sessions(params.id)).map(sessionJson) }, 200, NO_STORE),
    )
    .delete("/:id/sessions", async ({ params }) => json({ ended: await accounts.closeAll(params.id) }))
    .delete("/:id/sessions/:session", async ({ params }) => {
      if (!(await accounts.close(params.id, params.session))) throw problem.notFound("Unknown session.");
      return new Response(null, { status: 204 });
    });
};

/** 204, or why not. */
function nothing(outcome: boolean | Faulty): Response {
  if (outcome === false) throw problem.unknownPerson();
  if (outcome !== true) throw refusal(outcome);
  return new Response(null, { status: 204 });
}

function refusal({ faults }: Faulty, name = "") {
  if (faults.name === "taken") return problem.personExists(name);
  if (faults.admin === "last") return problem.lastAdmin();
  return problem.validationFailed(fieldErrors(faults));
}

function fieldErrors({ name, password, namespaces = [], admin }: PersonFaults): FieldError[] {
  return [
    ...(name === undefined ? [] : [{ path: "/name", message: `must be 1 to ${MAX_NAME} visible characters` }]),
    ...(password === undefined ? [] : [{ path: "/password", message: PASSWORD_RULE }]),
    ...(namespaces === "none" ? [] : namespaces).map((unknown) => ({
      path: "/namespaces",
      message: `unknown namespace \`${unknown}\``,
    })),
    ...(admin === undefined ? [] : [{ path: "/admin", message: "the first person must be an admin" }]),
  ];
}

const PASSWORD_RULE = `must have ${MIN_PASSWORD} characters or more, and at most ${MAX_PASSWORD} bytes`;

const personJson = (
  { id, name, isAdmin, hasPassword, namespaces, createdAt, lastSeenAt }: Person,
  all: readonly { id: number; name: string }[],
) => ({
  ...{ id, name, admin: isAdmin },
  ...(namespaces !== undefined && {
    namespaces: all.filter((one) => namespaces.some((seen) => seen === one.id)).map((one) => one.name),
  }),
  has_password: hasPassword,
  created_at: rfc3339(createdAt),
  ...(lastSeenAt !== undefined && { last_seen_at: rfc3339(lastSeenAt) }),
});

const sessionJson = ({ id, createdAt, seenAt, address, agent }: Session) => ({
  ...{ id, created_at: rfc3339(createdAt), last_seen_at: rfc3339(seenAt), address },
  ...agentWords(agent),
});
