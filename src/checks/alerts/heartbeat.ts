/** Tells another watcher once a minute that this one works, so that its silence is the alarm (CHECKINS.md §5). */
import type { Deps } from "../../deps.ts";
import { VERSION } from "../../util/version.ts";

const EVERY_MS = 60_000;
const PATIENCE_MS = 10_000;

type HeartbeatDeps = Pick<Deps, "config" | "clock" | "store" | "log" | "alerter">;

/** Starts a minute after the server, if `PEAL_HEARTBEAT_URL` is set. `stop` gives up the request under way. */
export function startHeartbeat({ config, clock, store, log, alerter }: HeartbeatDeps): { stop(): Promise<void> } {
  const { heartbeatUrl } = config;
  if (heartbeatUrl === undefined) return { stop: async () => {} };
  const { host } = new URL(heartbeatUrl);
  let stopped = false;
  let isMissed = false;
  let turn: Promise<void> | undefined;
  let giveUp = new AbortController();
  let cancelTimer = () => {};

  /** The path contains a secret, so it must not reach a log or an error text. */
  async function ask(url: string): Promise<string | undefined> {
    giveUp = new AbortController();
    const cancelPatience = clock.after(PATIENCE_MS, () => {
      giveUp.abort();
    });
    try {
      // not followed: the secret may not be meant for the host that it is redirected to
      const headers = { "user-agent": `peal/${VERSION}` };
      const response = await fetch(url, { redirect: "manual", signal: giveUp.signal, headers });
      await response.body?.cancel();
      return response.ok ? undefined : `it answered ${response.status}`;
    } catch {
      return giveUp.signal.aborted ? `no answer within ${PATIENCE_MS / 1000} s` : "it cannot be reached";
    } finally {
      cancelPatience();
    }
  }
  async function beat(url: string): Promise<void> {
    const canWrite = await store.probe().then(
      () => true,
      () => false,
    );
    const reason = !canWrite
      ? "the store cannot take a write"
      : alerter.health() === "failing"
        ? "the alerter does not tick"
        : await ask(url);
    if (stopped) return;
    log.debug("heartbeat", { host, reason });
    if (reason !== undefined && !isMissed) log.warn("heartbeats are missed", { host, reason });
    if (reason === undefined && isMissed) log.info("the heart beats again", { host });
    isMissed = reason !== undefined;
  }
  function wait(url: string): void {
    cancelTimer = clock.after(EVERY_MS, () => {
      wait(url);
      turn = beat(url);
    });
  }
  wait(heartbeatUrl);
  return {
    stop: async () => {
      stopped = true;
      cancelTimer();
      giveUp.abort();
      await turn;
    },
  };
}
