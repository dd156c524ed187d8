/** Statements that are written and compiled when they first run. */

/** What drizzle prepares, as far as it is used here. */
interface Query {
  all(given?: Record<string, unknown>): unknown;
  get(given?: Record<string, unknown>): unknown;
  run(given?: Record<string, unknown>): unknown;
  values(given?: Record<string, unknown>): unknown;
}

let isEager = false;

/** A query that drizzle writes when it first runs: to write all of them is a third of a start, which needs a few (measured). */
export function prepared<Q extends Query>(query: () => { prepare(): Q }): Pick<Q, keyof Query> {
  const made = lazily(() => query().prepare());
  return {
    all: (given) => made().all(given),
    get: (given) => made().get(given),
    run: (given) => made().run(given),
    values: (given) => made().values(given),
  };
}

/** Makes it when it is first asked for. */
export function lazily<T>(make: () => T): () => T {
  let made = isEager ? make() : undefined;
  return () => (made ??= make());
}

/** While `open` runs, statements are made at once: for who wants to look at all that there are. */
export function eagerly<T>(open: () => T): T {
  isEager = true;
  try {
    return open();
  } finally {
    isEager = false;
  }
}
