/**
 * The begin and end of every page of the dashboard: who is signed in, which namespaces they see, which one the header's filter
 * has chosen, and the answer with the house's headers.
 */
import { requireConfirmed, sees, visitorOf } from "../../accounts/visitor.ts";
import type { Deps } from "../../deps.ts";
import { readForm } from "../../http/body.ts";
import { namedParts } from "../../http/path.ts";
import { queryOf } from "../../http/query.ts";
import { requireSameSite } from "../../http/same-site.ts";
import type { Namespace } from "../../keys/namespace.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { made, packed, seeOther, show, type Answering } from "../respond.ts";
import { viewOf } from "../view.ts";
import { flashCookie, flashOf, type Flash } from "./frame/flash.ts";
import { deskLink } from "./frame/filter.ts";
import { forAdmins, nothingHere } from "./frame/refused.tsx";
import { isSecretless } from "./secretless.ts";
import type { Desk } from "./signed-in.ts";

export interface PageContext<Name extends string = never> {
  request: Request;
  params: Record<Name, string>;
}

/** Where a form leads: a path below the base path, `/-/topics`. */
export interface Done {
  to: string;
  flash?: Flash;
  /** A `Set-Cookie` for the visitor's browser. */
  cookie?: string;
}
/** The form again, with its faults at their fields. Status 422 if none is given. */
export interface Again {
  page: Safe;
  status?: number;
}

type DeskDeps = Parameters<typeof visitorOf>[0] & Pick<Deps, "config" | "store" | "clock">;
/**
 * Who may, as the mount of each page and form says it: people who are signed in (in a namespace, those who see it), or only
 * admins, and others are told so; `confirmed`: only if the password was given in the last 10 minutes.
 */
export type Visitors = "signed in" | "signed in, confirmed" | "admin" | "admin, confirmed";
type Handling<Name extends string> = Answering & { request: Request; params: Record<Name, string | null> };

/** How long a failed push is trouble. */
export const FAILED_MS = 24 * 3_600_000;
/** The most of a form: a few fields, one of them perhaps a long text. */
const MAX_FORM_BYTES = 65_536;

/** Says at the mount who may: the walk over all routes asks each for it, and whether it holds. */
export const openTo = <H extends object>(who: Visitors | "everybody", handler: H): H & { who: string } =>
  Object.assign(handler, { who });

/** GET of a page: signs in, reads the filter. 404 in words where `page` has nothing to show. */
export const onDesk = <Name extends string = never>(
  deps: DeskDeps & Pick<Deps, "answers">,
  who: Visitors,
  page: (desk: Desk, context: PageContext<Name>) => Safe | undefined | Promise<Safe | undefined>,
) =>
  openTo(who, async ({ request, params, set, html }: Handling<Name>) => {
    const desk = await deskOf(deps, request);
    if (desk.flash !== undefined) set.headers["set-cookie"] = flashCookie(desk.view);
    if (isKeptOut(desk, who)) return show({ set, html }, forAdmins(desk), { status: 403 });
    if (who.endsWith("confirmed")) requireConfirmed(deps, desk.visitor);
    return deps.answers.send(request, async () => {
      const document = await page(desk, { request, params: namedParts(params) });
      if (document === undefined) return made({ set, html }, nothingHere(desk), { status: 404 });
      return isSecretless(request, desk.view.base)
        ? packed(request, { set, html }, document)
        : made({ set, html }, document);
    });
  });

/** The option of a form's route: `atDesk` reads its body, up to a limit. */
export const UNREAD = { parse: "none" } as const;

/** POST of a form: signs in, takes it from our own pages only, acts. Leads on with 303, or shows a page. */
export const atDesk = <Name extends string = never>(
  deps: DeskDeps,
  who: Visitors,
  act: (desk: Desk, form: URLSearchParams, context: PageContext<Name>) => Promise<Done | Again | undefined>,
) =>
  openTo(who, async ({ request, params, set, html }: Handling<Name>) => {
    await visitorOf(deps, request); // nobody's form is read
    requireSameSite(request, new URL(viewOf(deps, request).url).origin);
    const form = await readForm(request, MAX_FORM_BYTES);
    const desk = await deskOf(deps, request); // only now: somebody who was signed out while the form came may do nothing
    if (isKeptOut(desk, who)) return show({ set, html }, forAdmins(desk), { status: 403 });
    if (who.endsWith("confirmed")) requireConfirmed(deps, desk.visitor);
    const outcome = await act(desk, form, { request, params: namedParts(params) });
    if (outcome === undefined) return show({ set, html }, nothingHere(desk), { status: 404 });
    if ("page" in outcome) return show({ set, html }, outcome.page, { status: outcome.status ?? 422 });
    const answer = seeOther(deskLink(desk, outcome.to));
    if (outcome.flash !== undefined) answer.headers.append("set-cookie", flashCookie(desk.view, outcome.flash));
    if (outcome.cookie !== undefined) answer.headers.append("set-cookie", outcome.cookie);
    return answer;
  });

const isKeptOut = ({ visitor: { person } }: Desk, who: Visitors): boolean => who.startsWith("admin") && !person.isAdmin;

/** Somebody comes to the page. What a script asks for again is not shown as a whole: what is said once would be lost. */
export const isVisit = ({ method, headers }: Request): boolean => method === "GET" && !headers.has("peal-again");

async function deskOf(deps: DeskDeps, request: Request): Promise<Desk> {
  const view = viewOf(deps, request);
  const visitor = await visitorOf(deps, request);
  const namespaces = (await deps.store.namespaces.list()).filter(({ id }) => sees(visitor, id));
  const name = queryOf(request).get("ns");
  const chosen = namespaces.find((one) => one.name === name);
  const flash = isVisit(request) ? flashOf(request, view.texts) : undefined;
  const { now } = view;
  const trouble = await deps.store.overview.trouble(idsOf(namespaces), now - FAILED_MS);
  return {
    view,
    visitor,
    namespaces,
    trouble,
    now,
    ...(chosen !== undefined && { chosen }),
    ...(flash !== undefined && { flash }),
  };
}

const idsOf = (namespaces: readonly Namespace[]) => namespaces.map(({ id }) => id);
