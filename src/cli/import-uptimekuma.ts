/** `peal import uptime-kuma`: push monitors from its database or a backup, and a script that replaces their URLs. */
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readFileSync } from "node:fs";
import { checkOf, movedOf, type PushMonitor } from "../moves/sources/uptimekuma.ts";
import { jsonIn } from "../util/json.ts";
import { CommandFailed, UsageError, type Command } from "./command.ts";
import { targetFlags, targetOf, topicFlag } from "./import-ask.ts";
import { importChecks, topicOf } from "./import-checks.ts";
import { columnsOf, openForeign } from "./import-database.ts";
import { readable } from "./import-file.ts";
import { IMPORT_FLAGS } from "./import.ts";

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
    const topic = topicOf(invocation);
    const monitors = db === undefined ? inBackup(backup ?? "") : inDatabase(db);
    const planned = monitors.map((monitor) => ({
      made: checkOf(monitor, { namespace, topic }),
      moved: (url: string) => movedOf(monitor.pushToken, url),
    }));
    return importChecks(invocation, planned, {
      about: [
        "Push URLs of Uptime Kuma, old and new.",
        "A line whose status is a variable, or which has a command in the URL, stays as it is: change it by hand.",
      ],
    });
  },
};

interface Row {
  id: number;
  name: string | null;
  type: string | null;
  parent: number | null;
  interval: number;
  maxretries: number;
  retryInterval: number;
  pushToken: string | null;
  active: number;
  upsideDown: number;
}

function inDatabase(file: string): PushMonitor[] {
  using db = openForeign(file, "a database of Uptime Kuma", {
    monitor: ["push_token", "retry_interval", "upside_down"],
    tag: ["name"],
    monitor_tag: ["value"],
  });
  // groups came with 1.22
  const parent = columnsOf(db, "monitor").has("parent") ? "parent" : "NULL AS parent";
  const rows = db
    .query<Row, []>(
      `SELECT id, name, type, ${parent}, interval, maxretries, retry_interval AS retryInterval, push_token AS pushToken,
       active, upside_down AS upsideDown FROM monitor ORDER BY id`,
    )
    .all();
  const tags = db.query<{ tag: string }, [number]>(
    `SELECT t.name || CASE WHEN coalesce(mt.value, '') = '' THEN '' ELSE ':' || mt.value END AS tag
     FROM monitor_tag mt JOIN tag t ON t.id = mt.tag_id WHERE mt.monitor_id = ? ORDER BY mt.id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.flatMap((row): PushMonitor[] => {
    const { id, name, type, upsideDown, interval, maxretries, retryInterval, pushToken } = row;
    if (type !== "push" || pushToken === null || pushToken === "") return [];
    const groups = groupsOf(row, byId);
    return [
      {
        ...{ name: name ?? "", interval, maxretries, retryInterval, pushToken, isUpsideDown: upsideDown === 1 },
        isActive: [row, ...groups].every((one) => one.active === 1),
        tags: [...groups.map((group) => group.name ?? ""), ...tags.all(id).map(({ tag }) => tag)],
      },
    ];
  });
}

/** The groups that a monitor is in, the innermost first. */
function groupsOf({ parent }: Row, byId: ReadonlyMap<number, Row>): Row[] {
  const found: Row[] = [];
  for (let one = byId.get(parent ?? 0); one !== undefined && !found.includes(one); one = byId.get(one.parent ?? 0))
    found.push(one);
  return found;
}

const Backup = Type.Object({
  monitorList: Type.Array(Type.Object({ type: Type.String() })),
});
const Pushed = Type.Object({
  ...{ name: Type.String(), interval: Type.Integer(), pushToken: Type.String({ minLength: 1 }) },
  ...{ maxretries: Type.Integer(), retryInterval: Type.Integer() },
  active: Type.Union([Type.Boolean(), Type.Integer()]),
  upsideDown: Type.Optional(Type.Boolean()),
  tags: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), value: Type.Optional(Type.Union([Type.String(), Type.Null()])) })),
  ),
});

function inBackup(file: string): PushMonitor[] {
  const path = readable(file);
  const backup = jsonIn(readFileSync(path, "utf8"));
  if (!Value.Check(Backup, backup)) throw new CommandFailed(`${path} is no backup of Uptime Kuma`);
  return backup.monitorList
    .filter(({ type }) => type === "push")
    .map((monitor, index) => {
      if (!Value.Check(Pushed, monitor)) throw new CommandFailed(`${path}: push monitor ${index + 1} lacks fields`);
      const { active, upsideDown: isUpsideDown = false, tags = [], ...rest } = monitor;
      const names = tags.map(({ name, value }) => ((value ?? "") === "" ? name : `${name}:${value}`));
      return { ...rest, isActive: Boolean(active), isUpsideDown, tags: names };
    });
}
