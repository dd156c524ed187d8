/** Readers that behave well or badly, each on its own connection. */
import { connect, type Socket } from "node:net";

/** Where a server listens: TCP, or the path of a unix socket, which buffers 200 KB where loopback buffers megabytes. */
export type Door = { url: string } | { unix: string };

/** Sends a request and never reads the answer. The socket stays open until it is destroyed or the server ends it. */
export const unreading = async (door: Door, path: string, from: string): Promise<Socket> =>
  asking(door, path, from).then((socket) => socket.pause());

/** Sends a request and discards the answer. */
export const reading = async (door: Door, path: string, from: string): Promise<Socket> =>
  asking(door, path, from).then((socket) => socket.resume());

/** `from`: the client address that a trusted proxy would report. */
async function asking(door: Door, path: string, from: string): Promise<Socket> {
  const socket = await connected(door);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: peal.test\r\nX-Forwarded-For: ${from}\r\n\r\n`);
  return socket;
}

const TRIES = 500;
const PAUSE_MS = 10;

/** Retries, because a unix socket refuses connections while its backlog is full. @throws Error of the last try */
async function connected(door: Door): Promise<Socket> {
  for (let tries = 1; ; tries++) {
    const socket =
      "unix" in door ? connect(door.unix) : connect(Number(new URL(door.url).port), new URL(door.url).hostname);
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    socket.on("error", resolve).once("connect", () => {
      resolve(undefined);
    });
    const error = await promise;
    if (error === undefined) return socket.pause();
    if (tries === TRIES) throw error;
    await Bun.sleep(PAUSE_MS);
  }
}

export interface Publication {
  message: string;
  format?: "markdown";
}

/** Publishes `count` messages, ten at a time. */
export async function fill(
  { url, key }: { url: string; key: string },
  topic: string,
  count: number,
  make: (n: number) => Publication,
): Promise<void> {
  const publish = async (n: number) => {
    const answer = await fetch(`${url}/home/${topic}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(make(n)),
    });
    if (answer.status !== 201) throw new Error(`publish: ${answer.status} ${await answer.text()}`);
  };
  for (let from = 0; from < count; from += 10)
    await Promise.all(Array.from({ length: Math.min(10, count - from) }, async (_, i) => publish(from + i)));
}
