/** A browser that somebody has signed in with (WEB.md §1). */
import type { Millis } from "../util/clock.ts";

export interface Session {
  /** Public: names it in lists. The cookie has another one, kept only as SHA-256. */
  id: string;
  personId: string;
  createdAt: Millis;
  seenAt: Millis;
  /** When the password was last given. */
  confirmedAt: Millis;
  /** The client's, when it was last seen. */
  address: string;
  /** `User-Agent` as it was sent, cut. */
  agent: string;
}
