/**
 * A port on loopback that leads to one host behind an HTTP proxy (CONNECT, RFC 9110 §9.3.6). Bun 1.4.5's fetch does not
 * speak HTTP/2 through a proxy, and Apple speaks nothing else. So it connects to this port, and TLS goes through to the
 * host itself.
 */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface Tunnel {
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** Why the proxy refused the last connection; undefined if it did not. */
  readonly refusal: string | undefined;
  close(): void;
}

/** An answer to CONNECT is a line and a few headers. In bytes. */
const MAX_ANSWER = 16_384;

/** `target`: `host:port`. */
export async function openTunnel(proxy: URL, target: string, ca?: string): Promise<Tunnel> {
  let refusal: string | undefined;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = toProxy(proxy, ca);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => undefined); // `close` follows
      socket.on("close", () => {
        for (const end of [client, upstream]) {
          end.destroy();
          open.delete(end);
        }
      });
    }
    refusal = "the proxy cannot be reached";
    upstream.write(connectRequest(proxy, target));
    let answer = Buffer.alloc(0);
    const listen = (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const end = answer.indexOf("\r\n\r\n");
      if (end < 0 && answer.length < MAX_ANSWER) return;
      upstream.off("data", listen);
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer.toString("latin1"))?.[1];
      refusal = status?.startsWith("2") === true ? undefined : `the proxy answered ${status ?? "no HTTP"}`;
      if (refusal !== undefined) return void client.destroy();
      client.write(answer.subarray(end + 4));
      client.pipe(upstream);
      upstream.pipe(client);
    };
    upstream.on("data", listen);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    get refusal() {
      return refusal;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function toProxy({ protocol, hostname, port }: URL, ca: string | undefined): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol === "http:") return connect(Number(port || 80), host);
  return connectTls({ host, port: Number(port || 443), servername: host, ...(ca !== undefined && { ca }) });
}

function connectRequest({ username, password }: URL, target: string): string {
  const name = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const auth = name === ":" ? "" : `Proxy-Authorization: Basic ${Buffer.from(name).toString("base64")}\r\n`;
  return `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${auth}\r\n`;
}
