/** A file whose message was acknowledged is complete on disk; others are not left there (docs/publish.md). */
import { expect, test } from "bun:test";
import { systemClock } from "../../src/util/clock.ts";
import { heldClock } from "../support/clock.ts";
import { smallDisk } from "../support/disk.ts";
import { withDice } from "../support/dice.ts";
import { eventually } from "../support/eventually.ts";
import { countOnDisk, fetched, noise, onDisk, put, type WithFiles } from "../support/files.ts";
import { mostResidentBytes, residentBytes } from "../support/memory.ts";
import { ROUNDS } from "../support/rounds.ts";
import { inProcess, startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { sha256 } from "../../src/util/ids.ts";

const BYTES = 300_000;
const LATEST_MS = 40;

/** In pieces, so that a kill may happen between any two of them. */
function inPieces(bytes: Uint8Array): ReadableStream {
  let at = 0;
  return new ReadableStream({
    pull: async (controller) => {
      if (at >= bytes.length) {
        controller.close();
        return;
      }
      controller.enqueue(bytes.subarray(at, (at += 32_768)));
      await new Promise((next) => setImmediate(next));
    },
  });
}

/** Sends files until the server is gone. `acknowledged` maps URL to hash. */
async function upload(peal: Peal, seed: number, acknowledged: Map<string, string>): Promise<void> {
  for (let n = 0; ; n++) {
    const bytes = noise(BYTES, seed + n);
    const response = await put(peal, "/home/uploads", inPieces(bytes), { Filename: "a.bin" }).catch(() => undefined);
    if (response?.status !== 201) return;
    const message = (await response.json().catch(() => undefined)) as WithFiles | undefined;
    const url = message?.attachments?.[0]?.url;
    if (url === undefined) return;
    acknowledged.set(url, sha256(bytes));
  }
}

test(
  "kill -9 at any moment of an upload: what was acknowledged is complete, and no partial file has a final name",
  async () => {
    await using peal = await startPeal();
    const topic = await peal.topic("uploads");
    await withDice(async (dice) => {
      for (let round = 0; round < ROUNDS; round++) {
        const acknowledged = new Map<string, string>();
        const uploads = [1, 2, 3, 4].map(async (n) => upload(peal, 1_000_000 * round + 10_000 * n, acknowledged));
        const enough = Math.floor(dice() * 8);
        await eventually("some answers", () => acknowledged.size >= enough);
        await Bun.sleep(dice() * LATEST_MS);
        await peal.kill("SIGKILL");
        await Promise.all(uploads);
        await peal.start();
        for (const [url, hash] of acknowledged) expect(sha256(await fetched(peal, { url }))).toBe(hash);
        // also those whose answer was lost
        for (const message of (await peal.history(topic)) as WithFiles[])
          for (const file of message.attachments ?? []) expect((await fetched(peal, file)).length).toBe(file.size);
        for (const { name, isWhole } of onDisk(peal.dataDir))
          if (/^[0-9a-f]{64}$/.test(name)) expect(isWhole).toBeTrue();
      }
    });
    await peal.kill("SIGKILL");
    // an hour later leftovers are deleted, and everything that was acknowledged is still there
    const clock = heldClock(systemClock.now() + 2 * 3_600_000);
    await using later = await inProcess({ clock, dataDir: peal.dataDir, env: { PEAL_ADMIN_KEY: peal.adminKey } });
    const { store } = later.running.deps;
    const kept = new Set(((await later.history(topic)) as WithFiles[]).flatMap(({ attachments = [] }) => attachments.map(({ url }) => url.split("/").at(-2) ?? ""))); // prettier-ignore
    await eventually("the orphans to be gone", () => {
      clock.advance(1_000);
      return countOnDisk(peal.dataDir) === store.files.total().files;
    });
    expect(kept.size).toBeGreaterThan(0);
    expect(new Set(onDisk(peal.dataDir).map(({ name }) => name.slice(0, 32)))).toEqual(kept);
  },
  60_000 * Math.max(1, ROUNDS / 10),
);

testWith("mount")("on a full disk the message is stored without its file, says so, and leaves nothing", async () => {
  using disk = smallDisk(60_000_000);
  await using peal = await startPeal({ dataDir: disk.path });
  const topic = await peal.topic("full");
  disk.fill(8_000_000);
  const response = await put(peal, "/home/full", noise(12_000_000), { Filename: "a.bin", Message: "Look" });
  const message = (await response.json()) as WithFiles;
  expect([response.status, message.message, message.attachments]).toEqual([201, "Look", undefined]);
  expect(message.ignored).toEqual([{ path: "/", message: "could not be stored: the disk is full" }]);
  expect(onDisk(disk.path)).toEqual([]);
  disk.free();
  const again = await put(peal, "/home/full", noise(12_000_000), { Filename: "a.bin", Message: "Look" });
  expect(((await again.json()) as WithFiles).attachments).toHaveLength(1);
  expect((await peal.history(topic)).map((one) => one.message)).toEqual(["Look", "Look"]);
});

test("a body that is cut off stores nothing and leaves nothing behind", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("broken");
  const breaking = new ReadableStream({
    start: (controller) => {
      controller.enqueue(noise(200_000));
    },
    pull: async (controller) => {
      await eventually("the beginning to be written", () => onDisk(peal.dataDir).some(({ bytes }) => bytes > 0));
      controller.error(new Error("gone"));
    },
  });
  await put(peal, "/home/broken", breaking, { Filename: "a.bin" }).catch(() => undefined);
  await eventually("it to be gone", () => onDisk(peal.dataDir).length === 0);
  expect(await peal.history(topic)).toEqual([]);
});

/** Complete in memory they would take 80 MB; 7 to 11 were measured. */
const MOST_GROWTH = 20_000_000;

test("four uploads of the largest size at once are never complete in memory", async () => {
  await using peal = await startPeal({ env: { PEAL_FILES: "20MB:2GB:14d" } });
  const files = [1, 2, 3, 4].map((n) => noise(20_000_000, n));
  await put(peal, "/home/warm", noise(2_000_000), { Filename: "a.bin" });
  const before = await residentBytes(peal.pid);
  const sent = await Promise.all(files.map(async (bytes) => (await put(peal, "/home/big", bytes, { Filename: "b.bin" })).status)); // prettier-ignore
  expect(sent).toEqual([201, 201, 201, 201]);
  expect((await mostResidentBytes(peal.pid)) - before).toBeLessThan(MOST_GROWTH);
});
