/** Readers of event streams that check what they hear: each message once, in order, also over an interruption. */
import type { Socket } from "bun";
import type { Book } from "./book.ts";

export interface Reader {
  /** Cuts the connection and comes back with `Last-Event-ID`, as a phone does that changes its network. */
  interrupt(): Promise<void>;
  close(): void;
}

const RETRY_MS = 200;
/** Between chunks of HTTP/1.1; an event itself has no carriage return. */
const FRAMING = /\r\n[0-9a-f]+\r\n/g;

/** Reads `topic` from its first message that is not there yet, and comes back when the server ends the stream. */
export async function openReader(url: string, { book, topic }: { book: Book; topic: string }): Promise<Reader> {
  const { hostname, port, pathname, host } = new URL(url);
  let socket: Socket | undefined;
  let isClosed = false;
  let lastEvent = "";
  let last: number | undefined;

  const hear = (event: string) => {
    lastEvent = /^id: ?(.+)$/m.exec(event)?.[1] ?? lastEvent;
    const data = /^data: ?(.+)$/m.exec(event)?.[1];
    if (data === undefined) return;
    if (/^event: ?ready$/m.test(event)) {
      const ready = JSON.parse(data) as { last_id: number; reset?: true };
      if (ready.reset === true) book.broken(`${topic}: a reader was reset`);
      last ??= ready.last_id;
    } else {
      const { id, message } = JSON.parse(data) as { id: number; message: string };
      if (last !== undefined && id !== last + 1) book.broken(`${topic}: ${id} came after ${last}`);
      last = id;
      book.heard(topic, id, message);
    }
  };
  const open = async (): Promise<void> => {
    const answered = Promise.withResolvers<undefined>();
    const decoder = new TextDecoder();
    let unread = "";
    socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, bytes) => {
          answered.resolve(undefined);
          unread = (unread + decoder.decode(bytes, { stream: true })).replaceAll(FRAMING, "");
          const events = unread.split("\n\n");
          unread = events.pop() ?? "";
          for (const event of events) hear(event);
        },
        close: (closed) => {
          answered.resolve(undefined);
          if (isClosed || closed !== socket) return;
          book.cut();
          void Bun.sleep(RETRY_MS).then(open);
        },
      },
    });
    const resume = lastEvent === "" ? "" : `Last-Event-ID: ${lastEvent}\r\n`;
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${resume}\r\n`);
    await answered.promise;
  };
  const leave = () => {
    const left = socket;
    socket = undefined;
    left?.terminate();
  };
  await open();
  return {
    interrupt: async () => {
      leave();
      await Bun.sleep(RETRY_MS);
      if (!isClosed) await open();
    },
    close: () => {
      isClosed = true;
      leave();
    },
  };
}
