/** How the household's past is made: what was asked of the server, and when. */
import type { TestServer } from "./server.ts";

export const MINUTE = 60_000;

/** So many minutes before the end. */
export interface Step {
  ago: number;
  run: () => Promise<unknown>;
}

/** As the operator, in any namespace. @throws Error where it is refused */
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
