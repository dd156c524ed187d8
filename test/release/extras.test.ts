/** What a release has beside the programs: deploy/, the manual page and completions. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import { writeExtras } from "../../src/build/release/extras.ts";
import { writeSums } from "../../src/build/release/sums.ts";
import { pageAt } from "../support/page.ts";
import { peal } from "../support/command.ts";
import { COMMAND } from "../support/server.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-extras-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const bytesOf = (...path: string[]): Buffer => readFileSync(join(folder, ...path));

test("the archive has deploy/, the licence, and what `peal man` and `peal completion` print; the sums fit", async () => {
  const files = await writeExtras(folder, COMMAND, 1_700_000_000);
  await writeSums(folder, files);
  for (const command of ["sha256sum --check --quiet SHA256SUMS", "tar -xzf peal-extras.tar.gz"])
    expect(Bun.spawnSync(command.split(" "), { cwd: folder }).exitCode).toBe(0);
  for (const file of new Glob("**/*").scanSync("deploy"))
    expect(bytesOf("peal-extras/deploy", file).equals(readFileSync(join("deploy", file)))).toBe(true);
  expect(bytesOf("peal-extras/LICENSE").toString()).toBe(pageAt("LICENSE"));
  // prettier-ignore
  for (const [file, ...words] of [
    ["man/man1/peal.1", "man"],
    ["bash-completion/completions/peal", "completion", "bash"],
    ["zsh/site-functions/_peal", "completion", "zsh"],
    ["fish/vendor_completions.d/peal.fish", "completion", "fish"],
  ] as const)
    expect(bytesOf("peal-extras/share", file).toString()).toBe((await peal(words)).stdout);
  expect(statSync(join(folder, "peal-extras/deploy/proxmox-lxc.sh")).mode & 0o111).not.toBe(0);
  expect(bytesOf("peal.service").toString()).toBe(pageAt("deploy/peal.service"));
  expect(bytesOf("compose.yaml").toString()).toBe(pageAt("deploy/compose.yaml"));
});

test("the same commit gives the same bytes", async () => {
  const before = bytesOf("peal-extras.tar.gz");
  await writeExtras(folder, COMMAND, 1_700_000_000);
  expect(bytesOf("peal-extras.tar.gz").equals(before)).toBe(true);
});
