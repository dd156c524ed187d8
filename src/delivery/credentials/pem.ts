/** Keys as people hand them in: the text of a file, or a line of an environment file with `\n` in it. Pure. */
import { createPrivateKey, type KeyObject } from "node:crypto";

/** What is wrong with a credential, in a sentence for the operator that holds nothing of it. */
export interface WrongCredential {
  kind: "wrong";
  tell: string;
}

/** `kind`: what its first line calls it; `tell`: what it is instead of a private key. */
export function pemOf(text: string): { kind: string; text: string; tell: string } {
  const pem = `${text.trim().replaceAll("\\r", "").replaceAll("\\n", "\n").replaceAll("\r\n", "\n").trim()}\n`;
  const [, kind = ""] = /^-----BEGIN ([A-Z0-9 ]{1,40})-----\n/.exec(pem) ?? [];
  const tell =
    kind === ""
      ? "is no PEM text: it does not begin with -----BEGIN PRIVATE KEY-----."
      : `is a PEM text of another kind (${kind}).`;
  return { kind, text: pem, tell };
}

/** The private key in a PEM text; undefined if it cannot be read, without the words of OpenSSL. */
export function privateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
