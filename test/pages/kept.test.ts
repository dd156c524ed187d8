/** What is kept of what was rendered: bounded by bytes, what was used last stays (WEB.md §1). */
import { expect, test } from "bun:test";
import { createKept } from "../../src/util/kept.ts";

const SHORT = 4;
/** Keys and values of ten characters, each counted as two bytes. */
const EACH = 2 * (10 + 10);

function counted(entries: number) {
  const kept = createKept(entries * EACH, SHORT);
  const made: string[] = [];
  const of = (name: string) =>
    kept.of(name.padEnd(10, "."), (text) => {
      made.push(name);
      return text.toUpperCase();
    });
  return { of, made };
}

test("what is kept is made once", () => {
  const { of, made } = counted(2);
  expect([of("a"), of("b"), of("a")]).toEqual(["A.........", "B.........", "A........."]);
  expect(made).toEqual(["a", "b"]);
});

test("where there is no room, what was not used for longest goes", () => {
  const { of, made } = counted(2);
  for (const name of ["a", "b", "a", "c", "a", "b"]) of(name);
  expect(made).toEqual(["a", "b", "c", "b"]);
});

test("what is short, or larger than all room, is made each time", () => {
  const { of, made } = counted(0);
  of("a");
  of("a");
  expect(made).toEqual(["a", "a"]);
  const kept = createKept(1_000, SHORT);
  let times = 0;
  for (let n = 0; n < 2; n++) kept.of("abc", (text) => `${text}${++times}`);
  expect(times).toBe(2);
});
