/** Clients that connect anew for each request, and event streams, over https. */
import { request } from "node:https";
import type { TLSSocket } from "node:tls";

export interface Outcome {
  status: number;
  /** The name in the certificate that was shown. */
  serial: string;
}

/** One request on a connection of its own, whatever certificate is shown. Rejects if the connection fails. */
export const fresh = async (
  url: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Outcome & { text: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false, rejectUnauthorized: false }, (response) => {
      const { socket } = response;
      const serial = "getPeerCertificate" in socket ? (socket as TLSSocket).getPeerCertificate().serialNumber : "";
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, serial, text });
      });
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });

export interface Streaming {
  /** What came so far. */
  text(): string;
  /** The server ended it, or the connection was cut. */
  isOver(): boolean;
  end(): void;
}

/** Reads an event stream, whatever certificate is shown. @throws Error if there is none */
export async function streaming(url: string): Promise<Streaming> {
  const stop = new AbortController();
  const response = await fetch(url, { signal: stop.signal, tls: { rejectUnauthorized: false } });
  if (response.status !== 200) throw new Error(`no stream: ${response.status}`);
  let text = "";
  let isOver = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>)
      text += decoder.decode(part, { stream: true });
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return {
    text: () => text,
    isOver: () => isOver,
    end: () => {
      stop.abort();
    },
  };
}
