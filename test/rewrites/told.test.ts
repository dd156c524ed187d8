/** What a mapper may return without regard to a message's limits (REWRITES.md §1). */
import { expect, test } from "bun:test";
import { toDraft, type Told } from "../../src/rewrites/told.ts";
import { expectWithinLimits, NOW } from "./support.ts";

const draftOf = (told: Partial<Told>) => {
  const whole: Told = {
    title: "T",
    lines: [],
    level: "info",
    priority: "low",
    tags: [],
    data: { source: "x" },
    ...told,
  };
  const draft = toDraft(whole, { source: "x", name: "y", now: NOW });
  expectWithinLimits(draft);
  return draft;
};

test("an empty title becomes `Notification`, an empty message the title", () => {
  expect(draftOf({ title: " \u200b" })).toMatchObject({ title: "Notification", message: "Notification" });
  expect(draftOf({ title: undefined, lines: ["m"] })).toMatchObject({ title: "Notification", message: "m" });
  expect(draftOf({ lines: [undefined, "", " "] }).message).toBe("T");
});

test("a message is cut at 8,000 characters", () => {
  expect(draftOf({ lines: ["🙂".repeat(9_000)] }).message).toBe(`${"🙂".repeat(7_999)}…`);
});

test("a key of more than 128 bytes is hashed", () => {
  expect(draftOf({ key: "ü".repeat(64) }).dedup_key).toBe("ü".repeat(64));
  expect(draftOf({ key: "ü".repeat(65) }).dedup_key).toMatch(/^x:[0-9a-f]{32}$/);
});

test("a status is kept only with a key", () => {
  expect(draftOf({ status: "firing" })).not.toHaveProperty("status");
  expect(draftOf({ status: "firing", key: "k" }).status).toBe("firing");
});

test("data that is too large loses its last parts", () => {
  const data = { source: "x", first: "a".repeat(3_000), second: "b".repeat(3_000), third: 3 };
  expect(draftOf({ data }).data).toEqual({ source: "x", first: data.first });
});
