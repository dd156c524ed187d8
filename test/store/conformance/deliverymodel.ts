/**
 * Any subscribing, publishing, leaving and sending in any order, with the fan-out in small slices: every device that
 * had subscribed to a message and stayed gets it once, no other device gets it, and the topic knows how many have
 * subscribed.
 */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Outcome } from "../../../src/delivery/delivery.ts";
import { stateOf } from "../../../src/delivery/json.ts";
import type { Store } from "../../../src/store/store.ts";
import { SEQUENCES } from "../../support/rounds.ts";
import { draft, topicNamed, type OpenEngine } from "./engine.ts";
import { plan, refOf, subscribers, type Subscribers } from "./subscribing.ts";

/** One subscription; subscribing again makes another one. */
interface Stay {
  token: string;
  /** It has ended, or its device was lost for a while: deliveries that were not made by then need not be made. */
  isBroken: boolean;
}
interface ModelMessage {
  seq: number;
  id: number;
  to: Stay[];
  /** It, or its topic, was deleted, or it was acknowledged: deliveries that were not made by then need not be made. */
  isOver: boolean;
}
interface Model {
  /** Ids by token. */
  devices: Map<string, string>;
  lost: Set<string>;
  topics: Map<string, { stays: Stay[]; messages: ModelMessage[] }>;
  messages: ModelMessage[];
}
interface Real {
  bench: Subscribers;
  store: Store;
}
type Command = fc.AsyncCommand<Model, Real>;

const TOKENS = ["1", "2", "3", "4"];
const NAMES = ["a", "b"];
/** Low, so that the counter of subscribers has an effect. */
const DEVICES_PER_TOPIC = 2;
const token = fc.constantFrom(...TOKENS);
const name = fc.constantFrom(...NAMES);

const command = (label: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run,
  toString: () => label,
});

const topicOf = async ({ store, bench }: Real, name: string) => {
  const found = await topicNamed(store, bench.home, name);
  if (found === undefined) throw new Error(`no topic ${name}`);
  return found;
};
const breakOff = (stays: readonly Stay[]) => {
  for (const stay of stays) stay.isBroken = true;
};
const staysOf = (model: Model, token: string) =>
  [...model.topics.values()].flatMap(({ stays }) => stays.filter((stay) => stay.token === token));
const leave = (model: Model, isLeaving: (stay: Stay) => boolean, names = NAMES) => {
  for (const name of names) {
    const topic = model.topics.get(name);
    if (topic === undefined) continue;
    breakOff(topic.stays.filter(isLeaving));
    topic.stays = topic.stays.filter((stay) => !isLeaving(stay));
  }
};
const end = (messages: readonly ModelMessage[]) => {
  for (const message of messages) message.isOver = true;
};

const outcomes: Outcome[] = [
  { kind: "accepted" },
  { kind: "accepted", repeatAt: 9 },
  { kind: "later", dueAt: 0, isAttempt: true, reason: "503" },
  { kind: "failed", status: 400, reason: "BadTopic" },
];

const register = fc.tuple(token, fc.subarray(NAMES)).map(([token, names]) =>
  command(`register ${token} for ${names.join()}`, async (model, real) => {
    const added = names.filter((name) => !model.topics.get(name)?.stays.some((stay) => stay.token === token));
    const isFull = added.some((name) => (model.topics.get(name)?.stays.length ?? 0) >= DEVICES_PER_TOPIC);
    const topics = await Promise.all(names.map(async (name) => topicOf(real, name)));
    const spec = { platform: "ios" as const, token, base: "https://peal.example", topics: topics.map(refOf) };
    const made = await real.store.devices.register(spec);
    expect(made.kind).toBe(isFull ? "topic_full" : model.devices.has(token) ? "known" : "made");
    if (!("device" in made)) return;
    model.devices.set(token, made.device.id);
    model.lost.delete(token);
    for (const name of added) model.topics.get(name)?.stays.push({ token, isBroken: false });
  }),
);

