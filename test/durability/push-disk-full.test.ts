/** A full disk with pushes in flight: their outcomes are noted once there is space, and nothing is lost (DELIVERY.md §1). */
import { expect } from "bun:test";
import { smallDisk } from "../support/disk.ts";
import { eventually } from "../support/eventually.ts";
import { testWith } from "../support/tools.ts";
import { fleet } from "./pushing.ts";

const DISK_BYTES = 40_000_000;
const DEVICES = 50;
const PADDING = "x".repeat(32_000);
const NOT_STORED = "what became of pushes cannot be stored";

testWith("mount")(
  "what a push service answers while the disk is full is noted later, and shown once",
  async () => {
    using disk = smallDisk(DISK_BYTES);
    await using all = await fleet(DEVICES, { dataDir: disk.path });
    const { peal, apns, topic } = all;
    const store = async () => {
      const { checks } = (await (await peal.request("/health")).json()) as { checks: { store: string } };
      return checks.store;
    };
    const filler = await peal.topic("filler");
    /** Publishes, and returns false when the disk is full. */
    const fits = async (message: string) => (await peal.publish(filler, { message })) !== null;
    await all.accepted(await all.publish("before", DEVICES)); // after the first success all are in flight at once

    apns.wire.freeze();
    const id = await all.publish("in flight", 0);
    await eventually("its deliveries", async () => (await all.counts(id))["pending"] === DEVICES);
    disk.fill(0);
    while (await fits(PADDING)); // the database's log has space of its own
    while (await fits("to the brim"));
    apns.wire.thaw();
    await eventually("the answers", () => apns.received.length === 2 * DEVICES);
    await eventually("them not to be stored", () => peal.logs().includes(NOT_STORED));
    await eventually("health to tell it", async () => (await store()) === "failing");
    expect((await all.counts(id))["accepted"]).toBe(0);
    expect(await peal.publish(topic, { message: "refused" })).toBeNull();

    disk.free();
    await all.accepted(id);
    all.expectOnScreen(["before", "in flight"]);
    expect(apns.received.length).toBe(2 * DEVICES); // nothing is sent again while its outcome waits to be noted
    await eventually("health to be well", async () => (await store()) === "ok");
  },
  60_000,
);
