/** `peal import uptime-kuma`: push monitors from its database or a backup, and a script that replaces their URLs. */
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { sedScript } from "../moves/sources/foreign.ts";
import { checkOf, movedOf, type PushMonitor } from "../moves/sources/uptimekuma.ts";
import { jsonIn } from "../util/json.ts";
import { CommandFailed, UsageError, type Command } from "./command.ts";
import { targetFlags, targetOf, topicFlag } from "./import-ask.ts";
import { openForeign } from "./import-database.ts";
import { IMPORT_FLAGS, runImport } from "./import.ts";

export const importUptimeKuma: Command = {
  name: "import uptime-kuma",
  args: [],
  summary: "Import Uptime Kuma's push monitors as checks; without --apply, only say what would be imported.",
  about:
    "With --apply, standard output is a script for sed that replaces the old push URLs by the new ones in crontabs and scripts. Other " +
    "monitors stay in Uptime Kuma: it can notify a topic of peal.",
  flags: [
    { name: "db", value: "file", description: "Its database, kuma.db; copy it together with kuma.db-wal." },
    { name: "backup", value: "file", description: "A backup of version 1 (JSON), instead of the database." },
    topicFlag,
    ...targetFlags,
    ...IMPORT_FLAGS,
  ],
  examples: [
    "peal import uptime-kuma --db kuma.db",
    "peal import uptime-kuma --db kuma.db --apply > moved.sed",
    "crontab -l | sed -f moved.sed | crontab -",
  ],
  run: async (invocation) => {
    const { db, backup } = invocation.values;
    if ((db === undefined) === (backup === undefined))
      throw new UsageError("give one of --db <file> and --backup <file>");
    const namespace = await targetOf(invocation);
    const topic = invocation.values["topic"] ?? "checks";
    const monitors = db === undefined ? inBackup(backup ?? "") : inDatabase(db);
    const planned = monitors.map((monitor) => ({ monitor, made: checkOf(monitor, { namespace, topic }) }));
    const script = (urls: ReadonlyMap<string, string>) => {
      const moved = planned.flatMap(({ monitor, made }) => {
        const url = urls.get(made.id);
        return url === undefined ? [] : movedOf(monitor.pushToken, url);
      });
      return sedScript(moved, [
        "Push URLs of Uptime Kuma, old and new. Keep it secret. Use: crontab -l | sed -f FILE | crontab -",
      ]);
    };
    return runImport(invocation, { records: planned.map(({ made }) => made), notes: () => [], script });
  },
};

interface Row {
  id: number;
  name: string | null;
  interval: number;
  maxretries: number;
  retryInterval: number;
  pushToken: string;
  active: number;
}

function inDatabase(file: string): PushMonitor[] {
  using db = openForeign(file, "a database of Uptime Kuma", ["monitor", "tag", "monitor_tag"]);
  const rows = db
    .query<Row, []>(
      `SELECT id, name, interval, maxretries, retry_interval AS retryInterval, push_token AS pushToken, active
       FROM monitor WHERE type = 'push' AND push_token IS NOT NULL AND push_token <> '' ORDER BY id`,
    )
    .all();
  const tags = db.query<{ tag: string }, [number]>(
    `SELECT t.name || CASE WHEN coalesce(mt.value, '') = '' THEN '' ELSE ':' || mt.value END AS tag
     FROM monitor_tag mt JOIN tag t ON t.id = mt.tag_id WHERE mt.monitor_id = ? ORDER BY mt.id`,
  );
  const hasGroups = db
    .query<{ name: string }, []>("PRAGMA table_info(monitor)")
    .all()
    .some(({ name }) => name === "parent");
  const group = (id: number): string[] =>
    hasGroups
      ? db
          .query<{ name: string }, [number]>(
            "SELECT g.name FROM monitor m JOIN monitor g ON g.id = m.parent WHERE m.id = ? AND g.name IS NOT NULL",
          )
          .all(id)
          .map(({ name }) => name)
      : [];
  return rows.map(({ id, name, active, ...row }) => ({
    ...row,
    ...{ name: name ?? "", isActive: active === 1, tags: [...group(id), ...tags.all(id).map(({ tag }) => tag)] },
  }));
}

const Backup = Type.Object({
  monitorList: Type.Array(Type.Object({ type: Type.String() })),
});
const Pushed = Type.Object({
  ...{ name: Type.String(), interval: Type.Integer(), pushToken: Type.String({ minLength: 1 }) },
  ...{ maxretries: Type.Integer(), retryInterval: Type.Integer() },
  active: Type.Union([Type.Boolean(), Type.Integer()]),
  tags: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), value: Type.Optional(Type.Union([Type.String(), Type.Null()])) })),
  ),
});

function inBackup(file: string): PushMonitor[] {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
  const backup = jsonIn(readFileSync(path, "utf8"));
  if (!Value.Check(Backup, backup)) throw new CommandFailed(`${path} is no backup of Uptime Kuma`);
  return backup.monitorList
    .filter(({ type }) => type === "push")
    .map((monitor, index) => {
      if (!Value.Check(Pushed, monitor)) throw new CommandFailed(`${path}: push monitor ${index + 1} lacks fields`);
      const { active, tags = [], ...rest } = monitor;
      const names = tags.map(({ name, value }) => ((value ?? "") === "" ? name : `${name}:${value}`));
      return { ...rest, isActive: Boolean(active), tags: names };
    });
}
