/** How the household's history is made: what was requested of the server, and when. */
import type { TestServer } from "./server.ts";

export const MINUTE = 60_000;

/** Minutes before the end. */
export interface Step {
  ago: number;
  run: () => Promise<unknown>;
}

/** Sends a request as the operator, in any namespace. @throws Error when it is refused */
export async function asked<T>(
  peal: Pick<TestServer, "local">,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const headers = { "content-type": "application/json" };
  const answer = await peal.local(path, { method, ...(body && { headers, body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}
