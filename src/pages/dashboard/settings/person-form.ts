/** The form of a person, as it was sent and as it begins. */
import type { Person } from "../../../accounts/person.ts";
import type { Namespace } from "../../../keys/namespace.ts";

export interface PersonForm {
  name: string;
  isAdmin: boolean;
  /** Names of namespaces. */
  sees: "all" | readonly string[];
}

export const sentPerson = (form: URLSearchParams): PersonForm => ({
  name: form.get("name") ?? "",
  isAdmin: form.has("admin"),
  sees: form.get("sees") === "all" ? "all" : form.getAll("namespace"),
});

export const personForm = ({ name, isAdmin, namespaces: ids }: Person, all: readonly Namespace[]): PersonForm => ({
  name,
  isAdmin,
  sees: ids === undefined ? "all" : all.filter(({ id }) => ids.includes(id)).map((one) => one.name),
});
