/** One request to a push service over a session of Bun's, and the beginning of its answer. */
import { isIPv6 } from "node:net";
import { VERSION } from "../../util/version.ts";
import type { ProviderRequest, ProviderResponse } from "./answer.ts";

/** Nobody answered. `reason`: a few words without the URL. */
export interface Unreachable {
  kind: "unreachable";
  reason: string;
}

export const unreachable = (reason: string): Unreachable => ({ kind: "unreachable", reason });

/** No more of an answer is read, in bytes, unless the caller needs more. */
const MAX_ANSWER = 16_384;

export interface Init extends Pick<BunFetchRequestInit, "protocol" | "tls"> {
  signal: AbortSignal;
  /** Connects to this address instead of the URL's host. The server is still asked for that host, and has to prove to be it. */
  address?: string;
  port?: number;
  /** The most that is read of the answer, in bytes. */
  maxAnswer?: number;
}

/** @throws whatever fetch throws */
export async function ask(
  session: Bun.FetchSession,
  { method = "POST", headers, body }: ProviderRequest,
  url: URL,
  { address, port, maxAnswer = MAX_ANSWER, ...init }: Init,
): Promise<ProviderResponse> {
  const { host } = url;
  if (address !== undefined) url.hostname = isIPv6(address) ? `[${address}]` : address;
  if (port !== undefined) url.port = String(port);
  const response = await session.fetch(url.href, {
    ...init,
    method,
    // a few bytes of a compressed answer may become gigabytes
    headers: { "user-agent": `peal/${VERSION}`, ...headers, host, "accept-encoding": "identity" },
    decompress: false,
    ...(body !== undefined && { body }),
    redirect: "manual",
  });
  const read = await beginning(response, maxAnswer, init.protocol);
  return { status: response.status, headers: Object.fromEntries(response.headers), body: read };
}

/** The body's beginning. If it is cut off the status counts, but refusals over HTTP/2 differ in nothing but the body. */
async function beginning(response: Response, max: number, protocol: Init["protocol"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (body === null) return "";
  const reader = body.getReader();
  try {
    for (let size = 0; size < max;) {
      const { value } = await reader.read();
      if (value === undefined) break;
      chunks.push(value);
      size += value.length;
    }
    await reader.cancel();
  } catch (error) {
    // it was cut off, or took too long
    if (protocol === "http2" && !response.ok) throw error;
  }
  return Buffer.concat(chunks).subarray(0, max).toString();
}
