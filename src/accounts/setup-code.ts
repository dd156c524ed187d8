/** The set-up code as people type it (WEB.md §2). */

/**
 * The code in the form in which it was printed, `XXXX-XXXX-XXXX-XXXX`: without regard to case, spaces and hyphens, and
 * with Crockford's readings of O as 0, I and L as 1. Other text becomes something that is not a code.
 */
export const normalizeCode = (typed: string): string =>
  (
    typed
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, "")
      .replaceAll("O", "0")
      .replace(/[IL]/g, "1")
      .match(/.{1,4}/g) ?? []
  ).join("-");
