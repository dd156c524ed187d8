/** The catalogue has no unused text: the type checker finds the uses, because many texts share a name. */
import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { Glob } from "bun";
import ts from "typescript";

/** Passed on whole, or looked up by a computed name: each of their names occurs somewhere as a word of the program. */
const BY_NAME = /^(?:live|worker)\.|\.flash\.|^error\.pages\.|^notify\.step/;

const TEXTS = "/src/pages/texts/";
/** The files that make pages, and those that use some of their texts elsewhere. */
const SPEAKING = /\/src\/(?:pages|setup|build)\//;
const files = (pattern: string): string[] => [...new Glob(pattern).scanSync(".")].map((file) => resolve(file));

/** Each text of a catalogue that is an object literal, by its path. */
function textsIn(source: ts.SourceFile): Map<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  const add = (node: ts.Node, path: string): void => {
    if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return;
    const here = `${path}.${node.name.getText().replaceAll('"', "")}`;
    let value: ts.Expression | undefined = ts.isPropertyAssignment(node) ? node.initializer : undefined;
    if (value !== undefined && (ts.isSatisfiesExpression(value) || ts.isAsExpression(value))) value = value.expression;
    if (value !== undefined && ts.isObjectLiteralExpression(value)) value.properties.forEach((one) => add(one, here));
    else found.set(here, node);
  };
  for (const statement of source.statements)
    if (ts.isVariableStatement(statement) && statement.modifiers !== undefined)
      for (const { name, initializer } of statement.declarationList.declarations)
        if (initializer !== undefined && ts.isObjectLiteralExpression(initializer))
          initializer.properties.forEach((one) => add(one, name.getText()));
  return found;
}

/** The declarations that a file reads: by a dot, by an index or by destructuring. */
function readIn(source: ts.SourceFile, checker: ts.TypeChecker, names: ReadonlySet<string>): ts.Node[] {
  const found: ts.Node[] = [];
  const note = (symbol: ts.Symbol | undefined) => found.push(...(symbol?.declarations ?? []));
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      if (names.has(node.name.text)) note(checker.getSymbolAtLocation(node.name));
    } else if (ts.isElementAccessExpression(node)) {
      const index = checker.getTypeAtLocation(node.argumentExpression);
      const asked = index.isUnion() ? index.types : [index];
      const object = checker.getNonNullableType(checker.getTypeAtLocation(node.expression));
      for (const one of checker.getPropertiesOfType(object))
        if (asked.some((type) => !type.isStringLiteral() || type.value === one.name)) note(one);
    } else if (ts.isObjectBindingPattern(node)) {
      for (const { name, propertyName = name } of node.elements)
        if (ts.isIdentifier(propertyName) && names.has(propertyName.text))
          note(checker.getPropertyOfType(checker.getTypeAtLocation(node), propertyName.text));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The words of the programs for pages and browsers, in which a text is looked up by its name. */
async function wordsOf(paths: readonly string[]): Promise<Set<string>> {
  const sources = await Promise.all(paths.map(async (path) => Bun.file(path).text()));
  return new Set(sources.flatMap((source) => source.match(/\w+/g) ?? []));
}

/** Without packages: no text is read through them, and they are most of the code. */
function programOf(paths: readonly string[], options: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, from, redirected, given) =>
    literals.map(({ text }) =>
      text.startsWith(".")
        ? ts.resolveModuleName(text, from, given, host, undefined, redirected)
        : { resolvedModule: undefined },
    );
  return ts.createProgram(paths, { ...options, types: [] }, host);
}

test("every text of the catalogue is used somewhere", async () => {
  const { config } = ts.readConfigFile("tsconfig.json", (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ".");
  const paths = files("src/**/*.{ts,tsx}");
  const program = programOf(
    paths.filter((path) => SPEAKING.test(path)),
    options,
  );
  const checker = program.getTypeChecker();
  const sources = program.getSourceFiles();
  const texts = new Map(
    sources.filter(({ fileName }) => fileName.includes(`${TEXTS}en/`)).flatMap((source) => [...textsIn(source)]),
  );
  expect(texts.size).toBeGreaterThan(800);
  const names = new Set([...texts.keys()].flatMap((path) => path.split(".")));
  const speaking = sources.filter(({ fileName }) => SPEAKING.test(fileName) && !fileName.includes(TEXTS));
  const read = new Set(speaking.flatMap((source) => readIn(source, checker, names)));
  const words = await wordsOf([...paths.filter((path) => !path.includes(TEXTS)), ...files("static/**/*.ts")]);
  const isNamed = (path: string): boolean => BY_NAME.test(path) && path.split(".").every((name) => words.has(name));
  expect([...texts].filter(([path, node]) => !read.has(node) && !isNamed(path)).map(([path]) => path)).toEqual([]);
}, 180_000); // the compiler takes seconds, and a minute on a busy machine
