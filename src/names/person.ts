/** What the name and the password of a person may be (WEB.md §1). */
import { isVisible } from "../util/text/visible.ts";

export const MAX_NAME = 64;
export const MIN_PASSWORD = 12;
/** Bytes of UTF-8: argon2 would read for ever what is sent. */
export const MAX_PASSWORD = 1_024;

/** The name in its one form, or undefined when it may be nobody's. */
export function personName(text: string): string | undefined {
  const name = text.trim().normalize("NFC");
  const length = Array.from(name).length;
  return length >= 1 && length <= MAX_NAME && isVisible(name) ? name : undefined;
}

/** The same keys give the same password, on whatever system: NFC. */
export const passwordForm = (text: string): string => text.normalize("NFC");

/** Why it cannot be a password. `characters`: how many it has. */
export type PasswordFault = { kind: "short"; characters: number } | { kind: "long" };

/** Undefined: it can. */
export function passwordFault(text: string): PasswordFault | undefined {
  const password = passwordForm(text);
  if (Buffer.byteLength(password) > MAX_PASSWORD) return { kind: "long" };
  const characters = Array.from(password).length;
  return characters < MIN_PASSWORD ? { kind: "short", characters } : undefined;
}
