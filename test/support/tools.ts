/** Tests that need tools of the machine: left out where one is missing, and said so, but in CI a failure (test/tools.ts). */
import { test } from "bun:test";
import { appendFileSync } from "node:fs";
import { isMissing, mayBeMissing, toldMissing, type ToolName } from "../tools.ts";

/** `test`, or `test.skip` where one of these tools is missing. */
export const testWith = (...names: ToolName[]): typeof test => (areHere(...names) ? test : test.skip);

/** Whether tests may go on with these tools. */
export function areHere(...names: ToolName[]): boolean {
  const missing = names.filter(isMissing);
  for (const name of missing) {
    if (!mayBeMissing(name)) throw new Error(`missing: ${toldMissing(name)}`);
    note(name);
  }
  return missing.length === 0;
}

/** test/run.ts names them at its end; without it, here. */
function note(name: ToolName): void {
  const file = process.env["PEAL_TEST_MISSING"];
  if (file === undefined) console.log(`left out without ${toldMissing(name)}`);
  else appendFileSync(file, `${name}\n`);
}
