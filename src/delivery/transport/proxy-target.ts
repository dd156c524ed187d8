/**
 * Decides what the operator's proxy is asked to connect to for a stranger's endpoint (DELIVERY.md §4): the address that
 * was checked here, since the proxy resolves names itself. It is given a name only if that can belong to nobody but
 * a browser's push service, or if the operator named the host.
 */
import type { Clock } from "../../util/clock.ts";
import type { Endpoint } from "./endpoint.ts";
import { codeOf } from "./reason.ts";
import type { Resolver } from "./resolver.ts";

export type Target = { kind: "address"; address: string } | { kind: "name" } | { kind: "refused"; reason: string };

export interface Targets {
  of(endpoint: Pick<Endpoint, "host" | "mayBePrivate" | "mayBeNamed">): Promise<Target>;
  /** The proxy filters by names: it connects to names and refuses addresses. */
  addressRefused(): void;
}

/** A push waits no longer than this for a look-up: behind a proxy there may be no resolver. */
const LOOK_UP_MS = 2_000;
/** After such a wait nothing is looked up for this long. */
const DEAF_MS = 60_000;
/** A proxy that refused an address is given names for this long. */
const NAMES_MS = 600_000;

export function createTargets(resolver: Resolver, clock: Clock): Targets {
  /** Both times are monotonic. */
  let deafUntil = -Infinity;
  let namesUntil = -Infinity;

  /** Undefined if the name cannot be looked up here. */
  async function lookUp(host: string): Promise<readonly string[] | string | undefined> {
    if (clock.monotonic() < deafUntil) return undefined;
    const late = Promise.withResolvers<"late">();
    const cancel = clock.after(LOOK_UP_MS, () => {
      late.resolve("late");
    });
    const found = await Promise.race([resolver.addresses(host, false), late.promise])
      .catch((error: unknown) => (codeOf(error) === "EAI_AGAIN" ? "late" : undefined))
      .finally(cancel);
    if (found === "late") deafUntil = clock.monotonic() + DEAF_MS;
    return found === "late" ? undefined : found;
  }

  return {
    of: async ({ host, mayBePrivate, mayBeNamed }) => {
      // the host may be anywhere, and perhaps only the proxy knows it
      if (mayBePrivate) return { kind: "name" };
      const found = await lookUp(host);
      if (typeof found === "string") return { kind: "refused", reason: found };
      const [address] = found ?? [];
      if (!mayBeNamed && address === undefined) return { kind: "refused", reason: "the name could not be looked up" };
      const isName = address === undefined || (mayBeNamed && clock.monotonic() < namesUntil);
      return isName ? { kind: "name" } : { kind: "address", address };
    },
    addressRefused: () => {
      namesUntil = clock.monotonic() + NAMES_MS;
    },
  };
}
