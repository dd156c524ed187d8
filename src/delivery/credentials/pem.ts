/** Private keys as operators supply them: the text of a file, or a line of an environment file with `\n` in it. Pure. */
import { createPrivateKey, type KeyObject } from "node:crypto";

/** Says what is wrong with a credential, in a sentence for the operator that quotes nothing of it. */
export interface WrongCredential {
  kind: "wrong";
  tell: string;
}

/** Normalises a PEM text. `kind`: the label in its first line. `tell`: what the text is if it is not a private key. */
export function pemOf(text: string): { kind: string; text: string; tell: string } {
  const pem = `${text.trim().replaceAll("\\r", "").replaceAll("\\n", "\n").replaceAll("\r\n", "\n").trim()}\n`;
  const [, kind = ""] = /^-----BEGIN ([A-Z0-9 ]{1,40})-----\n/.exec(pem) ?? [];
  const tell =
    kind === ""
      ? "is no PEM text: it does not begin with -----BEGIN PRIVATE KEY-----."
      : `is a PEM text of another kind (${kind}).`;
  return { kind, text: pem, tell };
}

/** Reads the private key in a PEM text. Undefined if it cannot be read: the error text of OpenSSL is not shown. */
export function privateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
