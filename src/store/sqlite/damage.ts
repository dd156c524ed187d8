/** Whether SQLite has found the database damaged: known from the first such error until the process ends, or a failed read proves to pass. */
import { StoreTrouble, type HearsDamage } from "../store.ts";
import { isDamage } from "../sql/differences.ts";
import { newestCopy } from "./copies.ts";

/** What an operator is to do. `found`: in SQLite's words. */
export function mending(dataDir: string, found: string): string {
  const copy = newestCopy(dataDir);
  const way =
    copy === undefined
      ? "There is no copy in backups/: restore one from elsewhere, or save what can be read with `sqlite3 peal.db .recover`"
      : `Restore the newest copy, ${copy}`;
  return `The database is damaged: ${found}. ${way} (docs/durability.md says how).`;
}

export class Damage {
  readonly #dataDir: string;
  #trouble: StoreTrouble | undefined;
  #isCertain = false;
  /** A read failed before, and all of the file could be read then. */
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

  /** Only the first is kept, since others follow from it; what is certain takes the place of what is not. */
  note(found: string, isCertain = true): void {
    if (this.#trouble !== undefined && (this.#isCertain || !isCertain)) return;
    this.#isCertain = isCertain;
    this.#trouble = new StoreTrouble(mending(this.#dataDir, found));
    this.#hear(this.#trouble.message, isCertain);
  }

  /** All of the file could be read, and is sound: a read that failed has passed. A second one is not forgotten. */
  noteSound(): void {
    if (this.#trouble === undefined || this.#isCertain) return;
    this.#trouble = undefined;
    this.#hasPassed = true;
  }

  /** What a statement that threw `error` throws to its caller. */
  readonly judge = (error: unknown): unknown => {
    if (!isDamage(error)) return error;
    this.note(error.message, this.#hasPassed);
    return new StoreTrouble(this.#trouble?.message ?? error.message, { cause: error });
  };
}
