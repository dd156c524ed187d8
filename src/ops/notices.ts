/** Tells operators what is wrong with the server, and when it is over: each once, even over restarts (OPERATIONS.md §4). */
import type { Draft } from "../drafts/draft.ts";
import { SERVER_TOPIC } from "../names/topic.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";

export type Notice = Required<Pick<Draft, "title" | "message" | "priority">>;

export interface Notices {
  /** Publishes it on the topic `peal` of each namespace, as a warning that stays open, unless it is open already. */
  begin(name: string, notice: Notice): Promise<void>;
  /** Publishes that it is over, if it is open. */
  end(name: string, notice: Notice): Promise<void>;
}

/** What cannot be stored is logged, and published by the next call. */
export function createNotices({ store, log }: { store: Store; log: Log }): Notices {
  async function turnTo(name: string, isOpen: boolean, notice: Notice): Promise<void> {
    const open = new Set(JSON.parse((await store.deliveries.kept("notices")) ?? "[]") as string[]);
    if (open.has(name) === isOpen) return;
    const draft = draftOf(name, isOpen, notice);
    for (const { id } of await store.namespaces.list())
      await store.messages.publish({ namespaceId: id, to: { name: SERVER_TOPIC }, draft });
    if (isOpen) open.add(name);
    else open.delete(name);
    await store.deliveries.keep("notices", JSON.stringify([...open]));
  }
  const turn = async (name: string, isOpen: boolean, notice: Notice) =>
    turnTo(name, isOpen, notice).catch((error: unknown) => {
      log.error("operators cannot be told on their topic", { tell: notice.title, error });
    });
  return {
    begin: async (name, notice) => turn(name, true, notice),
    end: async (name, notice) => turn(name, false, notice),
  };
}

const draftOf = (name: string, isOpen: boolean, { title, message, priority }: Notice): Draft => ({
  ...{ message, title, level: isOpen ? "warning" : "success", priority, format: "text", source: "system" },
  dedup_key: `server:${name}`,
  status: isOpen ? "firing" : "resolved",
});
