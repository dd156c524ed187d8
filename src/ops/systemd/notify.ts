/**
 * Tells systemd, or whoever starts peal with `NOTIFY_SOCKET`, that it serves, works and stops (sd_notify(3),
 * sd_watchdog_enabled(3)). Without the variable nothing is loaded and nothing is sent.
 */
import type { Deps } from "../../deps.ts";
import { StoreUnavailable } from "../../store/store.ts";

export interface Supervisor {
  /** Where it listens: a path, or an abstract name behind `@`. */
  socket: string;
  /** How long it waits for a sign of life before it ends the process, ms. Absent: it does not. */
  watchdogMs?: number;
}

export interface Notifier {
  /** Requests are answered. From here on there are signs of life. */
  ready(status: string): void;
  stopping(): void;
}

const VARIABLES = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] as const;

/** Takes the variables out of `env`, so that no process that this one starts speaks in its name. `pid`: of this one. */
export function takeSupervisor(env: NodeJS.ProcessEnv, pid: number): Supervisor | undefined {
  const { NOTIFY_SOCKET: socket = "", WATCHDOG_USEC: usec, WATCHDOG_PID: watched = "" } = env;
  for (const name of VARIABLES) Reflect.deleteProperty(env, name);
  if (socket === "") return undefined;
  const watchdogMs = Number(usec) / 1000;
  const isForUs = watched === "" || Number(watched) === pid;
  return { socket, ...(watchdogMs > 0 && isForUs && { watchdogMs }) };
}

/** What the socket does not take is a warning, once: peal works without a supervisor. */
export async function notifierOf(
  { socket, watchdogMs }: Supervisor,
  { clock, log, store }: Pick<Deps, "clock" | "log" | "store">,
): Promise<Notifier> {
  const { datagramsTo } = await import("./datagram.ts");
  let send: ((text: string) => void) | undefined;
  let isWarned = false;
  let cancel = () => {};

  function tell(...lines: string[]): void {
    try {
      send ??= datagramsTo(socket);
      send(lines.join("\n"));
    } catch (error) {
      if (!isWarned) log.warn("NOTIFY_SOCKET does not take what peal tells it", { error });
      isWarned = true;
    }
  }
  /** Half the time ahead, again and again. A timer proves that the loop turns, and the write that the store does. */
  function live(everyMs: number): void {
    cancel = clock.after(everyMs, () => {
      void isStoreAlive().then((isAlive) => {
        if (isAlive) tell("WATCHDOG=1");
      });
      live(everyMs);
    });
  }
  /** A full disk is told to everybody who asks, and reads go on: a restart would mend nothing. A store that hangs never answers. */
  const isStoreAlive = async (): Promise<boolean> =>
    store.probe().then(
      () => true,
      (error: unknown) => error instanceof StoreUnavailable,
    );
  return {
    ready: (status) => {
      tell("READY=1", `STATUS=${status}`);
      if (watchdogMs !== undefined) live(watchdogMs / 2);
    },
    stopping: () => {
      cancel();
      tell("STOPPING=1", "STATUS=Stopping: answering what is in flight");
    },
  };
}
