/** The docs agree with the source: the parts that are generated from it, and the names of settings. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { MADE, withMade } from "../../src/build/docs.ts";
import { settings } from "../../src/config/schema.ts";

test.each([...MADE.keys()])("docs/%s is up to date (npm run docs)", async (file) => {
  const { is, shouldBe } = await withMade(file);
  expect(shouldBe).toContain(MADE.get(file)?.().trim() ?? "no such part");
  expect(is).toBe(shouldBe);
});

/**
 * Settings of clients, of benchmarks and of compose files, variables from Kubernetes (recognized by how they begin), and a secret that a reader
 * makes in Komodo.
 */
const OTHERS = [
  "PEAL_BENCH_BINARY",
  "PEAL_BENCH_DIR",
  "PEAL_CONFIG",
  "PEAL_IMPORT_TOKEN",
  "PEAL_URL",
  "PEAL_IMAGE",
  "PEAL_HOST",
  "PEAL_SERVICE",
  "PEAL_PORT",
  "PEAL_TLS_PORT",
  "PEAL_KEY",
  "PEAL_MESSAGE",
  "PEAL_MESSAGE_TITLE",
  "PEAL_MESSAGE_TEXT",
];

test("no page names a setting that does not exist", async () => {
  const known = new Set([...settings.map(({ env }) => env), ...OTHERS]);
  const pages = ["README.md", ...new Glob("docs/**/*.md").scanSync(".")].filter(
    (page) => !page.startsWith("docs/design/"),
  );
  expect(pages.length).toBeGreaterThan(12);
  const texts = await Promise.all(pages.map(async (page) => Bun.file(page).text()));
  const named = texts.flatMap((text) => text.match(/\bPEAL_[A-Z_]*[A-Z]/g) ?? []);
  expect(named.filter((name) => !known.has(name.replace(/_FILE$/, "")))).toEqual([]);
});
