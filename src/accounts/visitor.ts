/** Tells who is signed in, by the cookie of a session or by the word of a trusted proxy (WEB.md §1). */
import type { Deps } from "../deps.ts";
import { contextOf } from "../http/context.ts";
import { innerPath, rawTarget } from "../http/path.ts";
import { Problem } from "../http/problem.ts";
import { basePath } from "../http/urls.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Millis } from "../util/clock.ts";
import { sha256 } from "../util/ids.ts";
import { agentOf } from "./agent.ts";
import { sessionSecret } from "./cookie.ts";
import { seesNamespace, type Person } from "./person.ts";
import { note, noteSession, TOUCH_MS } from "./seen.ts";

export interface Visitor {
  person: Person;
  /** Absent: named by a trusted proxy. */
  sessionId?: string;
  confirmedAt?: Millis;
}

/** Nobody is signed in: pages lead to the login, and everything else is 401. */
export class SignInNeeded extends Problem {
  constructor() {
    super("sign_in_needed", "Your session has ended, or there wasn't one. Sign in, then send the form again.");
  }
}

/** The password was not asked for in the last 10 minutes: leads to the page that asks. */
export class ConfirmNeeded extends Problem {
  constructor() {
    super("confirm_needed", "Confirm your password at `/-/confirm`, then send the form again.");
  }
}

type VisitorDeps = Pick<Deps, "config" | "store" | "clock" | "log">;

export const CONFIRMED_MS = 10 * 60_000;

/** Whether the visitor may see a namespace. */
export const sees = ({ person }: Visitor, namespaceId: NamespaceId): boolean => seesNamespace(person, namespaceId);

/** @throws SignInNeeded: the edge answers GETs with 303 to `/-/login?to=…`, others with 401 */
export async function visitorOf(deps: VisitorDeps, request: Request): Promise<Visitor> {
  const visitor = await findVisitor(deps, request);
  if (visitor === undefined) throw new SignInNeeded();
  return visitor;
}

/** The same for a page that is for everybody. If a proxy names somebody, a cookie counts for nothing. */
export async function findVisitor(deps: VisitorDeps, request: Request): Promise<Visitor | undefined> {
  const name = proxiedName(deps, request);
  return name === undefined ? bySession(deps, request) : byName(deps, request, name);
}

/** @throws ConfirmNeeded */
export function requireConfirmed(deps: Pick<Deps, "clock">, visitor: Visitor): void {
  if (!isConfirmed(deps, visitor)) throw new ConfirmNeeded();
}

/** Whether the password was given in the last 10 min; a trusted proxy vouches for the people it names. */
export function isConfirmed({ clock }: Pick<Deps, "clock">, { sessionId, confirmedAt = 0 }: Visitor): boolean {
  const age = clock.now() - confirmedAt;
  return sessionId === undefined || (age >= 0 && age < CONFIRMED_MS);
}

/** Whom a trusted proxy names by PEAL_AUTH_HEADER. From anybody else the header is a claim and no more. */
export function proxiedName({ config }: Pick<Deps, "config">, request: Request): string | undefined {
  const { authHeader } = config;
  if (authHeader === undefined) return undefined;
  const value = request.headers.get(authHeader);
  if (value === null || value.trim() === "" || !contextOf(request).mayName) return undefined;
  const bytes = Buffer.from(value, "latin1"); // as headers travel; what proxies write into them is UTF-8
  const name = bytes.toString("utf8");
  return name.includes("\uFFFD") ? value : name;
}

/** Where a request leads instead, if the problem asks for that. */
export function elsewhere({ config }: Pick<Deps, "config">, request: Request, error: unknown): string | undefined {
  const page = error instanceof ConfirmNeeded ? "confirm" : error instanceof SignInNeeded ? "login" : undefined;
  if (page === undefined || (page === "login" && !isPageRead(request))) return undefined;
  const base = basePath(config);
  const to = innerPath(rawTarget(request.url), base);
  if (page === "confirm") return base + confirmPath(to, request.method === "POST" ? "form" : undefined);
  return `${base}/-/login?${new URLSearchParams({ to }).toString()}`;
}

/** What was asked for on the page to which this leads back, and has to be asked for again. */
export type Again = "form" | "download";

/** The page that asks for the password and then leads to `to`. */
export const confirmPath = (to: string, again?: Again): string =>
  `/-/confirm?${new URLSearchParams({ to, ...(again !== undefined && { again }) }).toString()}`;

function isPageRead({ method, headers }: Request): boolean {
  const isStream = headers.get("accept")?.includes("text/event-stream") === true;
  return (method === "GET" || method === "HEAD") && !isStream;
}

/** An open page asks for itself (static/regions.ts), even if nobody is there. Its stream begins when somebody returns to it. */
const isUse = ({ headers }: Request): boolean => !headers.has("peal-again");

async function byName(deps: VisitorDeps, request: Request, name: string): Promise<Visitor | undefined> {
  const person = (await deps.store.accounts.byName(name))?.person;
  if (person === undefined) return undefined;
  if (isUse(request) && deps.clock.now() - (person.lastSeenAt ?? 0) >= TOUCH_MS)
    note(deps, deps.store.accounts.seen(person.id));
  return { person };
}

async function bySession(deps: VisitorDeps, request: Request): Promise<Visitor | undefined> {
  const secret = sessionSecret(deps, request);
  if (secret === undefined) return undefined;
  const found = await deps.store.accounts.bySession(sha256(secret)); // by the hash of 256 bits: its time tells nothing
  if (found === undefined) return undefined;
  const { session, person } = found;
  if (isUse(request)) noteSession(deps, session, agentOf(request));
  return { person, sessionId: session.id, confirmedAt: session.confirmedAt };
}
