/** What the name and the password of a person may be (WEB.md §1). */
import { isVisible } from "../util/text/visible.ts";

export const MAX_NAME = 64;
export const MIN_PASSWORD = 12;
/** In bytes of UTF-8: argon2 would take for ever to read a longer one. */
export const MAX_PASSWORD = 1_024;

/** The name in its one form; undefined if nobody may have it. */
export function personName(text: string): string | undefined {
  const name = text.trim().normalize("NFC");
  const length = Array.from(name).length;
  return length >= 1 && length <= MAX_NAME && isVisible(name) ? name : undefined;
}

/** NFC: the same keys give the same password on every system. */
export const passwordForm = (text: string): string => text.normalize("NFC");

/** Why a text cannot be a password. `characters`: how many it has. */
export type PasswordFault = { kind: "short"; characters: number } | { kind: "long" };

/** Undefined if the text can be a password. */
export function passwordFault(text: string): PasswordFault | undefined {
  const password = passwordForm(text);
  if (Buffer.byteLength(password) > MAX_PASSWORD) return { kind: "long" };
  const characters = Array.from(password).length;
  return characters < MIN_PASSWORD ? { kind: "short", characters } : undefined;
}
