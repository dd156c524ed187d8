/** A reader of event streams that works like EventSource and keeps what it got. */
import { eventually } from "../support/eventually.ts";

export interface SseEvent {
  event: string;
  /** The number at the beginning of `id:`. */
  id: number | undefined;
  /** `id:` unchanged, as an EventSource sends it back. */
  lastEventId: string | undefined;
  data: Record<string, unknown>;
}
export interface Listening {
  readonly response: Response;
  readonly events: readonly SseEvent[];
  /** How many comment lines have come. */
  readonly comments: number;
  /** The last `retry:`, in milliseconds. */
  readonly retry: number | undefined;
  /** Ids of the messages so far. */
  ids(): number[];
  /** The data of `ready`. */
  ready(): Promise<Record<string, unknown>>;
  /** Resolves when the stream is over, whichever side ended it. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Opens a stream and reads it until it ends. @throws Error when the answer is not a stream */
export async function listen(url: string, init: BunFetchRequestInit = {}): Promise<Listening> {
  const abort = new AbortController();
  const response = await fetch(url, { ...init, signal: abort.signal });
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  const events: SseEvent[] = [];
  let comments = 0;
  let retry: number | undefined;

  function take(block: string) {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      if (line.startsWith(":")) comments++;
      const colon = line.indexOf(": ");
      if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
    }
    if (fields.has("retry")) retry = Number(fields.get("retry"));
    const id = fields.get("id");
    const data = fields.get("data");
    if (data === undefined) return;
    events.push({
      event: fields.get("event") ?? "message",
      id: id === undefined ? undefined : parseInt(id, 10),
      lastEventId: id,
      data: JSON.parse(data) as Record<string, unknown>,
    });
  }
  async function read(body: ReadableStream<Uint8Array>) {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const chunk of body) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
        rest = blocks.pop() ?? "";
        blocks.forEach(take);
      }
    } catch {
      // closed here or cut off by the server: both are an end, and the reader resumes by its last id
    }
  }
  const ended = read(response.body);
  return {
    response,
    events,
    get comments() {
      return comments;
    },
    get retry() {
      return retry;
    },
    ids: () => events.flatMap(({ event, id }) => (event === "message" && id !== undefined ? [id] : [])),
    ready: async () => eventually("ready", () => events.find(({ event }) => event === "ready")?.data),
    ended,
    close: async () => {
      abort.abort();
      await ended;
    },
  };
}
