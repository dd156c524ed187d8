/** The commands of docs/check-ins.md, pasted one after another into a shell, print what the page says. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const ROOT = join(import.meta.dir, "../..");

interface Block {
  commands: string;
  /** What the page shows below them; `…` stands for anything. */
  shown?: string;
}

/** Blocks of `sh`, each with the block of `text` that follows it. */
function blocksOf(page: string): Block[] {
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

/** As a pattern: with any text for `…`, and any spaces where columns are aligned. */
const pattern = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .trimEnd()
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ {2,}/g, " +"))
      .join("[^]*")}$`,
  );

const BETWEEN = "\x1e"; // a record separator

/** Pastes the blocks of a page into one shell, in which `peal` is on the path. What each of them printed. */
async function pasted(peal: Peal, blocks: readonly string[]): Promise<string[]> {
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

testWith(Bun.which("curl") === null ? "no curl" : undefined)("docs/check-ins.md can be pasted, in order", async () => {
  await using peal = await startPeal();
  const here = (text: string) => text.replaceAll("http://localhost:7325", peal.url).replaceAll("svc_…", peal.adminKey);
  const blocks = blocksOf(readFileSync(join(ROOT, "docs/check-ins.md"), "utf8"));
  expect(blocks.length).toBeGreaterThan(15);
  const printed = await pasted(
    peal,
    blocks.map(({ commands }) => here(commands)),
  );
  for (const [n, { commands, shown = "" }] of blocks.entries())
    expect(printed[n], commands).toMatch(pattern(here(shown)));
});

test("the three lines of README watch a cron job", async () => {
  await using peal = await startPeal();
  const [, section = ""] =
    /^## Watch a cron job\n([^]*?)^## /m.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
  const [{ commands } = { commands: "" }] = blocksOf(section);
  expect(commands.trimEnd().split("\n")).toHaveLength(3);
  const folder = mkdtempSync(join(tmpdir(), "peal-readme-"));
  const here = commands.replaceAll("/etc/cron.d", folder);
  const [list, again] = await pasted(peal, [here, here]);
  expect(again).toBe(list);
  const crontab = readFileSync(join(folder, "nas-backup"), "utf8");
  const [, url = ""] = /^30 2 \* \* \* root \/usr\/local\/bin\/peal run --check (\S+) -- \S+\n$/.exec(crontab) ?? [];
  expect(list).toMatch(/^nas-backup +nas-backup +new, no success yet +30 2 \* \* \* Europe\/Berlin /m);
  expect((await peal.request(url)).status).toBe(200);
});
