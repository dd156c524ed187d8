/** @jsxImportSource #jsx */
/** What people change for themselves: their password, and where they are signed in. */
import { changeOwnPassword } from "../../../accounts/people.ts";
import type { Deps } from "../../../deps.ts";
import { DeskRoutes } from "../desk.ts";
import { OwnPasswordPage } from "./sessions.tsx";

const LIST = "/-/settings#sessions";

export const ownRoutes = (deps: Deps) => {
  const { accounts } = deps.store;
  return new DeskRoutes(deps, "/-/settings")
    .page("/password", "signed in, confirmed", ({ desk }) => <OwnPasswordPage desk={desk} />)
    .form("/password", "signed in, confirmed", async ({ desk, form, request }) => {
      const changed = await changeOwnPassword(deps, request, desk.visitor, form.get("password") ?? "");
      if ("faults" in changed) {
        const { password } = changed.faults;
        return { page: <OwnPasswordPage desk={desk} {...(password && { fault: password })} /> };
      }
      return { to: LIST, flash: { say: "settings.passwordChanged" }, ...changed };
    })
    .form("/sessions/end-others", "signed in", async ({ desk: { visitor } }) => {
      const ended = await accounts.closeAll(visitor.person.id, visitor.sessionId);
      return { to: LIST, flash: { say: "settings.sessionsEnded", values: [ended] } };
    })
    .form("/sessions/:id/end", "signed in", async ({ desk: { visitor }, params }) => {
      if (!(await accounts.close(visitor.person.id, params.id))) return undefined;
      return { to: LIST, flash: { say: "settings.sessionEnded" } };
    }).routes;
};
