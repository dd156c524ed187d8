/** The part of the port for the first run. */
import type { Person } from "../accounts/person.ts";
import type { ApiKey } from "../keys/key.ts";
import type { Topic } from "../topics/topic.ts";

/** The first run (WEB.md §2). Of the code only the SHA-256 is kept. */
export interface SetupStore {
  /** `claimed`: there is an admin among the people. `keys`: there is a key, so the API works. */
  state(): { claimed: boolean; keys: boolean };
  /** Makes this the code that claims the server; an earlier one stops working. */
  offer(codeHash: string): Promise<void>;
  /** Ends the code: none claims the server until the next is offered. */
  withdraw(): Promise<void>;
  /** Whether this is the code; `claim` checks again. */
  isCode(codeHash: string): boolean;
  /** Consumes the code, and makes the first admin, namespace `home`, topic `hello` and a key to publish, in one transaction. */
  claim(
    codeHash: string,
    owner: { name: string; passwordHash: string },
  ): Promise<{ person: Person; key: ApiKey; secret: string; topic: Topic } | "wrong_code" | "claimed" | "name_taken">;
  /** That topic; undefined if it was deleted. */
  first(): Promise<Topic | undefined>;
  /** That topic; made again if it is gone, with its namespace. */
  ensureFirst(): Promise<Topic>;
}
