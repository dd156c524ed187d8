/**
 * The account of whoever asks, as ntfy's clients want it (ntfy 2.27, server/server_account.go). Here a key is the account, and its
 * token is the key itself. Home Assistant asks for both before it can be set up; its library wants all figures (aiontfy, types.py).
 */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { authorizeKey, secretIn, userIn, type Principal } from "../keys/auth.ts";
import { allows } from "../keys/key.ts";
import { DAY, HOUR, SECOND } from "../util/clock.ts";
import { credentialsOf, type AddressDeps, type Base } from "./address.ts";

export type AccountDeps = AddressDeps & Pick<Deps, "config">;

/** Whose the request is, and what it brought. */
interface Holder {
  principal: Principal;
  /** The value of `Authorization`. */
  given: string;
}

/** Undefined: nobody's in particular. @throws Problem 401, and 403 below the address of another namespace */
function holderOf(deps: AccountDeps, request: Request, { ns }: Base): Holder | undefined {
  const given = credentialsOf(request);
  if (given === null) return undefined;
  const principal = authorizeKey(deps, request, secretIn(given), "any key");
  if (ns !== undefined && ns !== principal.namespace) throw problem.wrongNamespace(ns ?? "");
  return { principal, given };
}

export async function account(deps: AccountDeps, request: Request, base: Base): Promise<Response> {
  const holder = holderOf(deps, request, base);
  const who =
    holder === undefined ? { username: "*", role: "anonymous" } : { username: nameOf(deps, holder), role: "user" };
  return json({ ...who, limits: limitsOf(deps), stats: await statsOf(deps, holder?.principal) }, 200, NO_STORE);
}

/**
 * Home Assistant lets nobody sign in again as somebody else, so the user is whoever the client says it is, as long as its key is
 * valid. `*` is nobody.
 */
function nameOf({ store }: AccountDeps, { principal, given }: Holder): string {
  const label = store.keys.find(principal.keyHash ?? "")?.name ?? "";
  return [userIn(given), label].find((each) => each !== "" && each !== "*") ?? principal.namespace;
}

/** A number that stands for no limit; the clients read whole numbers. */
const UNLIMITED = 2_147_483_647;
const NONE = { emails: 0, calls: 0, reservations: 0 };

function limitsOf({ config: { limits, files, retention } }: AccountDeps) {
  const { each = 0, all = 0, days = 0 } = files ?? {};
  return {
    ...{ basis: "ip", messages: messagesADay(limits.publish) },
    messages_expiry_duration: seconds(retention.days * DAY),
    ...NONE,
    ...{ attachment_total_size: all, attachment_file_size: each },
    ...{ attachment_expiry_duration: seconds(days * DAY), attachment_bandwidth: UNLIMITED },
  };
}

const seconds = (ms: number): number => Math.floor(ms / SECOND);

const messagesADay = (publish: Deps["config"]["limits"]["publish"]): number =>
  publish === undefined ? UNLIMITED : Math.floor((publish.rate * DAY) / SECOND);

async function statsOf({ store, clock, config: { limits, files } }: AccountDeps, principal: Principal | undefined) {
  const today = Math.floor(clock.now() / DAY) * (DAY / HOUR);
  const isTold = principal !== undefined && allows(principal, "read");
  const hours = isTold
    ? (await store.days.hours([principal.namespaceId], today)).get(principal.namespaceId)
    : undefined;
  const counts = [...(hours?.values() ?? [])].flatMap((byLevel) => Object.values(byLevel));
  const messages = counts.reduce((sum, count) => sum + count, 0);
  // the files of all namespaces count together
  const isAdmin = principal !== undefined && allows(principal, "admin");
  const { bytes } = isAdmin ? store.files.total() : { bytes: 0 };
  return {
    ...{ messages, messages_remaining: Math.max(0, messagesADay(limits.publish) - messages) },
    ...{ emails: 0, emails_remaining: 0, calls: 0, calls_remaining: 0, reservations: 0, reservations_remaining: 0 },
    ...{ attachment_total_size: bytes, attachment_total_size_remaining: Math.max(0, (files?.all ?? 0) - bytes) },
  };
}

/** The key that came, as a token: a client that was given it as a password keeps it as this, and no other key is made. */
export function token(deps: AccountDeps, request: Request, base: Base): Response {
  const holder = holderOf(deps, request, base);
  if (holder === undefined) throw problem.missingKey();
  const { expiresAt } = holder.principal;
  return json(
    { token: secretIn(holder.given), ...(expiresAt !== undefined && { expires: seconds(expiresAt) }) },
    200,
    NO_STORE,
  );
}

/** A client signs out. The key is not its alone, and is revoked where it was made. */
export function forgetToken(deps: AccountDeps, request: Request, base: Base): Response {
  if (holderOf(deps, request, base) === undefined) throw problem.missingKey();
  return json({ success: true });
}
