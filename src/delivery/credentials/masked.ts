/** Masks what a push service says, so that it may be logged: nothing in it can be somebody's token. Pure. */
import { oneLine } from "../../util/text/text.ts";
import type { Push } from "../push/push.ts";

/** The length of a text that operators read. */
const MAX_CHARACTERS = 200;
/** No word of a language is this long, but JWTs and access tokens are. */
const LONG_WORDS = /[\w+%=~-]{32,}/g;
/** Fewer characters of a token than this tell nobody anything. */
const TOLD = 8;
/** A shorter secret is in many words, and protects nothing. */
const SHORTEST = 3;

/** Makes one line without eight consecutive characters of the device's secrets, or anything that looks like a token. */
export function masked(text: string, { device: { platform, token, keys } }: Pick<Push, "device">): string {
  // the host of an endpoint is not secret
  const own = platform === "web" ? token.replace(/^https?:\/\/[^/]*/i, "") : token;
  return withoutSecrets(text, [own, keys?.p256dh ?? "", keys?.auth ?? ""]);
}

/** The same without eight consecutive characters of these secrets, nor all of a shorter one that people chose. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const line = oneLine(text.slice(0, 4 * MAX_CHARACTERS).toWellFormed()).replace(LONG_WORDS, "…");
  const short = secrets.filter(({ length }) => length >= SHORTEST && length < TOLD);
  const told = short.reduce((rest, secret) => rest.replaceAll(secret, "…"), line);
  return without(told, secrets.join("\n").toLowerCase()).trim().slice(0, MAX_CHARACTERS).toWellFormed();
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
