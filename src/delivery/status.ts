/** Notices which lanes are in trouble, for the log, for `/health` and for operators (DELIVERY.md §3, §5). */
import type { Deps } from "../deps.ts";
import { OF_SERVER } from "../devices/device.ts";
import type { Lane as LaneName } from "./delivery.ts";
import { seriesOf } from "./figures.ts";
import type { Lane } from "./lanes/lane.ts";
import { ownerOf } from "./push/plan.ts";
import { createTroubles } from "./troubles.ts";

export interface Status {
  /** To be called after each answer that may have changed something. `lanes`: all in use; trouble with others is over. */
  look(lanes: Iterable<Lane>): void;
  /** Publishes what operators do not know yet, as messages of their topic `peal`. */
  tell(): Promise<void>;
  /** Sentences for the operator, which everybody may read at `/health`. */
  problems(lanes: Iterable<Lane>): string[];
}

/** After this many failed probes a lane is worth a line in the log, unless all lanes fail: that is one line for all. */
const PROBES = 2;

/** `labelOf`: the name of a lane for people. */
export function createStatus(deps: Pick<Deps, "store" | "log">, labelOf: (lane: LaneName) => string): Status {
  const { log } = deps;
  const troubles = createTroubles(deps, labelOf);
  /** The reason of each lane that was paused since the start; undefined once it no longer is. */
  const reasons = new Map<LaneName, string | undefined>();
  const lost = new Set<LaneName>();
  /** Lanes that were lost with all others, and the number of failed probes after which they count as lost alone. */
  const spared = new Map<LaneName, number>();
  let isOffline = false;
  /** Nothing is wrong or left to tell, so an accepted push, of which there are thousands, changes nothing. */
  let isCalm = false;

  function lookAt({ name, status, probes, hasAccepted }: Lane): void {
    const lane = labelOf(name);
    if (status.kind === "paused" && reasons.get(name) !== status.reason) {
      reasons.set(name, status.reason);
      troubles.begin(name, status.tell);
      log.error("pushes are paused", { lane, reason: status.reason, tell: status.tell });
    } else if (status.kind !== "paused" && reasons.get(name) !== undefined) {
      reasons.set(name, undefined);
      log.info("pushes are sent again", { lane });
    }
    if (status.kind === "open") {
      // every lane is open after a restart: only an answer shows that it is fixed
      if (reasons.has(name) || hasAccepted) troubles.mend(name);
      spared.delete(name);
      if (lost.delete(name)) log.info("the push service can be reached again", { lane });
      return;
    }
    const isLost = status.kind === "unreachable" && !isOffline && probes >= (spared.get(name) ?? PROBES);
    if (!isLost || lost.has(name)) return;
    lost.add(name);
    log.warn("a push service cannot be reached", { lane, reason: status.reason });
  }
  /** The loss of all lanes at once is one line, and so is its end. */
  function lookAtAll(lanes: readonly Lane[]): void {
    const wasOffline = isOffline;
    isOffline = areLost(lanes);
    if (isOffline && !wasOffline) {
      lost.clear();
      log.warn(OFFLINE, { lanes: lanes.length });
    }
    if (isOffline || !wasOffline) return;
    for (const { name, probes } of lanes) spared.set(name, probes + PROBES);
    if (lanes.some(({ status }) => status.kind === "open")) log.info("push services can be reached again");
  }
  function forget(name: LaneName): void {
    reasons.delete(name);
    lost.delete(name);
    spared.delete(name);
    troubles.forget(name);
  }
  /** Where a forward of a namespace sends, and what is said there, is for that namespace alone. */
  const paused = (name: LaneName, tell: string): string =>
    (ownerOf(name) ?? OF_SERVER) === OF_SERVER
      ? `Pushes over ${labelOf(name)} are paused. ${tell}`
      : `Pushes over ${seriesOf(labelOf(name))} are paused. The topic \`peal\` of the forward's namespace says what to fix.`;
  return {
    look: (lanes) => {
      const all = [...lanes];
      const areOpen = all.every(({ status }) => status.kind === "open");
      if (isCalm && areOpen) return;
      lookAtAll(all);
      for (const lane of all) lookAt(lane);
      const inUse = new Set(all.map(({ name }) => name));
      for (const name of new Set([...reasons.keys(), ...lost, ...spared.keys(), ...troubles.lanes()]))
        if (!inUse.has(name)) forget(name);
      isCalm = areOpen && troubles.areNone && !isOffline && lost.size === 0 && spared.size === 0;
    },
    tell: async () => troubles.tell(),
    problems: (lanes) => {
      const all = [...lanes];
      const tells = new Set(
        all.flatMap(({ name, status }) => (status.kind === "paused" ? [paused(name, status.tell)] : [])),
      );
      return areLost(all) ? [`${OFFLINE}: what is to be pushed waits.`, ...tells] : [...tells];
    },
  };
}

const OFFLINE = "No push service can be reached";

/** Only lanes that have worked count: endpoints that somebody made up do not mean that nothing can be reached. */
const areLost = (lanes: readonly Lane[]): boolean => {
  const proven = lanes.filter(({ isProven }) => isProven);
  return proven.length > 0 && proven.every(({ status, probes }) => status.kind === "unreachable" && probes > 0);
};
