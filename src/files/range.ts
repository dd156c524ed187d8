/** Byte ranges (RFC 9110 §14): one of them, as players and downloads that go on ask for it. Pure. */

export interface Slice {
  start: number;
  /** The first byte that is not in it. */
  end: number;
}

/** Undefined: all of it, also for what is no range of ours. `unsatisfiable`: it begins behind the end. */
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
