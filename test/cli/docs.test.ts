/** The parts of docs/ that are made say what the source says. */
import { expect, test } from "bun:test";
import { MADE, withMade } from "../../src/build/docs.ts";

test.each([...MADE.keys()])("docs/%s is up to date (npm run docs)", async (file) => {
  const { is, shouldBe } = await withMade(file);
  expect(shouldBe).toContain(MADE.get(file)?.().trim() ?? "no such part");
  expect(is).toBe(shouldBe);
});
