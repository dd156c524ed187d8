/** Tests that need tools of the machine: skipped with a notice where one is missing, but a failure in CI (test/tools.ts). */
import { test } from "bun:test";
import { appendFileSync } from "node:fs";
import { isMissing, mayBeMissing, toldMissing, type ToolName } from "../tools.ts";

/** `test`, or `test.skip` where one of these tools is missing. */
export const testWith = (...names: ToolName[]): typeof test => (areHere(...names) ? test : test.skip);

/** Whether tests can run with these tools. @throws Error in CI when one is missing */
export function areHere(...names: ToolName[]): boolean {
  const missing = names.filter(isMissing);
  for (const name of missing) {
    if (!mayBeMissing(name)) throw new Error(`missing: ${toldMissing(name)}`);
    note(name);
  }
  return missing.length === 0;
}

/** test/run.ts names them at its end; without it, they are named here. */
function note(name: ToolName): void {
  const file = process.env["PEAL_TEST_MISSING"];
  if (file === undefined) console.log(`left out without ${toldMissing(name)}`);
  else appendFileSync(file, `${name}\n`);
}
