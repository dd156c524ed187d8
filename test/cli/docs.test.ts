/** The tables of docs/ say what the source says. */
import { expect, test } from "bun:test";
import { TABLES, withTable } from "../../src/build/docs.ts";

test.each([...TABLES.keys()])("docs/%s is up to date (npm run docs)", async (file) => {
  const { is, shouldBe } = await withTable(file);
  expect(shouldBe).toContain("| --- |");
  expect(is).toBe(shouldBe);
});
