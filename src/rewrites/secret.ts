/** Names of secrets: of fields in a body of unknown shape, of headers and of parameters. Pure. */

/** A longer name is judged by its beginning. */
const MAX_READ = 200;
/** Every name of a secret has one of these. */
const MAYBE = /auth|bearer|cookie|cred|csrf|hmac|jwt|key|otp|pass|pin|pwd|sess|sha256|sig|secret|token|xsrf/i;
/** Matches a name in lower case with `_` before, after and between its words. */
const SECRET = new RegExp(
  [
    "bearer|cookie|credential|csrf|hmac|jwt|passcode|passphrase|passw|pin_?code|pwd|secret|signature|token|xsrf",
    "(?:access|api|auth|encryption|licen[cs]e|master|private|signing|ssh|user)_?key(?!board|word)|sess(?:ion)?_?id",
    "_(?:auth|authentication|authorization|oauth2?|otp|sha256|totp)_",
    "(?:_|db|user)pass_$|_(?:creds?|pin|session|sig)_$",
    // a key also tells one alert or row from another
    "(?<!_(?:alert|cache|dedup|dedupe|event|foreign|group|idempotency|incident|issue|object|partition|primary|project|public|sort))_keys?_$",
  ].join("|"),
);

/** False: nothing in the text is named like a secret. That is enough for most texts. */
export const mayNameSecret = (text: string): boolean => MAYBE.test(text);

/** Whether a value of this name is not shown. Words count, not letters: `author`, `monkey` and `passed` are not secrets. */
export function isSecretName(name: string): boolean {
  if (!mayNameSecret(name)) return false;
  const words = name
    .slice(0, MAX_READ)
    .replaceAll(/([a-z\d])(?=[A-Z])/g, "$1_")
    .replaceAll(/[^a-z\d]+/gi, "_");
  return SECRET.test(`_${words.toLowerCase()}_`);
}
