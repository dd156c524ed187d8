/** Addresses that others wrote. */

/** The text as a URL; undefined if it is not an absolute one. (`URL.parse` is too new for the browsers that we support.) */
export function addressOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
