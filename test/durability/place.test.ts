/** Files that are deleted, moved or replaced while the server runs: what is answered 201 is on disk, at its path. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { peal as run } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal, type Peal } from "../support/server.ts";

/** Makes a parent folder of the data directory, which a test may move. */
function parent(): Disposable & { dataDir: string; away: string } {
  const path = mkdtempSync(join(tmpdir(), "peal-place-"));
  const remove = () => {
    rmSync(path, { recursive: true, force: true });
  };
  return { dataDir: join(path, "data"), away: join(path, "away"), [Symbol.dispose]: remove };
}

const started = async (dataDir: string): Promise<Peal> => {
  await Bun.$`mkdir -p ${dataDir}`;
  return startPeal({ dataDir });
};
const publish = async (peal: Peal, message: string) => peal.api("POST", "/home/kept", { message });
const textsOf = async (peal: Peal, topic: { namespace: string; key: string }) =>
  (await peal.history(topic)).map(({ message }) => message);
/** Expects that three publishes are refused with these words, and that health reports them and the log once. */
async function refuses(peal: Peal, words: string): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const { code, detail } = await answer<{ code: string; detail: string }>(503, await publish(peal, "refused"));
    expect([code, detail]).toEqual(["unavailable", expect.stringContaining(words) as string]);
  }
  // the test write of health may be up to five seconds old; a failed publish is known at once
  const { checks, problems } = await answer<{ checks: object; problems: string[] }>(503, await peal.request("/health"));
  expect(checks).toMatchObject({ store: "failing" });
  expect(problems.join()).toContain(words);
  const lines = peal.logs().split("\n");
  expect(lines.filter((line) => line.includes("not in its place") && line.includes(words)).length).toBe(1);
  expect(peal.logs()).not.toContain("the store took no write");
}

test("a data directory that is deleted accepts nothing any more, and reads still work", async () => {
  using dir = parent();
  await using peal = await started(dir.dataDir);
  const topic = await peal.topic("kept");
  expect((await publish(peal, "before")).status).toBe(201);
  rmSync(dir.dataDir, { recursive: true });
  await refuses(peal, "was deleted or moved");
  expect(await textsOf(peal, topic)).toEqual(["before"]);
});

test("one that is moved away accepts nothing until it is back, and keeps what it has", async () => {
  using dir = parent();
  await using peal = await started(dir.dataDir);
  const topic = await peal.topic("kept");
  expect((await publish(peal, "before")).status).toBe(201);
  renameSync(dir.dataDir, dir.away);
  await refuses(peal, "was deleted or moved");
  renameSync(dir.away, dir.dataDir);
  expect((await publish(peal, "after")).status).toBe(201);
  expect(peal.logs()).toContain("the database is in its place again");
  await peal.kill("SIGKILL");
  await peal.start();
  expect(await textsOf(peal, topic)).toEqual(["before", "after"]);
});

test.each(["SIGTERM", "SIGKILL"] as const)(
  "a copy that replaces peal.db waits for a restart, and the original keeps everything (%s)",
  async (signal) => {
    using dir = parent();
    await using peal = await started(dir.dataDir);
    const topic = await peal.topic("kept");
    expect((await publish(peal, "copied")).status).toBe(201);
    const copy = join(dir.dataDir, "copy.db");
    expect((await run(["backup", copy, "--data-dir", dir.dataDir])).code).toBe(0);
    expect((await publish(peal, "of after the copy")).status).toBe(201);
    renameSync(join(dir.dataDir, "peal.db"), dir.away);
    renameSync(copy, join(dir.dataDir, "peal.db"));
    await refuses(peal, "Another file was put in the place of peal.db");
    await peal.kill(signal);
    using aside = new Database(dir.away, { readonly: true });
    expect(aside.query("SELECT json ->> 'message' FROM message ORDER BY row").values().flat()).toEqual([
      "copied",
      "of after the copy",
    ]);
    await peal.start();
    expect(await textsOf(peal, topic)).toEqual(["copied"]);
  },
);

test("deleting only the log loses nothing that was acknowledged", async () => {
  using dir = parent();
  await using peal = await started(dir.dataDir);
  const topic = await peal.topic("kept");
  expect((await publish(peal, "before")).status).toBe(201);
  rmSync(join(dir.dataDir, "peal.db-wal"));
  await refuses(peal, "peal.db-wal was deleted");
  await peal.kill("SIGKILL");
  await peal.start();
  expect(await textsOf(peal, topic)).toEqual(["before"]);
  expect((await publish(peal, "after")).status).toBe(201);
});

test("once peal.lock is deleted the first server accepts nothing any more, and a second one works alone", async () => {
  using dir = parent();
  await using first = await started(dir.dataDir);
  const topic = await first.topic("kept");
  const acknowledged: string[] = [];
  const write = async (writer: number) => {
    for (let n = 0; ; n++) {
      const response = await publish(first, `${writer}.${n}`);
      await response.text();
      if (response.status !== 201) return;
      acknowledged.push(`${writer}.${n}`);
    }
  };
  const writers = Array.from({ length: 8 }, async (_, writer) => write(writer));
  await eventually("some publishes", () => acknowledged.length > 50);
  rmSync(join(dir.dataDir, "peal.lock"));
  await using second = await startPeal({ dataDir: dir.dataDir, env: { PEAL_ADMIN_KEY: first.adminKey } });
  await Promise.all(writers); // each of them was refused
  expect((await publish(second, "of the second")).status).toBe(201);
  await refuses(first, "peal.lock is no longer the file that peal holds");
  const kept = await textsOf(second, topic);
  expect(kept.toSorted()).toEqual([...acknowledged, "of the second"].toSorted());
  expect(await first.kill("SIGTERM")).toBe(0);
  expect((await second.local("/health")).status).toBe(200); // the socket belongs to it
  await first.start().then(
    () => expect.unreachable(),
    (error: unknown) => {
      expect(String(error)).toContain("Another peal runs");
    },
  );
  await second.kill("SIGTERM");
});
