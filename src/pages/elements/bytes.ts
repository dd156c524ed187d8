/** Sizes as people read them. */
import type { View } from "../view.ts";

const UNITS = ["kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** `18.4 MB`, `18,4 MB`. */
export function sizeWords({ texts: { locale } }: Pick<View, "texts">, bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 1), UNITS.length);
  const unit = UNITS[power - 1] ?? "terabyte";
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 }).format(
    bytes / 1_000 ** power,
  );
}
