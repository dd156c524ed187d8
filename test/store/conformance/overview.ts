/** Problems and the latest messages in several namespaces; messages that are deleted on a page and restored. */
import { describe, expect, test } from "bun:test";
import type { Device } from "../../../src/devices/device.ts";
import type { NamespaceId } from "../../../src/keys/namespace.ts";
import type { Draft } from "../../../src/drafts/draft.ts";
import type { OpenMessage, OpenScope, OverviewStore } from "../../../src/store/overview.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Publication } from "../../../src/store/messages.ts";
import type { Topic } from "../../../src/topics/topic.ts";
import { bench, draft, range, type OpenEngine } from "./engine.ts";
import { HOUR, subscribers } from "./subscribing.ts";
import { incident, standing, watch } from "./watching.ts";

const NONE = { failed: 0, isMore: false };

/** The ids of what is open. */
async function openIn({ overview }: Store, of: OpenScope, options: Partial<Parameters<OverviewStore["open"]>[1]> = {}) {
  const { asking, firing, taken } = await overview.open(of, { asksSince: 0, firesSince: 0, limit: 5, ...options });
  const ids = (found: readonly OpenMessage[]) => found.map(({ message }) => message.id);
  return { asking: ids(asking), firing: ids(firing), taken: ids(taken) };
}

