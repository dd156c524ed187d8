/** Opening: one server per data directory, files readable by their owner only, and one sentence for each problem. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { StoreError, type Store } from "../../src/store/store.ts";
import { folder, openIn } from "./sqlite.ts";

const mode = (path: string) => statSync(path).mode & 0o777;
const refusal = async (opening: Promise<Store>): Promise<StoreError> => {
  const error: unknown = await opening.then(
    () => "opened",
    (reason: unknown) => reason,
  );
  if (error instanceof StoreError) return error;
  throw new Error(`not refused: ${String(error)}`);
};

test("a second store on the same directory is refused, until the first is closed", async () => {
  using dir = folder();
  const first = await openIn(dir.path);
  const { kind, message } = await refusal(openIn(dir.path));
  expect(kind).toBe("locked");
  expect(message).toContain(dir.path);
  await first.namespaces.create("home");
  await first.close();
  await first.close();
  const second = await openIn(dir.path);
  expect(await second.namespaces.byName("home")).toBeDefined();
  await second.close();
});

test("the lock of a process that was killed is free", async () => {
  using dir = folder();
  const source = JSON.stringify(`${import.meta.dir}/sqlite.ts`);
  // kept, because garbage collection would release its lock
  const script = `const { openIn } = await import(${source}); globalThis.store = await openIn(process.argv.at(-1)); console.log("open"); setInterval(() => {}, 1000);`;
  await using child = Bun.spawn([process.execPath, "-e", script, dir.path], { stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read(); // the store is open
  expect((await refusal(openIn(dir.path))).kind).toBe("locked");
  child.kill("SIGKILL");
  await child.exited;
  await (await openIn(dir.path)).close();
});

test("directory and files are private to their owner, and closing leaves no journal", async () => {
  using dir = folder();
  const dataDir = `${dir.path}/data`;
  const store = await openIn(dataDir);
  await store.namespaces.create("home");
  expect(mode(dataDir)).toBe(0o700);
  const files = readdirSync(dataDir).filter((name) => name.startsWith("peal.db"));
  expect(files.toSorted()).toEqual(["peal.db", "peal.db-shm", "peal.db-wal"]);
  for (const name of files) expect([name, mode(`${dataDir}/${name}`)]).toEqual([name, 0o600]);
  expect(store.stats().walBytes).toBeGreaterThan(0);
  expect(mode(`${dataDir}/peal.lock`)).toBe(0o600); // anyone who may read it could lock it, and no peal would start
  await store.close();
  expect(readdirSync(dataDir).toSorted()).toEqual(["peal.db", "peal.lock"]);
});

test("files that others may read, such as the lock of an earlier version, are made private at the start", async () => {
  using dir = folder();
  await (await openIn(dir.path)).close();
  chmodSync(`${dir.path}/peal.lock`, 0o644);
  chmodSync(`${dir.path}/peal.db`, 0o644);
  const store = await openIn(dir.path);
  expect(mode(`${dir.path}/peal.lock`)).toBe(0o600);
  for (const name of ["peal.db", "peal.db-wal", "peal.db-shm"]) expect(mode(`${dir.path}/${name}`) & 0o007).toBe(0);
  await store.close();
});

test("what cannot be opened is reported in one sentence with the path", async () => {
  using dir = folder();
  writeFileSync(`${dir.path}/peal.db`, "this is no database, but a text that somebody put in its place".repeat(100));
  const garbage = await refusal(openIn(dir.path));
  expect(garbage.kind).toBe("refused");
  expect(garbage.message).toContain(dir.path);
  const underFile = await refusal(openIn(`${dir.path}/peal.db/data`));
  expect(underFile.kind).toBe("unusable");
  expect(underFile.message).toContain("May peal write there?");
  writeFileSync(`${dir.path}/peal.db`, "");
  chmodSync(`${dir.path}/peal.db`, 0o600);
  await (await openIn(dir.path)).close(); // a refused store has left no lock behind
});

test.each([
  ["TABLE", "fanout"],
  ["TABLE", "delivery_day"],
  ["TABLE", "session"],
  ["INDEX", "delivery_state"],
])("a database that has lost a part, for example in a repair, is refused: %s %s", async (kind, name) => {
  using dir = folder();
  await (await openIn(dir.path)).close();
  using db = new Database(`${dir.path}/peal.db`);
  db.run(`DROP ${kind} ${name}`);
  const { kind: why, message } = await refusal(openIn(dir.path));
  expect(why).toBe("unusable");
  expect(message).toContain(`it has no \`${name}\``);
});
