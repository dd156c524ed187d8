/** The forms of a hook's tokens (API.md §9). */

const TOKEN = /^h_[0-9a-hjkmnp-tv-z]{26}$/;
/** The form that shoutrrr checks, and Gotify once made (`pkg/services/gotify/gotify.go`, `isTokenValid`). */
const GOTIFY_TOKEN = /^A[A-Za-z0-9._-]{14}$/;

export const isHookToken = (text: string): boolean => TOKEN.test(text);
export const isGotifyToken = (text: string): boolean => GOTIFY_TOKEN.test(text);
