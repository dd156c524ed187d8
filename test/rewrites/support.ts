/** What all tests of rewrites share: the time, a payload's draft, and the limits of every draft. */
import { expect } from "bun:test";
import { toDraft } from "../../src/messages/reading/draft.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import { rewrite, type RewriteName } from "../../src/rewrites/rewrite.ts";
import { characters } from "../../src/util/schema.ts";

/** The current time for the fixtures. */
export const NOW = Date.parse("2026-11-20T20:30:00Z");

/** The draft for a payload that arrived as JSON. */
export function draftOf(name: RewriteName, payload: unknown, link?: string): Draft {
  const raw = JSON.stringify(payload);
  return rewrite(name, JSON.parse(raw), { now: NOW, raw, ...(link !== undefined && { link }) });
}

/** Expects that API.md §3 accepts it unchanged, and that the limits of REWRITES.md §1 hold. */
export function expectWithinLimits(draft: Draft): void {
  expect(toDraft(draft, draft.source, NOW)).toStrictEqual({ kind: "draft", draft });
  expect(characters(draft.message)).toBeLessThanOrEqual(8_000);
  expect(characters(draft.title ?? "")).toBeWithin(1, 257);
  expect(draft.tags).toStrictEqual([...new Set(draft.tags)]);
  expect(Buffer.byteLength(draft.dedup_key ?? "")).toBeLessThanOrEqual(128);
  expect(Buffer.byteLength(JSON.stringify(draft.data))).toBeLessThanOrEqual(4_000);
  expect(emptyIn(draft)).toEqual([]);
  expect(draft.url ?? "").not.toMatch(/^https?:\/\/(?:[^/]*@|localhost|127\.|0\.0\.0\.0|\[::1?\])/);
}

const UNSAFE = new Set(["__proto__", "prototype", "constructor"]);

/** The names of fields that should be absent but are empty; an alert may have no labels of its own. */
const emptyIn = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
        each === null || each === "" || UNSAFE.has(name) || (name !== "labels" && JSON.stringify(each) === "{}")
          ? [name]
          : emptyIn(each),
      );
