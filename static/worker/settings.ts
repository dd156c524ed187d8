/** Settings that the server puts before the script (src/pages/assets.ts). */

/** The texts that the service worker uses: `texts.worker` of the catalogue. */
export interface Words {
  acknowledge: string;
  notAcknowledged: string;
  /** `{}` stands for the button's label. */
  notSent: string;
  offline: string;
  offlineWhy: string;
  again: string;
}

declare const PEAL: {
  /** Texts by language. */
  words: Record<string, Words> & { en: Words };
  /** The operator wants to know which notifications were shown. */
  receipts: boolean;
};

/** The browser's first language that peal has texts in. */
const language = navigator.languages.map((tag) => tag.split("-", 1)[0] ?? "").find((tag) => tag in PEAL.words) ?? "en";

export const settings = { language, words: PEAL.words[language] ?? PEAL.words.en, receipts: PEAL.receipts };
