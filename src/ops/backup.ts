/** What the process that makes a backup tells the one that started it: one line of JSON. */
export type BackupResult =
  | { kind: "made"; bytes: number }
  /** `free`: bytes that the disk has; `needed`: as many as the database has. */
  | { kind: "full"; free: number; needed: number }
  | { kind: "failed"; reason: string };
