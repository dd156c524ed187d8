/** Real bodies of the tools, each with the message that people shall read (payloads/README.md). */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Draft } from "../../src/messages/message.ts";
import { recognized, rewrite, type RewriteName, REWRITES } from "../../src/rewrites/rewrite.ts";

const NOW = Date.parse("2026-11-20T20:30:00Z");
/** A folder has the name of its source; Grafana posts in Alertmanager's shape. */
const FOLDERS = new Map<string, RewriteName>([
  ...REWRITES.map((name) => [name, name] as const),
  ["grafana", "alertmanager"],
]);

const payloads = `${import.meta.dir}/payloads`;
const isPayload = (file: string) => file.endsWith(".json") && !/\.(?:expected|headers)\.json$/.test(file);
const fixtures = [...FOLDERS].flatMap(([folder, name]) =>
  readdirSync(`${payloads}/${folder}`)
    .filter(isPayload)
    .map((file): [string, RewriteName] => [`${folder}/${file.slice(0, -".json".length)}`, name]),
);

test("all folders are read, and none is empty", () => {
  expect(readdirSync(payloads).sort()).toEqual(["README.md", ...FOLDERS.keys()].sort());
  const read = new Set(fixtures.map(([path]) => path.split("/")[0]));
  expect([...FOLDERS.keys()].filter((folder) => !read.has(folder))).toEqual([]);
});

test("the table of origins names every payload", () => {
  const table = readFileSync(`${payloads}/README.md`, "utf8");
  expect(fixtures.filter(([path]) => !table.includes(`| ${path}.json |`))).toEqual([]);
});

test.each(fixtures)("%s", (path, name) => {
  const text = (ending: string) => readFileSync(`${payloads}/${path}${ending}`, "utf8");
  const raw = text(".json");
  const expected = JSON.parse(text(".expected.json")) as Partial<Draft>;
  const headers = new Headers(
    existsSync(`${payloads}/${path}.headers.json`) ? (JSON.parse(text(".headers.json")) as Record<string, string>) : {},
  );
  const about = { now: NOW, raw, header: (header: string) => headers.get(header) };
  const draft = { ...(expected as Draft), format: "text" as const, source: `rewrite:${name}` };
  expect(rewrite(name, JSON.parse(raw), about)).toStrictEqual(draft);
  expect(recognized(JSON.parse(raw), about)).toStrictEqual(draft);
});
