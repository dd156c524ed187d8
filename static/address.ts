/** Addresses that others wrote. */

/** Absolute, or undefined where it is none. (`URL.parse` is younger than the browsers that we are for.) */
export function addressOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
