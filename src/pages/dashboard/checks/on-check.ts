/** What the pages of checks have in common. */
import type { Check } from "../../../checks/check.ts";
import { isToken } from "../../../checks/token.ts";
import type { Tokens } from "../../../tokens/tokens.ts";
import type { Deps } from "../../../deps.ts";
import { type DeskDeps, DeskRoutes } from "../desk.ts";

export type GivenDeps = DeskDeps & Pick<Deps, "log">;
export type CheckPagesDeps = GivenDeps & { tokens: () => Promise<Tokens> };

export const LIST = "/-/checks";
export const pathOf = ({ id }: Pick<Check, "id">): string => `${LIST}/${id}`;

/** Pages and forms of one check. */
export const checkRoutes = (deps: CheckPagesDeps) =>
  new DeskRoutes(deps, `${LIST}/:id`, async ({ desk: { namespaces }, params: { id } }) => {
    const check = isToken(id) ? await deps.store.checks.byId(id) : undefined;
    return check && namespaces.some((one) => one.id === check.namespaceId) ? { check } : undefined;
  });
