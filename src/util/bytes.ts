/** Sizes in the units of the settings. Pages write them in their own language (pages/elements/bytes.ts). Pure. */

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `20 MB`, `1.5 GB`. */
export function bytesWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${Math.round((bytes / 1_000 ** power) * 10) / 10} ${UNITS[power] ?? ""}`;
}
