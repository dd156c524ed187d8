/** `peal import ntfy`: the messages in its cache. */
import type { MoveRecord } from "../moves/record.ts";
import { type CachedMessage, commandsFor, recordOf } from "../moves/sources/ntfy.ts";
import { UsageError, type Command } from "./command.ts";
import { targetFlags, targetOf } from "./import-ask.ts";
import { openForeign } from "./import-database.ts";
import { IMPORT_FLAGS, runImport } from "./import.ts";

export const importNtfy: Command = {
  name: "import ntfy",
  args: [],
  summary: "Import messages from ntfy's cache database; without --apply, only say what would be imported.",
  about:
    "Each topic becomes a topic of the same name, and messages keep their times. ntfy's passwords and tokens can't be used by peal: with " +
    "--auth, the commands that create people and keys are printed.",
  flags: [
    { name: "cache", value: "file", description: "ntfy's `cache-file`, often /var/cache/ntfy/cache.db." },
    { name: "auth", value: "file", description: "ntfy's `auth-file`, often /var/lib/ntfy/user.db." },
    ...targetFlags,
    ...IMPORT_FLAGS,
  ],
  examples: [
    "peal import ntfy --cache /var/cache/ntfy/cache.db",
    "peal import ntfy --cache cache.db --auth user.db --namespace home --apply",
  ],
  run: async (invocation) => {
    const { cache, auth } = invocation.values;
    if (cache === undefined) throw new UsageError("--cache <file> is missing");
    const namespace = await targetOf(invocation);
    const notes = auth === undefined ? [] : usersIn(auth, namespace);
    using db = openForeign(cache, "ntfy's message cache", ["messages"]);
    const rows = db.query<CachedMessage, []>("SELECT * FROM messages ORDER BY time, id");
    function* records(): Generator<MoveRecord> {
      for (const row of rows.iterate()) {
        const record = recordOf(row, namespace);
        if (record !== undefined) yield record;
      }
    }
    return await runImport(invocation, { records: records(), notes: () => notes });
  },
};

interface UserRow {
  id: string;
  user: string;
  role: string;
}

function usersIn(file: string, namespace: string): string[] {
  using db = openForeign(file, "ntfy's user database", ["user", "user_token"]);
  const columns = db.query<{ name: string }, []>("PRAGMA table_info(user)").all();
  // newer versions call the column by another name
  const name = columns.some((column) => column.name === "user_name") ? "user_name" : "user";
  const rows = db.query<UserRow, []>(`SELECT id, "${name}" AS user, role FROM user ORDER BY 2`).all();
  const tokens = db.query<{ label: string }, [string]>("SELECT label FROM user_token WHERE user_id = ? ORDER BY label");
  const users = rows.map(({ id, user, role }) => ({
    ...{ id, name: user, role },
    tokens: tokens.all(id).map(({ label }) => label),
  }));
  const commands = commandsFor(users, namespace);
  return commands.length === 0 ? [] : ["people and keys have to be created anew:", ...commands];
}
