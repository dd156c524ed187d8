/** A slow line to a server on this machine, like that of a phone with a weak signal. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Speed {
  roundTripMs: number;
  /** Bytes a second, over all connections together. */
  down: number;
  up: number;
}

/** The payload of a packet over Ethernet and IPv4. */
const SEGMENT_BYTES = 1_460;

/**
 * Returns the `port` on which the server on `target` answers at that speed. A connection takes a round trip before its
 * first byte.
 */
export async function slowLine(target: number, { roundTripMs, down, up }: Speed) {
  const [toServer, toReader] = [direction(up, roundTripMs / 2), direction(down, roundTripMs / 2)];
  const server = createServer((reader) => {
    const behind = connect(target, "127.0.0.1");
    toServer(reader, behind, performance.now() + roundTripMs);
    toReader(behind, reader);
    for (const socket of [reader, behind]) socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]: () => {
      server.close();
    },
  };
}

/** Forwards packets one after another at `rate` bytes a second, each `delayMs` later, and none before `opensAt`. */
function direction(rate: number, delayMs: number) {
  let freeAt = 0;
  return (from: Socket, to: Socket, opensAt = 0): void => {
    let opened = until(opensAt);
    let arrived = opened;
    from.on("data", (data: Buffer) => {
      opened = opened.then(() => {
        for (let n = 0; n < data.length; n += SEGMENT_BYTES) {
          const packet = data.subarray(n, n + SEGMENT_BYTES);
          freeAt = Math.max(freeAt, performance.now()) + (packet.length / rate) * 1_000;
          const at = freeAt + delayMs;
          arrived = arrived.then(async () => until(at)).then(() => void to.write(packet));
        }
      });
    });
    from.on("close", () => {
      opened = opened.then(() => {
        const at = performance.now() + delayMs;
        arrived = arrived.then(async () => until(at)).then(() => void to.end());
      });
    });
  };
}

const until = async (at: number): Promise<void> => Bun.sleep(at - performance.now());
