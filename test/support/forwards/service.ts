/**
 * A service that forwards post to, over HTTP/1.1 on loopback; what it takes and refuses is in the files beside.
 *
 *   await using service = await fakeService(judge);
 *   startPeal({ env: service.env })                           // PEAL_FORWARD_HOSTS
 *   service.url                                               its address, plain http
 *   service.received                                          every request in order, with the status of its answer
 *   service.script.once("*", { status: 503 })                 ../push/script.ts; also silence and reset
 *   service.wire.stop(), …                                    ../push/wire.ts
 */
import { createServer } from "node:http";
import type { Answer } from "../push/http2.ts";
import { createScript, type Fault, type Script } from "../push/script.ts";
import { listening, wireTo, type Wire } from "../push/wire.ts";

export interface Posted {
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export type ServiceAnswer = Answer | Extract<Fault, { kind: "silence" | "reset" }>;

export interface FakeService extends AsyncDisposable {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly script: Script<ServiceAnswer>;
  /** `status` 0: the request was not answered. */
  readonly received: readonly (Posted & { status: number })[];
  readonly wire: Wire;
}

/** `judge`: what the real service would answer. */
export async function fakeService(judge: (posted: Posted) => Answer): Promise<FakeService> {
  const script = createScript<ServiceAnswer>();
  const received: (Posted & { status: number })[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const posted = {
        ...{ method: request.method ?? "", path: request.url ?? "", body: Buffer.concat(chunks).toString() },
        headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      };
      const answer = script.next(posted.path) ?? judge(posted);
      received.push({ ...posted, status: "status" in answer ? answer.status : 0 });
      if ("status" in answer) response.writeHead(answer.status, answer.headers).end(answer.body);
      else if (answer.kind === "reset") request.socket.destroy();
    });
  });
  const wire = await wireTo(await listening(server));
  const host = `127.0.0.1:${wire.port}`;
  return {
    ...{ url: `http://${host}`, env: { PEAL_FORWARD_HOSTS: host }, script, received, wire },
    [Symbol.asyncDispose]: async () => {
      await wire.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

export const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  ...{ status, body: JSON.stringify(body) },
  headers: { "content-type": "application/json", ...headers },
});

/** The JSON object of a body; empty if it is none. */
export function objectIn(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
