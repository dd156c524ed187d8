/** A proxy to a server that records every request, byte for byte. */
import { connect, createServer, type AddressInfo } from "node:net";

export interface Recorder extends Disposable {
  readonly url: string;
  /** The posts to this path, with any query or none, in order, as Latin-1 text: one character per byte. */
  of(path: string): string[];
}

/** For clients that wait for an answer before the next request, so that a request begins after an answer. */
export async function startRecorder(target: string): Promise<Recorder> {
  const { hostname, port } = new URL(target);
  const requests: { text: string }[] = [];
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname);
    let request: { text: string } | undefined;
    client.on("data", (bytes) => {
      if (request === undefined) requests.push((request = { text: "" }));
      request.text += bytes.toString("latin1");
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      request = undefined;
      client.write(bytes);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on("error", () => undefined); // "close" follows
      one.on("close", () => other.destroy());
    }
  });
  const listening = Promise.withResolvers<undefined>();
  listener.listen(0, "127.0.0.1", () => {
    listening.resolve(undefined);
  });
  await listening.promise;
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    of: (path) => requests.map(({ text }) => text).filter((text) => /^[? ]/.test(text.replace(`POST ${path}`, ""))),
    [Symbol.dispose]: () => listener.close(),
  };
}
