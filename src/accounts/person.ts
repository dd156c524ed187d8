/** People who sign in to the dashboard (WEB.md §1). */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Millis } from "../util/clock.ts";

export interface Person {
  id: string;
  name: string;
  isAdmin: boolean;
  /** That they may see; absent: all. An admin sees all. */
  namespaces?: readonly NamespaceId[];
  /** Absent: only a trusted proxy signs them in. */
  hasPassword: boolean;
  createdAt: Millis;
  lastSeenAt?: Millis;
}

/** Whether the person may see a namespace. */
export const seesNamespace = (
  { isAdmin, namespaces }: Pick<Person, "isAdmin" | "namespaces">,
  id: NamespaceId,
): boolean => isAdmin || namespaces === undefined || namespaces.includes(id);
