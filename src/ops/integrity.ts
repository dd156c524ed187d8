/** Examines once a day whether the database is sound, and tells operators if it is not (OPERATIONS.md §4). */
import type { Deps } from "../deps.ts";
import type { Draft } from "../drafts/draft.ts";
import { SERVER_TOPIC } from "../names/topic.ts";
import { DAY } from "../util/clock.ts";
import { askChild, type ChildFailed } from "./child.ts";

/** What `peal integrity --json` prints. */
export type Soundness =
  | { kind: "sound" }
  /** `found`: SQLite's words. */
  | { kind: "damaged"; found: string }
  | ChildFailed;

/** From the start, when others have more urgent work, to the first look; also from a look that failed to the next. */
const FIRST_MS = 10 * 60_000;
const PAUSE_MS = DAY;

type IntegrityDeps = Pick<Deps, "store" | "clock" | "config" | "log">;

/** Runs until it is stopped; `stop` ends the child if one runs. */
export function startIntegrity({ store, clock, config, log }: IntegrityDeps): { stop(): Promise<void> } {
  const end = new AbortController();
  let turn: Promise<void> = Promise.resolve();
  let cancelTimer = () => {};

  async function look(): Promise<void> {
    const found = await askChild<Soundness>(["integrity", "--json", "--data-dir", config.dataDir], end.signal);
    if (end.signal.aborted) return;
    if (found.kind === "failed") log.warn("could not check whether the database is sound", { reason: found.reason });
    else note(found);
    waitFor(found.kind === "failed" ? FIRST_MS : PAUSE_MS);
  }
  function note(found: Exclude<Soundness, ChildFailed>): void {
    const before = store.trouble();
    store.noteSoundness(found.kind === "damaged" ? found.found : undefined);
    if (before !== undefined && store.trouble() === undefined) log.info("the whole database could be read again");
  }
  function waitFor(ms: number): void {
    cancelTimer();
    cancelTimer = clock.after(ms, lookInTurn);
  }
  function lookInTurn(): void {
    turn = turn.then(look);
  }
  store.onDamaged((sentence, isCertain) => {
    log.error(isCertain ? "the database is damaged" : "the database could not be read", { tell: sentence });
    if (!isCertain) {
      lookInTurn();
      return;
    }
    tell(store, sentence).catch((error: unknown) => {
      log.warn("operators cannot be told of it on their topic", { error });
    });
  });
  waitFor(FIRST_MS);
  return {
    stop: async () => {
      end.abort();
      cancelTimer();
      await turn;
    },
  };
}

/** A message in each namespace: anybody who reads one of them learns of it. */
async function tell(store: Deps["store"], message: string): Promise<void> {
  const draft: Draft = {
    ...{ message, title: "The database is damaged", format: "text", source: "system" },
    ...{ level: "error", priority: "high" },
  };
  for (const { id } of await store.namespaces.list())
    await store.messages.publish({ namespaceId: id, to: { name: SERVER_TOPIC }, draft });
}
