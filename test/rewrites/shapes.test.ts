/** Which tool a payload comes from, and what happens to one from an unknown tool (REWRITES.md §1). */
import { describe, expect, test } from "bun:test";
import { REWRITES, rewrite, type RewriteName } from "../../src/rewrites/rewrite.ts";
import { draftOf, expectWithinLimits, NOW } from "./support.ts";

/** Three sources stand for all: what holds between them holds between the others, which have their fixtures. */
const THREE = ["alertmanager", "uptimekuma", "komodo"] as const satisfies readonly RewriteName[];
type OfThree = (typeof THREE)[number];

const shapes: Record<OfThree, unknown> = {
  alertmanager: { alerts: [{ labels: { alertname: "A" } }] },
  uptimekuma: { msg: "B Testing", heartbeat: null },
  komodo: { data: { type: "Test", data: { name: "C" } }, target: {} },
};
const titles: Record<OfThree, string> = {
  alertmanager: "A",
  uptimekuma: "Uptime Kuma test",
  komodo: "Komodo test",
};

test("a name is one plain word, and belongs to one source", () => {
  expect(REWRITES.filter((name) => !/^[a-z0-9]+$/.test(name))).toEqual([]);
  expect(new Set(REWRITES).size).toBe(REWRITES.length);
});

describe.each([...THREE])("requested as %s", (asked) => {
  test.each([...THREE])("the shape of %s is reported as that", (shape) => {
    const { title, tags, source } = draftOf(asked, shapes[shape]);
    expect([title, source]).toEqual([titles[shape], `rewrite:${shape}`]);
    expect(tags?.includes("rewrite-mismatch")).toBe(asked !== shape);
  });

  test("a payload that matches two shapes is what was requested", () => {
    const both = Object.assign({}, ...THREE.map((name) => shapes[name])) as unknown;
    expect(draftOf(asked, both)).toMatchObject({ title: titles[asked] });
    expect(draftOf(asked, both).tags).not.toContain("rewrite-mismatch");
  });
});

test("the tag of a mismatch is kept, however many tags there are", () => {
  const tags = Array.from({ length: 40 }, (_, i) => ({ name: `t${i}` }));
  const { tags: shown } = draftOf("komodo", { msg: "m", heartbeat: { status: 0 }, monitor: { name: "n", tags } });
  expect(shown?.at(-1)).toBe("rewrite-mismatch");
});

describe("a payload of unknown shape", () => {
  // prettier-ignore
  const rows: [what: string, name: OfThree, payload: unknown, message: string][] = [
    ["a group without alerts",           "alertmanager", { alerts: [] }, '{"alerts":[]}'],
    ["alerts that are none",             "alertmanager", { alerts: [1, "x", null, [{}]] }, "alerts.0: 1\nalerts.1: x"],
    ["alerts that are no list",          "alertmanager", { alerts: { 0: {} } }, '{"alerts":{"0":{}}}'],
    ["a heartbeat without a text",       "uptimekuma",   { heartbeat: { status: 0 } }, "heartbeat.status: 0"],
    ["an empty notice",                  "uptimekuma",   { msg: " ", heartbeat: null }, '{"msg":" ","heartbeat":null}'],
    ["Komodo's type None",               "komodo",       { data: { type: "None", data: {} }, target: { type: "System", id: "s" } }, "data.type: None\ntarget.type: System\ntarget.id: s"],
    ["a type that is no text",           "komodo",       { data: { type: 1 }, target: {} }, "data.type: 1"],
    ["a target that is no object",       "komodo",       { data: { type: "Test" }, target: "x" }, "data.type: Test\ntarget: x"],
    ["an array",                         "komodo",       [1, 2], "0: 1\n1: 2"],
    ["null",                             "uptimekuma",   null, "null"],
    ["a number",                         "alertmanager", 5, "5"],
  ];
  test.each(rows)("%s", (_, name, payload, message) => {
    const draft = draftOf(name, payload);
    const title = { alertmanager: "Alertmanager", uptimekuma: "Uptime Kuma", komodo: "Komodo" }[name];
    expect(draft).toStrictEqual({
      title: `${title}: unexpected payload`,
      message,
      level: "warning",
      priority: "normal",
      format: "text",
      source: `rewrite:${name}`,
      tags: [name, "unrecognised"],
      data: { source: name, unrecognised: true },
    });
  });

  const texts = ["message", "msg", "text", "body", "description", "summary"];
  test.each(texts.map((field, i): [string, string[]] => [field, texts.slice(i)]))("shows its %s", (field, all) => {
    const payload = Object.fromEntries(all.map((each) => [each, `the ${each}`]));
    expect(draftOf("komodo", { ...payload, title: "T" })).toMatchObject({ title: "T", message: `the ${field}` });
  });

  test("shows the first text that is not empty", () => {
    expect(draftOf("komodo", { message: " \n", msg: { text: 1 }, text: 5 }).message).toBe("5");
  });

  // prettier-ignore
  const bodies: [what: string, payload: unknown, raw: string, message: string][] = [
    ["a text that is no JSON",  undefined, '{"title": "a "quote"" }\n', '{"title": "a "quote"" }'],
    ["nothing",                 undefined, " \n\0",                     "empty"],
    ["4,000 characters of it",  { message: "x".repeat(5_000) }, "",     `${"x".repeat(3_999)}…`],
    ["1,500 of a body",         undefined, "x".repeat(5_000),           `${"x".repeat(1_499)}…`],
    ["no secrets",              undefined, "http://u:p@h.example/?token=1&a=2", "http://h.example/?a=2"],
  ];
  test.each(bodies)("shows %s", (_, payload, raw, message) => {
    const draft = rewrite("uptimekuma", payload, { now: NOW, raw });
    expect(draft.message).toBe(message);
    expectWithinLimits(draft);
  });

  test("when a mapper throws, nothing is lost", () => {
    const trap = new Proxy({}, { getOwnPropertyDescriptor: () => { throw new Error("no"); } }); // prettier-ignore
    const { title, message } = rewrite("alertmanager", { alerts: [trap] }, { now: NOW, raw: "the body" });
    expect([title, message]).toEqual(["Alertmanager: unexpected payload", "the body"]);
  });
});
