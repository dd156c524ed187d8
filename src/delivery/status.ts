/** Tells operators what is wrong with deliveries, each trouble once (docs/design/DELIVERY.md §3, §5). */
import type { Deps } from "../deps.ts";
import type { Draft } from "../messages/message.ts";
import type { Lane as LaneName } from "./delivery.ts";
import type { Lane } from "./lane.ts";
import { platformOf } from "./plan.ts";

export interface Status {
  /** After each answer that may have changed something. `lanes`: all that are in use. */
  look(lanes: Iterable<Lane>): void;
  /** Tells operators what is not told yet, as messages of their topic `peal`. */
  tell(): Promise<void>;
  /** Sentences for the operator. */
  problems(lanes: Iterable<Lane>): string[];
}

/** A lane alone that is asked in vain so often is worth a line: when all are, that is one line for all. */
const PROBES = 2;
/** Where operators hear of the server itself. */
const TOPIC = "peal";

interface Trouble {
  /** Absent: it is over. */
  tell?: string;
}

export function createStatus({ store, log }: Pick<Deps, "store" | "log">, labelOf: (lane: LaneName) => string): Status {
  /** With the reason. */
  const paused = new Map<LaneName, string>();
  const lost = new Set<LaneName>();
  let isOffline = false;
  const toTell = new Map<LaneName, Trouble>();
  /** Those that the operators know of, kept over restarts. */
  let told: Set<LaneName> | undefined;
  let telling: Promise<void> | undefined;

  function lookAt({ name, status, probes }: Lane): void {
    const lane = labelOf(name);
    if (status.kind === "paused" && paused.get(name) !== status.reason) {
      paused.set(name, status.reason);
      toTell.set(name, { tell: status.tell });
      log.error("pushes are paused", { lane, reason: status.reason, tell: status.tell });
    } else if (status.kind !== "paused" && paused.delete(name)) {
      log.info("pushes are sent again", { lane });
    }
    if (status.kind === "open" && told?.has(name) === true) toTell.set(name, {});
    if (status.kind === "unreachable" && probes >= PROBES && !lost.has(name)) {
      lost.add(name);
      if (!isOffline) log.warn("a push service cannot be reached", { lane, reason: status.reason });
    } else if (status.kind === "open" && lost.delete(name) && !isOffline) {
      log.info("the push service can be reached again", { lane });
    }
  }
  function look(lanes: Iterable<Lane>): void {
    const all = [...lanes];
    const wasOffline = isOffline;
    isOffline = areLost(all);
    for (const lane of all) lookAt(lane);
    if (isOffline && !wasOffline) log.warn(OFFLINE, { lanes: all.length });
    if (!isOffline && wasOffline) log.info("push services can be reached again");
  }

  /** The namespaces' operators hear of it; what cannot be stored now is told with the next look. */
  async function publish(name: LaneName, { tell }: Trouble): Promise<void> {
    const draft = draftOf(name, labelOf(name), tell);
    for (const namespaceId of await store.devices.namespacesOf(platformOf(name)))
      await store.messages.publish({ namespaceId, to: { name: TOPIC }, draft });
  }
  async function tellAll(): Promise<void> {
    told ??= new Set(JSON.parse((await store.deliveries.kept("troubles")) ?? "[]") as LaneName[]);
    for (const [name, trouble] of toTell) {
      const isTold = told.has(name);
      if (isTold !== (trouble.tell !== undefined)) {
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

const areLost = (lanes: readonly Lane[]): boolean =>
  lanes.length > 0 && lanes.every(({ status, probes }) => status.kind === "unreachable" && probes > 0);

const draftOf = (name: LaneName, lane: string, tell: string | undefined): Draft => ({
  message: tell ?? "What waited is sent now.",
  level: tell === undefined ? "success" : "error",
  priority: tell === undefined ? "normal" : "high",
  format: "text",
  source: "system",
  title: tell === undefined ? `Pushes over ${lane} are sent again` : `Pushes over ${lane} are paused`,
  dedup_key: `delivery:${name}`, // the label of FCM changes with its file, and what began has to end
  status: tell === undefined ? "resolved" : "firing",
});
