/** The form of a new key: what was typed, and what is wrong with it. */
import { SCOPES, type Scope } from "../../../keys/key.ts";
import type { Namespace } from "../../../keys/namespace.ts";
import type { NewKey } from "../../../store/keys.ts";
import { DAY, type Millis } from "../../../util/clock.ts";
import { isVisible } from "../../../util/text/visible.ts";
import type { Desk } from "../signed-in.ts";
import { scopesOf } from "./seen-keys.ts";

export const ENDS = ["never", "month", "year"] as const;
export type Ends = (typeof ENDS)[number];
const DAYS: Record<Ends, number | undefined> = { never: undefined, month: 30, year: 365 };

/** As the fields have it, under their names. */
export interface KeyForm {
  label: string;
  scope: string;
  namespace: string;
  ends: string;
}
export type KeyFault = keyof KeyForm;

const MAX_LABEL = 100;

export const keyForm = (given: URLSearchParams, { chosen, namespaces }: Desk): KeyForm => ({
  label: given.get("label") ?? "",
  scope: given.get("scope") ?? "publish",
  namespace: given.get("namespace") ?? chosen?.name ?? namespaces[0]?.name ?? "",
  ends: given.get("ends") ?? "never",
});

/** The key to make, or the field that cannot be used. */
export function newKeyOf(form: KeyForm, desk: Desk, now: Millis): (NewKey & { namespace: Namespace }) | KeyFault {
  const { visitor, namespaces } = desk;
  const name = form.label.trim();
  const scope = SCOPES.find((one): one is Scope => one === form.scope && scopesOf(visitor).includes(one));
  const namespace = namespaces.find((one) => one.name === form.namespace);
  const ends = ENDS.find((one) => one === form.ends);
  if (name.length > MAX_LABEL || !isVisible(name)) return "label";
  if (scope === undefined) return "scope";
  if (namespace === undefined) return "namespace";
  if (ends === undefined) return "ends";
  const days = DAYS[ends];
  return {
    namespaceId: namespace.id,
    namespace,
    scope,
    name,
    ...(days !== undefined && { expiresAt: now + days * DAY }),
  };
}
