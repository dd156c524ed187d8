/** `npm run docs`: writes the parts of docs/ that are made from the source. A test checks that they are up to date. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SECTIONS } from "../cli/commands.ts";
import { usage } from "../cli/help.ts";
import { settings } from "../config/schema.ts";
import { problemTable } from "../http/problem.ts";
import { ROWS } from "../messages/reading/fields.ts";
import { HOOK_TOOLS, MANUAL_TOOLS, type Shown } from "../pages/publishing/tools.ts";
import { said, type Setting } from "../rewrites/tool-setup.ts";
import { METRICS } from "../telemetry/metrics.ts";
import { exampleRows } from "./examples.ts";

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

const metricsTable = (): string =>
  rows([
    ["metric", "type", "labels", "meaning"],
    ["---", "---", "---", "---"],
    ...METRICS.map(({ name, type, labels, help }) => [code(name), type, codes(labels), help]),
  ]);

const codes = (words: readonly string[]): string => words.map(code).join(" ") || "–";

const fieldsTable = (): string =>
  rows([
    ["field", "also", "short", "as a header", "understood", "limits"],
    ["---", "---", "---", "---", "---", "---"],
    ...ROWS.map(({ field, also, short, bare, understood, limits = "–" }) => [
      ...[code(field), codes(also), codes(short), codes(bare.filter((name) => !short.includes(name)))],
      ...[understood, limits],
    ]),
  ]);

const groups = await Promise.all(
  SECTIONS.map(async ({ title, commands }) => ({
    title,
    commands: await Promise.all(commands.map(async ([, load]) => load())),
  })),
);

/** Each command with what it does, by task. */
const commandsTable = (): string =>
  groups
    .map(({ title, commands }) => {
      const head = [
        ["command", "what it does"],
        ["---", "---"],
      ];
      return `### ${title}\n\n${rows([...head, ...commands.map((command) => [code(usage(command)), command.summary])])}`;
    })
    .join("\n");

/** The settings as the pages show them, for a server at peal.example. */
const toolSettings = ({ place }: Pick<Shown, "place">, settings: readonly Setting[]): string =>
  [
    `${said(place, "en")}:\n`,
    ...settings.map(({ label, value, isChoice }) =>
      isChoice === true
        ? `- ${said(label, "en")}: **${value}**`
        : `- ${said(label, "en")}:\n\n${indented(`\`\`\`text\n${value}\n\`\`\``)}\n`,
    ),
  ].join("\n");

/** Each tool that takes the URL of a hook, with what its owner has to know. */
const hookTools = (): string =>
  HOOK_TOOLS.map((tool) =>
    [
      `## ${tool.title}\n\n`,
      `${toolSettings(tool, tool.withHook("https://peal.example/v1/hook/h_…")).trimEnd()}\n`,
      ...(tool.notes === undefined ? [] : ["\n", tool.notes.join("\n"), "\n"]),
    ].join(""),
  ).join("\n");

const indented = (text: string): string => text.replaceAll(/^/gm, "  ");

/** For each file of docs/: the part between `<!-- made by … -->` and `<!-- end -->`. */
export const MADE: ReadonlyMap<string, () => string> = new Map([
  ["command-line.md", commandsTable],
  ["configuration.md", settingsTable],
  ["errors.md", errorsTable],
  ["from-ntfy.md", () => rows(exampleRows())],
  ["metrics.md", metricsTable],
  ["publish.md", fieldsTable],
  ["sources/others.md", hookTools],
  ...MANUAL_TOOLS.map((tool) => {
    const { page, topic } = tool.manual;
    const made = () => toolSettings(tool, tool.withKey(`https://peal.example/home/${topic}`, "svc_…"));
    return [`sources/${page}.md`, made] as const;
  }),
]);

/** The file as it is, and with its part as it has to be. */
export async function withMade(file: string): Promise<{ is: string; shouldBe: string }> {
  const is = await readFile(join(DOCS, file), "utf8");
  const made = MADE.get(file)?.() ?? "";
  const shouldBe = is.replace(
    /(<!-- made by `npm run docs` -->\n)[^]*?(<!-- end -->)/,
    (_, start: string, end: string) =>
      [start, "<!-- prettier-ignore-start -->\n\n", made, "\n<!-- prettier-ignore-end -->\n", end].join(""),
  );
  return { is, shouldBe };
}

if (import.meta.main)
  for (const file of MADE.keys()) await writeFile(join(DOCS, file), (await withMade(file)).shouldBe);
