/** @jsxImportSource #jsx */
/** The first run over HTTP: somebody with the set-up code claims the server (WEB.md §2). */
import type { Deps } from "../deps.ts";
import { readForm } from "../http/body.ts";
import { contextOf } from "../http/context.ts";
import { logRefusal } from "../keys/auth.ts";
import { DeskRoutes } from "../pages/dashboard/desk.ts";
import { show, type Answering } from "../pages/respond.ts";
import { type View, viewOf } from "../pages/view.ts";
import { ownerOf } from "../accounts/people.ts";
import { startSession } from "../accounts/signin.ts";
import { sha256 } from "../util/ids.ts";
import { AlreadyClaimedPage, ClaimPage, type ClaimFaults } from "./claim.tsx";
import { tokensOf } from "../tokens/secret.ts";
import type { Topic } from "../topics/topic.ts";
import { forgetSetupCode } from "../accounts/setup-code-file.ts";
import { normalizeCode } from "../accounts/setup-code.ts";
import { ensureFirstHook, firstHookUrl } from "./first-hook.ts";
import { FirstMessagePage } from "./first-message.tsx";
import { laterRoutes } from "./later.tsx";
import { requireSameSite } from "../http/same-site.ts";

type SetupDeps = Pick<Deps, "config" | "store" | "tries" | "passwords" | "log" | "clock">;

export const setupRoutes = (deps: SetupDeps & Parameters<typeof laterRoutes>[0]) => [
  ...new DeskRoutes(deps)
    .answer("GET /-/setup", "everybody", async ({ request, set, html }) => {
      const view = viewOf(deps, request);
      const { claimed, keys } = deps.store.setup.state();
      return show(
        { set, html },
        claimed ? <AlreadyClaimedPage view={view} /> : <ClaimPage view={view} hasKeys={keys} />,
      );
    })
    .answer("POST /-/setup", "everybody", async ({ request, set, html }) => claim(deps, request, { set, html })).routes,
  ...laterRoutes(deps),
];

async function claim(deps: SetupDeps, request: Request, answering: Answering) {
  const view = viewOf(deps, request);
  requireSameSite(request, new URL(view.url).origin);
  const tried = deps.tries.take({ kind: "stranger", address: contextOf(request).address });
  const form = await readForm(request);
  const field = (name: string): string => form.get(name) ?? "";
  const typed = { code: field("code"), name: field("name") };
  const claimed = await claimedBy(deps, typed, field("password")).catch((error: unknown) => {
    tried.giveBack();
    throw error;
  });
  if (claimed === "claimed" || !("wrong" in claimed) || claimed.wrong.code === undefined) tried.giveBack();
  if (claimed === "claimed") return show(answering, <AlreadyClaimedPage view={view} />, { status: 409 });
  if ("wrong" in claimed) {
    const isCodeWrong = claimed.wrong.code !== undefined;
    if (isCodeWrong) logRefusal(deps, request, "wrong_code");
    const status = isCodeWrong ? 403 : 422;
    return show(
      answering,
      <ClaimPage view={view} hasKeys={deps.store.setup.state().keys} typed={typed} wrong={claimed.wrong} />,
      { status },
    );
  }
  // the code works no longer, so a file that stays is only untidy
  try {
    forgetSetupCode(deps);
  } catch (error) {
    deps.log.warn("setup_code_left", { error: error instanceof Error ? error : String(error) });
  }
  deps.log.info("claimed", { namespace: claimed.topic.namespace });
  const cookie = await startSession(deps, request, claimed.person);
  if (cookie !== undefined) answering.set.headers["set-cookie"] = cookie;
  const made = { secret: claimed.secret };
  const hookUrl = await madeHook(deps, view, claimed.topic);
  return show(answering, <FirstMessagePage view={view} topic={claimed.topic} made={made} hookUrl={hookUrl} />);
}

/** Without it there is still the command: its key is shown only this once, whatever goes wrong here. */
async function madeHook(given: SetupDeps, view: View, topic: Topic): Promise<string | undefined> {
  const deps = { ...given, tokens: tokensOf(given) };
  try {
    await ensureFirstHook(deps, topic);
    return await firstHookUrl(deps, view, topic);
  } catch (error) {
    deps.log.warn("first_hook_not_made", { error: error instanceof Error ? error : String(error) });
    return undefined;
  }
}

/** A wrong code is refused before a password is hashed, which takes long. */
async function claimedBy(
  { store: { setup }, passwords }: Pick<Deps, "store" | "passwords">,
  typed: { code: string; name: string },
  password: string,
) {
  if (setup.state().claimed) return "claimed";
  const codeHash = sha256(normalizeCode(typed.code));
  const { name, faults } = ownerOf({ name: typed.name, password });
  const wrong: ClaimFaults = { ...faults, ...(!setup.isCode(codeHash) && { code: "wrong" }) };
  if (name === undefined || Object.keys(wrong).length > 0) return { wrong };
  const claimed = await setup.claim(codeHash, { name, passwordHash: await passwords.hash(password) });
  if (claimed === "wrong_code") return { wrong: { code: "wrong" } satisfies ClaimFaults };
  return claimed === "name_taken" ? { wrong: { name: "taken" } satisfies ClaimFaults } : claimed;
}
