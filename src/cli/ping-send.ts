/** Pings that arrive (attempts.ts), and the reason if they do not. */
import { deliver, problemIn, type Patience, type Refusal } from "./attempts.ts";

export interface Ping {
  url: URL;
  /** The job's output. */
  body?: Uint8Array;
}

/** Resolves to undefined once the server has the ping, else to the reason why it has not, which never has the token. */
export async function send(ping: Ping, patience: Patience): Promise<string | undefined> {
  // a check may be set to count nothing but POST
  const result = await deliver({ ...ping, method: "POST" }, patience, refusalOfPing);
  return typeof result === "string" ? undefined : result.reason;
}

/** Unknown tokens are answered in plain text, whatever the client accepts. */
const refusalOfPing: Refusal = (response, text) =>
  problemIn(response, text) ?? (text.trim() === "not found" ? { detail: "it doesn't know this check" } : undefined);
