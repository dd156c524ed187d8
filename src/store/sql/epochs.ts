/**
 * The past of a database as a line of epochs, a new one with each start. A copy that is put back begins its own epoch where the
 * copy ends, so what was stored elsewhere after that is in no epoch that it knows (Kafka's leader epochs, KIP-101). This needs no
 * clock, and no mark in a copy, whatever made it.
 */
import { base32 } from "../../util/ids.ts";
import type { Epochs } from "../epochs.ts";
import { lastGiven, type Orm } from "./differences.ts";
import type { Settings } from "./settings.ts";
import type { Writer } from "./job.ts";

/** Its name, and the last `seq` before it. */
export type Epoch = readonly [name: string, after: number];

/** The most starts with a message between them: readers who were away for longer start over. */
const MOST = 1_000;

/** The line with one more epoch, from `lastSeq` on. Epochs without a message are dropped: no position names them. */
export function begun(line: readonly Epoch[], lastSeq: number, name: string): readonly Epoch[] {
  const kept = line.filter(([, after]) => after < lastSeq).slice(1 - MOST);
  // what was stored before there were epochs is in the first
  return [...kept, [name, kept.length === 0 ? 0 : lastSeq]];
}

/** The name of the epoch in which `seq` was given. */
export const epochOf = (line: readonly Epoch[], seq: number): string =>
  (line.findLast(([, after]) => after < seq) ?? line[0])?.[0] ?? "";

/** The last `seq` of an epoch, infinity for the latest; -1: it is not in the line. */
export function endOf(line: readonly Epoch[], name: string): number {
  const index = line.findLastIndex(([known]) => known === name);
  return index === -1 ? -1 : (line[index + 1]?.[1] ?? Infinity);
}

/** Begins an epoch. It is stored with the first commit, before any message of it. */
export function openEpochs({ $client }: Orm, settings: Settings, writer: Pick<Writer, "atFirst">): Epochs {
  const known = JSON.parse(settings.get("epochs") ?? "[]") as Epoch[];
  const [last] = $client.query<{ seq: number }, []>(lastGiven("message")).all();
  const line = begun(known, last?.seq ?? 0, base32(8));
  writer.atFirst(() => {
    settings.set("epochs", JSON.stringify(line));
  });
  return { of: (seq) => epochOf(line, seq), endOf: (name) => endOf(line, name) };
}
