/** Files of the messages in a backup. `isIn`: they were taken along; else they are those that were not. */
export interface BackedUpFiles {
  isIn: boolean;
  files: number;
  bytes: number;
  /** Their bytes were not there to be taken along. */
  missing: number;
}

/** What the process that makes a backup tells the one that started it: one line of JSON. */
export type BackupResult =
  | { kind: "made"; bytes: number; files: BackedUpFiles }
  /** `free`: bytes that the disk has; `needed`: as many as the database has. */
  | { kind: "full"; free: number; needed: number }
  | { kind: "failed"; reason: string };
