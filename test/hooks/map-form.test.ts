/** The form for a hook's map: from a map to the form and back. */
import { describe, expect, test } from "bun:test";
import { formOfMap, mapOfForm } from "../../src/pages/dashboard/hooks/map-form.ts";
import type { HookMap } from "../../src/hooks/map.ts";

// prettier-ignore
const maps: [what: string, map: HookMap | undefined, form: Record<string, string>][] = [
  ["nothing",           undefined,                                                       {}],
  ["texts",             { title: "{a}: {b}", text: "{c}", link: "{d}", key: "{e}", tags: "x,{f}" }, { title: "{a}: {b}", text: "{c}", link: "{d}", key: "{e}", tags: "x,{f}" }],
  ["a level from",      { level: { from: "event.type" } },                               { level: "{event.type}" }],
  ["a level that is",   { level: { from: "a\\.b", is: { Health: "error", "a = b": "info" } } }, { level: "{a\\.b}", level_is: "Health = error\na = b = info" }],
  ["a written level",   { level: "warning" },                                            { level: "warning" }],
  ["a mixed priority",  { priority: "{a}{b}" },                                          { priority: "{a}{b}" }],
  ["a priority that is", { priority: { from: "a", is: { "1": "urgent" } } },             { priority: "{a}", priority_is: "1 = urgent" }],
  ["what closes",       { resolved: { from: "s", in: ["ok", "up again"] } },             { resolved: "{s}", resolved_in: "ok\nup again" }],
];
test.each(maps)("%s goes into the form and is read back unchanged", (_, map, form) => {
  expect(Object.fromEntries(formOfMap(map))).toEqual(form);
  expect(mapOfForm(new URLSearchParams(form))).toEqual({ map });
});

test("variants that people write mean the same", () => {
  const form = new URLSearchParams({
    ...{ level: " {a} ", level_is: "Health=critical\r\n\r\n Up = OK ", resolved: "status", resolved_in: " ok \r\n" },
    ...{ title: "  ", r: "3", mark: "x" },
  });
  expect(mapOfForm(form)).toEqual({
    map: {
      level: { from: "a", is: { Health: "error", Up: "success" } },
      resolved: { from: "status", in: ["ok"] },
    },
  });
});

test("a value is named by itself only", () => {
  const read = mapOfForm(new URLSearchParams({ level: "{a}", level_is: "__proto__ = error" }));
  expect(JSON.stringify(read)).toBe('{"map":{"level":{"from":"a","is":{"__proto__":"error"}}}}');
});

describe("at its field is reported", () => {
  // prettier-ignore
  const wrong: [what: string, form: Record<string, string>, faults: Record<string, string>][] = [
    ["a brace left open",          { title: "{a", link: "{a..b}" },             { title: "template", link: "template" }],
    ["a line that is none",        { level: "{a}", level_is: "Health" },        { level_is: "is" }],
    ["a level that is none",       { level: "{a}", level_is: "Health = loud" }, { level_is: "is" }],
    ["no value before it",         { level: "{a}", level_is: "= error" },       { level_is: "is" }],
    ["words of no value",          { level: "{a} {b}", level_is: "x = info" },  { level: "one" }],
    ["words of nothing",           { level_is: "x = info" },                    { level: "one" }],
    ["a broken path of a level",   { level: "{a..b}" },                         { level: "template" }],
    ["what closes by no value",    { resolved: "{a}" },                         { resolved_in: "in" }],
    ["what closes from nowhere",   { resolved_in: "ok" },                       { resolved: "resolved" }],
    ["more than a map holds",      { title: "{a}".repeat(51) },                 { "": "tooMuch" }],
  ];
  test.each(wrong)("%s", (_, form, faults) => {
    const read = mapOfForm(new URLSearchParams(form));
    const found: unknown = "faults" in read ? Object.fromEntries(read.faults) : read;
    expect(found).toEqual(faults);
  });
});