export const overview = (open: OpenEngine) => {
  describe("the overview", () => {
    test("has the newest messages of the requested namespaces, and none of a deleted topic", async () => {
      await using peal = await bench(open);
      const { store, home } = peal;
      const lab = await store.namespaces.create("lab");
      if (lab === "name_taken") throw new Error(lab);
      await peal.fill("kept", 2);
      const gone = await peal.fill("gone", 60);
      await store.messages.publish({
        namespaceId: lab.id,
        to: { name: "lab" },
        draft: { message: "lab", level: "info", priority: "normal", format: "text", source: "api" },
      });
      await peal.publish("kept", { message: "newest" });
      await store.topics.remove(gone.id);
      const latest = async (...ids: (typeof home.id)[]) =>
        (await store.overview.latest(ids, 3)).map(
          ({ message }) => (JSON.parse(message.json) as { message: string }).message,
        );
      expect(await latest(home.id)).toEqual(["newest", "m2", "m1"]);
      expect(await latest(home.id, lab.id)).toEqual(["newest", "lab", "m2"]);
      expect(await latest()).toEqual([]);
    });

    test("counts what is down, and what failed lately, in the requested namespaces", async () => {
      await using peal = await watch(open);
      const { store, home } = peal;
      await peal.check("fine");
      await peal.check("b", { standing: { ...standing({}, "b"), state: "down", incident: incident(1, 0) } });
      await peal.check("a", { standing: { ...standing({}, "a"), state: "down", incident: incident(1, 0) } });
      expect(await store.overview.trouble([home.id], 0)).toEqual({ down: 2, ...NONE });
      expect(await store.overview.trouble([], 0)).toEqual({ down: 0, ...NONE });
      const down = async (isTaken?: boolean) =>
        (await store.overview.down([home.id], 10, isTaken)).map(({ standing: { settings } }) => settings.name);
      expect([await down(), await down(true)]).toEqual([["a", "b"], []]);
      const acked = { ...incident(1, 0), ackedAt: 1 };
      await peal.check('"ackedAt":', { standing: { ...standing({}, '"ackedAt":'), state: "down", incident: acked } });
      await peal.check('"ackedAt": 1', {
        standing: { ...standing({}, '"ackedAt": 1'), state: "down", incident: incident(1, 0) },
      });
      expect([await down(), await down(true)]).toEqual([['"ackedAt": 1', "a", "b"], ['"ackedAt":']]);
      expect(await store.overview.trouble([home.id], 0)).toEqual({ down: 3, ...NONE });
      expect(await store.overview.checks([home.id])).toMatchObject({ down: 4 });
    });

    test("shows the latest failure of each device, with its push service's answer", async () => {
      await using peal = await subscribers(open);
      const { store, home, clock } = peal;
      const topic = await peal.topic();
      const { device } = await peal.device("t", [topic], { name: "Desk" });
      const began = clock.now();
      for (const message of ["first", "second"]) {
        await peal.publish(topic.name, { message });
        await peal.expand();
        await peal.settle(device, { kind: "failed", status: 400, reason: "BadDeviceToken" });
      }
      const failures = async (since: number) => store.overview.failures([home.id], since, 5);
      expect(await failures(began)).toMatchObject({
        ...{ failed: 2, isMore: false },
        latest: [
          {
            ...{ message: { id: 2 }, topic: { id: topic.id } },
            delivery: { state: "failed", device: { id: device.id, name: "Desk" }, lastReason: "BadDeviceToken" },
          },
        ],
      });
      expect(await store.overview.trouble([home.id], began)).toEqual({ down: 0, failed: 2, isMore: false });
      clock.advance(HOUR);
      expect(await failures(clock.now())).toEqual({ ...NONE, latest: [] });
      expect((await store.overview.trouble([home.id], clock.now())).failed).toBe(0);
    });

    test("reports a quiet namespace as well as one whose pushes all fail", async () => {
      await using peal = await subscribers(open);
      const { store, home } = peal;
      const quiet = await store.namespaces.create("quiet");
      if (quiet === "name_taken") throw new Error(quiet);
      const silent = await store.topics.create(quiet.id, { name: "silent" });
      if (typeof silent === "string") throw new Error(silent);
      const noise = await peal.topic("noise");
      const { device } = await peal.device("quiet", [silent]);
      const noisy = await Promise.all(range(1, 502).map(async (n) => peal.device(`noisy ${n}`, [noise])));
      const push = async (of: Topic, devices: readonly Device[]) => {
        await store.messages.publish({ namespaceId: of.namespaceId, to: { key: of.key }, draft: draft() });
        await peal.expand();
        return (await Promise.all(devices.map(async (one) => peal.waiting(one)))).flat().map(({ row }) => row);
      };
      const fail = async (rows: Awaited<ReturnType<typeof push>>) =>
        store.deliveries.settle([{ rows, outcome: { kind: "failed", status: 400, reason: "BadDeviceToken" } }]);
      const seen = async (...ids: NamespaceId[]) => [
        await store.overview.trouble(ids, 0),
        await store.overview.failures(ids, 0, 0),
        await store.deliveries.waiting(ids),
      ];
      const waiting = { waiting: 1, held: 0, isMore: false };
      const [one, others] = [
        await push(silent, [device]),
        await push(
          noise,
          noisy.map((made) => made.device),
        ),
      ];
      await push(noise, []);
      await push(noise, []);
      expect((await seen(quiet.id))[2]).toEqual(waiting);
      expect((await seen(home.id, quiet.id))[2]).toEqual({ waiting: 1_000, held: 0, isMore: true });
      await fail(one);
      await fail(others);
      // new objects each time: Bun 1.4.5 compares an object that occurs twice only once
      const failed = () => ({ failed: 1, isMore: false });
      const many = () => ({ failed: 500, isMore: true });
      expect(await seen(quiet.id)).toMatchObject([failed(), failed(), { ...waiting, waiting: 0 }]);
      expect(await seen(home.id)).toMatchObject([many(), many(), { waiting: 1_000 }]);
      expect(await seen(home.id, quiet.id)).toMatchObject([many(), many(), { waiting: 1_000 }]);
      expect((await seen())[0]).toMatchObject(NONE);
    });

    test("shows a device only for the requested namespaces", async () => {
      await using peal = await subscribers(open);
      const { overview, topics } = peal.store;
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      await peal.device("follows nothing");
      expect(await overview.hasDevice([peal.home.id, other.id])).toBe(false);
      const gone = await peal.topic("gone");
      await peal.device("t", [gone]);
      const seen = async () => [await overview.hasDevice([peal.home.id]), await overview.hasDevice([other.id])];
      expect(await seen()).toEqual([true, false]);
      await topics.remove(gone.id);
      expect(await seen()).toEqual([false, false]);
    });

    test("has the urgent messages that require an acknowledgement, until they have one", async () => {
      await using peal = await bench(open);
      const { store, home, clock } = peal;
      await peal.publish("power", { priority: "urgent" });
      const { topic, message } = await peal.publish("power", { priority: "urgent", ack: true });
      const seen = async (asksSince = 0) => openIn(store, { namespaces: [home.id] }, { asksSince });
      expect(await seen()).toEqual({ asking: [message.id], firing: [], taken: [] });
      expect(await seen(clock.now() + 1)).toEqual({ asking: [], firing: [], taken: [] });
      clock.advance(HOUR);
      peal.hinted.length = 0;
      await store.deliveries.acknowledge(topic.id, message, "Mara");
      expect(peal.hinted).toContain(`message ${home.id}`); // pages are updated at once
      expect(await seen()).toEqual({ asking: [], firing: [], taken: [message.id] });
      const { taken } = await store.overview.open({ topic: topic.id }, { asksSince: 0, firesSince: 0, limit: 5 });
      expect(taken.map((one) => one.taken)).toEqual([{ at: clock.now(), by: "Mara" }]);
    });

    test("has the firing alerts, except those that require an acknowledgement or were acknowledged", async () => {
      await using peal = await bench(open);
      const { store, home } = peal;
      const tell = async (dedup_key: string, more: Partial<Draft> = {}) =>
        peal.publish("nas", { status: "firing", dedup_key, ...more });
      const seen = async () => openIn(store, { namespaces: [home.id] });
      await tell("over");
      await tell("over", { status: "resolved" });
      const heat = await tell("heat");
      const disk = await tell("disk");
      const ups = await tell("ups", { priority: "urgent", ack: true });
      await tell("check:1:1", { source: "check" });
      const [heated = 0, full = 0, empty = 0] = [heat, disk, ups].map(({ message }) => message.id);
      expect(await seen()).toEqual({ asking: [empty], firing: [full, heated], taken: [] });
      await store.deliveries.acknowledge(disk.topic.id, disk.message);
      const again = await tell("disk");
      expect(await seen()).toMatchObject({ firing: [heated], taken: [again.message.id] });
      await tell("disk", { status: "resolved" });
      const anew = await tell("disk");
      expect(await seen()).toMatchObject({ firing: [anew.message.id, heated], taken: [] });
      const ofTopic = await openIn(store, { topic: heat.topic.id });
      expect(ofTopic.firing).toHaveLength(3); // including the check's
      expect((await openIn(store, { namespaces: [home.id] }, { firesSince: peal.clock.now() + 1 })).firing).toEqual([]);
    });

    test("names the sender of a message by the label of the key or hook, and no one for a deleted one", async () => {
      await using peal = await bench(open);
      const { store, home } = peal;
      const key = async (name?: string) => {
        const made = await store.keys.create({ namespaceId: home.id, scope: "publish", ...(name && { name }) });
        if (made === "gone") throw new Error(made);
        return made.key;
      };
      const by = async (more: Partial<Publication>) => {
        const told = await store.messages.publish({ namespaceId: home.id, to: { name: "t" }, draft: draft(), ...more });
        if (told.kind !== "stored") throw new Error(told.kind);
        return told.message.seq;
      };
      const [nameless, nas] = [await key(), await key("nas-01")];
      const sent = [await by({ key: nas.row }), await by({ key: nameless.row }), await by({})];
      const labels = async () => [...(await store.messages.senders(sent))];
      expect(await labels()).toEqual([[sent[0] ?? 0, "nas-01"]]);
      await store.keys.revoke(home.id, nas.id);
      expect(await labels()).toEqual([]);
      peal.clock.advance(1);
      expect((await key("the next")).row).toBe(nas.row); // SQLite reuses the number
      expect(await labels()).toEqual([]);
    });

    test("has only the newest message of an alert, while it fires", async () => {
      await using peal = await bench(open);
      const { store, home } = peal;
      const fire = async (status: "firing" | "resolved", dedup_key: string) =>
        peal.publish("power", { priority: "urgent", ack: true, status, dedup_key });
      const waiting = async () => (await openIn(store, { namespaces: [home.id] }, { limit: 1 })).asking;
      await fire("firing", "a");
      const again = await fire("firing", "a");
      expect(await waiting()).toEqual([again.message.id]);
      for (const key of ["b", "c"]) {
        await fire("firing", key);
        await fire("resolved", key); // resolved: it takes no place in the list
      }
      expect(await waiting()).toEqual([again.message.id]);
      await fire("resolved", "a");
      expect(await waiting()).toEqual([]);
    });
  });

  describe("a message that is discarded", () => {
    test("is not pushed, but pushed to all when it is restored", async () => {
      await using peal = await subscribers(open);
      const { messages } = peal.store;
      const topic = await peal.topic();
      const { device } = await peal.device("t", [topic]);
      const published = [await peal.publish("alerts", { message: "expanded" })];
      await peal.expand();
      published.push(await peal.publish("alerts", { message: "not yet" }));
      for (const { message } of published) await messages.discard(topic.id, message.id);
      expect(await peal.texts(device)).toEqual(["none"]);
      for (const { message } of published) await messages.restore(topic.id, message.id);
      await peal.expand();
      expect(await peal.texts(device)).toEqual(["not yet", "expanded"]);
    });

    test("is hidden at once, and restored completely, also after a restart", async () => {
      await using peal = await bench(open);
      const { topic, message } = await peal.publish("power", { priority: "urgent", ack: true, dedup_key: "k" });
      await peal.store.deliveries.acknowledge(topic.id, message);
      const at = await peal.store.deliveries.acknowledgedAt(message.seq);
      expect(await peal.store.messages.discard(topic.id, message.id)).toBe(true);
      expect(await peal.store.messages.discard(topic.id, message.id)).toBe(false);
      expect(await peal.store.messages.find(topic.id, message.id)).toBeUndefined();
      const { messages, deliveries } = await peal.reopen();
      expect(await messages.restore(topic.id, message.id)).toBe(true);
      expect(await messages.find(topic.id, message.id)).toEqual(message);
      const before = await messages.alert(topic.id, "k", message.seq - 1, { limit: 1, bytes: 1, characters: 1 });
      expect(before.isNewest).toBe(false);
      expect(await deliveries.acknowledgedAt(message.seq)).toBe(at);
      expect(await messages.restore(topic.id, message.id)).toBe(false);
      const { messages: page } = await messages.page(topic.id, { limit: 1 });
      expect(page.map(({ id }) => id)).toEqual([message.id]);
    });

    test("cannot be restored later, nor after retention has passed it or its topic was deleted", async () => {
      await using peal = await bench(open);
      const { store, clock } = peal;
      const late = await peal.publish("late");
      await store.messages.discard(late.topic.id, late.message.id);
      clock.advance(15_001);
      expect(await store.messages.restore(late.topic.id, late.message.id)).toBe(false);
      const pruned = await peal.fill("pruned", 3);
      await store.topics.patch(pruned.id, { retentionMessages: 1 });
      await store.messages.discard(pruned.id, 1);
      await store.sweep({ days: 0, messages: 0 }, 1_000);
      expect(await store.messages.restore(pruned.id, 1)).toBe(false);
      const gone = await peal.publish("gone");
      await store.messages.discard(gone.topic.id, 1);
      await store.topics.remove(gone.topic.id);
      expect(await store.messages.restore(gone.topic.id, 1)).toBe(false);
    });
  });
};
