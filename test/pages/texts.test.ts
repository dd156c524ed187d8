/** The catalogue: every language has all texts, and no text is outside of it (WEB.md §1). */
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import ts from "typescript";
import { de } from "../../src/pages/texts/de.ts";
import { en } from "../../src/pages/texts/en.ts";
import { languageOf } from "../../src/pages/texts/languages.ts";
import { numbersOf } from "../../src/pages/texts/numbers.ts";
import { translated, type Translation } from "../../src/pages/texts/texts.ts";

type Entries = Map<string, unknown>;

/** The contents of a catalogue, by path. */
function entriesOf(value: unknown, path = ""): Entries {
  if (typeof value !== "object" || value === null) return new Map([[path, value]]);
  const inner = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return new Map(inner.flatMap(([key, one]) => [...entriesOf(one, path === "" ? key : `${path}.${key}`)]));
}

const english = entriesOf(en);

const placeholders = (text: string): string[] => (text.match(/\{\w*\}/g) ?? []).toSorted();

/** Numbers that take a plural and occur in no text: one for each argument, and for each name in one. */
const PROBES = ["7101", "7102", "7103", "7104"];
const asked: string[] = [];
const inside = (name: string): string => {
  if (!asked.includes(name)) asked.push(name);
  return String(7_200 + asked.indexOf(name));
};

/** A word, a number or an object with any property, so that every sentence accepts it. */
const argument = (probe: string): object =>
  new Proxy(Object(probe) as object, {
    get: (text, name) => {
      if (typeof name === "string" && !(name in text)) return inside(name);
      const own: unknown = Reflect.get(text, name);
      return typeof own === "function" ? (own.bind(text) as unknown) : own;
    },
  });

/** What a text says for these arguments; undefined if it takes a list. */
function sentence(text: unknown): string | undefined {
  if (typeof text !== "function") return undefined;
  try {
    return JSON.stringify((text as (...values: object[]) => unknown)(...PROBES.map(argument))).replace(
      /(?<=\d)[.,](?=\d)/g,
      "",
    );
  } catch {
    return undefined;
  }
}

/** Which of its arguments a sentence contains. */
const said = (text: unknown): string[] => [...new Set(sentence(text)?.match(/7[12]\d\d/g))].toSorted();

/** Words that are the same in English and in German, and names. */
const BOTH =
  /\b(?:peal|ntfy|API|Apple|Google|Mozilla|Microsoft|iPhone|iPad|Alarm|Backups|Badge|Browser|Checks?|Cron|Exit|Feed|in|Info|Live|min|Name|normal|ok|Slug|Tags|Test|Topics?|Version)\b/gi;

/** In English these are the API's own words; any other language has to translate them. */
const QUOTED = new Set(["checks.form.refused"]);

