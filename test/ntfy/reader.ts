/** Readers as ntfy's clients are: streams of lines, WebSockets, polls. */
import { eventually } from "../support/eventually.ts";
import type { NtfyMessage } from "../support/ntfy.ts";

/** An open stream or WebSocket. */
export interface Reading {
  /** The text of each line, or of each message of a WebSocket. */
  readonly texts: readonly string[];
  /** The same as objects. */
  objects(): NtfyMessage[];
  /** The texts of the messages so far. */
  messages(): (string | undefined)[];
  /** Resolves once it is open. */
  opened(): Promise<void>;
  /** Resolves when it is over, whichever side ended it; of a WebSocket, to its code. */
  readonly ended: Promise<number>;
  close(): Promise<void>;
}

function reading(texts: string[], ended: Promise<number>, end: () => void): Reading {
  const objects = () => texts.map((text) => JSON.parse(text) as NtfyMessage);
  return {
    ...{ texts, objects, ended },
    messages: () => objects().flatMap(({ event, message }) => (event === "message" ? [message] : [])),
    opened: async () => {
      await eventually("open", () => texts.length > 0);
    },
    close: async () => {
      end();
      await ended;
    },
  };
}

/** Opens a stream and reads its lines until it ends. @throws Error when it is refused */
export async function readLines(
  url: string,
  init: BunFetchRequestInit = {},
): Promise<Reading & { response: Response }> {
  const opened = await openLines(url, init);
  if (opened instanceof Response) throw new Error(`${opened.status}: ${await opened.text()}`);
  return opened;
}

/** The same; a refusal is returned. */
export async function openLines(
  url: string,
  init: BunFetchRequestInit = {},
): Promise<(Reading & { response: Response }) | Response> {
  const abort = new AbortController();
  const response = await fetch(url, { ...init, signal: abort.signal });
  if (!response.ok || response.body === null) return response;
  const texts: string[] = [];
  async function read(body: ReadableStream<Uint8Array>): Promise<number> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const chunk of body) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        texts.push(...lines);
      }
    } catch {
      // closed here or cut off by the server: both are an end
    }
    return 0;
  }
  return {
    ...reading(texts, read(response.body), () => {
      abort.abort();
    }),
    response,
  };
}

/** Opens a WebSocket; `url` begins with `http`. @throws Error when it is refused */
export async function readSocket(url: string, init: Bun.WebSocketOptions = {}): Promise<Reading> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), init);
  const texts: string[] = [];
  const open = Promise.withResolvers<undefined>();
  const closed = Promise.withResolvers<number>();
  socket.addEventListener("message", ({ data }) => texts.push(String(data)));
  socket.addEventListener("open", () => {
    open.resolve(undefined);
  });
  socket.addEventListener("close", ({ code }) => {
    open.reject(new Error(`closed: ${code}`));
    closed.resolve(code);
  });
  await open.promise;
  return reading(texts, closed.promise, () => {
    socket.terminate();
  });
}

/** The messages of a poll. @throws Error when it is refused */
export async function poll(url: string, init: BunFetchRequestInit = {}): Promise<NtfyMessage[]> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as NtfyMessage);
}
