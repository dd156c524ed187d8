/**
 * A service that forwards send to, over plain HTTP on loopback.
 *
 *   await using service = await fakeService(() => ({ status: 200, body: "ok" }));
 *   inProcess({ env: { ...service.env } })        // PEAL_FORWARD_HOSTS
 *   service.received                              every request in order, with the status that it got
 *   service.script.once("*", { status: 429, headers: { "retry-after": "30" } })   // ./script.ts; also silence, reset
 *   service.wire.stop(), …                        // ./wire.ts
 */
import { createServer } from "node:http";
import type { Answer } from "./http2.ts";
import { createScript, type Fault, type Script } from "./script.ts";
import { listening, wireTo, type Wire } from "./wire.ts";

type ServiceAnswer = Answer | Extract<Fault, { kind: "silence" | "reset" }>;

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** 0: it was not answered. */
  status: number;
}

export interface FakeService extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly received: readonly ReceivedRequest[];
  /** By path. */
  readonly script: Script<ServiceAnswer>;
  readonly wire: Wire;
  /** The JSON of all requests that were accepted. */
  accepted(): Record<string, unknown>[];
}

/** `judge`: what the real service would answer. */
export async function fakeService(
  judge: (request: ReceivedRequest) => Answer = () => ({ status: 200 }),
): Promise<FakeService> {
  const script = createScript<ServiceAnswer>();
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const [method, path] = [request.method ?? "", request.url ?? ""];
      const one = { method, path, headers, body: Buffer.concat(chunks).toString(), status: 0 };
      received.push(one);
      const answer = script.next(path) ?? judge(one);
      if ("kind" in answer) {
        if (answer.kind === "reset") request.socket.destroy();
        return;
      }
      one.status = answer.status;
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    });
  });
  const wire = await wireTo(await listening(server));
  return {
    ...{ script, received, wire },
    origin: `http://127.0.0.1:${wire.port}`,
    env: { PEAL_FORWARD_HOSTS: `127.0.0.1:${wire.port}` },
    accepted: () =>
      received
        .filter(({ status }) => status >= 200 && status < 300)
        .map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    [Symbol.asyncDispose]: async () => {
      await wire.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}