describe.each(Object.entries({ de }))("%s", (_, catalogue) => {
  const entries = entriesOf(catalogue);

  test("has every text of the English one, and no others", () => {
    expect([...entries.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  test("has the same placeholders", () => {
    for (const [path, text] of english) {
      const other = entries.get(path);
      expect([path, typeof other]).toEqual([path, typeof text]);
      if (typeof text === "string") expect([path, placeholders(String(other))]).toEqual([path, placeholders(text)]);
      else if (!QUOTED.has(path)) expect([path, said(other)]).toEqual([path, said(text)]);
    }
  });

  test("leaves nothing in English", () => {
    const words = (text: unknown): string | undefined => (typeof text === "string" ? text : sentence(text));
    const same = [...english].filter(([path, text]) => words(text) === words(entries.get(path)));
    const left = same.filter(([, text]) => /\p{L}{2}/u.test(words(text)?.replace(BOTH, "") ?? ""));
    expect(left.map(([path]) => path)).toEqual([]);
  });
});

test("a text uses the plural rules of its language", () => {
  expect(en.card.showLines(1_234)).toBe("Show all 1,234\u00a0lines");
  expect(de.card.showLines(1_234)).toBe("Alle 1.234\u00a0Zeilen zeigen");
  expect([en.feed.staysFor(1, 0), en.feed.staysFor(2, 0)]).toEqual([
    "Keeps messages for 1\u00a0day.",
    "Keeps messages for 2\u00a0days.",
  ]);
  expect([de.feed.staysFor(1, 0), de.feed.staysFor(2, 0)]).toEqual([
    "Nachrichten bleiben 1\u00a0Tag.",
    "Nachrichten bleiben 2\u00a0Tage.",
  ]);
});

describe("a translation that is incomplete", () => {
  const { count } = numbersOf("pl-PL");
  const polish: Translation = {
    ...{ ownName: "Polski", locale: "pl-PL" },
    level: { error: "Błąd" },
    source: new Map([["check", "kontrola"]]),
    card: { showLines: (n) => `Pokaż ${count(n, "wiersz", "wiersze", "wierszy", "wiersza")}` },
    live: { locale: "pl-PL", live: "Na żywo" },
  };
  const texts = translated(polish);

  test("uses what it has, and English for the rest", () => {
    expect(texts.level).toEqual({ ...en.level, error: "Błąd" });
    expect(texts.live).toEqual({ ...en.live, locale: "pl-PL", live: "Na żywo" });
    expect(texts.source).toEqual(new Map([...en.source, ["check", "kontrola"]]));
    expect(texts.checks).toEqual(en.checks);
  });

  test("has every text, in the order of the English one, and does not change that", () => {
    const before = [...entriesOf(en)];
    expect([...entriesOf(texts).keys()]).toEqual([...english.keys()]);
    expect([...entriesOf(en)]).toEqual(before);
  });

  // prettier-ignore
  test.each([
    [1, "1 wiersz"], [2, "2 wiersze"], [4, "4 wiersze"], [5, "5 wierszy"], [12, "12 wierszy"], [22, "22 wiersze"],
    [0, "0 wierszy"], [1.5, "1,5 wiersza"],
  ])("uses its own plural rules: %p", (n, said) => {
    expect(texts.card.showLines(n)).toBe(`Pokaż ${said.replace(" ", "\u00a0")}`);
  });

  test("takes the last form of a noun for those that it leaves out", () => {
    expect([1, 3, 5].map((n) => count(n, "dzień", "dni"))).toEqual(["1\u00a0dzień", "3\u00a0dni", "5\u00a0dni"]);
  });
});

describe("the language of a reader", () => {
  // prettier-ignore
  test.each([
    // promise                           cookie                      Accept-Language           then
    ["without a word",                   undefined,                  undefined,                "en"],
    ["of the browser",                   undefined,                  "de",                     "de"],
    ["of a country",                     undefined,                  "de-CH, fr;q=0.9",        "de"],
    ["in any case",                      undefined,                  "DE-at",                  "de"],
    ["the first of equals",              undefined,                  "en-GB, de",              "en"],
    ["by weight, not by place",          undefined,                  "en;q=0.7, de;q=0.9",     "de"],
    ["the best that there is",           undefined,                  "fr, de;q=0.5, en;q=0.3", "de"],
    ["none that is refused",             undefined,                  "de;q=0, fr",             "en"],
    ["none that we have",                undefined,                  "fr, nl;q=0.9",           "en"],
    ["no language of a like name",       undefined,                  "den, fr",                "en"],
    ["no weight that is none",           undefined,                  "de;q=2, en;q=x",         "en"],
    ["beside a wildcard",                undefined,                  "*, de;q=0.1",            "de"],
    ["chosen",                           "lang=de",                  "en",                     "de"],
    ["chosen, beside other cookies",     "theme=dark; lang=en; a=b", "de",                     "en"],
    ["chosen where there is none",       "lang=fr",                  "de",                     "de"],
    ["not by a cookie of another name",  "xlang=de; long=de",        "en",                     "en"],
    ["not by what objects have",         "lang=constructor",         "toString",               "en"],
  ] as const)("%s", (_, cookie, accepted, then) => {
    const headers = { ...(cookie && { cookie }), ...(accepted && { "accept-language": accepted }) };
    expect(languageOf(new Request("http://peal.example/", { headers }))).toBe(then);
  });
});

/** The same in every language: peal's own names and others', and formats. */
const NAMES =
  /\b(?:peal|Atom|JSON(?: Feed)?|openapi\.json|Android|iPhone|iPad|Caddyfile|Tailscale|cloudflared|UnifiedPush|ntfy|curl)\b/g;

/** The texts in a component itself: between tags, and in the attributes that are read out. */
function wordsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const add = (words: string) => {
    if (/\p{L}{2}/u.test(words.replace(NAMES, ""))) found.push(`${file}: ${words.trim()}`);
  };
  const literals = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) add(node.text);
    else if (ts.isTemplateExpression(node))
      add([node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join(" "));
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(literals);
    else if (ts.isBinaryExpression(node) && JOINS.has(node.operatorToken.kind))
      [node.left, node.right].forEach(literals);
    else if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node))
      if (node.expression !== undefined) literals(node.expression);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === "code") return; // code that people type
    if (ts.isJsxText(node)) add(node.text);
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) literals(node);
    if (ts.isJsxAttribute(node) && READ.has(node.name.getText()) && node.initializer) literals(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
const JOINS = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);
const READ = new Set(["aria-label", "aria-description", "title", "alt", "placeholder", "label"]);

test("no component contains a text that is not in the catalogue", async () => {
  const files = [...new Glob("src/**/*.tsx").scanSync(".")].toSorted();
  expect(files.length).toBeGreaterThan(12);
  const found = await Promise.all(files.map(async (file) => wordsIn(file, await Bun.file(file).text())));
  expect(found.flat()).toEqual([]);
});

test("a text in a component would be found", () => {
  const component = 'const A = () => <p title="Two words">three {b ? "four" : `five ${six}`} <code>seven</code></p>;';
  expect(wordsIn("a", component)).toEqual(["a: Two words", "a: three", "a: four", "a: five"]);
});
