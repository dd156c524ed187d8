/** How much a draft may hold (API.md §3). */

/** The longest text, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 32_768;
/** The longest URL, once normalised. */
export const MAX_URL_CHARACTERS = 2_048;
/** The longest `data`, serialized. */
export const MAX_DATA_BYTES = 4_096;
export const MAX_TITLE_CHARACTERS = 256;
export const MAX_TAGS = 16;
export const MAX_TAG_CHARACTERS = 32;
export const MAX_ACTIONS = 3;
export const MAX_LABEL_CHARACTERS = 40;
/** The most headers that a button sends, and the longest value of one. */
export const MAX_HEADERS = 8;
export const MAX_HEADER_CHARACTERS = 1_024;
/** The longest body that a button sends. */
export const MAX_BODY_CHARACTERS = 2_048;
/** The longest name of an Android intent. */
export const MAX_INTENT_CHARACTERS = 256;
export const MAX_KEY_CHARACTERS = 128;
/** A push with a shorter TTL would hardly be sent. */
export const MIN_TTL_SECONDS = 60;
/** 30 days, in seconds. */
export const MAX_DELAY_SECONDS = 2_592_000;
