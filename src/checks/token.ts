/** The forms of check tokens and ping keys (CHECKINS.md §2). */
import { base32 } from "../util/ids.ts";

const TOKEN = /^[0-9a-hjkmnp-tv-z]{26}$/;
const PING_KEY = /^pk_[0-9a-hjkmnp-tv-z]{26}$/;

export const isToken = (text: string): boolean => TOKEN.test(text);
export const isPingKey = (text: string): boolean => PING_KEY.test(text);

/** A new id of a check or token of a badge: 130 random bits in the form of a token. */
export const newToken = (): string => base32(26);
