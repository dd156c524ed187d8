/** The order in which people expect names: `disk 2` before `disk 10`. */

/** One collator for all: `localeCompare` makes one each time, which is eight times the work for 5,000 names (measured). */
export const { compare: compareNames } = new Intl.Collator("en", { numeric: true });
