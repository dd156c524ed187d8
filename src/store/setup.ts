/** The part of the port that is the first run. */
import type { Person } from "../accounts/person.ts";
import type { ApiKey } from "../keys/key.ts";
import type { Topic } from "../topics/topic.ts";

/** First run (WEB.md §2). The code is kept only as SHA-256. */
export interface SetupStore {
  /** `claimed`: there is an admin among the people. `keys`: there is a key, so the API works. */
  state(): { claimed: boolean; keys: boolean };
  /** Makes this the code that claims the server; an earlier one stops working. */
  offer(codeHash: string): Promise<void>;
  /** No code claims the server until the next is offered. */
  withdraw(): Promise<void>;
  /** Whether this is the code; `claim` looks again. */
  isCode(codeHash: string): boolean;
  /** Consumes the code and makes the first admin, namespace `home`, topic `hello` and a key that can publish, in one transaction. */
  claim(
    codeHash: string,
    owner: { name: string; passwordHash: string },
  ): Promise<{ person: Person; key: ApiKey; secret: string; topic: Topic } | "wrong_code" | "claimed" | "name_taken">;
  /** That topic; undefined: it was deleted. */
  first(): Promise<Topic | undefined>;
  /** The same; made again where it is gone, its namespace too. */
  ensureFirst(): Promise<Topic>;
}
