/** Names of what nobody may read: of fields in a body that nobody knows, of headers and of parameters. Pure. */

/** Longer names are told by their beginning. */
const MAX_READ = 200;
/** In every name of a secret. */
const MAYBE = /auth|bearer|cookie|cred|csrf|hmac|jwt|key|otp|pass|pin|pwd|sess|sha256|sig|secret|token|xsrf/i;
/** Of a name in lower case with `_` before, after and between its words. */
const SECRET = new RegExp(
  [
    "bearer|cookie|credential|csrf|hmac|jwt|passcode|passphrase|passw|pin_?code|pwd|secret|signature|token|xsrf",
    "(?:access|api|auth|encryption|licen[cs]e|master|private|signing|ssh|user)_?key(?!board|word)|sess(?:ion)?_?id",
    "_(?:auth|authentication|authorization|oauth2?|otp|sha256|totp)_",
    "(?:_|db|user)pass_$|_(?:creds?|pin|session|sig)_$",
    // what tells one alert or row from another is a key as well
    "(?<!_(?:alert|cache|dedup|dedupe|event|foreign|group|idempotency|incident|issue|object|partition|primary|project|public|sort))_keys?_$",
  ].join("|"),
);

/** False: nothing in the text is named like a secret. Most texts are done with it. */
export const mayNameSecret = (text: string): boolean => MAYBE.test(text);

/** What is named so is not shown. The words count, not the letters: `author`, `monkey` and `passed` are none. */
export function isSecretName(name: string): boolean {
  if (!mayNameSecret(name)) return false;
  const words = name
    .slice(0, MAX_READ)
    .replaceAll(/([a-z\d])(?=[A-Z])/g, "$1_")
    .replaceAll(/[^a-z\d]+/gi, "_");
  return SECRET.test(`_${words.toLowerCase()}_`);
}
