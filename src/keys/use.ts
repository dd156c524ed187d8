/** Notes when and from where keys were last used: in memory on every request, in the store later, never on the publish path. */
import type { Log } from "../telemetry/log.ts";
import type { RequestContext } from "../http/context.ts";
import type { KeyStore } from "../store/keys.ts";
import type { Clock, Millis } from "../util/clock.ts";

export interface KeyUse {
  /** At most once a second for a key: only then is its address asked for, which costs 2 µs. */
  note(keyId: string, request: Pick<RequestContext, "address" | "cameAt">): void;
  /** Writes what was noted since the last write. */
  flush(): Promise<void>;
  stop(): void;
}

const FLUSH_EVERY_MS = 60_000;
const NOTE_EVERY_MS = 1_000;

export function createKeyUse({ keys, clock, log }: { keys: Pick<KeyStore, "touch">; clock: Clock; log: Log }): KeyUse {
  /** `noted` is monotonic. */
  let uses = new Map<string, { at: Millis; from: string; noted: number }>();
  /** Undefined if nothing was noted since the last write. */
  let cancel: (() => void) | undefined;

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    await keys.touch([...written].map(([id, { at, from }]) => ({ id, at, from })));
  }
  function wake(): void {
    cancel = undefined;
    // what a failed write held is lost: "last used" is a hint, and the next use notes it again
    flush().catch((error: unknown) => {
      log.warn("key use not written", { error: error as Error });
    });
  }
  return {
    note: (keyId, request) => {
      const noted = request.cameAt;
      if (noted - (uses.get(keyId)?.noted ?? -Infinity) < NOTE_EVERY_MS) return;
      uses.set(keyId, { at: clock.now(), from: request.address, noted });
      cancel ??= clock.after(FLUSH_EVERY_MS, wake);
    },
    flush,
    stop: () => {
      cancel?.();
    },
  };
}
