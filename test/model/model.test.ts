/** Random sequences of everything that a person can do to topics, compared with a model that fits on a page. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { answer, type TestMessage } from "../support/client.ts";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { ROUNDS } from "../support/rounds.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { listen, type Listening } from "../events/listen.ts";
import { Model, type ModelReader, type ModelTopic } from "./model.ts";

interface Real {
  peal: InProcess;
  clock: HeldClock;
  streams: Map<ModelReader, Listening>;
}
type Command = fc.AsyncCommand<Model, Real>;

interface Stored extends TestMessage {
  topic: string;
  created_topic: boolean;
}

/** The topic that a random number selects among the existing ones. */
const pick = (model: Model, draw: number): ModelTopic | undefined =>
  [...model.topics.values()][draw % model.topics.size];

/** Waits until every open reader has what it must have, exactly once and in order. */
async function settle(model: Model, real: Real): Promise<void> {
  for (const reader of model.readers) {
    const stream = real.streams.get(reader);
    if (stream === undefined) continue;
    if (reader.state === "gone") {
      await eventually("gone", () => stream.events.some(({ event }) => event === "gone"));
      real.streams.delete(reader);
      continue;
    }
    await eventually("all messages", () => stream.ids().length >= reader.expected.length);
    expect(stream.ids()).toEqual(reader.expected);
  }
}

async function connect(model: Model, real: Real, reader: ModelReader, since: number | undefined): Promise<void> {
  const { topic } = reader;
  const query = since === undefined ? "" : `?since=${since}`;
  reader.state = "open";
  reader.expected = topic.messages.filter(({ id }) => id > (since ?? topic.lastId)).map(({ id }) => id);
  const stream = await listen(`${real.peal.url}/home/${topic.key}/events${query}`);
  await stream.ready();
  real.streams.set(reader, stream);
}

const command = (name: string, check: Command["check"], run: Command["run"]): Command => ({
  check,
  run: async (model, real) => {
    await run(model, real);
    await settle(model, real);
  },
  toString: () => name,
});

const name = fc.constantFrom("alpha", "beta", "gamma");
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((value) => /^[\p{L}\p{N}]+$/u.test(value));
const draw = fc.nat(1_000);
const some = (model: Readonly<Model>) => model.topics.size > 0;
const dropped = (model: Model) => model.readers.filter(({ state }) => state === "dropped");
const open = (model: Model) => model.readers.filter(({ state }) => state === "open");

async function publish(model: Model, { peal }: Real, to: string, body: object, headers = {}): Promise<Stored> {
  const stored = await answer<Stored>(201, await peal.api("POST", `/home/${to}`, body, headers));
  const known = model.topics.get(to);
  expect(stored.created_topic).toBe(known === undefined);
  if (known === undefined) model.topics.set(to, { name: to, key: stored.topic, lastId: 0, messages: [] });
  return stored;
}
function topicOf(model: Model, to: string): ModelTopic {
  const topic = model.topics.get(to);
  if (topic === undefined) throw new Error(`the model has no ${to}`);
  return topic;
}

