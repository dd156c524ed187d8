/** Sends the requests of a message's buttons: the worker may ask any host, the page only its own server (API.md §3). */
import type { Action } from "./payload.ts";

/** The methods that need no consent of the other server (https://fetch.spec.whatwg.org/#cors-safelisted-method). */
const SIMPLE = new Set(["GET", "HEAD", "POST"]);
/** Browsers end a worker that handles one event for longer than half a minute. */
const PATIENCE_MS = 20_000;

/**
 * Sends a request, without cookies even to our own server, so that no message acts in its reader's name. False if it was refused
 * or not answered.
 */
export const send = async (
  { url, method = "POST", headers, body }: Pick<Action, "url" | "method" | "headers" | "body">,
  patienceMs = PATIENCE_MS,
): Promise<boolean> =>
  fetch(url, {
    method,
    // of other headers the browser would send none without asking
    mode: SIMPLE.has(method) && headers === undefined ? "no-cors" : "cors",
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    credentials: "omit",
    signal: AbortSignal.timeout(patienceMs),
  }).then(
    ({ ok, type }) => ok || type === "opaque", // another host's answer is not ours to read
    () => false,
  );

/** Sends the request of a button that the page handed over, and answers through the port whether it worked. */
export async function sendFor({ data, ports }: ExtendableMessageEvent): Promise<void> {
  ports[0]?.postMessage(await send(data as Action));
}
