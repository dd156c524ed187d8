/** The commands of docs/check-ins.md, pasted one after another into a shell, print what the page says. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf, expectPage, onServer, pageAt, pasted } from "../support/page.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

testWith("curl")("docs/check-ins.md can be pasted, in order", async () => {
  await using peal = await startPeal();
  const page = pageAt("docs/check-ins.md");
  expect(blocksOf(page).length).toBeGreaterThan(15);
  await expectPage(peal, page, onServer(peal));
});

test("the three lines in the README watch a cron job", async () => {
  await using peal = await startPeal();
  const [, section = ""] = /^## Monitor a cron job\n([^]*?)^## /m.exec(pageAt("README.md")) ?? [];
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
