/**
 * The begin and end of every page of the dashboard: who is signed in, which namespaces they see, which one the header's filter
 * has chosen, and the answer with the house's headers.
 */
import { requireConfirmed, sees, visitorOf } from "../../accounts/visitor.ts";
import type { Deps } from "../../deps.ts";
import { readForm } from "../../http/body.ts";
import { namedParts } from "../../http/path.ts";
import { queryOf } from "../../http/query.ts";
import type { Route } from "../../http/route.ts";
import { requireSameSite } from "../../http/same-site.ts";
import type { Namespace } from "../../keys/namespace.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { type Answering, made, packed, seeOther, show } from "../respond.ts";
import { viewOf } from "../view.ts";
import { flashCookie, flashOf, type Flash } from "./frame/flash.ts";
import { deskLink } from "./frame/filter.ts";
import { forAdmins, nothingHere } from "./frame/refused.tsx";
import { isSecretless } from "./secretless.ts";
import type { Desk } from "./signed-in.ts";
import { DAY } from "../../util/clock.ts";

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

export type DeskDeps = Parameters<typeof visitorOf>[0] & Pick<Deps, "config" | "store" | "clock" | "answers">;
/**
 * Who may, as each page and form says where it is declared: people who are signed in (in a namespace, those who see it), or only
 * admins, and others learn why not; `confirmed`: only if the password was given in the last 10 minutes.
 */
export type Visitors = "signed in" | "signed in, confirmed" | "admin" | "admin, confirmed";

/** The names in the template of a path: of `/:key/hooks/:id` they are `key` and `id`. */
type NamedIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamedIn<More>
    : Rest
  : never;

/** A request as its route gives it, before it is known who asks. */
export type Handling<Name extends string = string> = Answering & {
  request: Request;
  params: Record<Name, string | null>;
};
/** A request for a page, with the visitor and what its path names. */
export interface Visit<Name extends string = string> {
  desk: Desk;
  request: Request;
  params: Record<Name, string>;
}
/** A form that a visitor has filled in, or a button that they pressed. */
interface Sent extends Visit {
  form: URLSearchParams;
}
type MaybeLater<T> = T | Promise<T>;
type Page<V> = (visit: V) => MaybeLater<Safe | undefined>;
type Act<S> = (sent: S) => Promise<Done | Again | undefined>;
/** What a page or form is about, beside the request. */
type About<Path extends string, Seen, Asked> = Omit<Asked, "params"> & Pick<Visit<NamedIn<Path>>, "params"> & Seen;
/** What a visitor sees of the objects that a path names. */
type Find<Path extends string, Seen> = (visit: Visit<NamedIn<Path>>) => MaybeLater<Seen | undefined>;

/** How long a failed push is trouble. */
export const FAILED_MS = DAY;
/** The most of a form: a few fields, one of them perhaps a long text. */
const MAX_FORM_BYTES = 65_536;
/**
 * Pages and forms below one path. Each says who may, which the walk over all routes checks. The objects that they
 * are about are found once for each request, before the handler; a 404 page if the visitor may see none.
 */
export class DeskRoutes<Prefix extends string = "", Seen extends object = object> {
  readonly routes: Route[] = [];
  readonly #prefix: string;
  readonly #deps: DeskDeps;
  readonly #find: Find<Prefix, Seen>;

  constructor(deps: DeskDeps, prefix?: Prefix, find?: Find<Prefix, Seen>) {
    this.#prefix = prefix ?? "";
    this.#deps = deps;
    this.#find = find ?? (() => ({}) as Seen);
  }

  /** A GET of a page. A 404 page if it has nothing to show. */
  page<Path extends string>(path: Path, who: Visitors, page: Page<About<`${Prefix}${Path}`, Seen, Visit>>): this {
    return this.answer(`GET ${path}`, who, onDesk(this.#deps, who, this.#about(page)));
  }

  /** A POST of a form. Redirects by 303, or shows a page; 404 if it does neither. */
  form<Path extends string>(path: Path, who: Visitors, act: Act<About<`${Prefix}${Path}`, Seen, Sent>>): this {
    return this.answer(`POST ${path}`, who, atDesk(this.#deps, who, this.#about(act)));
  }

  /** A handler that finds out itself who asks, and answers in its own way. `address`: `GET /-/login`. */
  answer<Address extends string>(
    address: Address,
    who: Visitors | "everybody",
    handler: (handling: Handling<NamedIn<Address>>) => unknown,
  ): this {
    const [method = "", path = ""] = address.split(" ");
    this.routes.push({ method, path: this.#prefix + path, handler: Object.assign(handler, { who }), isPage: true });
    return this;
  }

  /** The names in `Path` are in the template of the route, which no type can see here. */
  #about<T>(act: (asked: never) => T) {
    return async (asked: Visit): Promise<Awaited<T> | undefined> => {
      const seen = await this.#find(asked);
      return seen && (await act({ ...seen, ...asked } as never));
    };
  }
}

/** Signs in, reads the filter, shows the page. */
export const onDesk =
  (deps: DeskDeps, who: Visitors, page: Page<Visit>) =>
  async ({ request, params, set, html }: Handling) => {
    const desk = await deskOf(deps, request);
    if (desk.flash !== undefined) set.headers["set-cookie"] = flashCookie(desk.view);
    if (isKeptOut(desk, who)) return show({ set, html }, forAdmins(desk), { status: 403 });
    if (who.endsWith("confirmed")) requireConfirmed(deps, desk.visitor);
    return deps.answers.send(request, async () => {
      const document = await page({ desk, request, params: namedParts(params) });
      if (document === undefined) return made({ set, html }, nothingHere(desk), { status: 404 });
      return isSecretless(request, desk.view.base)
        ? packed(request, { set, html }, document)
        : made({ set, html }, document);
    });
  };

/** Signs in, takes a form only from our own pages, and acts. */
const atDesk =
  (deps: DeskDeps, who: Visitors, act: Act<Sent>) =>
  async ({ request, params, set, html }: Handling) => {
    await visitorOf(deps, request); // nobody's form is read
    requireSameSite(request, new URL(viewOf(deps, request).url).origin);
    const form = await readForm(request, MAX_FORM_BYTES);
    const desk = await deskOf(deps, request); // only now: somebody who was signed out while the form came may do nothing
    if (isKeptOut(desk, who)) return show({ set, html }, forAdmins(desk), { status: 403 });
    if (who.endsWith("confirmed")) requireConfirmed(deps, desk.visitor);
    const outcome = await act({ desk, form, request, params: namedParts(params) });
    if (outcome === undefined) return show({ set, html }, nothingHere(desk), { status: 404 });
    if ("page" in outcome) return show({ set, html }, outcome.page, { status: outcome.status ?? 422 });
    const answer = seeOther(deskLink(desk, outcome.to));
    if (outcome.flash !== undefined) answer.headers.append("set-cookie", flashCookie(desk.view, outcome.flash));
    if (outcome.cookie !== undefined) answer.headers.append("set-cookie", outcome.cookie);
    return answer;
  };

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
