/** Pages of one check: a 404 page if there is none that the visitor may see. */
import type { Check } from "../../../checks/check.ts";
import { isToken } from "../../../checks/token.ts";
import type { Tokens } from "../../../tokens/tokens.ts";
import type { Deps } from "../../../deps.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { type Again, atDesk, type Done, onDesk, type PageContext, type Visitors } from "../desk.ts";
import type { Desk } from "../signed-in.ts";

export type GivenDeps = Parameters<typeof onDesk>[0] & Pick<Deps, "store" | "clock" | "config" | "log">;
export type CheckPagesDeps = GivenDeps & { tokens: () => Promise<Tokens> };

type Context = PageContext<"id">;

export const LIST = "/-/checks";
export const pathOf = ({ id }: Pick<Check, "id">): string => `${LIST}/${id}`;

/** GET of a page of a check. */
export const onCheck = (
  deps: CheckPagesDeps,
  who: Visitors,
  page: (desk: Desk, check: Check, context: Context) => Safe | Promise<Safe>,
) =>
  onDesk<"id">(deps, who, async (desk, context) => {
    const check = await seenCheck(deps, desk, context);
    return check && page(desk, check, context);
  });

/** POST of a form that does something to a check. */
export const atCheck = (
  deps: CheckPagesDeps,
  who: Visitors,
  act: (desk: Desk, check: Check, form: URLSearchParams) => Promise<Done | Again | undefined>,
) =>
  atDesk<"id">(deps, who, async (desk, form, context) => {
    const check = await seenCheck(deps, desk, context);
    return check && act(desk, check, form);
  });

async function seenCheck(
  { store }: Pick<Deps, "store">,
  { namespaces }: Desk,
  { params }: Context,
): Promise<Check | undefined> {
  const check = isToken(params.id) ? await store.checks.byId(params.id) : undefined;
  return namespaces.some(({ id }) => id === check?.namespaceId) ? check : undefined;
}
