/** What all imports share: records are sent to the server in batches, and what became of them is told. */
import type { Applied } from "../moves/apply.ts";
import type { FilePiece, MoveRecord, RecordKind } from "../moves/record.ts";
import type { LeftOut } from "../store/moves.ts";
import { EXIT, JSON_FLAG, table, writeOut, type Flag, type Invocation } from "./command.ts";
import { openLocal } from "./local.ts";

export const APPLY_FLAG: Flag = {
  name: "apply",
  description: "Import it; without this, only say what would be imported.",
};
export const IMPORT_FLAGS = [APPLY_FLAG, JSON_FLAG];

/** What a reader of another server has found. */
export interface Plan {
  records: Iterable<MoveRecord> | AsyncIterable<MoveRecord>;
  /** What people should know before they apply it, once `records` has been read. */
  notes: () => readonly string[];
  /** Printed on standard output once it is applied, from the URLs by the ids of their records. */
  script?: (urls: ReadonlyMap<string, string>) => string;
}

/** A request's records: many, but a running server is held for a few milliseconds only. */
const MOST = 200;
const MOST_CHARACTERS = 1_000_000;

interface Told {
  counts: Map<RecordKind, Map<Applied["outcome"], number>>;
  urls: Map<string, string>;
  /** Checks that a try would have made: it keeps nothing of a request for the next one. */
  tried: Set<string>;
  /** Messages that were created, by topic, and how many it keeps if it says so itself. */
  filled: Map<string, { messages: number; keeps?: number }>;
}

/** Sends the plan, prints the result, and resolves to the exit code. */
export async function runImport({ switches, load }: Invocation, plan: Plan): Promise<number> {
  const isApplied = switches.has("apply");
  const loaded = await load();
  const told: Told = { counts: new Map(), urls: new Map(), tried: new Set(), filled: new Map() };
  await using local = await openLocal(async () => loaded);
  for await (const records of batches(plan.records)) {
    const path = `/-/local/import?apply=${isApplied}`;
    const { applied } = await local.ask<{ applied: Applied[] }>("POST", path, { records });
    records.forEach((record, index) => note(told, record, applied[index]));
  }
  const notes = [...plan.notes(), ...overfull(told, loaded.config.retention.messages)];
  const script = isApplied ? plan.script?.(told.urls) : undefined;
  if (switches.has("json")) {
    const counts = Object.fromEntries([...told.counts].map(([kind, by]) => [kind, Object.fromEntries(by)]));
    const result = { applied: isApplied, counts, notes, ...(script !== undefined && { script }) };
    return await writeOut(`${JSON.stringify(result)}\n`);
  }
  // the script alone goes to standard output, so that it can be sent to a file
  const say = script === undefined ? console.log : console.error;
  say(wordsOf(told, isApplied));
  for (const one of notes) say(`note: ${one}`);
  if (!isApplied) say("Nothing was changed. To import it, run the same command with --apply.");
  return script === undefined ? EXIT.ok : await writeOut(`${script}\n`);
}

async function* batches(records: Plan["records"]): AsyncGenerator<MoveRecord[]> {
  let batch: MoveRecord[] = [];
  let size = 0;
  for await (const record of records) {
    const length = JSON.stringify(record).length;
    if (batch.length > 0 && (batch.length === MOST || size + length > MOST_CHARACTERS)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(record);
    size += length;
  }
  if (batch.length > 0) yield batch;
}

function note({ counts, urls, tried, filled }: Told, record: MoveRecord, applied: Applied | undefined): void {
  if (applied === undefined || (record.kind === "file" && !isLast(record))) return;
  const { url } = applied;
  const outcome =
    applied.outcome === "unknown_check" && "check" in record && tried.has(record.check) ? "created" : applied.outcome;
  if (record.kind === "check" && outcome === "created") tried.add(record.id);
  const by = counts.get(record.kind) ?? new Map<Applied["outcome"], number>();
  counts.set(record.kind, by.set(outcome, (by.get(outcome) ?? 0) + 1));
  if (url !== undefined && "id" in record) urls.set(String(record.id), url);
  if (record.kind === "message" && outcome === "created") {
    const name = `${record.namespace}/${record.topic}`;
    const of = filled.get(name) ?? { messages: 0 };
    filled.set(name, { ...of, messages: of.messages + 1 });
  }
  if (record.kind === "topic" && record.retention_messages !== undefined)
    filled.set(`${record.namespace}/${record.topic}`, { messages: 0, keeps: record.retention_messages });
}

/** A file is counted by its last piece. */
const isLast = ({ at, data, size }: FilePiece): boolean => at + Buffer.byteLength(data, "base64") === size;

/** Topics that retention will shorten. `most`: the server's own limit; 0 is none. */
const overfull = ({ filled }: Told, most: number): string[] =>
  [...filled].flatMap(([name, { messages, keeps = most }]) =>
    keeps > 0 && messages > keeps
      ? [
          `${name} keeps ${keeps} of ${messages} messages: the ${messages - keeps} oldest are deleted at the next clean-up. ` +
            "To keep them, raise PEAL_RETENTION_MESSAGES first.",
        ]
      : [],
  );

const NOUNS: Record<RecordKind, string> = {
  namespace: "namespaces",
  topic: "topics",
  message: "messages",
  topic_ids: "",
  file: "files",
  scheduled: "scheduled messages",
  check: "checks",
  new_check: "checks",
  check_event: "lines of checks' logs",
  check_incident: "outages",
  check_day: "days of checks",
  hook: "hooks",
  device: "devices",
  person: "people",
  key: "API keys",
  server_secret: "secrets of the server",
};

const REASONS: Record<LeftOut, string> = {
  older: "older than the newest message of their topic",
  expired: "older than retention allows (PEAL_RETENTION_DAYS, or the topic's own)",
  passed: "their time has passed",
  unknown_check: "their check isn't there",
  unknown_topic: "their topic can't be created",
  no_secret: "the export has no secrets",
  taken: "there is another one with the same name, slug or token, or another one is in use",
  too_many_topics: "the namespace has too many topics",
  too_many_checks: "the namespace has too many checks",
  too_many_hooks: "the topic or namespace has too many hooks",
  too_many_scheduled: "too many messages are waiting",
  too_many_devices: "there are too many devices",
  no_room: "PEAL_FILES or the disk has no room for them",
  invalid: "peal can't store them as they are",
};

function wordsOf({ counts }: Told, isApplied: boolean): string {
  const rows = [...counts]
    .filter(([kind]) => NOUNS[kind] !== "")
    .map(([kind, by]) => {
      const left = [...by].flatMap(([outcome, n]) =>
        outcome === "created" || outcome === "exists" ? [] : [`${n} left out: ${REASONS[outcome]}`],
      );
      return [NOUNS[kind], String(by.get("created") ?? 0), String(by.get("exists") ?? 0), left.join("; ")];
    });
  return table([["", isApplied ? "IMPORTED" : "TO IMPORT", "ALREADY THERE", ""], ...rows]);
}
