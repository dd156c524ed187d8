/** Remembers that SQLite has found the database damaged, until the process ends or a failed read proves to have passed. */
import { StoreTrouble, type HearsDamage } from "../store.ts";
import { isDamage } from "../sql/differences.ts";
import { restoreCommand } from "./copies.ts";

/** What an operator has to do. `found`: SQLite's words. */
export function mending(dataDir: string, found: string): string {
  const command = restoreCommand(dataDir);
  const way =
    command === undefined
      ? "There is no copy in backups/: restore one from elsewhere with `peal restore`, or save what can be read with `sqlite3 peal.db .recover`, for which Debian's sqlite3 won't do"
      : `Restore the newest copy: stop peal, and run \`${command}\``;
  return `The database is damaged: ${found}. ${way} (docs/backup.md says how).`;
}

export class Damage {
  readonly #dataDir: string;
  #trouble: StoreTrouble | undefined;
  #isCertain = false;
  /** A read failed before, and then the whole file could be read. */
  #hasPassed = false;
  #hear: HearsDamage = () => undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  get trouble(): StoreTrouble | undefined {
    return this.#trouble;
  }

  onFound(hear: HearsDamage): void {
    this.#hear = hear;
    if (this.#trouble !== undefined) hear(this.#trouble.message, this.#isCertain);
  }

  /** Keeps only the first finding, because others follow from it; a certain one replaces an uncertain one. */
  note(found: string, isCertain = true): void {
    if (this.#trouble !== undefined && (this.#isCertain || !isCertain)) return;
    this.#isCertain = isCertain;
    this.#trouble = new StoreTrouble(mending(this.#dataDir, found));
    this.#hear(this.#trouble.message, isCertain);
  }

  /** The whole file could be read, and is sound, so the failed read has passed. A second failure is not forgotten. */
  noteSound(): void {
    if (this.#trouble === undefined || this.#isCertain) return;
    this.#trouble = undefined;
    this.#hasPassed = true;
  }

  /** The error to throw for a statement that threw `error`. */
  readonly judge = (error: unknown): unknown => {
    if (!isDamage(error)) return error;
    this.note(error.message, this.#hasPassed);
    return new StoreTrouble(this.#trouble?.message ?? error.message, { cause: error });
  };
}
