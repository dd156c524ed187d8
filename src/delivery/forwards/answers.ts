/** What the answers of most services mean alike; what a service says otherwise is in its own file (DELIVERY.md §11). Pure. */
import { defined } from "../../util/defined.ts";
import { MOST_SHRUNK, type Push } from "../push/push.ts";
import { type ProviderResponse, retryAfterMs } from "../transport/answer.ts";
import type { ForwardVerdict } from "./kind.ts";

/** What is told of a refusal that only the forward's owner can mend. */
export interface Mends {
  /** The name of the service. */
  service: string;
  /** 401 and 403. */
  credentials: string;
  /** 404 and 410. */
  address: string;
}

/** A page for people where a program should answer: the sign-in of a proxy, or another site. It says 200, and took nothing. */
export const isPage = ({ status, body }: ProviderResponse): boolean =>
  status >= 200 && status < 300 && /^\s*</.test(body);

/**
 * `said`: the service's own words for what went wrong, if it has any; `afterMs`: the wait that it asks for elsewhere than in
 * `Retry-After`.
 */
export function usualVerdict(
  response: ProviderResponse,
  { shrunk }: Pick<Push, "shrunk">,
  { service, credentials, address }: Mends,
  { said = "", afterMs = retryAfterMs(response) }: { said?: string; afterMs?: number | undefined } = {},
): ForwardVerdict {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: "accepted" };
  const reason = said === "" ? `status ${status}` : said;
  const pause = (mend: string): ForwardVerdict => ({
    kind: "pause",
    reason,
    tell: said === "" ? `${mend} ${service} answers ${status}.` : `${mend} ${service} says: ${said}`,
  });
  switch (status) {
    case 401:
    case 403:
      return pause(credentials);
    case 404:
    case 405:
    case 410:
      return pause(address);
    case 408:
    case 425:
      return defined<ForwardVerdict>({ kind: "retry", scope: "device", afterMs, reason });
    case 413:
      return shrunk < MOST_SHRUNK ? { kind: "shrink", reason } : { kind: "fail", reason };
    case 429:
      return defined<ForwardVerdict>({ kind: "retry", scope: "device", afterMs, reason });
  }
  // a redirect is not followed: it would take the secret to another address
  if (status < 400) return pause("The address redirects to another one: enter that one instead.");
  if (status >= 500) return defined<ForwardVerdict>({ kind: "retry", scope: "lane", afterMs, reason });
  return { kind: "fail", reason };
}
