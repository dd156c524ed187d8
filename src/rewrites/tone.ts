/** How bad something is, by the colour or the words of a post: chats have no field for it (REWRITES.md §8). */
import { highest, LEVELS, type Level, type Priority } from "../drafts/draft.ts";
import { table } from "../drafts/words.ts";
import { scalar } from "./fields.ts";

const NAMES = table<Level>([
  ["error", "danger attention error red"],
  ["warning", "warning orange yellow amber"],
  ["success", "good success green"],
]);

/** `danger`, `#DD0000`, `DD0000` or 15158332; undefined for grey and blue, and for anything that is not a colour. */
export function levelOfColour(value: unknown): Level | undefined {
  const text = scalar(value)?.slice(0, 20).trim().toLowerCase() ?? "";
  return NAMES.get(text) ?? levelOfRgb(typeof value === "number" ? value : rgbOf(text));
}

function rgbOf(text: string): number {
  if (/^\d{7,8}$/.test(text)) return Number(text);
  const digits = /^#?([\da-f]{6}|[\da-f]{3})$/.exec(text)?.[1] ?? "";
  return parseInt(digits.length === 3 ? digits.replace(/./g, "$&$&") : digits, 16);
}

/** The level of a colour, by its hue. */
function levelOfRgb(rgb: number): Level | undefined {
  if (!Number.isInteger(rgb) || rgb < 0 || rgb > 0xffffff) return undefined;
  const [r, g, b] = [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff] as const;
  const max = Math.max(r, g, b);
  const chroma = max - Math.min(r, g, b);
  if (chroma < max / 4 || chroma < 24) return undefined;
  const sixth = max === r ? (g - b) / chroma : max === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma;
  const hue = (sixth * 60 + 360) % 360;
  if (hue < 20 || hue >= 335) return "error";
  return hue < 65 ? "warning" : hue < 170 ? "success" : undefined;
}

/** Turns the meaning of its last word around. */
const DENIED =
  /\b(?:0|no|not|without|without any) (?:errors?|failures?|failed|problems?|warnings?|alerts?|resolved|recovered|fixed|ok|successful)\b/g;
const OVER =
  /\b(?:resolved|recovered|recovery|restored|fixed|cleared|no longer|up again|(?:is|are) (?:now )?(?:up|ok|fine|back|online|healthy|reachable)|(?:back|healthy|reachable|running) again|back (?:up|online|to normal))\b/;
const BAD = /[🔴❌🚨🆘⛔🛑🔥💥]/u;
const TROUBLE =
  /\b(?:fail(?:s|ed|ing|ures?)?|down|errors?|critical|fatal|emergency|offline|unreachable|crash(?:ed|es)?|outage|panic|disaster|firing|timed out|broken|problem)\b/;
const DOUBTFUL = /[⚠🟠🟡]/u;
const DOUBT = /\b(?:warnings?|degraded|unhealthy|unstable|expir(?:es|ed|ing))\b/;
const FINE = /[✅🟢✔🎉]/u;
const DONE = /\b(?:success(?:ful|fully)?|succeeded|passed|completed?|finished|ok|okay)\b/;
/** A headline is not longer. */
const MAX_READ = 300;

/** The level in a headline's symbols and words; undefined if none has one. The headline of an end names the trouble too. */
export function levelOfWords(text: string): Level | undefined {
  const words = text.slice(0, MAX_READ).toLowerCase().replace(DENIED, "");
  if (OVER.test(words)) return "success";
  if (BAD.test(words) || TROUBLE.test(words)) return "error";
  if (DOUBTFUL.test(words) || DOUBT.test(words)) return "warning";
  return FINE.test(words) || DONE.test(words) ? "success" : undefined;
}

/** The worst of several levels, some of which may be undefined. */
export const worst = (levels: readonly (Level | undefined)[]): Level | undefined => highest(LEVELS, levels);

/** The priority of a level if nothing else says how urgent it is. */
export const priorityOf = (level: Level): Priority => (level === "error" ? "high" : "normal");
