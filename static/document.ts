/**
 * Fetches our own pages again. The server renders what is new just as it rendered the page, so that there is one template
 * and one place that escapes. `XMLHttpRequest` parses the document without running anything in it and is not a sink of
 * Trusted Types (innerHTML and DOMParser are, and the page's policy refuses those).
 */

/** The server says that nothing more will come, and why. The page stops asking. */
export class Ended extends Error {
  readonly state: "gone" | "signedOut";
  constructor(state: Ended["state"]) {
    super(state);
    this.state = state;
  }
}

/** The server did not answer with the page, but may do so later. */
export class NoPage extends Error {
  /** The wait that the answer asked for, in ms; 0 if it named none. */
  readonly retryAfter: number;
  constructor(why: string, retryAfter = 0) {
    super(why);
    this.retryAfter = retryAfter;
  }
}

const TIMEOUT_MS = 15_000;
/** The reader may not see the page, it does not exist, or it only answers a form and cannot be fetched. */
const NONE = new Set([403, 404, 405]);

/**
 * The body of one of our own pages. `form` is posted there, and the page is its answer. Rejects with `Ended` if the page is
 * gone, else with `NoPage`.
 */
export async function documentAt(
  url: URL,
  headers: Record<string, string> = {},
  form?: URLSearchParams,
): Promise<HTMLElement> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(form ? "POST" : "GET", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = "document";
    request.timeout = TIMEOUT_MS;
    request.onload = () => {
      const { status, responseXML: page } = request;
      if (status === 200 && page) resolve(page.body);
      else if (NONE.has(status) && isOurs(request)) reject(new Ended("gone"));
      else reject(new NoPage(`answered ${status}`, Number(request.getResponseHeader("retry-after")) * 1_000 || 0));
    };
    request.onerror = request.ontimeout = () => {
      reject(new NoPage("no answer"));
    };
    request.send(form);
  });
}

/** Whether peal answered. If a proxy did, the server may only be away for a moment. */
const isOurs = (request: XMLHttpRequest): boolean =>
  request.getResponseHeader("content-type")?.startsWith("application/problem+json") === true ||
  request.responseXML?.documentElement.dataset["base"] !== undefined;
