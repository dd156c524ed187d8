/** People and their sessions for the command line, over `peal.sock`. */
import { Type } from "@sinclair/typebox";
import type { Deps } from "../deps.ts";
import { jsonBody } from "../http/endpoint.ts";
import { problem, type FieldError } from "../http/problem.ts";
import { json, noContent, NO_STORE } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { settleFirstAdmin } from "./first-admin.ts";
import { rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { agentWords } from "./agent.ts";
import {
  addPerson,
  changePerson,
  removePerson,
  setPassword,
  type Faulty,
  type PersonChange,
  type PersonFaults,
  type PersonSpec,
} from "./people.ts";
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
/** `null` takes the password away. */
const NewPassword = Type.Object({ password: Type.Union([Type.String(), Type.Null()]) });

type PeopleDeps = Pick<Deps, "config" | "clock" | "store" | "keyUse" | "limits" | "passwords" | "log">;

const endpoint = endpointsOf<PeopleDeps>();
const shown = async ({ store }: PeopleDeps, person: Person) => personJson(person, await store.namespaces.list());

const list = endpoint("GET /-/local/people", {
  scope: "operator",
  handle: async ({ deps }) => {
    const all = await deps.store.namespaces.list();
    const people = await deps.store.accounts.people();
    return json({ people: people.map((person) => personJson(person, all)) }, 200, NO_STORE);
  },
});

const add = endpoint("POST /-/local/people", {
  scope: "operator",
  body: jsonBody(NewPerson),
  handle: async ({ deps, body: { name, password, admin, namespaces } }) => {
    const isFirst = !deps.store.setup.state().claimed;
    const made = await addPerson(deps, defined<PersonSpec>({ name, isAdmin: admin, password, namespaces }));
    if ("faults" in made) throw refusal(made, name);
    if (isFirst) await settleFirstAdmin(deps);
    return json(await shown(deps, made), 201, NO_STORE);
  },
});

const change = endpoint("PATCH /-/local/people/:id", {
  scope: "operator",
  body: jsonBody(PersonPatch),
  handle: async ({ deps, params, body: { name, admin, namespaces } }) => {
    const seen = namespaces === null ? "all" : namespaces;
    const asked = defined<PersonChange>({ name, isAdmin: admin, namespaces: seen });
    const changed = await changePerson(deps, params.id, asked);
    if (changed === undefined) throw problem.unknownPerson();
    if ("faults" in changed) throw refusal(changed, name);
    return json(await shown(deps, changed), 200, NO_STORE);
  },
});

const remove = endpoint("DELETE /-/local/people/:id", {
  scope: "operator",
  handle: async ({ deps, params }) => nothing(await removePerson(deps, params.id)),
});

const replacePassword = endpoint("PUT /-/local/people/:id/password", {
  scope: "operator",
  body: jsonBody(NewPassword),
  handle: async ({ deps, params, body: { password } }) =>
    nothing(await setPassword(deps, params.id, password ?? undefined)),
});

const sessions = endpoint("GET /-/local/people/:id/sessions", {
  scope: "operator",
  handle: async ({ deps, params }) =>
    json({ sessions: (await deps.store.accounts.sessions(params.id)).map(sessionJson) }, 200, NO_STORE),
});

const endAll = endpoint("DELETE /-/local/people/:id/sessions", {
  scope: "operator",
  handle: async ({ deps, params }) => json({ ended: await deps.store.accounts.closeAll(params.id) }),
});

const end = endpoint("DELETE /-/local/people/:id/sessions/:session", {
  scope: "operator",
  handle: async ({ deps, params }) => {
    if (!(await deps.store.accounts.close(params.id, params.session))) throw problem.notFound("Unknown session.");
    return noContent();
  },
});

export const peopleRoutes = (deps: PeopleDeps) =>
  routesOf(deps, [list, add, change, remove, replacePassword, sessions, endAll, end]);

/** 204, or why not. */
function nothing(outcome: boolean | Faulty): Response {
  if (outcome === false) throw problem.unknownPerson();
  if (outcome !== true) throw refusal(outcome);
  return noContent();
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
