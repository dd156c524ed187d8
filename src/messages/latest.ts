/** Remembers a text for the latest object that it was made of. */

/** Calls `make` only if the object is not the latest one: the messages of a commit share their topic. */
export function forLatest<T extends object>(make: (of: T) => string): (of: T) => string {
  let latest: { of: T; text: string } | undefined;
  return (of) => {
    if (latest?.of !== of) latest = { of, text: make(of) };
    return latest.text;
  };
}
