/** The languages of pages, and which of them a reader gets (WEB.md §1). */
import { de } from "./de.ts";
import { en } from "./en.ts";
import { translated, type Texts } from "./texts.ts";

/** A language more is a line here and its own file. Each is made whole once, when the server starts. */
const CATALOGUE = { en, de: translated(de) };
export type Language = keyof typeof CATALOGUE;
export const LANGUAGES = Object.keys(CATALOGUE) as readonly Language[];

export const textsOf = (language: Language): Texts => CATALOGUE[language];

export const isLanguage = (tag: string | null | undefined): tag is Language => LANGUAGES.some((one) => one === tag);

/** The reader's choice (cookie `lang`), else the language of ours that the browser prefers, else English. */
export function languageOf({ headers }: Request): Language {
  const chosen = /(?:^|;\s*)lang=(\w+)/.exec(headers.get("cookie") ?? "")?.[1];
  return isLanguage(chosen) ? chosen : preferred(headers.get("accept-language") ?? "");
}

/** The reader's own variant of a language, by which times are written: 14:06 or 2:06 PM. As static/times.ts finds it. */
export function localeOf({ headers }: Request, language: Language): string {
  const own = new RegExp(`(?:^|,)\\s*(${language}(?:-(?:[A-Z]{2}|\\d{3}))?)\\s*(?=[;,]|$)`);
  return own.exec(headers.get("accept-language") ?? "")?.[1] ?? textsOf(language).locale;
}

/** The preferred language of an `Accept-Language` (RFC 9110 §12.5.4); among equals the first. */
function preferred(accepted: string): Language {
  let best: { language: Language; weight: number } | undefined;
  for (const range of accepted.split(",", MAX_RANGES)) {
    const [, tag, q = "1"] = /^\s*([a-z]+)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(range) ?? [];
    const language = tag?.toLowerCase();
    const weight = Number(q);
    if (isLanguage(language) && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? "en";
}

/** Read of a header: browsers send a few. */
const MAX_RANGES = 16;