const commands = [
  // as frequent as all other device commands together, or no topic would ever be full
  ...Array.from({ length: 6 }, () => register),
  fc.tuple(token, name).map(([token, name]) =>
    command(`unsubscribe ${token} from ${name}`, async (model, real) => {
      await real.store.devices.unsubscribe(model.devices.get(token) ?? "", refOf(await topicOf(real, name)));
      leave(model, (stay) => stay.token === token, [name]);
    }),
  ),
  token.map((token) =>
    command(`remove ${token}`, async (model, real) => {
      expect(await real.store.devices.remove(model.devices.get(token) ?? "")).toBe(model.devices.delete(token));
      model.lost.delete(token);
      leave(model, (stay) => stay.token === token);
    }),
  ),
  fc.array(name, { minLength: 1, maxLength: 3 }).map((names) =>
    command(`publish to ${names.join()}`, async (model, { store, bench }) => {
      let outboxes = 0;
      store.onCommitted((events) => (outboxes += events.filter(({ kind }) => kind === "outbox").length));
      const namespaceId = bench.home.id;
      const published = await Promise.all(
        names.map(async (name) => store.messages.publish({ namespaceId, to: { name }, draft: draft() })),
      );
      // a message that is published while a device is lost need not be delivered to it, even if it returns later
      const tos = names.map((name) =>
        (model.topics.get(name)?.stays ?? []).map((stay) =>
          model.lost.has(stay.token) ? { ...stay, isBroken: true } : stay,
        ),
      );
      expect(outboxes).toBe(tos.some((to) => to.length > 0) ? 1 : 0); // all are in one commit
      published.forEach((one, index) => {
        if (one.kind !== "stored") throw new Error(one.kind);
        const message = { seq: one.message.seq, id: one.message.id, to: tos[index] ?? [], isOver: false };
        model.messages.push(message);
        model.topics.get(names[index] ?? "")?.messages.push(message);
      });
    }),
  ),
  fc.tuple(name, fc.subarray(TOKENS)).map(([name, keep]) =>
    command(`rotate ${name}, keep ${keep.join()}`, async (model, real) => {
      const { id } = await topicOf(real, name);
      const idOf = (token: string) => model.devices.get(token) ?? "";
      const rotated = await real.store.topics.rotate(id, (device) => keep.some((token) => idOf(token) === device));
      const stays = model.topics.get(name)?.stays ?? [];
      const [kept, dropped] = [true, false].map((isKept) =>
        stays.filter(({ token }) => keep.includes(token) === isKept).map(({ token }) => idOf(token)),
      );
      expect([rotated?.kept.toSorted(), rotated?.dropped.toSorted()]).toEqual([kept?.toSorted(), dropped?.toSorted()]);
      leave(model, ({ token }) => !keep.includes(token), [name]);
    }),
  ),
  fc.tuple(name, fc.nat(4)).map(([name, nth]) =>
    command(`delete message ${nth} of ${name}`, async (model, real) => {
      const message = model.topics.get(name)?.messages[nth];
      if (message === undefined) return;
      await real.store.messages.remove((await topicOf(real, name)).id, message.id);
      end([message]);
    }),
  ),
  fc.tuple(name, fc.nat(4)).map(([name, nth]) =>
    command(`acknowledge message ${nth} of ${name}`, async (model, real) => {
      const message = model.topics.get(name)?.messages[nth];
      const { id } = await topicOf(real, name);
      const found = message && (await real.store.messages.find(id, message.id));
      if (message === undefined || found === undefined) return;
      await real.store.deliveries.acknowledge(id, found);
      expect((await real.store.deliveries.ofMessage(message.seq, { limit: 9 })).counts.pending).toBe(0);
      end([message]);
    }),
  ),
  name.map((name) =>
    command(`delete and make ${name} again`, async (model, real) => {
      await real.store.topics.remove((await topicOf(real, name)).id);
      await real.store.topics.create(real.bench.home.id, { name });
      const topic = model.topics.get(name);
      breakOff(topic?.stays ?? []);
      end(topic?.messages ?? []);
      model.topics.set(name, { stays: [], messages: [] });
    }),
  ),
  fc.integer({ min: 1, max: 3 }).map((limit) =>
    command(`expand ${limit}`, async (_, { store }) => {
      expect((await store.deliveries.expand(plan, limit)).made).toBeLessThanOrEqual(limit);
    }),
  ),
  fc.tuple(fc.nat(1), fc.constantFrom(...outcomes)).map(([nth, outcome]) =>
    command(`settle ${nth} as ${JSON.stringify(outcome)}`, async (_, { store }) => {
      const due = await store.deliveries.due("apns:production", Number.MAX_SAFE_INTEGER, 10);
      await store.deliveries.settle(due.slice(nth, nth + 1).map(({ row }) => ({ rows: [row], outcome })));
    }),
  ),
  fc.tuple(name, fc.nat(4)).map(([name, nth]) =>
    command(`retry message ${nth} of ${name}`, async (model, { store }) => {
      const message = model.topics.get(name)?.messages[nth];
      if (message === undefined) return;
      const stateBy = async () => {
        const { deliveries } = await store.deliveries.ofMessage(message.seq, { limit: 100 });
        return new Map(deliveries.map((one) => [one.row, stateOf(one)]));
      };
      const before = await stateBy();
      const { retried } = await store.deliveries.retry(message.seq, plan);
      const after = await stateBy();
      const changed = [...after].filter(([row, state]) => before.get(row) !== state);
      // the same deliveries, and none of the accepted ones, so that nothing is shown twice
      expect([...after.keys()]).toEqual([...before.keys()]);
      expect(changed.map(([row, state]) => [before.get(row), state])).toEqual(changed.map(() => ["failed", "pending"]));
      expect(changed).toHaveLength(retried);
    }),
  ),
  token.map((token) =>
    command(`lose ${token}`, async (model, { store }) => {
      const found = await store.devices.find(model.devices.get(token) ?? "");
      if (found === undefined) return;
      const news = { device: found.device, lost: "gone" };
      await store.deliveries.settle([{ rows: [], outcome: { kind: "cancelled", reason: "gone" }, news }]);
      model.lost.add(token);
      breakOff(staysOf(model, token));
      // it stays subscribed, and later messages must arrive once it is back
      for (const topic of model.topics.values())
        topic.stays = topic.stays.map((stay) => (stay.token === token ? { token, isBroken: false } : stay));
    }),
  ),
  fc.constant(
    command("sweep", async (_, { store }) => {
      expect(await store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
    }),
  ),
  fc.constant(
    command("reopen", async (_, real) => {
      real.store = await real.bench.reopen();
    }),
  ),
];

/** Compares for each message who got it, each once, and what the counts say. */
async function compare(model: Model, { store }: Real): Promise<void> {
  while ((await store.deliveries.expand(plan, 2)).hasMore);
  const tokenOf = new Map([...model.devices].map(([token, id]) => [id, token]));
  for (const { seq, to, isOver } of model.messages) {
    const { deliveries, counts } = await store.deliveries.ofMessage(seq, { limit: 100 });
    const got = deliveries.flatMap(({ device }) => (device === undefined ? [] : (tokenOf.get(device.id) ?? "nobody")));
    const must = to.filter(({ token, isBroken }) => !isBroken && !isOver && !model.lost.has(token));
    expect(new Set(got).size).toBe(got.length);
    expect(to.map(({ token }) => token)).toEqual(expect.arrayContaining(got) as string[]);
    expect(got).toEqual(expect.arrayContaining(must.map(({ token }) => token)) as string[]);
    expect(deliveries.length).toBeLessThanOrEqual(to.length);
    if (isOver) continue;
    for (const [state, count] of Object.entries(counts))
      expect(deliveries.filter((delivery) => stateOf(delivery) === state)).toHaveLength(count);
  }
  for (const [token, id] of model.devices) {
    const names = (await store.devices.find(id))?.subscriptions.map(({ topic }) => topic.name).toSorted();
    expect(names).toEqual(NAMES.filter((name) => model.topics.get(name)?.stays.some((stay) => stay.token === token)));
    expect((await store.devices.find(id))?.device.lost !== undefined).toBe(model.lost.has(token));
  }
}

export const deliveryModel = (open: OpenEngine) => {
  describe("any devices and messages", () => {
    test("have the outcome that the model expects", async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (sequence) => {
          await using peal = await subscribers(open, { devicesPerTopic: DEVICES_PER_TOPIC });
          for (const name of NAMES) await peal.topic(name);
          const topics = new Map(NAMES.map((name) => [name, { stays: [], messages: [] }]));
          const model: Model = { devices: new Map(), lost: new Set(), topics, messages: [] };
          const real: Real = { bench: peal, store: peal.store };
          await fc.asyncModelRun(() => ({ model, real }), sequence);
          await compare(model, real);
        }),
        { numRuns: SEQUENCES },
      );
    }, 120_000);
  });
};
