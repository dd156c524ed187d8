/** The forms of tokens of checks and of ping keys (CHECKINS.md §2). */
import { base32 } from "../util/ids.ts";

const TOKEN = /^[0-9a-hjkmnp-tv-z]{26}$/;
const PING_KEY = /^pk_[0-9a-hjkmnp-tv-z]{26}$/;

export const isToken = (text: string): boolean => TOKEN.test(text);
export const isPingKey = (text: string): boolean => PING_KEY.test(text);

/** The id of a check, or the token of its badge: 130 random bits that look like a token. */
export const newToken = (): string => base32(26);
