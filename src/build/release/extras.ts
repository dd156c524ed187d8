/** What goes with the program: the files of deploy/, the manual page and completions. */
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../compile.ts";
import { tar, type Entry } from "../image/tar.ts";

const ARCHIVE = "peal-extras.tar.gz";
/** They are files of the release as well, because what installs most machines needs no more than one of them. */
const ALONE = ["compose.yaml", "peal.service"];

/** What the program prints, and where systems look for it below a prefix such as /usr/local. */
const PRINTED = [
  ["share/man/man1/peal.1", "man"],
  ["share/bash-completion/completions/peal", "completion bash"],
  ["share/zsh/site-functions/_peal", "completion zsh"],
  ["share/fish/vendor_completions.d/peal.fish", "completion fish"],
] as const;

/** Writes the files to `folder`; `program` is peal for this machine. `at`: epoch s. Resolves to their names. */
export async function writeExtras(folder: string, program: readonly string[], at: number): Promise<string[]> {
  const deploy = [...new Bun.Glob("**/*").scanSync(join(ROOT, "deploy"))].map((path) => `deploy/${path}`);
  const entries = await Promise.all([
    ...[...deploy, "LICENSE"].map(async (path) => entry(path, await readFile(join(ROOT, path)))),
    ...PRINTED.map(async ([path, words]) => entry(path, await printed([...program, ...words.split(" ")]))),
  ]);
  // of the compressors in Bun, this one makes the same bytes on every machine
  const archive = Bun.gzipSync(tar(entries, at), { library: "libdeflate", level: 9 });
  await writeFile(join(folder, ARCHIVE), archive);
  for (const file of ALONE) await copyFile(join(ROOT, "deploy", file), join(folder, file));
  return [ARCHIVE, ...ALONE];
}

const entry = (path: string, content: Uint8Array): Entry => ({
  path: `peal-extras/${path}`,
  mode: path.endsWith(".sh") ? 0o755 : 0o644,
  content,
});

async function printed(command: readonly string[]): Promise<Uint8Array> {
  const child = Bun.spawn([...command], { stdio: ["ignore", "pipe", "inherit"] });
  const text = await child.stdout.bytes();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
  return text;
}
