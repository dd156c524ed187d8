/** Devices, and what they subscribe to. */
import { describe, expect, test } from "bun:test";
import type { Topic } from "../../../src/topics/topic.ts";
import { draft, range, type OpenEngine } from "./engine.ts";
import { HOUR, refOf, subscribers, type Subscribers } from "./subscribing.ts";

const KEYS = { p256dh: "BPublic", auth: "secret" };
const FULL = {
  ...{ name: "Anna's phone", locale: "de-CH", minPriority: "high" as const },
  quietHours: { from: "22:00", to: "07:00", timezone: "Europe/Zurich" },
};
const namesOf = async (peal: Subscribers, id: string) =>
  (await peal.read({ id })).subscriptions.map(({ topic }) => topic.name);
const UNKNOWN = "none-00000000000000000000000000";

export const devices = (open: OpenEngine) => {
  describe("a device", () => {
    test("is registered with all its settings, and found by its id", async () => {
      await using peal = await subscribers(open);
      const topics = [await peal.topic("b"), await peal.topic("a")];
      const made = await peal.register("t", topics, { platform: "web", keys: KEYS, ...FULL });
      if (made.kind !== "made") throw new Error(made.kind);
      const { device, subscriptions } = made;
      const now = peal.clock.now();
      expect(device.id).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
      expect(device).toEqual({
        ...{ row: device.row, id: device.id, platform: "web", token: "t", keys: KEYS, ...FULL },
        ...{ base: "https://peal.example", createdAt: now, registeredAt: now },
        ...{ environment: "production", wasMoved: false },
      });
      expect(subscriptions).toEqual(
        topics.map(({ id, namespace, key, name }) => ({ topic: { id, namespace, key, name }, subscribedAt: now })),
      );
      const store = await peal.reopen();
      expect(await store.devices.find(device.id)).toEqual({ device, subscriptions });
      expect(await store.devices.find("0".repeat(26))).toBeUndefined();
    });

    test("that registers again is the same: what it sends is updated, what it leaves out stays", async () => {
      await using peal = await subscribers(open);
      const [first, second] = [await peal.topic("first"), await peal.topic("second")];
      const { device } = await peal.device("t", [first], { keys: KEYS, ...FULL });
      peal.clock.advance(5);
      const again = await peal.register("t", [second, first, second], { name: "tablet", base: "https://new.example" });
      const registeredAt = peal.clock.now();
      expect(again).toMatchObject({
        kind: "known",
        device: { ...device, name: "tablet", base: "https://new.example", registeredAt },
      });
      expect(await namesOf(peal, device.id)).toEqual(["first", "second"]);
      const other = await peal.register("t", [], { platform: "android" });
      expect("device" in other && other.device.id !== device.id).toBe(true);
    });

    test("with a token that is known with other keys is refused, and does not change", async () => {
      await using peal = await subscribers(open);
      const { device } = await peal.device("t", [], { platform: "web", keys: KEYS });
      for (const other of [{ p256dh: "another" }, { auth: "another" }])
        expect(await peal.register("t", [], { platform: "web", keys: { ...KEYS, ...other }, name: "thief" })).toEqual({
          kind: "token_taken",
        });
      expect(await peal.register("t", [], { platform: "web", keys: KEYS })).toMatchObject({ kind: "known", device });
    });

    test("with an unknown topic is refused completely", async () => {
      await using peal = await subscribers(open);
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      const [known, gone] = [await peal.topic("known"), await peal.topic("gone")];
      await peal.store.topics.remove(gone.id);
      const elsewhere = { ...known, namespace: "other" };
      const topics = [known, { ...known, key: UNKNOWN }, elsewhere, gone];
      expect(await peal.register("t", topics)).toEqual({ kind: "unknown_topics", unknown: [1, 2, 3] });
      expect(await peal.store.devices.ofTopic(known.id, { limit: 5 })).toEqual([]);
      expect(await peal.register("t")).toMatchObject({ kind: "made" });
    });

    test("over a limit is refused completely; topics that it already has do not count against it", async () => {
      await using peal = await subscribers(open, { devicesPerTopic: 2, topicsPerDevice: 2 });
      const [a, b, c] = [await peal.topic("a"), await peal.topic("b"), await peal.topic("c")];
      const { device } = await peal.device("1", [a, b]);
      const full = { kind: "too_many_subscriptions" as const };
      expect(await peal.register("1", [c])).toEqual(full);
      expect(await peal.register("new", [a, b, c])).toEqual(full);
      expect(await peal.store.devices.subscribe(device.id, refOf(c))).toEqual(full);
      expect(await peal.register("1", [a, b])).toMatchObject({ kind: "known" });
      const second = await peal.device("2", [a]);
      expect(await peal.register("3", [b, a])).toEqual({ kind: "topic_full" });
      expect(await peal.store.devices.ofTopic(b.id, { limit: 5 })).toHaveLength(1);
      const third = await peal.device("3");
      expect(await peal.store.devices.subscribe(third.device.id, refOf(a))).toEqual({ kind: "topic_full" });
      await peal.store.devices.unsubscribe(second.device.id, refOf(a));
      expect(await peal.store.devices.subscribe(third.device.id, refOf(a))).toMatchObject({ kind: "made" });
    });

    test("beyond the overall limit replaces the one that has followed nothing for longest", async () => {
      await using peal = await subscribers(open, { devicesInAll: 3 });
      const topic = await peal.topic("a");
      const follower = await peal.device("follower", [topic]);
      peal.clock.advance(5);
      const longest = await peal.device("longest");
      peal.clock.advance(5);
      const newer = await peal.device("newer");
      expect(await peal.register("longest")).toMatchObject({ kind: "known", madeRoom: false });
      expect(await peal.register("newer", [topic])).toMatchObject({ kind: "known", madeRoom: false });
      expect(await peal.register("fourth", [topic])).toMatchObject({ kind: "made", madeRoom: true });
      expect(await peal.store.devices.find(longest.device.id)).toBeUndefined();
      expect(await peal.register("fifth")).toEqual({ kind: "server_full" });
      expect(await peal.register("follower", [topic])).toMatchObject({ kind: "known" });
      await peal.store.devices.unsubscribe(newer.device.id, refOf(topic));
      expect(await peal.register("fifth", [topic])).toMatchObject({ kind: "made", madeRoom: true });
      await peal.store.devices.remove(follower.device.id);
      expect(await peal.register("sixth")).toMatchObject({ kind: "made", madeRoom: false });
    });

    test("that follows nothing is removed, with its pushes, when enough newer ones follow nothing", async () => {
      await using peal = await subscribers(open, { idleDevices: 2 });
      const topic = await peal.topic("a");
      const { device } = await peal.device("1", [topic]);
      for (let n = 0; n < 150; n++) await peal.publish("a", { message: `m${n}` });
      await peal.expand();
      await peal.store.devices.unsubscribe(device.id, refOf(topic));
      peal.clock.advance(5);
      const second = await peal.device("2");
      expect(await peal.register("3", [topic])).toMatchObject({ kind: "made", madeRoom: false });
      expect(await peal.register("4")).toMatchObject({ kind: "made", madeRoom: true });
      expect([await peal.store.devices.find(device.id), await peal.waiting(device)]).toEqual([undefined, []]);
      expect((await peal.read(second.device)).device).toEqual(second.device);
      const all = await Promise.all(["5", "6", "7"].map(async (token) => peal.register(token)));
      expect(all.map((one) => "madeRoom" in one && one.madeRoom)).toEqual([true, true, true]);
      const counts = await peal.store.devices.counts();
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    });

    test("beyond the limit of a namespace is refused there and nowhere else, whatever the history", async () => {
      await using peal = await subscribers(open, { devicesPerNamespace: 2 });
      const [a, b] = [await peal.topic("a"), await peal.topic("b")];
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      const elsewhere = await peal.store.topics.create(other.id, { name: "x" });
      if (typeof elsewhere === "string") throw new Error(elsewhere);
      const first = await peal.device("1", [a, b]);
      const second = await peal.device("2", [a]);
      const full = { kind: "namespace_full" as const };
      expect(await peal.register("3", [elsewhere, a])).toEqual(full);
      const third = await peal.device("3", [elsewhere]);
      const follow = async (topic: typeof a) => peal.store.devices.subscribe(third.device.id, refOf(topic));
      expect(await follow(b)).toEqual(full);
      expect(await peal.store.devices.subscribe(second.device.id, refOf(b))).toMatchObject({ kind: "made" });
      await peal.store.devices.unsubscribe(first.device.id, refOf(a));
      expect(await follow(b)).toEqual(full);
      await peal.store.devices.unsubscribe(first.device.id, refOf(b));
      expect(await follow(b)).toMatchObject({ kind: "made" });
      expect(await peal.register("1", [a])).toEqual(full);
      await peal.store.devices.remove(second.device.id);
      expect(await peal.register("1", [a])).toMatchObject({ kind: "known" });
      expect(await peal.register("4", [a])).toEqual(full);
      await peal.store.topics.remove(a.id);
      expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      expect(await peal.register("4", [b])).toMatchObject({ kind: "made" });
    });

    test("is changed field by field, and null removes a value", async () => {
      await using peal = await subscribers(open);
      const { devices } = peal.store;
      const { device } = await peal.device("t", [], FULL);
      expect(await devices.patch(device.id, { name: null, quietHours: null })).toMatchObject({
        device: { id: device.id, locale: "de-CH", minPriority: "high" },
      });
      const rest = { ...device };
      delete rest.name;
      delete rest.quietHours;
      expect((await peal.read(device)).device).toEqual(rest);
      const quietHours = { from: "01:00", to: "02:00", timezone: "UTC" };
      await devices.patch(device.id, { quietHours, minPriority: "low", locale: "fr" });
      expect((await peal.read(device)).device).toEqual({ ...rest, quietHours, minPriority: "low", locale: "fr" });
      expect(await devices.patch("0".repeat(26), { name: "x" })).toBeUndefined();
    });

    test("gets a new token, unless another device has it", async () => {
      await using peal = await subscribers(open);
      const { device } = await peal.device("old", []);
      await peal.device("taken", []);
      expect(await peal.store.devices.patch(device.id, { token: "taken" })).toBe("token_taken");
      expect((await peal.read(device)).device).toEqual(device);
      peal.clock.advance(5);
      const registeredAt = peal.clock.now();
      expect(await peal.store.devices.patch(device.id, { token: "new", keys: KEYS })).toMatchObject({
        device: { ...device, token: "new", keys: KEYS, registeredAt },
      });
      expect(await peal.register("new")).toMatchObject({ kind: "known", device: { id: device.id } });
    });

    test("in a browser waits in the lane of its new endpoint", async () => {
      await using peal = await subscribers(open);
      const { device } = await peal.device("https://push.example/1", [await peal.topic()], { platform: "web" });
      await peal.publish("alerts");
      await peal.expand();
      await peal.store.devices.patch(device.id, { token: "https://other.example/2" });
      expect(await peal.store.deliveries.lanes()).toEqual(["webpush:https://other.example"]);
    });

    // prettier-ignore
    const returns: [string, (peal: Subscribers, id: string) => Promise<unknown>][] = [
      ["registers its token", async (peal) => peal.register("t")],
      ["says its token",      async (peal, id) => peal.store.devices.patch(id, { token: "t" })],
      ["says a new token",    async (peal, id) => peal.store.devices.patch(id, { token: "new" })],
    ];
    test.each(returns)("that was lost returns with all its topics when it %s", async (_, comeBack) => {
      await using peal = await subscribers(open);
      const { device } = await peal.device("t", [await peal.topic()]);
      await peal.publish("alerts");
      await peal.expand();
      await peal.settle(device, { kind: "failed", status: 410, reason: "Unregistered" }, { lost: "Unregistered" });
      expect((await peal.read(device)).device.lost).toEqual({ at: peal.clock.now(), reason: "Unregistered" });
      await peal.publish("alerts");
      await peal.expand();
      expect(await peal.waiting(device)).toEqual([]);

      peal.clock.advance(HOUR);
      await comeBack(peal, device.id);
      const back = await peal.read(device);
      expect([back.device.lost, back.device.registeredAt]).toEqual([undefined, peal.clock.now()]);
      expect(back.subscriptions).toHaveLength(1);
      await peal.publish("alerts", { message: "again" });
      await peal.expand();
      expect(await peal.texts(back.device)).toEqual(["again"]);
    });

    test("is deleted with its subscriptions and all that waits for it, however much, and its row is not reused", async () => {
      await using peal = await subscribers(open, { devicesPerTopic: 1 });
      const topic = await peal.topic();
      const { device } = await peal.device("t", [topic]);
      const { message } = await peal.publish("alerts");
      await peal.fill("alerts", 250);
      await peal.expand();
      expect(await peal.store.devices.remove(device.id)).toBe(true);
      expect(await peal.store.devices.remove(device.id)).toBe(false);
      expect(await peal.store.devices.find(device.id)).toBeUndefined();
      expect(await peal.store.deliveries.lanes()).toEqual([]);
      const { deliveries, counts } = await peal.store.deliveries.ofMessage(message.seq, { limit: 5 });
      expect(deliveries).toMatchObject([{ state: "cancelled", lastReason: "the device was removed" }]);
      expect([deliveries[0]?.device, counts.cancelled]).toEqual([undefined, 1]);
      const next = await peal.device("t", [topic]);
      expect(next.device.row).toBeGreaterThan(device.row);
    });
  });

  describe("a subscription", () => {
    test("is made once, has its own rules, and is removed", async () => {
      await using peal = await subscribers(open);
      const { devices } = peal.store;
      const topic = await peal.topic();
      const ref = refOf(topic);
      const { device } = await peal.device("t");
      const { id, namespace, key, name } = topic;
      const subscription = { topic: { id, namespace, key, name }, subscribedAt: peal.clock.now() };
      expect(await devices.subscribe(device.id, ref)).toEqual({ kind: "made", subscription });
      peal.clock.advance(5);
      expect(await devices.subscribe(device.id, ref)).toEqual({ kind: "known", subscription });
      const patched = await devices.patchSubscription(device.id, ref, { mutedUntil: 7, minPriority: "urgent" });
      expect(patched).toEqual({ ...subscription, mutedUntil: 7, minPriority: "urgent" });
      expect(await devices.patchSubscription(device.id, ref, { mutedUntil: null })).toEqual({ ...subscription, minPriority: "urgent" }); // prettier-ignore
      for (let times = 0; times < 2; times++) await devices.unsubscribe(device.id, ref);
      expect((await peal.read(device)).subscriptions).toEqual([]);
      expect(await devices.patchSubscription(device.id, ref, {})).toBeUndefined();
    });

    test("requires an existing device and topic", async () => {
      await using peal = await subscribers(open);
      const { devices } = peal.store;
      const topic = await peal.topic();
      const { device } = await peal.device("t");
      const nowhere = { namespace: "home", key: UNKNOWN };
      expect(await devices.subscribe("0".repeat(26), refOf(topic))).toEqual({ kind: "unknown_device" });
      expect(await devices.subscribe(device.id, nowhere)).toEqual({ kind: "unknown_topic" });
      expect(await devices.subscribe(device.id, { ...refOf(topic), namespace: "other" })).toEqual({ kind: "unknown_topic" }); // prettier-ignore
      await devices.unsubscribe(device.id, nowhere);
      await devices.unsubscribe("0".repeat(26), refOf(topic));
    });

    test("of a deleted topic is not shown, and removed by the sweep", async () => {
      await using peal = await subscribers(open, { topicsPerDevice: 1 });
      const { device } = await peal.device("t", [await peal.topic("gone")]);
      const [gone] = (await peal.read(device)).subscriptions;
      if (gone === undefined) throw new Error("no subscription");
      await peal.store.topics.remove(gone.topic.id);
      expect(await namesOf(peal, device.id)).toEqual([]);
      expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      const next = await peal.topic("next");
      expect(await peal.store.devices.subscribe(device.id, refOf(next))).toMatchObject({ kind: "made" });
    });

    test("is listed by topic, page by page", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const made = [];
      for (const token of ["a", "b", "c"]) made.push((await peal.device(token, [topic])).device);
      await peal.device("elsewhere");
      const first = await peal.store.devices.ofTopic(topic.id, { limit: 2 });
      const rest = await peal.store.devices.ofTopic(topic.id, { limit: 2, after: first.at(-1)?.row ?? 0 });
      expect([...first, ...rest]).toEqual(made);
    });
  });

  describe("a rotated topic", () => {
    const rotate = async (peal: Subscribers, topic: Topic, keep: string[]) => {
      const rotated = await peal.store.topics.rotate(topic.id, (id) => keep.includes(id));
      if (rotated === undefined) throw new Error("gone");
      return rotated;
    };

    test("keeps the named devices, which see its new key, and no others", async () => {
      await using peal = await subscribers(open);
      const [topic, other] = [await peal.topic(), await peal.topic("other")];
      const kept = (await peal.device("kept", [topic])).device;
      const dropped = (await peal.device("dropped", [topic, other])).device;
      const stranger = (await peal.device("stranger", [other])).device;
      const rotated = await rotate(peal, topic, [kept.id, stranger.id, "0".repeat(26)]);
      expect(rotated).toEqual({ topic: { ...topic, key: rotated.topic.key }, kept: [kept.id], dropped: [dropped.id] });
      const [subscription] = (await peal.read(kept)).subscriptions;
      expect(subscription?.topic.key).toBe(rotated.topic.key);
      expect(await namesOf(peal, dropped.id)).toEqual(["other"]);
      await peal.publish("alerts");
      await peal.expand();
      expect([await peal.waiting(kept), await peal.waiting(dropped)].map(({ length }) => length)).toEqual([1, 0]);
      expect(await peal.store.devices.subscribe(dropped.id, refOf(topic))).toEqual({ kind: "unknown_topic" });
    });

    test("drops any number of devices, including one that registers with the old key meanwhile", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const ids: string[] = [];
      for (const n of range(1, 350)) ids.push((await peal.device(`t${n}`, [topic])).device.id);
      const [first = "", second = "", last = ids.at(-1) ?? ""] = ids;
      let commits = 0;
      peal.store.onCommit(() => {
        commits++;
        if (commits === 1) void peal.store.devices.subscribe(first, refOf(topic));
      });
      const rotated = await rotate(peal, topic, [second, last]);
      expect(commits).toBeGreaterThan(3);
      expect(rotated.kept.toSorted()).toEqual([second, last].toSorted());
      expect(rotated.dropped.toSorted()).toEqual(ids.filter((id) => id !== second && id !== last).toSorted());
      const left = await peal.store.devices.ofTopic(topic.id, { limit: 9 });
      expect(left.map(({ id }) => id)).toEqual([second, last]);
    });
  });

  test("devices are counted by platform, lost ones separately, and found by namespace", async () => {
    await using peal = await subscribers(open);
    const other = await peal.store.namespaces.create("other");
    if (other === "name_taken") throw new Error(other);
    const elsewhere = await peal.store.messages.publish({ namespaceId: other.id, to: { name: "x" }, draft: draft() });
    if (elsewhere.kind !== "stored") throw new Error(elsewhere.kind);
    const topic = await peal.topic();
    const { device } = await peal.device("1", [topic]);
    await peal.device("2", [elsewhere.topic], { platform: "android" });
    await peal.device("3", [], { platform: "android" });
    const { devices } = peal.store;
    const counted = async () =>
      (await devices.counts()).flatMap(({ platform, isLost, count }) => (count > 0 ? [`${platform} ${isLost} ${count}`] : [])); // prettier-ignore
    expect(await counted()).toEqual(["ios false 1", "android false 2"]);
    expect(await devices.namespacesOf("ios")).toEqual([peal.home.id]);
    expect(await devices.namespacesOf("android")).toEqual([other.id]);
    expect(await devices.namespacesOf("web")).toEqual([]);
    await peal.publish("alerts");
    await peal.expand();
    await peal.settle(device, { kind: "failed", status: 410, reason: "gone" }, { lost: "gone" });
    expect(await counted()).toEqual(["ios true 1", "android false 2"]);
    expect(await devices.namespacesOf("ios")).toEqual([]);
    await peal.store.topics.remove(elsewhere.topic.id);
    expect(await devices.namespacesOf("android")).toEqual([]);
  });
};
