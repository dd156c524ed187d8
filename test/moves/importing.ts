/** Runs `peal import` and `peal export` on servers under test, and reads what they have made. */
import { expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordId } from "../../src/util/ids.ts";
import { peal as run, type Ran } from "../support/command.ts";
import type { TestMessage } from "../support/client.ts";
import type { InProcess } from "../support/server.ts";

export interface Result {
  applied: boolean;
  counts: Record<string, Record<string, number>>;
  notes: string[];
  script?: string;
}

/** A folder for the files of a test. */
export function folder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "peal-moves-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

export const imported = async (
  to: InProcess,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> => run(["import", ...args, "--data-dir", to.dataDir], env, "/", "");

/** What a successful import says. */
export async function result(to: InProcess, args: readonly string[], env?: Record<string, string>): Promise<Result> {
  const { code, stdout, stderr } = await imported(to, [...args, "--json"], env);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Result;
}

export interface Line {
  kind: string;
  [field: string]: unknown;
}

export const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** What `peal export` writes. */
export async function exported(from: InProcess, ...flags: string[]): Promise<Line[]> {
  const { code, stdout, stderr } = await run(["export", "--data-dir", from.dataDir, ...flags]);
  expect([code, stderr]).toEqual([0, ""]);
  return linesOf(stdout);
}

/** Exports into a new file of the folder; returns its path. */
export async function exportedFile(from: InProcess, at: { path: string }, ...flags: string[]): Promise<string> {
  const file = join(at.path, `${recordId()}.ndjson`);
  const { code, stderr } = await run(["export", "--out", file, "--data-dir", from.dataDir, ...flags]);
  expect([code, stderr]).toEqual([0, ""]);
  return file;
}

interface Topic {
  topic: string;
  name: string;
}
export const topicsOf = async (peal: InProcess): Promise<Topic[]> =>
  ((await (await peal.api("GET", "/v1/home/topics")).json()) as { topics: Topic[] }).topics;

export async function historyOf(peal: InProcess, name: string): Promise<TestMessage[]> {
  const key = (await topicsOf(peal)).find((one) => one.name === name)?.topic ?? "";
  return peal.history({ namespace: "home", key });
}

interface CheckJson {
  id: string;
  name: string;
  ping_url: string;
  [field: string]: unknown;
}
export const checksOf = async (peal: InProcess): Promise<CheckJson[]> =>
  ((await (await peal.api("GET", "/v1/home/checks")).json()) as { checks: CheckJson[] }).checks;

/** A file after the script of an import. */
export function rewritten(script: string, text: string): string {
  using at = folder();
  const file = join(at.path, "moved.sed");
  writeFileSync(file, script);
  const { stdout, stderr } = Bun.spawnSync(["sed", "-f", file], { stdin: Buffer.from(text) });
  expect(stderr.toString()).toBe("");
  return stdout.toString();
}
