/** `npm run docs`: writes the tables of docs/ that are made from the source. A test asks that they are up to date. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { settings } from "../config/schema.ts";
import { problemTable } from "../http/problem.ts";

const DOCS = join(import.meta.dir, "../../docs");

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string | undefined): string => (text === undefined ? "–" : `\`${text}\``);
const rows = (lines: readonly (readonly string[])[]): string =>
  lines.map((cells) => `| ${cells.map(cell).join(" | ")} |\n`).join("");

const settingsTable = (): string =>
  rows([
    ["setting", "default", "meaning", "accepted form"],
    ["---", "---", "---", "---"],
    ...settings.map(({ env, default: value, description, form }) => [code(env), code(value), description, form]),
  ]);

const errorsTable = (): string =>
  rows([
    ["status", "code", "title"],
    ["---", "---", "---"],
    ...problemTable.map((problem) => [String(problem.status), code(problem.code), problem.title]),
  ]);

/** File of docs/ by the table that it has between `<!-- made: … -->` and `<!-- end -->`. */
export const TABLES: ReadonlyMap<string, () => string> = new Map([
  ["configuration.md", settingsTable],
  ["errors.md", errorsTable],
]);

/** The file with its table as it has to be now. */
export async function withTable(file: string): Promise<{ is: string; shouldBe: string }> {
  const is = await readFile(join(DOCS, file), "utf8");
  const table = TABLES.get(file)?.() ?? "";
  const shouldBe = is.replace(
    /(<!-- made by `npm run docs` -->\n)[^]*?(<!-- end -->)/,
    (_, start: string, end: string) =>
      [start, "<!-- prettier-ignore-start -->\n\n", table, "\n<!-- prettier-ignore-end -->\n", end].join(""),
  );
  return { is, shouldBe };
}

if (import.meta.main)
  for (const file of TABLES.keys()) await writeFile(join(DOCS, file), (await withTable(file)).shouldBe);
