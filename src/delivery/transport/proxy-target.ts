/**
 * What the operator's proxy is asked to connect to for a stranger's endpoint (docs/design/DELIVERY.md §4): the address that
 * was checked here, since the proxy resolves names by itself. A name only where that can mean nobody but a browser's own
 * push service, or a host that the operator named.
 */
import type { Clock } from "../../util/clock.ts";
import type { Endpoint } from "./endpoint.ts";
import { codeOf } from "./reason.ts";
import type { Resolver } from "./resolver.ts";

export type Target = { kind: "address"; address: string } | { kind: "name" } | { kind: "refused"; reason: string };

export interface Targets {
  of(endpoint: Pick<Endpoint, "host" | "mayBePrivate">): Promise<Target>;
  /** The proxy connects to no address, but to names: it filters by them. */
  addressRefused(): void;
}

/** Behind a proxy nobody may answer look-ups at all: a push waits no longer than this for one. */
const LOOK_UP_MS = 2_000;
/** After such a wait no name is looked up for so long. */
const DEAF_MS = 60_000;
/** A proxy that refused an address is given names for so long. */
const NAMES_MS = 600_000;

export function createTargets(resolver: Resolver, clock: Clock): Targets {
  /** These are monotonic. */
  let deafUntil = -Infinity;
  let namesUntil = -Infinity;

  /** Undefined: the name cannot be looked up here. */
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
    of: async ({ host, mayBePrivate }) => {
      // it may be anywhere, and perhaps only the proxy knows it
      if (mayBePrivate) return { kind: "name" };
      const found = await lookUp(host);
      if (typeof found === "string") return { kind: "refused", reason: found };
      const [address] = found ?? [];
      const isName = address === undefined || clock.monotonic() < namesUntil;
      return isName ? { kind: "name" } : { kind: "address", address };
    },
    addressRefused: () => {
      namesUntil = clock.monotonic() + NAMES_MS;
    },
  };
}
