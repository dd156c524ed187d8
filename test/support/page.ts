/** Pages of docs/ whose commands can be pasted one after another, and which show what they print. */
import { expect } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnv, COMMAND, type Peal } from "./server.ts";

/** The text of a page in the repository, such as `docs/check-ins.md`. */
export const pageAt = (path: string): string => readFileSync(join(import.meta.dir, "../..", path), "utf8");

export interface Block {
  commands: string;
  /** The output that the page shows below them; `…` stands for anything. */
  shown?: string;
}

/** Blocks of `sh`, each with the block of `text` that follows it. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let before = "";
  for (const [, language = "", text = ""] of page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
    const last = blocks.at(-1);
    if (language === "sh") blocks.push({ commands: text });
    if (language === "text" && before === "sh" && last !== undefined) last.shown = text;
    before = language;
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

/** Pastes the blocks of a page into one shell, with `peal` on its path. Returns what each of them printed. */
export async function pasted(peal: Peal, blocks: readonly string[]): Promise<string[]> {
  const bin = mkdtempSync(join(tmpdir(), "peal-page-"));
  writeFileSync(join(bin, "peal"), `#!/bin/sh\nexec ${COMMAND.join(" ")} "$@"\n`, { mode: 0o755 });
  const settings = { PEAL_DATA_DIR: peal.dataDir };
  const shell = Bun.spawn(["sh", "-eu"], {
    env: cleanEnv({ ...settings, PATH: `${bin}:${process.env["PATH"] ?? ""}` }),
    stdin: Buffer.from(blocks.map((commands) => `${commands}\nprintf '${BETWEEN}'\n`).join("")),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  return stdout.split(BETWEEN).map((text) => text.trimEnd());
}

/**
 * Pastes all blocks of a page, in order, and expects the output that the page shows. `here` adapts the page's text to
 * this server.
 */
export async function expectPage(peal: Peal, page: string, here: (text: string) => string): Promise<void> {
  const blocks = blocksOf(page);
  const printed = await pasted(
    peal,
    blocks.map(({ commands }) => here(commands)),
  );
  for (const [n, { commands, shown = "" }] of blocks.entries())
    expect(printed[n], commands).toMatch(pattern(here(shown)));
}

/** Replaces the page's address and key by those of this server. */
export const onServer =
  (peal: Peal) =>
  (text: string): string =>
    text.replaceAll("http://localhost:7325", peal.url).replaceAll("svc_…", peal.adminKey);
