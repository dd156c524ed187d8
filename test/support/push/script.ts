/**
 * Scripted answers of a fake, instead of those of the real service.
 *
 *   script.once("token", a, b)     the next request of that device gets a, the one after it b
 *   script.once("*", a)            the next request of any device
 *   script.always("token", a)      every request until `script.clear("token")`; "*" means any device
 */
export interface Script<T> {
  once(device: string, ...answers: readonly T[]): void;
  always(device: string, answer: T): void;
  /** Forgets the answers for that device; without one, for all. */
  clear(device?: string): void;
  /** For the fake: the answer to this request; undefined: what the real service would answer. */
  next(device: string): T | undefined;
}

/** Faults instead of an answer, or during it. */
export type Fault =
  /** The request is never answered. */
  | { kind: "silence" }
  /** HTTP/2: RST_STREAM with that code (2 is INTERNAL_ERROR, 7 REFUSED_STREAM); HTTP/1.1: the connection is cut. */
  | { kind: "reset"; code?: number }
  /** HTTP/2: GOAWAY with that code and text; the request itself is left unprocessed. */
  | { kind: "goaway"; code: number; reason?: string }
  /** HTTP/2: an answer that stops after this; `connection.finish` sends the rest. */
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
