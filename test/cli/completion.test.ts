/** Completion in the shells themselves, and the manual page in the programs that show it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peal } from "../support/command.ts";
import { testWith } from "../support/tools.ts";

let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "peal-shell-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a shell offers after `line`, the last word of which has been begun. */
type Offers = (line: string) => Promise<string[]>;

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await peal(["completion", shell]);
  expect(code).toBe(0);
  const path = join(folder, `_peal.${shell}`);
  writeFileSync(path, stdout);
  return path;
}

async function said(command: readonly string[]): Promise<string[]> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = (await child.stdout.text()).split("\n").filter((line) => line.trim() !== "");
  expect(await child.exited).toBe(0);
  return lines;
}

const inBash: Offers = async (line) => {
  const script = `source ${await scriptFor("bash")}
    read -ra COMP_WORDS <<< "$1"; [[ $1 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    compopt() { COMPREPLY=($(compgen -f -- "$cur")); }
    complete -p peal > /dev/null && _peal; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const offered = await said(["bash", "--norc", "-c", script, "bash", line.replace("=", " = ")]);
  return [...new Set(offered)]; // a command may be in two folders of PATH
};

const inFish: Offers = async (line) => {
  const lines = await said([
    "fish",
    "--no-config",
    "-c",
    "source $argv[1]; complete -C $argv[2]",
    await scriptFor("fish"),
    line,
  ]);
  return lines.map((each) => (each.split("\t")[0] ?? "").replace(/^--[a-z-]+=/, ""));
};

/** In a terminal of zsh's own: its completion works nowhere else. It types the line, a tab and enter; what it ran is what was completed. */
const inZsh: Offers = async (line) => {
  const script = `zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1=; cd $1; autoload -Uz compinit; compinit -D -u; source $2; peal() { print -r -- ran: \\$* :ran }"
    zpty -w -n shell "$3"$'\\t\\n'
    zpty -r shell out '*ran: [^$]*:ran*'
    print -r -- $out`;
  const lines = await said(["zsh", "-f", "-c", script, "zsh", folder, await scriptFor("zsh"), line]);
  const ran = lines.flatMap((each) => /ran: ([^$]*) :ran/.exec(each)?.[1] ?? []).at(-1) ?? "";
  return [(ran.split(" ").at(-1) ?? "").replace(/^--[a-z-]+=(?=.)/, "")];
};

// prettier-ignore
const LINES: [promise: string, line: string, offered: string[]][] = [
  ["a command",                   "peal integ",                      ["integrity"]],
  ["a group of commands",         "peal names",                      ["namespaces"]],
  ["a second word",               "peal keys cr",                    ["create"]],
  ["a second word of one alone",  "peal devices te",                 ["test"]],
  ["a word of help",              "peal help integ",                 ["integrity"]],
  ["a flag",                      "peal keys create --na",           ["--name", "--namespace"]],
  ["a flag after an argument",    "peal checks rotate nas --ov",     ["--overlap"]],
  ["a setting",                   "peal serve --retention-m",        ["--retention-messages", "--retention-messages-file"]],
  ["a setting without a command", "peal --retention-m",              ["--retention-messages", "--retention-messages-file"]],
  ["where the data are",          "peal keys list --data",           ["--data-dir"]],
  ["a value of a few",            "peal keys create --scope pub",    ["publish"]],
  ["a value behind =",            "peal keys create --scope=pub",    ["publish"]],
  ["an answer",                   "peal checks update nas --armed y", ["yes"]],
  ["a first argument of a few",   "peal completion fi",              ["fish"]],
  ["a path",                      "peal integrity --file _peal.ba",  ["_peal.bash"]],
];

describe.each([
  ["bash", inBash],
  ["fish", inFish],
] as const)("%s completes", (shell, offers) => {
  for (const [promise, line, offered] of LINES)
    testWith(shell)(promise, async () => {
      await scriptFor("bash");
      expect((await offers(line)).sort()).toEqual(offered);
    });
  testWith(shell)("a command of the machine that `peal run` starts", async () => {
    expect(await offers("peal run --check x -- chmo")).toEqual(["chmod"]);
  });
  testWith(shell)("no text that nobody can guess", async () => {
    expect(await offers("peal keys create --name ")).toEqual([]);
    expect(await offers("peal topics show hom")).toEqual([]);
  });
});

describe("zsh completes", () => {
  for (const [promise, line, offered] of LINES)
    if (offered.length === 1)
      testWith("zsh")(promise, async () => {
        await scriptFor("bash");
        expect((await inZsh(line))[0]?.replace(/=$/, "")).toBe(offered[0] ?? "");
      });
  testWith("zsh")("a command of the machine that `peal run` starts", async () => {
    expect(await inZsh("peal run --check x -- chmo")).toEqual(["chmod"]);
  });
});

test("another shell is refused", async () => {
  expect(await peal(["completion", "tcsh"])).toMatchObject({ code: 64, stdout: "" });
});

describe("the manual page", () => {
  testWith("mandoc", "groff")("is roff without a fault, and names every command and setting", async () => {
    const { stdout } = await peal(["man"]);
    const path = join(folder, "peal.1");
    writeFileSync(path, stdout);
    expect(await said(["sh", "-c", 'mandoc -T lint -W warning "$1" 2>&1; true', "sh", path])).toEqual(
      [expect.stringContaining('missing date, using ""')], // a date would make two builds differ
    );
    expect(await said(["sh", "-c", 'groff -ww -mandoc -Tutf8 "$1" 2>&1 >/dev/null', "sh", path])).toEqual([]);
    const shown = (await said(["sh", "-c", 'mandoc -T ascii "$1" | col -bx', "sh", path])).join("\n");
    for (const text of ["peal keys create", "--scope <publish|", "--retention-days <value>", "EXIT STATUS"])
      expect(shown).toContain(text);
  });
});
