/** A full disk: 503 means not stored, reads still work, and the server recovers by itself (OPERATIONS.md §4). */
import { expect } from "bun:test";
import { smallDisk } from "../support/disk.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const DISK_BYTES = 40_000_000;
const LEFT_BYTES = 12_000_000;
const WRITERS = 16;
/**
 * Enough for a batch to outgrow SQLite's page cache (2 MB), so that the disk is full in the middle of a batch and not
 * at its COMMIT. A rollback that goes unnoticed there would answer 201 for lost messages.
 */
const IN_FLIGHT = 12;
const PADDING = "x".repeat(32_000);

testWith("mount")("what a full disk refused is not there, what it took is", async () => {
  using disk = smallDisk(DISK_BYTES);
  await using peal = await startPeal({ dataDir: disk.path });
  const topic = await peal.topic("full");
  const acknowledged: string[] = [];
  const refused: string[] = [];

  /** Publishes until the disk has refused some messages. */
  const write = async (writer: number) => {
    for (let n = 0; refused.length < 5 * WRITERS * IN_FLIGHT; n++) {
      const text = `${writer}.${n}.${PADDING}`;
      const response = await peal.api("POST", "/home/full", { message: text });
      const told = (await response.json()) as { code?: string };
      if (response.status === 201) acknowledged.push(text);
      else refused.push(text);
      if (response.status !== 201)
        expect([response.status, told.code, response.headers.get("retry-after")]).toEqual([503, "unavailable", "5"]);
    }
  };
  disk.fill(LEFT_BYTES);
  await Promise.all(Array.from({ length: WRITERS * IN_FLIGHT }, async (_, writer) => write(writer)));
  expect(acknowledged.length).toBeGreaterThan(0);

  // reads still work while nothing can be written
  expect((await peal.history(topic)).length).toBeGreaterThanOrEqual(acknowledged.length);

  disk.free();
  const text = "there is room again";
  await eventually("a publish that is taken again", async () => peal.publish(topic, { message: text }));
  const kept = new Set((await peal.history(topic)).map(({ message }) => message));
  expect(acknowledged.filter((message) => !kept.has(message))).toEqual([]);
  expect(refused.filter((message) => kept.has(message))).toEqual([]);
  await peal.kill("SIGKILL");
  await peal.start();
  const after = await peal.history(topic);
  expect(new Set(after.map(({ message }) => message))).toEqual(kept);
  expect(after.map(({ id }) => id)).toEqual(after.map((_, index) => index + 1));
});
