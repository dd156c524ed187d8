/** A hook's map: paths and words, nothing that is evaluated (docs/publish.md). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mapInQuery, mapped, readMap, type HookMap, type Mapped } from "../../src/hooks/map.ts";
import { onlyPlaceholder, pathOf, piecesOf, placeholder, writtenPath as written } from "../../src/hooks/template.ts";
import { LEVELS, PRIORITIES } from "../../src/drafts/draft.ts";
import { characters } from "../../src/util/schema.ts";

const BODY = {
  eventType: "Download",
  series: { id: 7, title: "Severance", "a.b": "dotted", "br{ace}": "braced", "back\\slash": "backslashed" },
  episodes: [{ title: "Cold Harbor" }, { title: "Hello, Ms. Cobel" }],
  status: "OK",
  isUpgrade: false,
  empty: "",
  nothing: null,
  host: { name: "nas" },
};

describe("a map makes of a body", () => {
  // prettier-ignore
  const rows: [what: string, map: HookMap, made: Mapped][] = [
    ["a text of two values",          { title: "{series.title}: {episodes.0.title}" }, { title: "Severance: Cold Harbor" }],
    ["all plain fields",              { title: "a", text: "b", link: "https://x", key: "k", tags: "x,{eventType}" },
                                      { title: "a", message: "b", url: "https://x", dedup_key: "k", tags: "x,Download" }],
    ["numbers and booleans",          { text: "{series.id} {isUpgrade}" },  { message: "7 false" }],
    ["a name with a dot",             { text: "{series.a\\.b}" },           { message: "dotted" }],
    ["a name with braces",            { text: "{series.br\\{ace\\}}" },     { message: "braced" }],
    ["a name with a backslash",       { text: "{series.back\\\\slash}" },   { message: "backslashed" }],
    ["braces of its own",             { text: "{{{eventType}}} {{}} }" },   { message: "{Download} {} }" }],
    ["spaces around a path",          { text: "{ eventType }" },            { message: "Download" }],
    ["nothing for one value missing", { text: "{eventType}: {series.none}" }, { message: "Download: " }],
    ["no field of none",              { text: "a {empty} {nothing} {none.of.it} {series} {episodes}" }, {}],
    ["no length of a list or a text", { text: "{episodes.length}{eventType.length}{eventType.0}" }, {}],
    ["nothing that is inherited",     { text: "{toString}{constructor.name}{__proto__.x}{episodes.at}{series.hasOwnProperty}" }, {}],
    ["a level by its table",          { level: { from: "eventType", is: { Health: "error", download: "success" } } }, { level: "success" }],
    ["a level by its word",           { level: { from: "status", is: { Health: "error" } } }, { level: "success" }],
    ["a level by a template",         { level: "{status}" },                { level: "success" }],
    ["a level that is written",       { level: "critical" },                { level: "error" }],
    ["no level of another word",      { level: { from: "eventType" } },     {}],
    ["a priority",                    { priority: { from: "eventType", is: { Download: "low" } } }, { priority: "low" }],
    ["what is open",                  { key: "{series.id}", resolved: { from: "eventType", in: ["Health"] } }, { dedup_key: "7", status: "firing" }],
    ["what is closed",                { key: "{series.id}", resolved: { from: "status", in: ["no", "ok"] } }, { dedup_key: "7", status: "resolved" }],
    ["what a number closes",          { key: "k", resolved: { from: "series.id", in: [7] } }, { dedup_key: "k", status: "resolved" }],
    ["no state without a key",        { key: "{none}", resolved: { from: "eventType", in: ["Health"] } }, {}],
    ["no state without a rule",       { key: "{series.id}" },               { dedup_key: "7" }],
    ["nothing of nothing",            {},                                   {}],
  ];
  test.each(rows)("%s", (_, map, made) => {
    expect(readMap(map)).toEqual({ kind: "map", map });
    expect(mapped(map, BODY)).toEqual(made);
  });

  test("an own property, whatever its name", () => {
    const body: unknown = JSON.parse('{"__proto__": {"x": "sent"}, "constructor": "also"}');
    expect(mapped({ text: "{__proto__.x} {constructor}" }, body)).toEqual({ message: "sent also" });
    expect(mapped({ text: "{x}" }, body)).toEqual({});
    expect(mapped({ text: "{x}" }, Object.create({ x: "inherited" }))).toEqual({});
  });

  test("the element of a list that was posted", () => {
    expect(mapped({ text: "{0.title}" }, [{ title: "first" }])).toEqual({ message: "first" });
  });

  test.each([["text"], [5], [null], [undefined]])("nothing of %p", (body) => {
    expect(mapped({ text: "{0}{length}", level: { from: "a" } }, body)).toEqual({});
  });

  test("500 characters of a value, in whole graphemes", () => {
    const { message = "" } = mapped({ text: "{a}" }, { a: "👨‍👩‍👧".repeat(100_000) });
    expect(characters(message)).toBeLessThanOrEqual(500);
    expect(message.isWellFormed()).toBe(true);
    expect(message.endsWith("👨‍👩‍👧…")).toBe(true);
    expect(mapped({ text: "{a}" }, { a: "x".repeat(500) }).message).toBe("x".repeat(500));
    expect(mapped({ text: "{a}" }, { a: "x".repeat(501) }).message).toBe(`${"x".repeat(499)}…`);
  });
});

describe("refused", () => {
  // prettier-ignore
  const rows: [what: string, map: unknown, paths: string[]][] = [
    ["what is no object",            "title",                                        ["/"]],
    ["a list",                       [],                                             ["/"]],
    ["a name that is none",          { titel: "x" },                                 ["/titel"]],
    ["an empty text",                { title: "" },                                  ["/title"]],
    ["a number",                     { title: 5 },                                   ["/title"]],
    ["a brace left open",            { title: "{a", text: "{a{b}}" },                ["/title", "/text"]],
    ["a path without a name",        { title: "{}", text: "{a..b}", key: "{.a}", link: "{a.}" }, ["/title", "/text", "/link", "/key"]],
    ["a level from nowhere",         { level: {} },                                  ["/level/from"]],
    ["a level that is none",         { level: { from: "a", is: { b: "loud" } } },    ["/level/is/b"]],
    ["a level of another type",      { level: 5 },                                   ["/level"]],
    ["a priority that is none",      { priority: { from: "a", is: { b: "error" } } }, ["/priority/is/b"]],
    ["a path that is broken",        { level: { from: "a..b" } },                    ["/level/from"]],
    ["what closes by nothing",       { resolved: { from: "a", in: [] } },            ["/resolved/in"]],
    ["what closes by an object",     { resolved: { from: "a", in: [{}] } },          ["/resolved/in/0"]],
    ["what closes from nowhere",     { resolved: { in: ["a"] } },                    ["/resolved/from"]],
    ["more than it may hold",        { title: "x".repeat(4_090) },                   ["/"]],
    ["more placeholders",            { title: "{a}".repeat(26), text: "{a}".repeat(25) }, ["/"]],
  ];
  test.each(rows)("%s", (_, map, paths) => {
    const read = readMap(map);
    expect(read.kind === "errors" ? read.errors.map(({ path }) => path).toSorted() : read).toEqual(paths.toSorted());
  });

  test("and what is just within the limits is accepted", () => {
    expect(readMap({ title: "{a}".repeat(25), text: "{a}".repeat(25) }).kind).toBe("map");
    expect(readMap({ title: "x".repeat(4_096 - '{"title":""}'.length) }).kind).toBe("map");
  });
});

describe("Apprise's map in a query", () => {
  // prettier-ignore
  const rows: [query: string, map: HookMap | undefined][] = [
    [":event.title=title",                   { title: "{event.title}" }],
    [":subject=title&:content=body",         { title: "{subject}", text: "{content}" }],
    [":content=MESSAGE&:tag=tags",           { text: "{content}", tags: "{tag}" }],
    [":severity=type&:id=dedup_key&:u=url",  { level: "{severity}", key: "{id}", link: "{u}" }],
    [":type=warning&:title=a {b}",           { level: "warning", title: "a {{b}}" }],
    [":a{b}=title",                          { title: "{a\\{b\\}}" }],
    [":a\\.b=title",                         { title: "{a\\.b}" }],
    [":one=title&:two=title",                { title: "{one}" }],
    [":title=", undefined],
    [":nobody=knows", undefined],
    [":=title&title=x&level=error", undefined],
    [":a..b=title", undefined],
    ["", undefined],
  ];
  test.each(rows)("%s", (query, map) => {
    expect(mapInQuery(new URLSearchParams(query))).toEqual(map);
  });

  test("beyond what a map may contain is ignored", () => {
    expect(mapInQuery(new URLSearchParams(`:${"x".repeat(5_000)}=title`))).toBeUndefined();
  });
});

/** Names that are special in JavaScript, special in peal, or arbitrary. */
const name = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "prototype", "toString", "length", "0", "a", "a.b", "{", "\\"),
  fc.string(),
);
const path = fc.array(name, { minLength: 1, maxLength: 4 });
const template = fc
  .array(
    fc.oneof(
      fc.string(),
      path.map((names) => `{${written(names)}}`),
      fc.constantFrom("{{", "}}", "{", "\\"),
    ),
  )
  .map((pieces) => pieces.join(""));
