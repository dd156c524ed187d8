/** @jsxImportSource #jsx */
/** What people change of their own: their password, and where they are signed in. */
import { Elysia } from "elysia";
import { changeOwnPassword } from "../../../accounts/people.ts";
import { pages } from "../../respond.ts";
import { atDesk, onDesk, UNREAD } from "../desk.ts";
import type { SettingsDeps } from "./gather.ts";
import { OwnPasswordPage } from "./sessions.tsx";

const LIST = "/-/settings#sessions";

export const ownRoutes = (deps: SettingsDeps) => {
  const { accounts } = deps.store;
  return new Elysia({ prefix: "/-/settings" })
    .use(pages)
    .get(
      "/password",
      onDesk(deps, "signed in, confirmed", (desk) => <OwnPasswordPage desk={desk} />),
    )
    .post(
      "/password",
      atDesk(deps, "signed in, confirmed", async (desk, form, { request }) => {
        const changed = await changeOwnPassword(deps, request, desk.visitor, form.get("password") ?? "");
        if ("faults" in changed) {
          const { password } = changed.faults;
          return { page: <OwnPasswordPage desk={desk} {...(password && { fault: password })} /> };
        }
        return { to: LIST, flash: { say: "settings.passwordChanged" }, ...changed };
      }),
      UNREAD,
    )
    .post(
      "/sessions/end-others",
      atDesk(deps, "signed in", async ({ visitor }) => {
        const ended = await accounts.closeAll(visitor.person.id, visitor.sessionId);
        return { to: LIST, flash: { say: "settings.sessionsEnded", values: [ended] } };
      }),
      UNREAD,
    )
    .post(
      "/sessions/:id/end",
      atDesk<"id">(deps, "signed in", async ({ visitor }, _, { params }) => {
        if (!(await accounts.close(visitor.person.id, params.id))) return undefined;
        return { to: LIST, flash: { say: "settings.sessionEnded" } };
      }),
      UNREAD,
    );
};
