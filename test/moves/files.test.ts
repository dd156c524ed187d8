/** Files of messages in an export: with their bytes, or named alone (docs/moving.md). */
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathOf } from "../../src/util/hashpath.ts";
import { sha256 } from "../../src/util/ids.ts";
import { peal as run } from "../support/command.ts";
import { fetched, form, noise, onDisk, PIXEL, type WithFiles } from "../support/files.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { exported, exportedFile, folder, historyOf, linesOf, result } from "./importing.ts";

/** Five pieces of an export, the last one short. */
const LARGE = noise(900_001);

/** Messages with files: two, one of which another message has too; an empty one; and one that waits. */
async function furnish(peal: InProcess): Promise<void> {
  const title = (text: string): [string, string] => ["message", text];
  await form(peal, "/home/door", [
    title("photo"),
    ["file", PIXEL, "cam.png"],
    ["file", LARGE, "clip.mp4", "video/mp4"],
  ]);
  await form(peal, "/home/door", [title("again"), ["file", LARGE, "the same clip.mp4", "video/mp4"]]);
  await form(peal, "/home/notes", [title("empty"), ["file", new Uint8Array(), "empty.txt", "text/plain"]]);
  const later = new FormData();
  later.append("message", "later");
  later.append("delay", "3600");
  later.append("file", new Blob([noise(500, 7)]), "plan.bin");
  const sent = await peal.request("/home/door", {
    ...{ method: "POST", body: later, headers: { authorization: `Bearer ${peal.adminKey}` } },
  });
  expect(sent.status).toBe(201);
  await peal.api("POST", "/home/door", { message: "no file" });
}

const filesOf = async (peal: InProcess, topic: string) =>
  Promise.all(
    ((await historyOf(peal, topic)) as WithFiles[]).map(async ({ message, attachments = [] }) => [
      message,
      ...(await Promise.all(attachments.map(async (one) => [one.name, one.type, sha256(await fetched(peal, one))]))),
    ]),
  );

test("an export with files brings each file once, and an import gives the same again", async () => {
  await using from = await inProcess();
  await using to = await inProcess();
  await furnish(from);
  using at = folder();
  const file = await exportedFile(from, at, "--with-secrets", "--with-files");
  const pieces = linesOf(readFileSync(file, "utf8")).filter(({ kind }) => kind === "file");
  expect(pieces.map(({ at: begins }) => begins)).toEqual([0, 0, 196_608, 393_216, 589_824, 786_432, 0, 0]);
  const dry = await result(to, ["peal", file]);
  expect(dry.counts).toMatchObject({ file: { created: 4 }, message: { created: 4 }, scheduled: { created: 1 } });
  expect(onDisk(to.dataDir)).toEqual([]);
  expect((await result(to, ["peal", file, "--apply"])).counts).toEqual(dry.counts);
  for (const topic of ["door", "notes"]) expect(await filesOf(to, topic)).toEqual(await filesOf(from, topic));
  const messages = (lines: { kind: string }[]) =>
    lines.filter(({ kind }) => kind === "message" || kind === "scheduled");
  expect(messages(await exported(to, "--with-files"))).toEqual(messages(await exported(from, "--with-files")));
  expect(onDisk(to.dataDir).every(({ isWhole }) => isWhole)).toBe(true);
  const again = await result(to, ["peal", file, "--apply"]);
  expect(again.counts).toMatchObject({ file: { exists: 4 }, message: { exists: 4 }, scheduled: { exists: 1 } });
  expect(onDisk(to.dataDir).length).toBe(4);
}, 60_000);

test("an export without files says how many it lacks, and its messages are not doubled by one that has them", async () => {
  await using from = await inProcess();
  await using to = await inProcess();
  await furnish(from);
  using at = folder();
  const bare = join(at.path, "bare.ndjson");
  const { stderr } = await run(["export", "--out", bare, "--data-dir", from.dataDir]);
  expect(stderr.trim()).toBe("note: files that aren't included: 4 (900.6 kB); add --with-files");
  await result(to, ["peal", bare, "--apply"]);
  expect(await filesOf(to, "notes")).toEqual([["empty"]]);
  const { counts } = await result(to, ["peal", await exportedFile(from, at, "--with-files"), "--apply"]);
  expect(counts["message"]).toEqual({ exists: 4 });
  expect((await historyOf(to, "notes")).length).toBe(1);
}, 60_000);

test("bytes that are missing or damaged cost a message its file, not the message", async () => {
  await using from = await inProcess();
  await using to = await inProcess();
  await furnish(from);
  using at = folder();
  rmSync(pathOf(join(from.dataDir, "files"), sha256(PIXEL)));
  const file = join(at.path, "peal.ndjson");
  const { stderr } = await run(["export", "--with-files", "--out", file, "--data-dir", from.dataDir]);
  expect(stderr.trim()).toBe("note: files whose bytes are missing on this server: 1");
  const lines = linesOf(readFileSync(file, "utf8"));
  const broken = lines.map((line) =>
    line.kind === "file" && line["at"] === 393_216 ? { ...line, data: noise(196_608, 9).toString("base64") } : line,
  );
  writeFileSync(file, broken.map((line) => JSON.stringify(line)).join("\n"));
  const { counts } = await result(to, ["peal", file, "--apply"]);
  expect(counts).toMatchObject({ file: { created: 2, invalid: 1 }, message: { created: 4 } });
  expect((await filesOf(to, "door")).map(([message, ...files]) => [message, files.length])).toEqual([
    ["photo", 0],
    ["again", 0],
    ["no file", 0],
  ]);
  expect(onDisk(to.dataDir).every(({ isWhole }) => isWhole)).toBe(true);
}, 60_000);

test("files that PEAL_FILES does not allow are left out and counted", async () => {
  await using from = await inProcess();
  await using to = await inProcess({ env: { PEAL_FILES: "off" } });
  await furnish(from);
  using at = folder();
  const { counts } = await result(to, ["peal", await exportedFile(from, at, "--with-files"), "--apply"]);
  expect(counts).toMatchObject({ file: { no_room: 4 }, message: { created: 4 } });
  expect(onDisk(to.dataDir)).toEqual([]);
}, 60_000);
