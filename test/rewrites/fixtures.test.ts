/** Real bodies of the tools, each with the message that people shall read (payloads/README.md). */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import type { Draft } from "../../src/messages/message.ts";
import { rewrite, type RewriteName } from "../../src/rewrites/rewrite.ts";

const NOW = Date.parse("2026-11-20T20:30:00Z");
/** Grafana posts in Alertmanager's shape. */
const FOLDERS = new Map<string, RewriteName>([
  ["alertmanager", "alertmanager"],
  ["grafana", "alertmanager"],
  ["uptimekuma", "uptimekuma"],
  ["komodo", "komodo"],
]);

const payloads = `${import.meta.dir}/payloads`;
const fixtures = [...FOLDERS].flatMap(([folder, name]) =>
  readdirSync(`${payloads}/${folder}`)
    .filter((file) => file.endsWith(".json") && !file.endsWith(".expected.json"))
    .map((file): [string, RewriteName] => [`${folder}/${file.slice(0, -".json".length)}`, name]),
);

test("all folders are read", () => {
  expect(readdirSync(payloads).sort()).toEqual(["README.md", ...[...FOLDERS.keys()].sort()]);
  expect(fixtures).toHaveLength(40);
});

test.each(fixtures)("%s", (path, name) => {
  const raw = readFileSync(`${payloads}/${path}.json`, "utf8");
  const expected = JSON.parse(readFileSync(`${payloads}/${path}.expected.json`, "utf8")) as Partial<Draft>;
  const draft = rewrite(name, JSON.parse(raw), { now: NOW, raw });
  expect(draft).toStrictEqual({ ...(expected as Draft), format: "text", source: `rewrite:${name}` });
});
