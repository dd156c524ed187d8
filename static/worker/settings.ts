/** What the server puts before the script (src/pages/assets.ts). */

export interface Settings {
  /** The catalogue's part for the service worker: `texts.worker`. */
  words: {
    acknowledge: string;
    notAcknowledged: string;
    /** `{}`: the button. */
    notSent: string;
  };
  /** The operator wants to hear what was shown. */
  receipts: boolean;
}

declare const PEAL: Settings;
export const settings = PEAL;
