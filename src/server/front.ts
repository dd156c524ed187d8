/** What requests come through: the edge, and all that it listens on (OPERATIONS.md §4). */
import type { Deps } from "../deps.ts";
import { createApp } from "./app.ts";
import { Doors } from "./doors.ts";
import { createEdge, type Edge } from "./edge.ts";
import type { TlsDoors } from "./tls-doors.ts";

interface Front {
  edge: Edge;
  doors: Doors;
  /** Undefined: no https of its own. */
  tlsDoors: TlsDoors | undefined;
}

/** `taken`: reserved words that are the name of a namespace all the same. None of it listens yet. */
export async function createFront(deps: Deps, openFiles: number, taken: readonly string[]): Promise<Front> {
  const { clock, log } = deps;
  const secure = await createSecure(deps, () => tlsDoors?.addresses[0]?.port ?? 0);
  const edge = createEdge(deps, createApp(deps), taken, secure);
  const tlsDoors = await createTlsDoors(deps, edge);
  const doors = new Doors({
    ...{ clock, log, openFiles, through: (door) => edge.through(door) },
    ...(tlsDoors && { tls: tlsDoors }),
  });
  return { edge, doors, tlsDoors };
}

// both are loaded only where they are wanted, as they take memory

async function createSecure(deps: Deps, port: () => number) {
  const { tls } = deps;
  return tls && (await import("./secure.ts")).createSecure({ ...deps, tls }, port);
}

async function createTlsDoors({ tls, config, clock }: Deps, edge: Edge) {
  if (tls === undefined) return undefined;
  const { TlsDoors } = await import("./tls-doors.ts");
  return new TlsDoors(config.tls?.listen ?? [], edge.through("tls"), clock);
}
