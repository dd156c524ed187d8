/** Files of the messages in a backup. `isIn`: they were taken along; otherwise the numbers are of those that were not. */
export interface BackedUpFiles {
  isIn: boolean;
  files: number;
  bytes: number;
  /** Files whose bytes were not there to be taken along. */
  missing: number;
}

/** What the process that makes a backup reports to the one that started it: one line of JSON. */
export type BackupResult =
  | { kind: "made"; bytes: number; files: BackedUpFiles }
  /** `free`: bytes left on the disk; `needed`: the size of the database in bytes. */
  | { kind: "full"; free: number; needed: number }
  | { kind: "failed"; reason: string };
