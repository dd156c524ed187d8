/** The commit that a release is made of. */

export interface Commit {
  id: string;
  /** The time of the commit, epoch s: of every file in the release (https://reproducible-builds.org/docs/source-date-epoch/). */
  at: number;
}

/** @throws Error where files differ from the commit: nobody could build the release again */
export async function commitOf(folder: string): Promise<Commit> {
  const changed = await git(folder, "status", "--porcelain");
  if (changed !== "") throw new Error(`a release is made from a commit, and these files differ from it:\n${changed}`);
  const [id = "", at] = (await git(folder, "log", "-1", "--format=%H %ct")).split(" ");
  return { id, at: Number(at) };
}

async function git(folder: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn(["git", "-C", folder, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const said = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`git ${words.join(" ")} failed`);
  return said.trimEnd();
}
