/** What the fakes of services beside read and answer. */
import type { Answer } from "../push/http2.ts";
import type { ReceivedRequest } from "../push/service.ts";

export type Posted = Omit<ReceivedRequest, "status">;

export const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  ...{ status, body: JSON.stringify(body) },
  headers: { "content-type": "application/json", ...headers },
});

/** The same in ASCII, as services write it that escape all other letters. */
export const asciiJson = (status: number, body: object): Answer => {
  const { body: text, ...answer } = json(status, body);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { ...answer, body: String(text).replace(/[\x80-\uffff]/g, escaped) };
};

/** The JSON object of a body; empty if it is none. */
export function objectIn(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
