/** The commands of docs/send.md and docs/widgets.md do what the pages say. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestTopic } from "../support/client.ts";
import { peal as run } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { blocksOf, expectPage, onServer, pageAt, pasted } from "../support/page.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

let peal: Peal;
let topics: Record<"backups" | "nas" | "door", TestTopic>;
beforeAll(async () => {
  peal = await startPeal();
  topics = { backups: await peal.topic("backups"), nas: await peal.topic("nas"), door: await peal.topic("door") };
});
const folder = mkdtempSync(join(tmpdir(), "peal-send-docs-"));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const page = pageAt("docs/send.md");
/** Lines of the page that begin so, wherever they stand. */
const linesOf = (start: string): string[] => page.split("\n").filter((line) => line.startsWith(start));

test("docs/send.md can be pasted, in order, and its messages arrive", async () => {
  const blocks = blocksOf(page).map(({ commands }) => commands.replaceAll("$HOME", folder));
  expect(blocks).toHaveLength(2);
  expect(await pasted(peal, blocks)).toEqual(["", "", ""]);
  const backups = await peal.history(topics.backups);
  expect(backups.map(({ message, level }) => [message, level])).toEqual([
    ["Backup finished", "success"],
    ["Backup failed", "error"],
  ]);
  const [disks] = await peal.history(topics.nas);
  expect(disks).toMatchObject({ title: "Disks", tags: ["nas"] });
  expect(disks?.message).toContain("Filesystem");
  const left = readdirSync(join(folder, "peal-spool"));
  expect(left.filter((name) => name.endsWith(".json") || name === "refused")).toEqual([]);
});

test("its login works, and the file has the name that the page says", async () => {
  const [line = ""] = linesOf("peal login ");
  expect(line).toBe("peal login https://peal.example");
  const { key } = await peal.mint("full");
  const ran = await run(["login", peal.url], { XDG_CONFIG_HOME: "", HOME: folder }, "/", key);
  expect(ran.code).toBe(0);
  expect(existsSync(join(folder, ".config/peal.toml"))).toBe(true);
});

describe("each line that follows messages shows one that comes now", () => {
  const lines = linesOf("peal tail ");
  test("there are four of them", () => {
    expect(lines).toHaveLength(4);
  });
  test.each(lines)("%s", async (line) => {
    const topic = line.includes("home/door") ? topics.door : topics.backups;
    const command = line
      .replace(/^peal/, COMMAND.map((word) => `'${word}'`).join(" "))
      .replace("https://peal.example/home/backups/backups-…", topic.url)
      .replace("notify-send", "echo");
    const child = Bun.spawn(["sh", "-c", `exec ${command}`], {
      env: cleanEnv({ PEAL_DATA_DIR: peal.dataDir }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let shown = "";
    const read = (async () => {
      for await (const bytes of child.stdout) shown += Buffer.from(bytes).toString();
    })();
    try {
      await eventually("a message", async () => {
        await peal.publish(topic, { title: "Disk", message: "is full", level: "error" });
        return /Disk:? is full/.test(shown);
      });
    } finally {
      child.kill();
      await child.exited;
      await read;
    }
  });
});

testWith("curl")("docs/widgets.md can be pasted, and prints the summary", async () => {
  await using fresh = await startPeal();
  const widgets = pageAt("docs/widgets.md");
  expect(blocksOf(widgets)).toHaveLength(1);
  await expectPage(fresh, widgets, onServer(fresh));
});
