/** Backups every night: made, verified, rotated, and reported if one could not be (OPERATIONS.md §4). */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { latestSlot, nextSlot } from "../../src/ops/nightly.ts";
import { serverZone } from "../../src/util/calendar.ts";
import { DAY, HOUR, MINUTE } from "../../src/util/clock.ts";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs } from "../support/desk.ts";
import { smallDisk } from "../support/disk.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { examples } from "../support/rounds.ts";
import { inProcess, type InProcess, type TestServer } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { testWith } from "../support/tools.ts";
import { turns } from "../support/turns.ts";

/** A server whose clock stands at noon, some time after the last night. */
async function server(options: Parameters<typeof inProcess>[0] = {}) {
  const clock = heldClock(latestSlot(serverZone(), Date.UTC(2026, 0, 10, 12)) + 8 * HOUR);
  const { env, ...rest } = options;
  const peal = await inProcess({ clock, env: { PEAL_BACKUP: "daily:3", ...env }, ...rest });
  return { clock, peal };
}
const nightliesIn = ({ dataDir }: TestServer) =>
  readdirSync(join(dataDir, "backups")).filter((name) => name.startsWith("nightly-") && name.endsWith(".db"));
/** Waits until there are so many, and the server waits for the next night. */
async function made(peal: InProcess, count: number): Promise<void> {
  await eventually(
    `${count} nightly backups`,
    () => nightliesIn(peal).length === count && !peal.running.deps.backups.isRunning,
  );
  await turns(20);
}
const health = async (peal: TestServer) =>
  answer<{ status: string; checks: object; problems?: string[] }>(200, await peal.request("/health"));

describe("the night's backup", () => {
  test("is made at 3:23, a quarter of an hour after a start that follows a missed night, and whole", async () => {
    const { clock, peal: own } = await server();
    await using peal = own;
    await peal.publish(await peal.topic("kept"), "first");
    clock.advance(14 * MINUTE);
    expect(existsSync(join(peal.dataDir, "backups"))).toBeFalse();
    clock.advance(2 * MINUTE);
    await made(peal, 1);
    clock.advance(nextSlot(serverZone(), clock.now()) - MINUTE - clock.now());
    await turns(20);
    expect(nightliesIn(peal).length).toBe(1);
    clock.advance(2 * MINUTE);
    await made(peal, 2);
    await peal.restart();
    clock.advance(16 * MINUTE);
    await turns(20);
    expect(nightliesIn(peal).length).toBe(2);
    const [name = ""] = nightliesIn(peal);
    using copy = new Database(join(peal.dataDir, "backups", name), { readonly: true });
    expect(copy.query("SELECT json ->> 'message' FROM message").values()).toEqual([["first"]]);
    expect(await metric(peal, "peal_backup_timestamp_seconds")).toBeGreaterThan(clock.now() / 1000 - 3600);
    expect(await health(peal)).toMatchObject({ status: "ok", checks: { backup: "ok" } });
  });

  test("is one of as many as the setting says; those that were asked for or made before an upgrade stay", async () => {
    const { clock, peal: own } = await server();
    await using peal = own;
    const folder = join(peal.dataDir, "backups");
    mkdirSync(folder);
    const others = ["peal-20251201T000000Z.db", "pre-0.0.9.db", "mine.db", "nightly-notes.txt"];
    const [old, older, oldest] = [
      "nightly-20260109T032300Z.db",
      "nightly-20260108T032300Z.db",
      "nightly-20260107T032300Z.db",
    ];
    const ofTheFuture = "nightly-20300101T032300Z.db"; // made while the clock was wrong
    for (const name of [...others, old, older, oldest, ofTheFuture]) writeFileSync(join(folder, name), "");
    clock.advance(16 * MINUTE);
    await eventually("the newest", () => !existsSync(join(folder, oldest)) && !peal.running.deps.backups.isRunning);
    const left = readdirSync(folder);
    expect([...others, old, older].filter((name) => !left.includes(name))).toEqual([]);
    expect(left).not.toContain(ofTheFuture);
    expect(nightliesIn(peal).length).toBe(3);
  });

  test("that fails is a warning in /health, on the overview and on the topic peal, once, until one is made", async () => {
    const { clock, peal: own } = await server();
    await using peal = own;
    const admin = deskAs(peal, await signedIn(peal));
    const blocked = join(peal.dataDir, "backups");
    writeFileSync(blocked, "a file where the folder should be");
    clock.advance(16 * MINUTE);
    const warned = await eventually("the warning", async () => (await health(peal)).problems?.[0]);
    expect(warned).toMatch(/^The nightly backup failed: .*There is none yet\. peal tries again every hour\.$/);
    expect(await health(peal)).toMatchObject({ status: "degraded", checks: { backup: "degraded" } });
    const titles = async () => {
      const { topics } = await answer<{ topics: { name: string; key: string }[] }>(
        200,
        await peal.api("GET", "/v1/home/topics"),
      );
      const key = topics.find(({ name }) => name === "peal")?.key;
      if (key === undefined) return [];
      return (await peal.history({ namespace: "home", key })).map((message) => (message as { title?: string }).title);
    };
    await eventually("the message", async () => (await titles()).length > 0);
    expect((await admin.get("/-/")).text).toContain("The nightly backup failed");
    clock.advance(61 * MINUTE);
    await turns(20);
    expect(await titles()).toEqual(["The nightly backup failed"]);
    rmSync(blocked);
    await peal.restart(); // what operators know of outlives it
    clock.advance(16 * MINUTE);
    await made(peal, 1);
    await eventually("the message that it works again", async () => (await titles()).length > 1);
    expect(await titles()).toEqual(["The nightly backup failed", "The nightly backup works again"]);
    expect(await health(peal)).toMatchObject({ status: "ok" });
    expect((await admin.get("/-/")).text).toContain("All quiet");
  });

  testWith("mount")("is not begun on a disk that it could fill", async () => {
    using disk = smallDisk(100_000_000);
    const dataDir = join(disk.path, "data");
    mkdirSync(dataDir);
    disk.fill(60_000_000);
    const { clock, peal: own } = await server({ dataDir });
    await using peal = own;
    clock.advance(16 * MINUTE);
    const warned = await eventually("the warning", async () => (await health(peal)).problems?.[0]);
    expect(warned).toContain("beside what must stay free");
    expect(readdirSync(join(dataDir, "backups"))).toEqual([]);
    expect(await peal.publish(await peal.topic("kept"), "goes on")).toBeTruthy();
  });

  test("is not made when turned off", async () => {
    const { clock, peal: own } = await server({ env: { PEAL_BACKUP: "off" } });
    await using peal = own;
    clock.advance(2 * DAY);
    await turns(20);
    expect(existsSync(join(peal.dataDir, "backups"))).toBeFalse();
  });
});

const ZONES = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Auckland", "Asia/Kathmandu", "UTC"];
test("there is one time for it between a night and the next, at 3:23 on the clock of the zone", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2030, 0) }),
      (zone, now) => {
        const [before, after] = [latestSlot(zone, now), nextSlot(zone, now)];
        expect(before <= now && now < after).toBeTrue();
        expect(after - before).toBeGreaterThanOrEqual(22 * HOUR);
        expect(after - before).toBeLessThanOrEqual(26 * HOUR);
        const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone);
        expect([hour, minute]).toEqual([3, 23]);
        expect(latestSlot(zone, after)).toBe(after);
      },
    ),
    { numRuns: examples(500) },
  );
});
