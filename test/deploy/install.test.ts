/** docs/install.md: its commands run, or say that no test runs them; every file that it names is there. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { Glob } from "bun";
import { expectPage, pageAt } from "../support/page.ts";
import { startPeal } from "../support/server.ts";

const PAGE = pageAt("docs/install.md");
/** Without the indentation that blocks in lists have. */
const flat = PAGE.replaceAll(/^ {2,3}/gm, "");
const MARKED = /<!-- (not run by tests: [^>]+|run by (test\/\S+), [^>]+) -->\n+```sh\n[^]*?^```$/gm;

test("the commands that run on any machine print what the page shows, on a server that nobody has claimed", async () => {
  await using peal = await startPeal({ unclaimed: true });
  await expectPage(peal, flat.replaceAll(MARKED, ""), (text) => text);
});

test("no other block of the page is for a shell, and those of other tests are in them", () => {
  const languages = [...flat.matchAll(/^```(\w*)\n[^]*?^```$/gm)].map(([, language = ""]) => language);
  expect(new Set(languages)).toEqual(new Set(["sh", "text"]));
  const elsewhere = [...flat.matchAll(MARKED)].flatMap(([, , file]) => (file === undefined ? [] : [file]));
  expect(elsewhere).toEqual(["test/deploy/proxmox.test.ts"]);
  expect(readFileSync("test/deploy/proxmox.test.ts", "utf8")).toContain("proxmox-lxc.sh");
});

/** What a release has besides deploy/. */
const RELEASED = /^peal-(?:oci\.tar|linux-(?:x64|arm64))$/;

test("every file that the page names is in deploy/ or on the release page", () => {
  const commands = [...flat.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = ""]) => text).join("");
  const files = [...commands.matchAll(/(?<![/\w.-])([\w.-]+\.(?:yaml|service|container|sh|tar)|peal-linux-\w+)\b/g)];
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

test("each way ends with the link, and links of the page lead somewhere", () => {
  const parts = PAGE.split(/^## /m).slice(1);
  const ways = parts.filter((part) => !/^(?:Is it working|Upgrade|Monitoring)/.test(part));
  expect(ways.length).toBe(10);
  for (const way of ways) expect(way).toMatch(/\*\*open\s+the\s+link\s+from\s+the\s+log/i);
  const anchors = parts.map((part) =>
    (part.split("\n")[0] ?? "")
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
  const wanted = [...PAGE.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);
  expect(wanted.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  const pages = [...PAGE.matchAll(/\]\(([\w./-]+\.md)/g)].map(([, page = ""]) => page);
  expect(pages.filter((page) => !existsSync(`docs/${page}`))).toEqual([]);
});
