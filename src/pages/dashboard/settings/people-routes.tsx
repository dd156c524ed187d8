/** @jsxImportSource #jsx */
/** People over HTTP: each by the function that the command line uses. */
import { Elysia } from "elysia";
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
import { queryOf } from "../../../http/query.ts";
import { pages } from "../../respond.ts";
import { atDesk, onDesk, UNREAD } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { deskPath } from "../frame/filter.ts";
import type { SettingsDeps } from "./gather.ts";
import { EditPersonPage, NewPersonPage, RemovePersonAsk } from "./people.tsx";
import { personForm, sentPerson } from "./person-form.ts";

const LIST = "/-/settings#people";

const KEPT = new Set(["name", "admin", "sees", "namespace"]);
/** Bounded, so that the address is not too long to lead back (http/own-path.ts). */
const MOST_KEPT = 40;

/** The form comes back with what was typed, the password aside. */
function toConfirm(desk: Desk, sent: URLSearchParams): string {
  const kept = new URLSearchParams([...sent].filter(([name]) => KEPT.has(name)).slice(0, MOST_KEPT));
  return confirmPath(deskPath(desk, `/-/settings/people/new?${kept.toString()}`), "form");
}

export const peopleRoutes = (deps: SettingsDeps) => {
  const { accounts } = deps.store;
  const isProxied = deps.config.authHeader !== undefined;
  const edit = (desk: Desk, person: Person) => (
    <EditPersonPage desk={desk} person={person} form={personForm(person, desk.namespaces)} />
  );
  const editPage = onDesk<"id">(deps, "admin, confirmed", async (desk, { params }) => {
    const person = await accounts.person(params.id);
    return person && edit(desk, person);
  });
  return new Elysia({ prefix: "/-/settings/people" })
    .use(pages)
    .get(
      "/new",
      onDesk(deps, "admin, confirmed", (desk, { request }) => (
        <NewPersonPage desk={desk} form={sentPerson(queryOf(request))} isProxied={isProxied} />
      )),
    )
    .post(
      "/new",
      atDesk(deps, "admin", async (desk, sent) => {
        const form = sentPerson(sent);
        const password = sent.get("password") ?? "";
        const again = (faults: PersonFaults) => ({
          page: <NewPersonPage desk={desk} form={form} faults={faults} isProxied={isProxied} />,
        });
        const spec = { name: form.name, ...(!(isProxied && password === "") && { password }) };
        if (!form.isAdmin && form.sees.length === 0) return again({ ...ownerOf(spec).faults, namespaces: "none" });
        if (!isConfirmed(deps, desk.visitor)) return { to: toConfirm(desk, sent) };
        const seen = form.sees !== "all" && { namespaces: form.sees };
        const made = await addPerson(deps, { ...spec, ...seen, isAdmin: form.isAdmin });
        if ("faults" in made) return again(made.faults);
        return { to: LIST, flash: { say: "settings.personAdded", values: [made.name] } };
      }),
      UNREAD,
    )
    .get("/:id", editPage)
    .get("/:id/password", editPage) // somebody who has to confirm first comes back here
    .post(
      "/:id",
      atDesk<"id">(deps, "admin, confirmed", async (desk, sent, { params }) => {
        const person = await accounts.person(params.id);
        if (person === undefined) return undefined;
        const form = sentPerson(sent);
        const { name, isAdmin, sees } = form;
        const changed = await changePerson(deps, person.id, { name, isAdmin, namespaces: sees });
        if (changed === undefined) return undefined;
        if ("faults" in changed)
          return { page: <EditPersonPage desk={desk} person={person} form={form} faults={changed.faults} /> };
        return { to: LIST, flash: { say: "settings.personChanged", values: [changed.name] } };
      }),
      UNREAD,
    )
    .post(
      "/:id/password",
      atDesk<"id">(deps, "admin, confirmed", async (desk, sent, { params }) => {
        const person = await accounts.person(params.id);
        const set = person && (await setPassword(deps, person.id, sent.get("password") ?? ""));
        if (person === undefined || set === undefined || set === false) return undefined;
        if (set !== true) {
          const form = personForm(person, desk.namespaces);
          return { page: <EditPersonPage desk={desk} person={person} form={form} faults={set.faults} /> };
        }
        return { to: LIST, flash: { say: "settings.passwordSet", values: [person.name] } };
      }),
      UNREAD,
    )
    .get(
      "/:id/remove",
      onDesk<"id">(deps, "admin, confirmed", async (desk, { params }) => {
        const person = await accounts.person(params.id);
        return person && <RemovePersonAsk desk={desk} person={person} />;
      }),
    )
    .post(
      "/:id/remove",
      atDesk<"id">(deps, "admin, confirmed", async (desk, _, { params }) => {
        const person = await accounts.person(params.id);
        const removed = person && (await removePerson(deps, person.id));
        if (person === undefined || removed === undefined || removed === false) return undefined;
        if (removed !== true) return { page: <RemovePersonAsk desk={desk} person={person} isLast /> };
        return { to: LIST, flash: { say: "settings.personRemoved", values: [person.name] } };
      }),
      UNREAD,
    );
};
