/** @jsxImportSource #jsx */
/** First run over HTTP: whoever holds the set-up code claims the server (WEB.md §2). */
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { readText } from "../http/body.ts";
import { contextOf } from "../http/context.ts";
import { pages, show, type Answering } from "../pages/respond.ts";
import { viewOf } from "../pages/view.ts";
import { sha256 } from "../util/ids.ts";
import { AlreadyClaimedPage, ClaimPage, FirstMessagePage } from "./claim.tsx";
import { forgetSetupCode } from "./code-file.ts";
import { normalizeCode } from "./code.ts";
import { requireSameSite } from "./same-site.ts";

type SetupDeps = Pick<Deps, "config" | "store" | "limits" | "log">;

/** Of the form: one field. */
const MAX_FORM_BYTES = 4_096;

export const setupRoutes = (deps: SetupDeps) =>
  new Elysia()
    .use(pages)
    .get("/-/setup", async ({ request, set, html }) => {
      const view = viewOf(deps, request);
      return show(
        { set, html },
        deps.store.setup.state().claimed ? <AlreadyClaimedPage view={view} /> : <ClaimPage view={view} />,
      );
    })
    .post("/-/setup", async ({ request, set, html }) => claim(deps, request, { set, html }), { parse: "none" });

async function claim(deps: SetupDeps, request: Request, answering: Answering) {
  const view = viewOf(deps, request);
  requireSameSite(request, new URL(view.url).origin);
  deps.limits.take("auth", contextOf(request).address);
  const typed = new URLSearchParams(await readText(request, MAX_FORM_BYTES)).get("code") ?? "";
  const claimed = await deps.store.setup.claim(sha256(normalizeCode(typed)));
  if (claimed === "claimed") return show(answering, <AlreadyClaimedPage view={view} />, { status: 409 });
  if (claimed === "wrong_code") return show(answering, <ClaimPage view={view} wrong={{ typed }} />, { status: 403 });
  // the code works no longer, so a file that stays is untidy and nothing worse
  try {
    forgetSetupCode(deps);
  } catch (error) {
    deps.log.warn("setup_code_left", { error: error instanceof Error ? error : String(error) });
  }
  deps.log.info("claimed", { namespace: claimed.topic.namespace });
  return show(answering, <FirstMessagePage view={view} topic={claimed.topic} secret={claimed.secret} />);
}
