/** The words of a push service, made fit for a log: what could be somebody's token is not in them. Pure. */
import { oneLine } from "../../util/text/text.ts";
import type { Push } from "../push/push.ts";

/** Of words that an operator reads. */
const MAX_CHARACTERS = 200;
/** Nobody's words are so long; JWTs and access tokens are. */
const LONG_WORDS = /[\w+%=~-]{32,}/g;
/** So much of a token tells nobody anything. */
const TOLD = 8;

/** One line, in which of the device's token and keys there are no eight characters in a row, and nothing that looks like a token. */
export function masked(text: string, { device: { platform, token, keys } }: Pick<Push, "device">): string {
  // of an endpoint the host is everybody's
  const own = platform === "web" ? token.replace(/^https?:\/\/[^/]*/i, "") : token;
  const secrets = [own, keys?.p256dh ?? "", keys?.auth ?? ""].join("\n").toLowerCase();
  const line = oneLine(text.slice(0, 4 * MAX_CHARACTERS).toWellFormed()).replace(LONG_WORDS, "…");
  return without(line, secrets).trim().slice(0, MAX_CHARACTERS).toWellFormed();
}

function without(text: string, secrets: string): string {
  let kept = "";
  for (let i = 0; i < text.length;) {
    let end = i;
    while (end < text.length && secrets.includes(text.slice(i, end + 1).toLowerCase())) end++;
    const isSecret = end - i >= TOLD;
    kept += isSecret ? "…" : text.charAt(i);
    i = isSecret ? end : i + 1;
  }
  return kept;
}
