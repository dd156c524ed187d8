/** Tells operators what is wrong with the server, and when it is over: each once, even over restarts (OPERATIONS.md §4). */
import type { Draft } from "../drafts/draft.ts";
import { SERVER_TOPIC } from "../names/topic.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";

export type Notice = Required<Pick<Draft, "title" | "message" | "priority">>;

export interface Notices {
  /**
   * Publishes it on the topic `peal` of each namespace, as a warning that stays open, or with high priority as an error, unless it is
   * open already. What gets worse has steps: another one is published again.
   */
  begin(name: string, notice: Notice, step?: string): Promise<void>;
  /** Publishes that it is over, if it is open. */
  end(name: string, notice: Notice): Promise<void>;
}

/** What cannot be stored is logged, and published by the next call. */
export function createNotices({ store, log }: { store: Store; log: Log }): Notices {
  /** Those that are open, with their steps: read once, as they are asked for every few seconds. */
  let open: ReadonlyMap<string, string> | undefined;
  let latest = Promise.resolve();

  async function turnTo(name: string, step: string | undefined, notice: Notice): Promise<void> {
    open ??= new Map(Object.entries(JSON.parse((await store.deliveries.kept("notices")) ?? "{}") as Steps));
    if (open.get(name) === step) return;
    const draft = draftOf(name, step !== undefined, notice);
    for (const { id } of await store.namespaces.list())
      await store.messages.publish({ namespaceId: id, to: { name: SERVER_TOPIC }, draft });
    const next = new Map(open);
    if (step === undefined) next.delete(name);
    else next.set(name, step);
    await store.deliveries.keep("notices", JSON.stringify(Object.fromEntries(next)));
    open = next;
  }
  /** One after the other: each writes down all that are open. */
  const turn = async (name: string, step: string | undefined, notice: Notice) =>
    (latest = latest
      .then(async () => turnTo(name, step, notice))
      .catch((error: unknown) => {
        log.error("operators cannot be told on their topic", { tell: notice.title, error });
      }));
  return {
    begin: async (name, notice, step = "") => turn(name, step, notice),
    end: async (name, notice) => turn(name, undefined, notice),
  };
}

type Steps = Record<string, string>;

const draftOf = (name: string, isOpen: boolean, { title, message, priority }: Notice): Draft => ({
  ...{ message, title, priority, format: "text", source: "system" },
  level: isOpen ? (priority === "high" ? "error" : "warning") : "success",
  dedup_key: `server:${name}`,
  status: isOpen ? "firing" : "resolved",
});
