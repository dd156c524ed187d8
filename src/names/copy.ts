/** The names of copies of the database in `backups/`: whoever copies them elsewhere may change the times of the files. */
import type { Millis } from "../util/clock.ts";

export type CopyName =
  /** Asked for on the dashboard, or made every night. */
  | { kind: "peal" | "nightly"; at: Millis }
  /** Made before an upgrade from this version. */
  | { kind: "pre"; version: string };

const NAME = /^(?:(peal|nightly)-(\d{8}T\d{6}Z)(?:-\d+)?|pre-(\d[\w.+-]*?))\.db$/;

/** Undefined if it is not such a name. */
export function copyNamed(name: string): CopyName | undefined {
  const [, kind, stamp, version] = NAME.exec(name) ?? [];
  if (version !== undefined) return { kind: "pre", version };
  const at = Date.parse((stamp ?? "").replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  return (kind === "peal" || kind === "nightly") && !Number.isNaN(at) ? { kind, at } : undefined;
}

/** `20270131T032300Z`: a time as it is in names of files. */
export const stampOf = (at: Millis): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
