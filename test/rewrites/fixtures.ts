/** The bodies that tools post, each with the message that people should read (payloads/README.md). */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Draft } from "../../src/drafts/draft.ts";
import { type RewriteName, REWRITES } from "../../src/rewrites/rewrite.ts";
import type { About } from "../../src/rewrites/tool.ts";
import { NOW } from "./support.ts";

export const PAYLOADS = `${import.meta.dir}/payloads`;

/** Each folder has the name of its source; Grafana posts in Alertmanager's format. */
export const FOLDERS = new Map<string, RewriteName>([
  ...REWRITES.map((name) => [name, name] as const),
  ["grafana", "alertmanager"],
]);

export interface Fixture {
  /** The path, `{folder}/{case}`. */
  path: string;
  name: RewriteName;
  raw: string;
  about: About & { raw: string };
  expected: Draft;
}

const isPayload = (file: string) => file.endsWith(".json") && !/\.(?:expected|headers)\.json$/.test(file);

export const fixtures: readonly Fixture[] = [...FOLDERS].flatMap(([folder, name]) =>
  readdirSync(`${PAYLOADS}/${folder}`)
    .filter(isPayload)
    .map((file) => read(`${folder}/${file.slice(0, -".json".length)}`, name)),
);

function read(path: string, name: RewriteName): Fixture {
  const text = (ending: string) => readFileSync(`${PAYLOADS}/${path}${ending}`, "utf8");
  const raw = text(".json");
  const sent = existsSync(`${PAYLOADS}/${path}.headers.json`)
    ? (JSON.parse(text(".headers.json")) as Record<string, string>)
    : {};
  const headers = new Headers(sent);
  const expected = JSON.parse(text(".expected.json")) as Draft;
  return {
    path,
    name,
    raw,
    about: { now: NOW, raw, header: (header) => headers.get(header) },
    expected: { ...expected, format: "text", source: `rewrite:${name}` },
  };
}
