/** `peal import ntfy`: the messages in its cache. */
import type { Database } from "bun:sqlite";
import type { MoveRecord } from "../moves/record.ts";
import { type CachedMessage, commandsFor, type NoMessage, type NtfyUser, recordOf } from "../moves/sources/ntfy.ts";
import { UsageError, type Command } from "./command.ts";
import { targetFlags, targetOf } from "./import-ask.ts";
import { columnsOf, openForeign } from "./import-database.ts";
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
    const people = auth === undefined ? [] : usersIn(auth, namespace);
    using db = openForeign(cache, "ntfy's message cache", { messages: ["mid", "published", "encoding"] });
    const left = new Map<NoMessage, number>();
    function* records(): Generator<MoveRecord> {
      const deletedAt = deletionsIn(db);
      for (const row of rowsIn(db)) {
        const record = recordOf(row, namespace, deletedAt);
        if (typeof record === "string") left.set(record, (left.get(record) ?? 0) + 1);
        else yield record;
      }
    }
    const notes = () => [
      ...LEFT.flatMap(([why, words]) => (left.has(why) ? [`messages left out ${words}: ${left.get(why)}`] : [])),
      ...people,
    ];
    return await runImport(invocation, { records: records(), notes });
  },
};

const LEFT: readonly (readonly [NoMessage, string])[] = [
  ["deleted", "because their senders have deleted them"],
  ["bytes", "because they are bytes for an app (UnifiedPush)"],
];

const PAGE = 500;

/** In the order of time, page by page: a single query would keep a running ntfy from writing until it ends. */
function* rowsIn(db: Database): Generator<CachedMessage> {
  const page = db.query<CachedMessage, [number, number]>(
    `SELECT * FROM messages WHERE (time, id) > (?, ?) ORDER BY time, id LIMIT ${PAGE}`,
  );
  for (let last = { time: 0, id: 0 }; ;) {
    const rows = page.all(last.time, last.id);
    yield* rows;
    const [end] = rows.slice(-1);
    if (end === undefined) return;
    last = end;
  }
}

/** What senders have deleted: since ntfy 2.16, by a row that names what it deletes. */
function deletionsIn(db: Database): (topic: string, sequence: string) => number | undefined {
  if (!columnsOf(db, "messages").has("event")) return () => undefined;
  const rows = db
    .query<{ topic: string; sequence: string; id: number }, []>(
      `SELECT topic, sequence_id AS sequence, max(id) AS id FROM messages WHERE event = 'message_delete' GROUP BY 1, 2`,
    )
    .all();
  const last = new Map(rows.map(({ topic, sequence, id }) => [`${topic}/${sequence}`, id]));
  return (topic, sequence) => last.get(`${topic}/${sequence}`);
}

function usersIn(file: string, namespace: string): string[] {
  using db = openForeign(file, "ntfy's user database", { user: ["id", "deleted"], user_token: ["label"] });
  const rows = db
    .query<Omit<NtfyUser, "tokens">, []>(
      "SELECT id, user AS name, role FROM user WHERE deleted IS NULL AND role <> 'anonymous' ORDER BY user",
    )
    .all();
  const tokens = db.query<{ label: string }, [string]>("SELECT label FROM user_token WHERE user_id = ? ORDER BY label");
  const users = rows.map((user) => ({ ...user, tokens: tokens.all(user.id).map(({ label }) => label) }));
  const commands = commandsFor(users, namespace);
  return commands.length === 0 ? [] : ["people and keys have to be created anew:", ...commands];
}
