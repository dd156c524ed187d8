/** Tells operators what is wrong with deliveries, each trouble once (docs/design/DELIVERY.md §3, §5). */
import type { Deps } from "../deps.ts";
import type { Draft } from "../drafts/draft.ts";
import { SERVER_TOPIC } from "../names/topic.ts";
import type { Lane as LaneName } from "./delivery.ts";
import type { Lane } from "./lanes/lane.ts";
import { platformOf } from "./push/plan.ts";

export interface Status {
  /** After each answer that may have changed something. `lanes`: all that are in use; trouble with others is over. */
  look(lanes: Iterable<Lane>): void;
  /** Tells operators what is not told yet, as messages of their topic `peal`. */
  tell(): Promise<void>;
  /** Sentences for the operator. */
  problems(lanes: Iterable<Lane>): string[];
}

/** A lane alone that is asked in vain so often is worth a line: when all are, that is one line for all. */
const PROBES = 2;

interface Trouble {
  title: (lane: string) => string;
  level: Draft["level"];
  tell: string;
  isOver: boolean;
}
const MENDED: Trouble = {
  title: (lane) => `Pushes over ${lane} are no longer paused`,
  ...{ level: "success", tell: "What waited is sent now.", isOver: true },
};
/** Whether it is mended, nobody knows. */
const IDLE: Trouble = {
  title: (lane) => `Nothing waits for ${lane} any more`,
  ...{ level: "info", tell: "Whether pushes are accepted there again, the next one shows.", isOver: true },
};
const paused = (tell: string): Trouble => ({
  title: (lane) => `Pushes over ${lane} are paused`,
  ...{ level: "error", tell, isOver: false },
});

export function createStatus({ store, log }: Pick<Deps, "store" | "log">, labelOf: (lane: LaneName) => string): Status {
  /** Since the start, with the reason; undefined: it is no more. */
  const reasons = new Map<LaneName, string | undefined>();
  const lost = new Set<LaneName>();
  /** Lanes that were lost with all others, and how often they may be asked in vain until they are lost alone. */
  const spared = new Map<LaneName, number>();
  let isOffline = false;
  /** There is no trouble, and none that is over is to be told: an accepted push, of which there are thousands, changes nothing. */
  let isCalm = false;
  const toTell = new Map<LaneName, Trouble>();
  /** Those that the operators know of, kept over restarts. */
  let told: Set<LaneName> | undefined;
  let telling: Promise<void> | undefined;

  function lookAt({ name, status, probes, hasAccepted }: Lane): void {
    const lane = labelOf(name);
    if (status.kind === "paused" && reasons.get(name) !== status.reason) {
      reasons.set(name, status.reason);
      toTell.set(name, paused(status.tell));
      log.error("pushes are paused", { lane, reason: status.reason, tell: status.tell });
    } else if (status.kind !== "paused" && reasons.get(name) !== undefined) {
      reasons.set(name, undefined);
      log.info("pushes are sent again", { lane });
    }
    if (status.kind === "open") {
      // a lane is open after a restart: that it is mended, an answer has to show
      if (told?.has(name) === true && (reasons.has(name) || hasAccepted)) toTell.set(name, MENDED);
      spared.delete(name);
      if (lost.delete(name)) log.info("the push service can be reached again", { lane });
    } else if (
      status.kind === "unreachable" &&
      !isOffline &&
      probes >= (spared.get(name) ?? PROBES) &&
      !lost.has(name)
    ) {
      lost.add(name);
      log.warn("a push service cannot be reached", { lane, reason: status.reason });
    }
  }
  /** All at once are one line, and so is their end. */
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
  function look(lanes: Iterable<Lane>): void {
    const all = [...lanes];
    const areOpen = all.every(({ status }) => status.kind === "open");
    if (isCalm && areOpen) return;
    lookAtAll(all);
    for (const lane of all) lookAt(lane);
    const names = new Set(all.map(({ name }) => name));
    for (const name of new Set([...reasons.keys(), ...lost, ...spared.keys(), ...toTell.keys(), ...(told ?? [])]))
      if (!names.has(name)) forget(name);
    const isTold = told !== undefined && told.size === 0 && toTell.size === 0;
    isCalm = areOpen && isTold && !isOffline && lost.size === 0 && spared.size === 0;
  }
  function forget(name: LaneName): void {
    reasons.delete(name);
    lost.delete(name);
    spared.delete(name);
    if (toTell.get(name)?.isOver !== true) toTell.set(name, IDLE);
  }

  /** The namespaces' operators hear of it; what cannot be stored now is told with the next look. */
  async function publish(name: LaneName, trouble: Trouble): Promise<void> {
    const draft = draftOf(name, labelOf(name), trouble);
    for (const namespaceId of await store.devices.namespacesOf(platformOf(name)))
      await store.messages.publish({ namespaceId, to: { name: SERVER_TOPIC }, draft });
  }
  async function tellAll(): Promise<void> {
    told ??= new Set(JSON.parse((await store.deliveries.kept("troubles")) ?? "[]") as LaneName[]);
    for (const [name, trouble] of toTell) {
      const isTold = told.has(name);
      if (isTold === trouble.isOver) {
        await publish(name, trouble);
        if (isTold) told.delete(name);
        else told.add(name);
        await store.deliveries.keep("troubles", JSON.stringify([...told]));
      }
      if (toTell.get(name) === trouble) toTell.delete(name);
    }
  }
  return {
    look,
    tell: async () => {
      if (told !== undefined && toTell.size === 0) return;
      telling ??= tellAll()
        .catch((error: unknown) => {
          log.error("troubles of deliveries cannot be told", { error });
        })
        .finally(() => (telling = undefined));
      return telling;
    },
    problems: (lanes) => {
      const all = [...lanes];
      const tells = all.flatMap(({ name, status }) =>
        status.kind === "paused" ? [`Pushes over ${labelOf(name)} are paused. ${status.tell}`] : [],
      );
      return areLost(all) ? [`${OFFLINE}: what is to be pushed waits.`, ...tells] : tells;
    },
  };
}

const OFFLINE = "No push service can be reached";

/** That somebody's addresses do not answer is not that nothing can be reached: only lanes that worked count. */
const areLost = (lanes: readonly Lane[]): boolean => {
  const proven = lanes.filter(({ isProven }) => isProven);
  return proven.length > 0 && proven.every(({ status, probes }) => status.kind === "unreachable" && probes > 0);
};

const draftOf = (name: LaneName, lane: string, { title, level, tell, isOver }: Trouble): Draft => ({
  message: tell,
  level,
  priority: isOver ? "normal" : "high",
  format: "text",
  source: "system",
  title: title(lane),
  dedup_key: `delivery:${name}`, // the label of FCM changes with its file, and what began has to end
  status: isOver ? "resolved" : "firing",
});
