/** @jsxImportSource #jsx */
/** People over HTTP: each by the function that the command line uses. */
import { confirmPath, isConfirmed } from "../../../accounts/visitor.ts";
import {
  addPerson,
  changePerson,
  ownerOf,
  removePerson,
  setPassword,
  type PersonFaults,
} from "../../../accounts/people.ts";
import type { Person } from "../../../accounts/person.ts";
import type { Deps } from "../../../deps.ts";
import { queryOf } from "../../../http/query.ts";
import { DeskRoutes } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { deskPath } from "../frame/filter.ts";
import { EditPersonPage, NewPersonPage, RemovePersonAsk } from "./people.tsx";
import { personForm, sentPerson } from "./person-form.ts";

const LIST = "/-/settings#people";
const PATH = "/-/settings/people";

const KEPT = new Set(["name", "admin", "sees", "namespace"]);
/** Bounded, so that the address is not too long to lead back (http/own-path.ts). */
const MOST_KEPT = 40;

/** After the confirmation, the form shows again what was typed, except the password. */
function toConfirm(desk: Desk, sent: URLSearchParams): string {
  const kept = new URLSearchParams([...sent].filter(([name]) => KEPT.has(name)).slice(0, MOST_KEPT));
  return confirmPath(deskPath(desk, `${PATH}/new?${kept.toString()}`), "form");
}

export const peopleRoutes = (deps: Deps) => [...making(deps), ...one(deps)];

const making = (deps: Deps) => {
  const isProxied = deps.config.authHeader !== undefined;
  return new DeskRoutes(deps, `${PATH}/new`)
    .page("", "admin, confirmed", ({ desk, request }) => (
      <NewPersonPage desk={desk} form={sentPerson(queryOf(request))} isProxied={isProxied} />
    ))
    .form("", "admin", async ({ desk, form: sent }) => {
      const form = sentPerson(sent);
      const password = sent.get("password") ?? "";
      const again = (faults: PersonFaults) => ({ page: <NewPersonPage {...{ desk, form, faults, isProxied }} /> });
      const spec = { name: form.name, ...(!(isProxied && password === "") && { password }) };
      if (!form.isAdmin && form.sees.length === 0) return again({ ...ownerOf(spec).faults, namespaces: "none" });
      if (!isConfirmed(deps, desk.visitor)) return { to: toConfirm(desk, sent) };
      const seen = form.sees !== "all" && { namespaces: form.sees };
      const made = await addPerson(deps, { ...spec, ...seen, isAdmin: form.isAdmin });
      if ("faults" in made) return again(made.faults);
      return { to: LIST, flash: { say: "settings.personAdded", values: [made.name] } };
    }).routes;
};

const one = (deps: Deps) => {
  const edit = (desk: Desk, person: Person, faults: PersonFaults = {}) => (
    <EditPersonPage {...{ desk, person, faults }} form={personForm(person, desk.namespaces)} />
  );
  return new DeskRoutes(deps, `${PATH}/:id`, async ({ params: { id } }) => {
    const person = await deps.store.accounts.person(id);
    return person && { person };
  })
    .page("", "admin, confirmed", ({ desk, person }) => edit(desk, person))
    .form("", "admin, confirmed", async ({ desk, person, form: sent }) => {
      const form = sentPerson(sent);
      const { name, isAdmin, sees } = form;
      const changed = await changePerson(deps, person.id, { name, isAdmin, namespaces: sees });
      if (changed === undefined) return undefined;
      if ("faults" in changed) return { page: <EditPersonPage {...{ desk, person, form }} faults={changed.faults} /> };
      return { to: LIST, flash: { say: "settings.personChanged", values: [changed.name] } };
    })
    .page("/password", "admin, confirmed", ({ desk, person }) => edit(desk, person)) // a person who has to confirm first returns here
    .form("/password", "admin, confirmed", async ({ desk, person, form }) => {
      const set = await setPassword(deps, person.id, form.get("password") ?? "");
      if (set === false) return undefined;
      if (set !== true) return { page: edit(desk, person, set.faults) };
      return { to: LIST, flash: { say: "settings.passwordSet", values: [person.name] } };
    })
    .page("/remove", "admin, confirmed", ({ desk, person }) => <RemovePersonAsk desk={desk} person={person} />)
    .form("/remove", "admin, confirmed", async ({ desk, person }) => {
      const removed = await removePerson(deps, person.id);
      if (removed === false) return undefined;
      if (removed !== true) return { page: <RemovePersonAsk desk={desk} person={person} isLast /> };
      return { to: LIST, flash: { say: "settings.personRemoved", values: [person.name] } };
    }).routes;
};
