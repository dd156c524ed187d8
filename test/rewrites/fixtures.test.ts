/** Real bodies of the tools, each with the message that people should read (payloads/README.md). */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { posted } from "../../src/rewrites/fields.ts";
import { recognized, rewrite } from "../../src/rewrites/rewrite.ts";
import { SOURCES } from "../../src/rewrites/tools/all.ts";
import { fixtures, FOLDERS, PAYLOADS } from "./fixtures.ts";

test("all folders are read, and none is empty", () => {
  expect(readdirSync(PAYLOADS).sort()).toEqual(["README.md", ...FOLDERS.keys()].sort());
  const read = new Set(fixtures.map(({ path }) => path.split("/")[0]));
  expect([...FOLDERS.keys()].filter((folder) => !read.has(folder))).toEqual([]);
});

test("the table of origins names every payload", () => {
  const table = readFileSync(`${PAYLOADS}/README.md`, "utf8");
  expect(fixtures.filter(({ path }) => !table.includes(`| ${path}.json |`))).toEqual([]);
});

test.each(fixtures.map((fixture) => [fixture.path, fixture] as const))("%s", (_, { name, raw, about, expected }) => {
  expect(rewrite(name, JSON.parse(raw), about)).toStrictEqual(expected);
  expect(recognized(JSON.parse(raw), about)).toStrictEqual(expected);
});

test("each is recognized for what it is, whatever the request named", () => {
  for (const { path, raw, about, expected } of fixtures) {
    const payload: unknown = JSON.parse(raw);
    const others = SOURCES.filter((source) => !source.fits(posted(payload), about));
    for (const { name: asked } of others) {
      const { tags = [], ...told } = rewrite(asked, payload, about);
      const { tags: own = [], ...rest } = expected;
      expect({ path, asked, ...told }).toEqual({ path, asked, ...rest });
      expect(tags).toEqual([...own.slice(0, 15), "rewrite-mismatch"]);
    }
  }
});
