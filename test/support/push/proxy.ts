/**
 * An HTTP proxy that opens tunnels (CONNECT, RFC 9110 §9.3.6), to loopback whatever the name. `fakeProxy({ port })`
 * leads to that port whatever the target.
 *
 *   await using proxy = await fakeProxy();
 *   proxy.url                      with a name and a password
 *   proxy.tunnels                  `host:port` of each, in order; proxy.refused
 *   proxy.refusal = "407 Proxy Authentication Required"
 *   proxy.refusesAddresses = true  like one that filters by name
 *   proxy.wire.stop(), …           ./wire.ts
 */
import { connect, createServer, isIP, type Socket } from "node:net";
import { listening, wireTo, type Wire } from "./wire.ts";

export interface FakeProxy extends AsyncDisposable {
  readonly url: string;
  readonly tunnels: readonly string[];
  /** The targets that it refused. */
  readonly refused: readonly string[];
  readonly wire: Wire;
  /** Status and reason to answer instead of opening a tunnel. */
  refusal: string | undefined;
  refusesAddresses: boolean;
}

/** Starts a proxy that requires a name and a password. */
export async function fakeProxy(to?: { port: number }): Promise<FakeProxy> {
  const tunnels: string[] = [];
  const refused: string[] = [];
  const credentials = `Basic ${Buffer.from("home:a b").toString("base64")}`;

  function open(client: Socket, head: string): void {
    const [, host = "", port = ""] = /^CONNECT (\[[^\]\s]+\]|[^:\s]+):(\d+) HTTP\/1\.1\r\n/.exec(head) ?? [];
    const isKnown = head.includes(`\r\nProxy-Authorization: ${credentials}\r\n`);
    const isRefused = proxy.refusesAddresses && isIP(host.replace(/^\[|\]$/g, "")) !== 0;
    const refusal =
      proxy.refusal ?? (!isKnown ? "407 Proxy Authentication Required" : isRefused ? "403 Forbidden" : undefined);
    if (refusal !== undefined) {
      refused.push(`${host}:${port}`);
      return void client.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 2\r\n\r\nno`);
    }
    tunnels.push(`${host}:${port}`);
    const upstream = connect(to?.port ?? Number(port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream);
      upstream.pipe(client);
    });
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
  }
  const server = createServer((client) => {
    client.on("error", () => undefined);
    client.once("data", (head: Buffer) => open(client, head.toString()));
  });
  const wire = await wireTo(await listening(server));
  const proxy: FakeProxy = {
    ...{ tunnels, refused, wire, refusal: undefined, refusesAddresses: false },
    url: `http://home:a%20b@127.0.0.1:${wire.port}`,
    [Symbol.asyncDispose]: async () => {
      await wire.stop();
      server.close();
    },
  };
  return proxy;
}
