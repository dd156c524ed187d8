/** Connections that request an event stream and do nothing else. */
import type { Socket } from "bun";

export interface OpenStreams {
  /** How many are still open. */
  readonly open: number;
  close(): void;
}

/** The most connections that are being opened at a time, because the listen queue is finite. */
const PENDING = 200;

/** Opens `count` streams and waits for the first bytes of each. `take` gets every chunk. */
export async function openStreams(
  url: string,
  count: number,
  take: (text: string, index: number) => void = () => undefined,
): Promise<OpenStreams> {
  const { hostname, port, pathname, host } = new URL(url);
  const sockets = new Set<Socket>();
  const decoder = new TextDecoder();
  async function open(index: number): Promise<void> {
    const answered = Promise.withResolvers<undefined>();
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, bytes) => {
          answered.resolve(undefined);
          take(decoder.decode(bytes), index);
        },
        close: (closed) => {
          sockets.delete(closed);
          answered.reject(new Error("a stream was closed"));
        },
      },
    });
    sockets.add(socket);
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await answered.promise;
  }
  for (let first = 0; first < count; first += PENDING)
    await Promise.all(Array.from({ length: Math.min(PENDING, count - first) }, async (_, n) => open(first + n)));
  return {
    get open() {
      return sockets.size;
    },
    close: () => {
      for (const socket of sockets) socket.terminate();
    },
  };
}
