/**
 * What a fake answers in place of what the real one would.
 *
 *   script.once("token", a, b)     the next request of that device gets a, the one after it b
 *   script.once("*", a)            the next one of any device
 *   script.always("token", a)      each until `script.clear("token")`; "*" is each of any device
 */
export interface Script<T> {
  once(device: string, ...answers: readonly T[]): void;
  always(device: string, answer: T): void;
  /** Forgets what was said of that device; without one, all. */
  clear(device?: string): void;
  /** For the fake: what this request gets; undefined: what the real one would answer. */
  next(device: string): T | undefined;
}

/** Things that happen in place of an answer, or to it. */
export type Fault =
  /** It is never answered. */
  | { kind: "silence" }
  /** HTTP/2: RST_STREAM with that code (2 is INTERNAL_ERROR, 7 REFUSED_STREAM); HTTP/1.1: the connection is cut. */
  | { kind: "reset"; code?: number }
  /** HTTP/2: GOAWAY with that code and text; the request itself is left unprocessed. */
  | { kind: "goaway"; code: number; reason?: string }
  /** HTTP/2: an answer that stands still after that; `connection.finish` says the rest. */
  | { kind: "half"; code: number; body: string };

export function createScript<T>(): Script<T> {
  const queues = new Map<string, T[]>();
  const standing = new Map<string, T>();
  return {
    once: (device, ...answers) => void queues.set(device, [...(queues.get(device) ?? []), ...answers]),
    always: (device, answer) => void standing.set(device, answer),
    clear: (device) => {
      for (const kept of [queues, standing]) {
        if (device === undefined) kept.clear();
        else kept.delete(device);
      }
    },
    next: (device) =>
      queues.get(device)?.shift() ?? queues.get("*")?.shift() ?? standing.get(device) ?? standing.get("*"),
  };
}
