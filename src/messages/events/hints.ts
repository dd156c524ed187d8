/** One open stream of hints, which say that something changed, never what. Every open page of the dashboard has one. */
import type { Server } from "bun";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Committed } from "../../store/store.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import { EVENT_STREAM, HEARTBEAT, hintFrame, hintsReadyFrame, retryFrame } from "./frame.ts";
import { Reader } from "./reader.ts";
import type { SinkOwner } from "./sink.ts";

/** The events of one act come within this time, and are sent together. */
const GATHER_MS = 10;
/** Between two hints. */
const REST_MS = 250;

const AT_ONCE_MS = 200;

export interface Hinting {
  /** The person it belongs to: it ends when they are changed, and the reader reconnects with their new rights. */
  personId: string;
  /** Whether the person sees a namespace. */
  sees: (id: NamespaceId) => boolean;
}

interface Parts {
  request: Request;
  server: Server<unknown>;
  /** The address that the cap counts it for; undefined: no address. */
  address: string | undefined;
  hinting: Hinting;
  clock: Pick<Clock, "after" | "monotonic">;
  /** When something that pages show last changed. */
  changedAt: () => Millis;
  closed: (hints: Hints, dropped: boolean) => void;
}

export class Hints implements SinkOwner {
  readonly address: string | undefined;
  readonly #hinting: Hinting;
  readonly #clock: Parts["clock"];
  readonly #changedAt: Parts["changedAt"];
  readonly #closed: Parts["closed"];
  readonly #reader: Reader;
  /** What changed and is not sent yet. */
  #pending = new Set<string>();
  /** Monotonic. */
  #toldAt = -Infinity;
  #isWaiting = false;

  constructor({ request, server, address, hinting, clock, changedAt, closed }: Parts) {
    this.address = address;
    this.#hinting = hinting;
    this.#clock = clock;
    this.#changedAt = changedAt;
    this.#closed = closed;
    this.#reader = new Reader({ request, server, contentType: EVENT_STREAM }, this);
  }

  response(): Response {
    return this.#reader.response();
  }

  hear(event: Committed): void {
    if (event.kind === "person" && event.personId === this.#hinting.personId) {
      this.retry(AT_ONCE_MS);
      return;
    }
    const hint = hintOf(event);
    if (hint === undefined || (hint.namespaceId !== undefined && !this.#hinting.sees(hint.namespaceId))) return;
    this.#pending.add(hint.of);
    this.#tellLater();
  }

  beat(): void {
    this.#reader.send(HEARTBEAT);
  }

  /** Ends it; the reader is to connect again after so many milliseconds. */
  retry(ms: number): void {
    this.#reader.send(retryFrame(ms));
    this.#reader.end();
  }

  opened(): void {
    this.#reader.send(hintsReadyFrame(this.#changedAt()));
  }

  drained(): void {
    this.#tellLater();
  }

  ended(dropped: boolean): void {
    this.#pending.clear();
    this.#closed(this, dropped);
  }

  #tellLater(): void {
    if (this.#isWaiting || this.#pending.size === 0) return;
    this.#isWaiting = true;
    const rest = this.#toldAt + REST_MS - this.#clock.monotonic();
    this.#clock.after(Math.max(GATHER_MS, rest), () => {
      this.#isWaiting = false;
      if (this.#reader.unsent > 0 || this.#pending.size === 0) return;
      this.#toldAt = this.#clock.monotonic();
      this.#reader.send(hintFrame(this.#pending));
      this.#pending.clear();
    });
  }
}

/** What a page would have to render again. */
export function hintOf(event: Committed): { of: string; namespaceId?: NamespaceId } | undefined {
  switch (event.kind) {
    case "message":
      return { of: "message", namespaceId: event.topic.namespaceId };
    case "hint":
      return event;
    case "delivery":
    case "device":
    case "person":
      return { of: event.kind };
    case "gone":
      return { of: "topic" };
    case "revoked":
      return { of: "key" };
    case "scheduled":
    case "due":
    case "outbox":
    case "imported": // with hints of its own
      return undefined;
  }
}
