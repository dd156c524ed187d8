/** Tells operators of lanes that need them, and when that is over: each trouble once, even over restarts (DELIVERY.md §5). */
import type { Deps } from "../deps.ts";
import { OF_SERVER } from "../devices/device.ts";
import type { Draft } from "../drafts/draft.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { SERVER_TOPIC } from "../names/topic.ts";
import type { Lane as LaneName } from "./delivery.ts";
import { ownerOf, platformOf } from "./push/plan.ts";

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
const IDLE: Trouble = {
  title: (lane) => `Nothing waits for ${lane} any more`,
  ...{ level: "info", tell: "Whether pushes are accepted there again, the next one shows.", isOver: true },
};

/** `labelOf`: the name of a lane for people. */
export function createTroubles({ store, log }: Pick<Deps, "store" | "log">, labelOf: (lane: LaneName) => string) {
  const toTell = new Map<LaneName, Trouble>();
  /** The lanes that operators know of, kept over restarts; undefined until they are read. */
  let told: Set<LaneName> | undefined;
  let telling: Promise<void> | undefined;

  /** A forward is told to its owner alone; the server's own to all whose topics it follows. */
  async function concerned(name: LaneName): Promise<NamespaceId[]> {
    const owner = ownerOf(name);
    if (owner === undefined) return store.devices.namespacesOf(platformOf(name));
    const those = owner === OF_SERVER ? await store.forwards.followed() : [owner];
    return (await store.namespaces.list()).map(({ id }) => id).filter((id) => those.includes(id));
  }
  async function publish(name: LaneName, trouble: Trouble): Promise<void> {
    const draft = draftOf(name, labelOf(name), trouble);
    for (const namespaceId of await concerned(name))
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
    /** The operator has to fix something. `tell`: what, in a sentence. */
    begin: (lane: LaneName, tell: string) => {
      const title = (label: string) => `Pushes over ${label} are paused`;
      toTell.set(lane, { title, level: "error", tell, isOver: false });
    },
    /** Notes that the trouble is over, to be reported if the trouble was. */
    mend: (lane: LaneName) => {
      if (told?.has(lane) === true) toTell.set(lane, MENDED);
    },
    /** Nothing waits for the lane any more, so nobody knows whether it is fixed. */
    forget: (lane: LaneName) => {
      if (toTell.get(lane)?.isOver !== true) toTell.set(lane, IDLE);
    },
    /** The lanes whose trouble was or will be reported to operators. */
    lanes: (): LaneName[] => [...toTell.keys(), ...(told ?? [])],
    /** There is no trouble to report, and none whose end is to be reported. */
    get areNone() {
      return told !== undefined && told.size === 0 && toTell.size === 0;
    },
    /** Publishes what has not been reported yet, on the topic `peal` of each namespace. What cannot be stored is tried again next time. */
    tell: async (): Promise<void> => {
      if (told !== undefined && toTell.size === 0) return;
      telling ??= tellAll()
        .catch((error: unknown) => {
          log.error("troubles of deliveries cannot be told", { error });
        })
        .finally(() => (telling = undefined));
      return telling;
    },
  };
}

const draftOf = (name: LaneName, lane: string, { title, level, tell, isOver }: Trouble): Draft => ({
  message: tell,
  level,
  priority: isOver ? "normal" : "high",
  format: "text",
  source: "system",
  title: title(lane),
  dedup_key: `delivery:${name}`, // not the label, which changes with the file of FCM: the message that ends the trouble has to match
  status: isOver ? "resolved" : "firing",
});
