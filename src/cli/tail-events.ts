/** Reads an event stream (WHATWG HTML, "Server-sent events") as peal sends it: frames of `id`, `event` and `data`. */

export interface Frame {
  event: string;
  /** Sent back as `Last-Event-ID`; absent: the frame has none. */
  id?: string;
  data: string;
}

/** The server sends a comment every 15 s; after three of them a connection is dead, whatever the system says. */
const SILENCE_MS = 45_000;

/** The frames, as they come. Ends where the stream does. @throws TimeoutError when nothing comes any more */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const part = await within(SILENCE_MS, reader.read());
      if (part.done) return;
      const blocks = (rest + decoder.decode(part.value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? ""; // what is cut off is no frame
      for (const block of blocks) {
        const frame = frameOf(block);
        if (frame !== undefined) yield frame;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Undefined for comments and for `retry` alone. */
export function frameOf(block: string): Frame | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined) fields.set(name, value);
  }
  const [event, id, data] = [fields.get("event"), fields.get("id"), fields.get("data")];
  if (event === undefined || data === undefined) return undefined;
  return { event, data, ...(id !== undefined && { id }) };
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new DOMException("nothing came", "TimeoutError"));
  }, ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
