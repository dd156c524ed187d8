/** How others run it: the systemd unit in docs/configuration.md, and the image. */
import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testWith } from "../support/tools.ts";

async function unit(): Promise<string> {
  const text = await Bun.file("docs/configuration.md").text();
  const [, block = ""] = /```ini\n([^]*?)```/.exec(text) ?? [];
  expect(block).toContain("[Service]");
  return block.replace("/usr/local/bin/peal", process.execPath); // systemd requires that the file exists
}

test("the unit gives peal no capability, few system calls and address families, and keeps its files private", async () => {
  const lines = new Set((await unit()).split("\n"));
  // prettier-ignore
  for (const line of [
    "CapabilityBoundingSet=", "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged @resources",
    "SystemCallErrorNumber=EPERM", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", "UMask=0077",
  ])
    expect(lines).toContain(line);
  expect(lines).not.toContain("MemoryDenyWriteExecute=yes"); // bun compiles code at run time
});

testWith("systemd-analyze")("systemd finds nothing wrong with the unit, and little that is exposed", async () => {
  const directory = await mkdtemp(join(tmpdir(), "peal-test-"));
  try {
    const file = join(directory, "peal.service");
    await writeFile(file, await unit(), { mode: 0o600 });
    const analyze = (...args: string[]) => Bun.spawnSync(["systemd-analyze", ...args, file]);
    expect(analyze("verify", "--man=no").stderr.toString()).not.toContain("peal.service");
    const { exitCode, stdout } = analyze("security", "--offline=yes", "--threshold=20"); // in tenths: 2.0 of 10
    expect(stdout.toString()).toContain("Overall exposure level");
    expect(exitCode).toBe(0);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("every base image in the Dockerfile is pinned by its digest", async () => {
  const bases = (await Bun.file("Dockerfile").text()).match(/^(?:FROM|# *syntax).*$/gim) ?? [];
  expect(bases.length).toBeGreaterThan(1);
  for (const base of bases) expect(base).toMatch(/^FROM \S+:[\w.-]+@sha256:[0-9a-f]{64}(?: AS \w+)?$/);
});
