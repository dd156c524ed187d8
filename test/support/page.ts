/** Pages of docs/ whose commands can be pasted one after another, and which show what they print. */
import { expect } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnv, COMMAND, type Peal } from "./server.ts";

/** The text of a page in the repository, such as `docs/check-ins.md`. */
export const pageAt = (path: string): string => readFileSync(join(import.meta.dir, "../..", path), "utf8");

/** A fenced block of a page, without the indentation that it has in a list. */
export interface Fence {
  language: string;
  text: string;
  /** The words of the HTML comment right before it that say why no test runs it, or which other test does. */
  mark?: string;
}

const MARK = "<!-- ((?:not run by tests: |run by test\\/)[^>]+) -->\\n+";
const FENCE = new RegExp(`(?:^ *${MARK})?^( *)\`\`\`([^\\n]*)\\n([^]*?)^\\2\`\`\`$`, "gm");

export const fencesOf = (page: string): Fence[] =>
  [...page.matchAll(FENCE)].map(([, mark, indentation = "", language = "", text = ""]) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indentation}`, "gm"), ""),
    ...(mark !== undefined && { mark }),
  }));

export interface Block {
  commands: string;
  /** The output that the page shows below them; `…` stands for anything. */
  shown?: string;
}

/** Blocks of `sh` that carry no mark, each with the block of `text` that follows it. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let before = "";
  for (const { language, text, mark } of fencesOf(page)) {
    const last = blocks.at(-1);
    if (language === "sh" && mark === undefined) blocks.push({ commands: text });
    if (language === "text" && before === "sh" && last !== undefined) last.shown = text;
    before = mark === undefined ? language : "marked";
  }
  return blocks;
}

/** A pattern with any text for `…`, and any number of spaces where columns are aligned. */
export const pattern = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .trimEnd()
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ {2,}/g, " +"))
      .join("[^]*")}$`,
  );

const BETWEEN = "\x1e"; // a record separator

/** The blocks as the input of one shell; `printedBy` parts what it prints. */
export const forOneShell = (blocks: readonly string[]): string =>
  blocks.map((commands) => `${commands}\nprintf '${BETWEEN}'\n`).join("");

/** What each block printed. */
export const printedBy = (stdout: string): string[] => stdout.split(BETWEEN).map((text) => text.trimEnd());

export interface Around {
  /** Where the blocks are pasted. Absent: an empty folder. */
  cwd?: string;
  /** Variables that the page takes as set. */
  env?: Record<string, string>;
  /** Blocks without output on the page may print some. */
  mayPrint?: boolean;
  /** What a person types when `peal admin` asks for a password. */
  typed?: string;
}

/** Pastes the blocks of a page into one shell, with `peal` on its path. Returns what each of them printed. */
export async function pasted(peal: Peal, blocks: readonly string[], around: Around = {}): Promise<string[]> {
  const { cwd = mkdtempSync(join(tmpdir(), "peal-pasted-")), env = {}, typed = "" } = around;
  const bin = mkdtempSync(join(tmpdir(), "peal-page-"));
  writeFileSync(join(bin, "typed"), `${typed}\n`);
  const admin = `[ "$1" != admin ] || exec <${join(bin, "typed")}`; // the shell's own input is the page
  writeFileSync(join(bin, "peal"), `#!/bin/sh\n${admin}\nexec ${COMMAND.join(" ")} "$@"\n`, { mode: 0o755 });
  const settings = { PEAL_DATA_DIR: peal.dataDir, ...env };
  const shell = Bun.spawn(["sh", "-eu"], {
    cwd,
    env: cleanEnv({ ...settings, PATH: `${bin}:${process.env["PATH"] ?? ""}` }),
    stdin: Buffer.from(forOneShell(blocks)),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  return printedBy(stdout);
}

/**
 * Pastes all blocks of a page, in order, and expects the output that the page shows. `here` adapts the page's text to
 * this server.
 */
export async function expectPage(
  peal: Peal,
  page: string,
  here: (text: string) => string,
  around: Around = {},
): Promise<void> {
  const blocks = blocksOf(page);
  const printed = await pasted(
    peal,
    blocks.map(({ commands }) => here(commands)),
    around,
  );
  for (const [n, { commands, shown = around.mayPrint === true ? "…" : "" }] of blocks.entries())
    expect(printed[n], commands).toMatch(pattern(here(shown)));
}

/** Replaces the page's address and key by those of this server. */
export const onServer =
  (peal: Peal) =>
  (text: string): string =>
    text.replaceAll("http://localhost:7325", peal.url).replaceAll("svc_…", peal.adminKey);
