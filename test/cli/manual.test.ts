/**
 * The manual (README.md, docs/): each block of commands runs on a real server, or says above it why no test runs it; links
 * lead somewhere; errors are quoted as the source has them.
 */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { Glob } from "bun";
import { problemTable } from "../../src/http/problem.ts";
import { blocksOf, expectPage, fencesOf, onServer, pageAt, pasted, type Around } from "../support/page.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const PAGES = ["README.md", ...new Glob("docs/**/*.md").scanSync(".")].toSorted();
const TESTS = [...new Glob("test/**/*.test.ts").scanSync(".")].map((path) => ({ path, text: pageAt(path) }));

/** What a page takes for granted: what is there before it is pasted, and what it calls what is there. */
interface Setting extends Around {
  /** Makes what the page speaks of. Returns what else is replaced in its text. */
  before?: (peal: Peal) => Promise<Record<string, string>>;
}
const PASSWORD = "a sentence of some words";
/** `curl` as it is on a terminal, without a meter; and a refusal fails the page. */
const CURL_HOME = withFiles({ ".curlrc": "silent\nshow-error\nfail\n" });

/** Makes topic `backups` with a message, which the pages call number 17, and a check. */
async function asInHome(peal: Peal): Promise<Record<string, string>> {
  await peal.publish(await peal.topic("backups"), "done");
  expect((await peal.api("POST", "/v1/home/checks", { name: "NAS", slug: "nas-backup", every: "1d" })).status).toBe(
    201,
  );
  return { "home/backups 17": "home/backups 1", "/var/lib/peal": peal.dataDir };
}
async function aNamespace(peal: Peal): Promise<Record<string, string>> {
  await pasted(peal, ["peal namespaces create media"]);
  return {};
}
async function aHook(peal: Peal): Promise<Record<string, string>> {
  const made = await peal.api("POST", "/v1/home/hooks", { topic: "media", name: "Radarr" });
  return { "https://peal.example/v1/hook/h_…": ((await made.json()) as { url: string }).url };
}
/** Folders of a machine. */
const inFolder = (folder: string) => async () => Promise.resolve({ [folder]: withFiles({}) });
function withFiles(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "peal-manual-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The pages that are pasted here; `test/` has tests of its own for others, which are found by their text. */
const PASTED = new Map<string, Setting>([
  ["README.md", { mayPrint: true, before: inFolder("/etc/cron.d") }],
  ["docs/api.md", { mayPrint: true, env: { BUILD: "7" } }],
  ["docs/backup.md", { mayPrint: true, before: inFolder("/mnt/nas") }],
  ["docs/command-line.md", { mayPrint: true }],
  ["docs/comparison.md", { env: { CURL_HOME: "" } }],
  ["docs/first-steps.md", {}],
  ["docs/from-healthchecks.md", { mayPrint: true }],
  [
    "docs/publish.md",
    { mayPrint: true, before: aHook, cwd: withFiles({ "door.jpg": "a picture", "door.log": "a line" }) },
  ],
  ["docs/sign-in.md", { mayPrint: true, typed: PASSWORD, before: aNamespace }],
  ["docs/troubleshooting.md", { mayPrint: true, before: asInHome, typed: PASSWORD }],
  ["docs/upgrade.md", {}],
]);

testWith("curl").each([...PASTED])("%s can be pasted, in order", async (path, { before, ...around }) => {
  await using peal = await startPeal();
  const replaced = Object.entries({ ...(await before?.(peal)), "https://peal.example": peal.url });
  const here = (text: string) => replaced.reduce((all, [from, to]) => all.replaceAll(from, to), onServer(peal)(text));
  const page = pageAt(path);
  expect(blocksOf(page).length).toBeGreaterThan(0);
  await expectPage(peal, page, here, { ...around, env: { CURL_HOME, KEY: peal.adminKey, ...around.env } });
});

test.each(PAGES)("each command of %s is run by a test, or says why not", (path) => {
  const fences = fencesOf(pageAt(path));
  const isPasted =
    PASTED.has(path) || TESTS.some(({ text }) => text.includes(`pageAt("${path}")`) && text.includes("expectPage("));
  const unmarked = fences.filter(({ language, mark }) => language === "sh" && mark === undefined);
  expect(isPasted ? [] : unmarked).toEqual([]);
  expect(fences.filter(({ language }) => language === "" && !path.startsWith("docs/design/"))).toEqual([]);
  for (const { mark = "", text } of fences) {
    const [, runner] = /^run by (test\/[\w./-]+\.test\.ts)/.exec(mark) ?? [];
    if (runner === undefined) continue;
    const script = /[\w-]+\.sh\b/.exec(text)?.[0] ?? path;
    expect(TESTS.find((one) => one.path === runner)?.text, runner).toContain(script);
  }
});

/** Where a page links to, without what is elsewhere. */
const linksOf = (page: string): string[] =>
  [...page.replaceAll(/^( *)```[^]*?^\1```$/gm, "").matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = ""]) => to)
    .filter((to) => !/^[a-z]+:/.test(to));

