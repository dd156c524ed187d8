/** Remembers a text for the latest object that it was made of. */

/** `make` again only for another object: the messages of a commit share their topic, and each would pay for ten strings. */
export function forLatest<T extends object>(make: (of: T) => string): (of: T) => string {
  let latest: { of: T; text: string } | undefined;
  return (of) => {
    if (latest?.of !== of) latest = { of, text: make(of) };
    return latest.text;
  };
}
