/** docs/install.md: its commands run (test/cli/manual.test.ts says which do not), and every file that it names is there. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Glob } from "bun";
import { blocksOf, expectPage, fencesOf, pageAt } from "../support/page.ts";
import { startPeal } from "../support/server.ts";

const PAGE = pageAt("docs/install.md");
const FENCES = fencesOf(PAGE);

test("the commands that run on any machine print what the page shows, on a server that nobody has claimed", async () => {
  await using peal = await startPeal({ unclaimed: true });
  expect(blocksOf(PAGE).length).toBe(2);
  await expectPage(peal, PAGE, (text) => text);
});

/** What a release has besides deploy/. */
const RELEASED = /^peal-(?:oci(?:-arm64)?\.tar|extras\.tar\.gz|linux-(?:x64|arm64))$/;

test("every file that the page names is in deploy/ or on the release page", () => {
  const commands = FENCES.map(({ language, text }) => (language === "sh" ? text : "")).join("");
  const files = [
    ...commands.matchAll(/(?<![/\w.-])([\w.-]+\.(?:yaml|service|container|sh|tar(?:\.gz)?)|peal-linux-\w+)\b/g),
  ];
  const words = [
    ...PAGE.matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:yaml|xml|json|container|service|sh|conf|tar)|Caddyfile)`/g),
  ];
  const named = new Set([...files, ...words].map(([, file = ""]) => file));
  expect(named.size).toBeGreaterThan(15);
  const missing = [...named].filter((file) => !RELEASED.test(file) && !existsSync(`deploy/${file}`));
  // on the flash drive it lies without its folder
  expect(missing).toEqual(["unraid.xml"]);
});

test("every file in deploy/ is named by the page and by the table of deploy/", () => {
  const table = pageAt("deploy/README.md");
  const files = [...new Glob("**/*").scanSync("deploy")].filter((file) => file !== "README.md");
  expect(files.length).toBeGreaterThan(15);
  const isNamed = (text: string) => (file: string) =>
    text.includes(file) ||
    text.includes(`${file.slice(0, file.indexOf("/") + 1) || "\0"}\``) ||
    text.includes(`folder \`${file.split("/")[0]}\``);
  expect(files.filter((file) => !isNamed(table)(file))).toEqual([]);
  expect(files.filter((file) => !isNamed(PAGE)(file))).toEqual([]);
});

test("each way ends with the link", () => {
  const parts = PAGE.split(/^## /m).slice(1);
  const ways = parts.filter((part) => !/^(?:Is it working|Manual page|Upgrade|Monitoring)/.test(part));
  expect(ways.length).toBe(10);
  for (const way of ways) expect(way).toMatch(/\*\*open\s+the\s+link\s+from\s+the\s+log/i);
});
