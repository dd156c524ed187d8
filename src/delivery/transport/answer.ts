/** Requests to push services, and what is read alike from the answers of all of them. Pure. */
import { jsonIn } from "../../util/json.ts";

export interface ProviderRequest {
  /** Default `POST`. */
  method?: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Absent: the request has none. */
  body?: string | Uint8Array;
}

export interface ProviderResponse {
  status: number;
  /** Their names are in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The first 16 KiB of it; of a forward's service 128 KiB. */
  body: string;
}

/** The JSON object in the body; empty if it is none, since proxies answer with pages. */
export const jsonOf = ({ body }: Pick<ProviderResponse, "body">): Readonly<Record<string, unknown>> =>
  recordOf(jsonIn(body));

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The wait of `Retry-After` in ms. A date (RFC 9110 §10.2.3) is counted from `Date`, written by the same clock. */
export function retryAfterMs({ headers }: Pick<ProviderResponse, "headers">): number | undefined {
  const value = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Z][a-z]+, /.test(value)) return undefined; // Date.parse accepts all kinds of text
  const wait = Date.parse(value) - Date.parse(headers["date"] ?? "");
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
