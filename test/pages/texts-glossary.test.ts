/** English texts follow the glossary (WEB.md §9): one word for one thing, and no translationese. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import ts from "typescript";
import { HOOK_TOOLS, KEY_TOOLS } from "../../src/pages/publishing/tools.ts";

/** The words in backticks in the last column of the table, and below it. */
async function bannedWords(): Promise<string[]> {
  const [, glossary = ""] = (await Bun.file("docs/design/WEB.md").text()).split(/^## \d+\. Glossary$/m);
  const [, table = "", below = ""] = /^([^]*\|\n)\n([^]*?)(?:\n## |$)/.exec(glossary) ?? [];
  const never = table.split("\n").map((row) => row.split("|").at(-2) ?? "");
  return [...`${never.join(" ")} ${below}`.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}

/** The texts of a file, by line; names of entries and keys of maps are not read by people. */
function saidIn(text: string): [line: number, words: string][] {
  const source = ts.createSourceFile("texts.ts", text, ts.ScriptTarget.Latest, true);
  const said: [number, string][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      said.push([source.getLineAndCharacterOfPosition(node.getStart()).line + 1, node.text]);
    ts.forEachChild(node, (child) => {
      if (!isName(child)) visit(child);
    });
  };
  visit(source);
  return said;
}

const isName = (node: ts.Node): boolean =>
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (isPair(node.parent) && node.pos === node.parent.elements.pos);

/** An entry of a `new Map([[key, value]])`. */
const isPair = (node: ts.Node): node is ts.ArrayLiteralExpression =>
  ts.isArrayLiteralExpression(node) &&
  ts.isArrayLiteralExpression(node.parent) &&
  ts.isNewExpression(node.parent.parent);

function refusedIn(text: string, banned: readonly string[]): string[] {
  const words = banned.map((word) => RegExp.escape(word).replaceAll("\\x20", "\\s+")).join("|");
  const pattern = new RegExp(String.raw`(?<![\p{L}-])(?:${words})(?![\p{L}-])|\p{L}'\p{L}`, "giu");
  return saidIn(text).flatMap(([line, said]) => [...said.matchAll(pattern)].map(([found]) => `${line}: ${found}`));
}

test("no English text uses a word that the glossary replaces", async () => {
  const banned = await bannedWords();
  for (const word of ["alarm", "told", "such as", "cannot"]) expect(banned).toContain(word);
  const files = [...new Glob("src/pages/texts/en/**/*.ts").scanSync(".")].toSorted();
  expect(files.length).toBeGreaterThan(20);
  const found = await Promise.all(
    files.map(async (file) => refusedIn(await Bun.file(file).text(), banned).map((where) => `${file}:${where}`)),
  );
  expect(found.flat()).toEqual([]);
  const ofTools = [...KEY_TOOLS, ...HOOK_TOOLS].flatMap(({ place, withKey, withHook }) => {
    const settings = [...(withKey?.("", "") ?? []), ...(withHook?.("") ?? [])];
    return [place, ...settings.map(({ label }) => label)].filter((words) => typeof words !== "string");
  });
  expect(refusedIn(`export const a = ${JSON.stringify(ofTools.map(({ en }) => en))};`, banned)).toEqual([]);
});

test("a banned word would be found: in a sentence, around a placeholder, and in the value of a map", () => {
  const text = `export const a = {
    told: "Told {}.",
    b: (n: number) => \`\${n} alarms, such  as\`,
    c: new Map([["somebody", "Nobody is told"]]),
    d: "It can't. Bold, retold, untold-of.",
  };`;
  expect(refusedIn(text, ["told", "alarm", "alarms", "such as", "somebody"])).toEqual([
    "2: Told",
    "3: alarms",
    "3: such  as",
    "4: told",
    "5: n't",
  ]);
});
