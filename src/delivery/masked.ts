/** The words of a push service, made fit for a log: what could be somebody's token is not in them. */
import { oneLine } from "../messages/text.ts";
import type { Push } from "./push.ts";

/** Of words that an operator reads. */
const MAX_CHARACTERS = 200;
/** Nobody's words are so long; tokens, keys and JWTs are. */
const LONG = 32;
/** Of a token, so much tells nobody anything. */
const MIN_CHARACTERS = 6;
const WORDS = new RegExp(`[\\w%+=~-]{${MIN_CHARACTERS},}`, "g");

/** One line without anything of the device's token or keys, and without what looks like any. Pure. */
export function masked(text: string, { device: { platform, token, keys } }: Pick<Push, "device">): string {
  // of an endpoint the host is everybody's
  const own = platform === "web" ? token.replace(/^https?:\/\/[^/]*/i, "") : token;
  const secrets = [own, keys?.p256dh, keys?.auth]
    .filter((secret) => secret !== undefined)
    .join("\n")
    .toLowerCase();
  const shown = oneLine(text.slice(0, 4 * MAX_CHARACTERS).toWellFormed()).replace(WORDS, (word) =>
    word.length >= LONG || secrets.includes(word.toLowerCase()) ? "…" : word,
  );
  return shown.trim().slice(0, MAX_CHARACTERS).toWellFormed();
}
