/** What the fakes of services beside read and answer. */
import type { Answer } from "../push/http2.ts";
import type { ReceivedRequest } from "../push/service.ts";

export type Posted = Omit<ReceivedRequest, "status">;

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
