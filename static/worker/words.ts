/** The catalogue's part for the service worker (`texts.worker`): the server puts it before the script. */

export interface Words {
  acknowledge: string;
  notAcknowledged: string;
  /** `{}`: the button. */
  notSent: string;
}

declare const PEAL_WORDS: Words;
export const words = PEAL_WORDS;
