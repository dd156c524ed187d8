/** Requests that a message's buttons send: any host may be asked from here, from the page only its own (API.md §3). */

/** What may be sent to a server that knows nothing of us (https://fetch.spec.whatwg.org/#cors-safelisted-method). */
const SIMPLE = new Set(["GET", "HEAD", "POST"]);
/** Browsers end a worker that is at one event for longer than half a minute. */
const PATIENCE_MS = 20_000;

/** Without cookies, also to our own server: no message acts in its reader's name. False: it was refused, or nobody answered. */
export const send = async (url: string, method: string, patienceMs = PATIENCE_MS): Promise<boolean> =>
  fetch(url, {
    method,
    mode: SIMPLE.has(method) ? "no-cors" : "cors",
    credentials: "omit",
    signal: AbortSignal.timeout(patienceMs),
  }).then(
    ({ ok, type }) => ok || type === "opaque", // another host's answer is not ours to read
    () => false,
  );

/** A button of the page, handed over: `true` goes back where it was sent. */
export async function sendFor({ data, ports }: ExtendableMessageEvent): Promise<void> {
  const { url, method } = data as { url: string; method: string };
  ports[0]?.postMessage(await send(url, method));
}