const from = path.map(written);
const map = fc.record(
  {
    title: template,
    text: template,
    level: fc.oneof(template, fc.record({ from, is: fc.dictionary(name, fc.constantFrom(...LEVELS)) })),
    priority: fc.oneof(template, fc.record({ from, is: fc.dictionary(name, fc.constantFrom(...PRIORITIES)) })),
    link: template,
    key: template,
    resolved: fc.record({ from, in: fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1 }) }),
    tags: template,
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.anything({ key: name, withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  fc.jsonValue(),
);

describe("for any", () => {
  test("value, reading a map returns a map or errors", () => {
    fc.assert(
      fc.property(fc.oneof(body, map), (value) => {
        const read = readMap(value);
        if (read.kind === "errors") expect(read.errors.length).toBeGreaterThan(0);
        else expect(mapped(read.map, value)).toBeObject();
      }),
    );
  });

  test("map and body, the fields are text of limited length, and the level is a known one", () => {
    fc.assert(
      fc.property(map, body, (given, sent) => {
        const made = mapped(given, sent);
        const most = JSON.stringify(given).length * 500;
        for (const text of Object.values(made)) expect(text.length).toBeLessThanOrEqual(most);
        expect([undefined, ...LEVELS] as (string | undefined)[]).toContain(made.level);
        expect([undefined, ...PRIORITIES] as (string | undefined)[]).toContain(made.priority);
      }),
    );
  });

  test("path, nothing comes from a prototype", () => {
    fc.assert(
      fc.property(path, fc.jsonValue(), (names, sent) => {
        const { message } = mapped({ text: `{${written(names)}}` }, sent);
        let value: unknown = sent;
        for (const each of names)
          value =
            typeof value === "object" && value !== null && Object.keys(value).includes(each)
              ? Object.getOwnPropertyDescriptor(value, each)?.value
              : undefined;
        if (message !== undefined) expect(String(value).startsWith(message.slice(0, 400))).toBe(true);
      }),
    );
  });

  test("path, what is written is read back unchanged", () => {
    fc.assert(
      fc.property(path, (names) => {
        fc.pre(names.every((each) => each.trim() === each));
        expect(pathOf(written(names))).toEqual(names);
        expect(piecesOf(`{${written(names)}}`)).toEqual([names]);
        expect(onlyPlaceholder(placeholder(written(names)))).toBe(written(names));
      }),
    );
  });

  test("path of Apprise's, the placeholder leads there", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const pieces = piecesOf(placeholder(text));
        if (!/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) expect(pieces).toEqual([pathOf(text)]);
      }),
    );
  });
});
