/** @jsxImportSource #jsx */
/** Signing in and out, and the password once more, over HTTP (WEB.md §1). */
import type { Refused } from "../../../accounts/attempt.ts";
import { confirm, endSession, signIn } from "../../../accounts/signin.ts";
import { type Again, findVisitor, proxiedName, visitorOf } from "../../../accounts/visitor.ts";
import type { Deps } from "../../../deps.ts";
import { readForm } from "../../../http/body.ts";
import { ownPath } from "../../../http/own-path.ts";
import { Problem } from "../../../http/problem.ts";
import { queryOf } from "../../../http/query.ts";
import { prefersHtml } from "../../../http/respond.ts";
import { requireSameSite } from "../../../http/same-site.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { seeOther, show, type Answering } from "../../respond.ts";
import { viewOf } from "../../view.ts";
import { type DeskDeps, DeskRoutes, type Handling } from "../desk.ts";
import { flashCookie } from "../frame/flash.ts";
import { ConfirmPage, LoginPage, type PutOff, UnknownPage, type Wrong } from "./pages.tsx";

type SignInDeps = DeskDeps & Pick<Deps, "tries" | "passwords">;

export const signInRoutes = (deps: SignInDeps) =>
  new DeskRoutes(deps)
    .answer("GET /-/login", "everybody", async ({ request, set, html }) => {
      const { view, to } = asked(deps, request);
      if (!deps.store.setup.state().claimed) return seeOther(`${view.base}/-/setup`);
      if ((await findVisitor(deps, request)) !== undefined) return seeOther(view.base + to);
      const name = proxiedName(deps, request);
      if (name !== undefined) return show({ set, html }, <UnknownPage view={view} name={name} />, { status: 403 });
      return show({ set, html }, <LoginPage view={view} to={to} />);
    })
    .answer("POST /-/login", "everybody", async (handling) => login(deps, handling))
    .answer("GET /-/confirm", "signed in", async ({ request, set, html }) => {
      const { view, to, again } = asked(deps, request);
      const { person, sessionId } = await visitorOf(deps, request);
      if (sessionId === undefined) return seeOther(view.base + to);
      return show({ set, html }, <ConfirmPage {...{ view, to, again }} name={person.name} />);
    })
    .answer("POST /-/confirm", "signed in", async (handling) => confirmed(deps, handling))
    .answer("POST /-/logout", "everybody", async ({ request }) => {
      const { view } = asked(deps, request);
      requireSameSite(request, new URL(view.url).origin);
      const cookie = await endSession(deps, request, await findVisitor(deps, request));
      return withCookie(seeOther(`${view.base}/-/login`), cookie);
    }).routes;

async function login(deps: SignInDeps, { request, set, html }: Handling) {
  const { view, to } = asked(deps, request);
  const form = await formOf(request, view.url);
  const name = form.get("name") ?? "";
  const outcome = await orPutOff(request, signIn(deps, request, name, form.get("password") ?? ""));
  if (outcome.kind === "signed_in") return withCookie(seeOther(view.base + to), outcome.cookie);
  return again({ set, html }, outcome, (wrong) => <LoginPage view={view} to={to} wrong={{ ...wrong, name }} />);
}

async function confirmed(deps: SignInDeps, { request, set, html }: Handling) {
  const { view, to, again: next } = asked(deps, request);
  const visitor = await visitorOf(deps, request);
  const form = await formOf(request, view.url);
  const outcome = await orPutOff(request, confirm(deps, request, visitor, form.get("password") ?? ""));
  const { name } = visitor.person;
  if (outcome.kind !== "confirmed")
    return again({ set, html }, outcome, (wrong) => (
      <ConfirmPage {...{ view, to, again: next, name }} wrong={{ ...wrong, name }} />
    ));
  const answer = seeOther(view.base + to);
  return next === undefined ? answer : withCookie(answer, flashCookie(view, { say: AGAIN[next], tone: "info" }));
}

/** Nobody looked at the password: a person who is asked to try again gets the form. */
interface NotLookedAt {
  kind: "put_off";
  code: PutOff;
  problem: Problem;
}

async function orPutOff<T>(request: Request, outcome: Promise<T>): Promise<T | NotLookedAt> {
  try {
    return await outcome;
  } catch (problem) {
    if (!prefersHtml(request) || !(problem instanceof Problem) || !isPutOff(problem.code)) throw problem;
    return { kind: "put_off", code: problem.code, problem };
  }
}
const isPutOff = (code: string): code is PutOff => code === "rate_limited" || code === "sign_in_busy";

/** The form once more, and why. */
async function again(
  { set, html }: Answering,
  outcome: Refused | NotLookedAt,
  page: (wrong: Omit<Wrong, "name">) => Safe,
) {
  if (outcome.kind === "refused") return show({ set, html }, page(outcome), { status: 422 });
  const { code, problem } = outcome;
  Object.assign(set.headers, problem.headers);
  return show({ set, html }, page({ putOff: code }), { status: problem.status });
}

const START = "/-/";
const AGAIN = { form: "signin.sendAgain", download: "signin.downloadAgain" } as const;
const isAgain = (text: string | null): text is Again => text === "form" || text === "download";

const asked = (deps: SignInDeps, request: Request) => {
  const query = queryOf(request);
  const to = ownPath(query.get("to"), START);
  const again = query.get("again");
  return {
    view: viewOf(deps, request),
    to: to ?? START,
    again: to !== undefined && isAgain(again) ? again : undefined,
  };
};

/** Only from our own pages: a stranger's page could sign a reader in as somebody else. */
async function formOf(request: Request, url: string): Promise<URLSearchParams> {
  requireSameSite(request, new URL(url).origin);
  return readForm(request);
}

function withCookie(answer: Response, cookie: string): Response {
  answer.headers.set("set-cookie", cookie);
  return answer;
}
