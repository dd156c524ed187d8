/** Tools of the machine that some tests need: where one is missing the test says so and is left out, but never in CI. */
import { test } from "bun:test";

/**
 * `test`, when `missing` is undefined or this is CI; else it is left out, with the reason printed. CI installs what is
 * needed (.ci/run), so there a missing tool is a failure and no silence.
 */
export function testWith(missing: string | undefined): typeof test {
  if (missing === undefined || process.env["CI"] === "true") return test;
  console.log(`left out: ${missing}`);
  return test.skip;
}

/** The same for a tool that CI does not install either: too large, or of no Debian package. */
export const testIfThere = (tool: string): typeof test => {
  if (Bun.which(tool) !== null) return test;
  console.log(`left out: ${tool} is not installed`);
  return test.skip;
};
