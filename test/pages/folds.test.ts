/** Repeated messages: which are the same, and how consecutive ones become one line. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Draft } from "../../src/drafts/draft.ts";
import { foldKey } from "../../src/pages/feed/foldkey.ts";
import { runsOf } from "../../src/pages/feed/runs.ts";

const draft = (more: Partial<Draft> = {}): Draft => ({
  ...{ message: "Battery at 14 %", level: "info", priority: "normal", format: "text", source: "api" },
  ...more,
});
const plain = foldKey(draft());

// prettier-ignore
const same: [what: string, more: Partial<Draft>, isSame: boolean][] = [
  ["the same text",        {},                                              true],
  ["other digits",         { message: "Battery at 9 %" },                    true],
  ["more digits",          { message: "Battery at 100 %" },                  true],
  ["another source",       { source: "ntfy" },                              true],
  ["other tags",           { tags: ["door"] },                              true],
  ["another word",         { message: "Battery of 14 %" },                   false],
  ["no digits",            { message: "Battery at %" },                      false],
  ["a title",              { title: "Doorbell" },                           false],
  ["another level",        { level: "warning" },                            false],
  ["another priority",     { priority: "low" },                             false],
];
test.each(same)("of %s", (_, more, isSame) => {
  expect(foldKey(draft(more)) === plain).toBe(isSame);
});

test("a title and a text differ from a text that contains both", () => {
  expect(foldKey(draft({ title: "a", message: "b\nc" }))).not.toBe(foldKey(draft({ title: "a\nb", message: "d" })));
});

const alone: [what: string, more: Partial<Draft>][] = [
  ["is urgent", { priority: "urgent" }],
  ["asks for an answer", { ack: true }],
  ["belongs to an alert", { dedup_key: "battery" }],
  ["has a picture", { image: "https://cam.example/1.jpg" }],
  ["has a button", { actions: [{ label: "Open", url: "https://cam.example/" }] }],
  ["has a file", { attachments: [] }],
];
test.each(alone)("what %s is never folded", (_, more) => {
  expect(foldKey(draft(more))).toBeUndefined();
});

// prettier-ignore
const lists: [list: string, runs: string[]][] = [
  ["",         []],
  ["a",        ["a"]],
  ["aa",       ["a", "a"]],
  ["aaa",      ["aaa"]],
  ["aaabaaa",  ["aaa", "b", "aaa"]],
  ["aabaa",    ["a", "a", "b", "a", "a"]],
  ["----",     ["-", "-", "-", "-"]],
  ["aaa-aaaa", ["aaa", "-", "aaaa"]],
];
const keyOf = (one: string) => (one === "-" ? undefined : one);
test.each(lists)("%p is shown as %j", (list, runs) => {
  expect(runsOf(Array.from(list), keyOf).map((run) => run.join(""))).toEqual(runs);
});

test("unfolding gives all of them in their order, and only equal ones are folded", () => {
  const lists = fc.array(fc.constantFrom("a", "b", "-"), { maxLength: 40 });
  fc.assert(
    fc.property(lists, (list) => {
      const runs = runsOf(list, keyOf);
      expect(runs.flat()).toEqual(list);
      for (const run of runs) {
        expect(run.length === 1 || run.length > 2).toBe(true);
        if (run.length > 1) expect([new Set(run).size, run.includes("-")]).toEqual([1, false]);
      }
      // three or more equal neighbours are in one run
      for (let at = 0; at + 2 < list.length; at++)
        if (list[at] !== "-" && list[at] === list[at + 1] && list[at] === list[at + 2])
          expect(runs.some((run) => run.length > 2 && run[0] === list[at])).toBe(true);
    }),
  );
});
