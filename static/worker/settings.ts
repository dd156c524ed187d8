/** What the server puts before the script (src/pages/assets.ts). */

/** The catalogue's part for the service worker: `texts.worker`. */
export interface Words {
  acknowledge: string;
  notAcknowledged: string;
  /** `{}`: the button. */
  notSent: string;
  offline: string;
  offlineWhy: string;
  again: string;
}

declare const PEAL: {
  /** By language. */
  words: Record<string, Words> & { en: Words };
  /** The operator wants to hear what was shown. */
  receipts: boolean;
};

/** The first language of the browser that is one of ours. */
const language = navigator.languages.map((tag) => tag.split("-", 1)[0] ?? "").find((tag) => tag in PEAL.words) ?? "en";

export const settings = { language, words: PEAL.words[language] ?? PEAL.words.en, receipts: PEAL.receipts };