/** The anchors that GitHub and Forgejo make of headings, and those that the page sets. */
function anchorsOf(page: string): Set<string> {
  const anchors = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  for (const [, title = ""] of page.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)) {
    const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    const times = anchors.filter((one) => one === anchor || one.startsWith(`${anchor}-`)).length;
    anchors.push(anchors.includes(anchor) ? `${anchor}-${times}` : anchor);
  }
  return new Set(anchors);
}

test.each([...PAGES, "CONTRIBUTING.md", "SECURITY.md", "deploy/README.md"])("links of %s lead somewhere", (path) => {
  const dead = linksOf(pageAt(path)).filter((link) => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : normalize(join(dirname(path), file)).replace(/\/$/, "");
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchorsOf(pageAt(target)).has(anchor);
  });
  expect(dead).toEqual([]);
});

test("every page can be reached from docs/README.md", () => {
  const seen = new Set<string>();
  const next = ["docs/README.md"];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (seen.has(path) || !existsSync(path)) continue;
    seen.add(path);
    for (const link of linksOf(pageAt(path)))
      if (/\.md(?:#|$)/.test(link)) next.push(normalize(join(dirname(path), link.split("#")[0] ?? "")));
  }
  expect(PAGES.filter((path) => !seen.has(path) && path !== "README.md")).toEqual([]);
});

/** All text of the source, as it reads: joined where it is broken over lines, `…` for what is filled in, straight quotes. */
const SOURCE = [...new Glob("src/**/*.{ts,tsx}").scanSync(".")]
  .map((path) => readFileSync(path, "utf8"))
  .join("\n")
  .replaceAll(/["`] \+\s+["`]/g, "")
  .replaceAll("’", "'");

test("errors that the page on troubleshooting quotes are in the source", () => {
  const page = pageAt("docs/troubleshooting.md")
    .replaceAll(/^```[^]*?^```$/gm, "")
    .replaceAll(/`[^`\n]*`/g, "");
  const quotes = [...page.matchAll(/"([^"]+)"/g)].map(([, quote = ""]) => quote.replaceAll(/\s+/g, " "));
  expect(quotes.length).toBeGreaterThan(30);
  const isInSource = (quote: string) =>
    quote
      .replaceAll("’", "'")
      .split("…")
      .map((part) => part.trim().replace(/^[,.]$/, ""))
      .every((part) => SOURCE.includes(part));
  expect(quotes.filter((quote) => !isInSource(quote))).toEqual([]);
});

test("statuses and codes that the page on troubleshooting names belong together", () => {
  const rows = [...pageAt("docs/troubleshooting.md").matchAll(/^\| (\d{3}) +\| ((?:`\w+`(?:, )?)+) +\|/gm)];
  const named = rows.flatMap(([, status, codes = ""]) =>
    codes.split(", ").map((code) => `${status ?? ""} ${code.replaceAll("`", "")}`),
  );
  expect(named.length).toBeGreaterThan(10);
  const known = new Set(problemTable.map(({ status, code }) => `${status} ${code}`));
  expect(named.filter((one) => !known.has(one))).toEqual([]);
});

test("the four lines of compose in the README are a compose file for the image and its volume", () => {
  const [compose] = fencesOf(pageAt("README.md"));
  expect(compose?.language).toBe("yaml");
  expect(Bun.YAML.parse(compose?.text ?? "")).toMatchObject({
    services: { peal: { image: "peal", ports: ["7325:7325"], volumes: ["data:/data"] } },
    volumes: { data: null },
  });
});
