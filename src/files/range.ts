/** Reads byte ranges (RFC 9110 §14): a single one, which players and resumed downloads ask for. Pure. */

export interface Slice {
  start: number;
  /** The first byte behind the range. */
  end: number;
}

/** Undefined: send everything, which also answers other kinds of ranges. `unsatisfiable`: it begins behind the end. */
export function rangeIn(header: string | null, size: number): Slice | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const length = Math.min(size, Number(last));
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  const [start, end] = [Number(first), last === "" ? size : Math.min(size, Number(last) + 1)];
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}
