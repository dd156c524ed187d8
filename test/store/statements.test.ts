/** What stays compiled: a statement holds some kilobytes outside of what the collector sees. */
import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { folder, openIn } from "./sqlite.ts";

test("a query that is written anew for each file is compiled once", async () => {
  using dir = folder();
  const store = await openIn(dir.path);
  const hash = "ab".repeat(32);
  await store.files.known([hash]);
  const before = compiled();
  for (let n = 0; n < 50; n++) await store.files.known([hash]);
  expect(compiled() - before).toBe(0);
  await store.close();
});

function compiled(): number {
  Bun.gc(true);
  return heapStats().objectTypeCounts["SQLStatement"] ?? 0;
}