const commands = [
  fc.tuple(name, text).map(([to, message]) =>
    command(
      `publish ${to}`,
      () => true,
      async (model, real) => {
        const stored = await publish(model, real, to, { message });
        expect(stored.id).toBe(model.append(topicOf(model, to), message).id);
      },
    ),
  ),
  fc.tuple(name, text, fc.uuid()).map(([to, message, key]) =>
    command(
      `publish twice ${to}`,
      () => true,
      async (model, real) => {
        const stored = await publish(model, real, to, { message }, { "idempotency-key": key });
        model.append(topicOf(model, to), message);
        const again = await real.peal.api("POST", `/home/${to}`, { message }, { "idempotency-key": key });
        expect(again.headers.get("idempotent-replay")).toBe("true");
        expect(await answer<Stored>(201, again)).toEqual(stored);
      },
    ),
  ),
  fc.tuple(name, text, fc.integer({ min: 1, max: 100 })).map(([to, message, delay]) =>
    command(
      `schedule ${to} +${delay}`,
      () => true,
      async (model, real) => {
        const { scheduled } = (await publish(model, real, to, { message, delay })) as unknown as {
          scheduled: { id: string };
        };
        model.waiting.push({
          id: scheduled.id,
          topic: topicOf(model, to),
          text: message,
          at: model.now + delay * 1000,
        });
      },
    ),
  ),
  draw.map((which) =>
    command(
      "cancel",
      (model) => model.waiting.length > 0,
      async (model, { peal }) => {
        const [waiting] = model.waiting.splice(which % model.waiting.length, 1);
        const cancelled = await peal.api("DELETE", `/v1/home/scheduled/${waiting?.id ?? ""}`);
        expect(cancelled.status).toBe(204);
      },
    ),
  ),
  fc.integer({ min: 1, max: 60 }).map((seconds) =>
    command(
      `advance ${seconds}`,
      () => true,
      async (model, { peal, clock }) => {
        clock.advance(seconds * 1000);
        model.advance(seconds * 1000);
        for (const topic of model.topics.values())
          await eventually(`${topic.name} to have ${topic.lastId} messages`, async () => {
            const page = await answer<{ last_id: number }>(200, await peal.request(`/v1/home/${topic.key}/messages`));
            return page.last_id === topic.lastId;
          });
      },
    ),
  ),
  fc
    .tuple(
      draw,
      fc.option(fc.nat(30), { nil: undefined }),
      fc.option(fc.nat(30), { nil: undefined }),
      fc.integer({ min: 1, max: 10 }),
    )
    .map(([which, since, before, limit]) =>
      command(`page ${which} since ${since ?? "-"} before ${before ?? "-"}`, some, async (model, { peal }) => {
        const topic = pick(model, which);
        if (topic === undefined) return;
        const query = new URLSearchParams({ limit: String(limit) });
        if (since !== undefined) query.set("since", String(since));
        if (before !== undefined && since === undefined) query.set("before", String(before));
        const page = await answer<{ messages: TestMessage[]; last_id: number; has_more: boolean }>(
          200,
          await peal.request(`/v1/home/${topic.key}/messages?${query.toString()}`),
        );
        const wanted = { limit, ...(since !== undefined ? { since } : before !== undefined && { before }) };
        expect(page.messages.map(({ id, message }) => ({ id, text: message }))).toEqual(model.page(topic, wanted));
        expect(page.last_id).toBe(topic.lastId);
        expect(page.has_more).toBe(model.page(topic, { ...wanted, limit: Infinity }).length > limit);
      }),
    ),
  fc.tuple(draw, fc.option(fc.nat(10), { nil: undefined })).map(([which, back]) =>
    command(`stream ${which} ${back === undefined ? "live" : `back ${back}`}`, some, async (model, real) => {
      const topic = pick(model, which);
      if (topic === undefined) return;
      const reader: ModelReader = { topic, expected: [], lastSeen: topic.lastId, state: "open" };
      model.readers.push(reader);
      await connect(model, real, reader, back === undefined ? undefined : Math.max(0, topic.lastId - back));
    }),
  ),
  draw.map((which) =>
    command(
      "drop",
      (model) => open(model).length > 0,
      async (model, real) => {
        const reader = open(model)[which % open(model).length];
        if (reader === undefined) return;
        const stream = real.streams.get(reader);
        reader.state = "dropped";
        reader.lastSeen = stream?.ids().at(-1) ?? reader.lastSeen;
        real.streams.delete(reader);
        await stream?.close();
      },
    ),
  ),
  draw.map((which) =>
    command(
      "resume",
      (model) => dropped(model).length > 0,
      async (model, real) => {
        const reader = dropped(model)[which % dropped(model).length];
        if (reader !== undefined) await connect(model, real, reader, reader.lastSeen);
      },
    ),
  ),
  fc.tuple(draw, draw).map(([which, index]) =>
    command(
      "delete a message",
      (model) => [...model.topics.values()].some(({ messages }) => messages.length > 0),
      async (model, { peal }) => {
        const topic = pick(model, which);
        const [message] = topic?.messages.splice(index % Math.max(1, topic.messages.length), 1) ?? [];
        if (topic === undefined || message === undefined) return;
        expect((await peal.api("DELETE", `/v1/home/${topic.key}/messages/${message.id}`)).status).toBe(204);
        expect((await peal.request(`/v1/home/${topic.key}/messages/${message.id}`)).status).toBe(404);
      },
    ),
  ),
  draw.map((which) =>
    command("rotate", some, async (model, { peal }) => {
      const topic = pick(model, which);
      if (topic === undefined) return;
      const old = topic.key;
      const rotated = await answer<{ topic: string }>(200, await peal.api("POST", `/v1/home/${old}/rotate`, {}));
      model.close(topic);
      topic.key = rotated.topic;
      expect((await peal.request(`/v1/home/${old}/messages`)).status).toBe(404);
    }),
  ),
  draw.map((which) =>
    command("delete a topic", some, async (model, { peal }) => {
      const topic = pick(model, which);
      if (topic === undefined) return;
      expect((await peal.api("DELETE", `/v1/home/${topic.key}`)).status).toBe(204);
      model.remove(topic);
      expect((await peal.request(`/v1/home/${topic.key}/messages`)).status).toBe(404);
    }),
  ),
  fc.constant(
    command(
      "restart",
      () => true,
      async (model, real) => {
        for (const reader of open(model)) {
          const stream = real.streams.get(reader);
          reader.state = "dropped";
          reader.lastSeen = stream?.ids().at(-1) ?? reader.lastSeen;
          await stream?.close();
          real.streams.delete(reader);
        }
        await real.peal.restart();
      },
    ),
  ),
];

test("topics, pages, delayed messages and streams do what the model does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { size: "+1", maxCommands: 60 }), async (sequence) => {
      const clock = heldClock();
      await using peal = await inProcess({ clock });
      const real: Real = { peal, clock, streams: new Map() };
      try {
        await fc.asyncModelRun(() => ({ model: new Model(clock.now()), real }), sequence);
      } finally {
        for (const stream of real.streams.values()) await stream.close();
      }
    }),
    { numRuns: ROUNDS },
  );
}, 600_000);
