/** What is stored beside messages about how they were sent, for how long, and what deletes it. */
import { describe, expect, test } from "bun:test";
import type { Intake } from "../../../src/messages/intake.ts";
import { BODIES_PER_NAMESPACE, BODIES_PER_TOPIC } from "../../../src/store/intake.ts";
import type { Publication } from "../../../src/store/messages.ts";
import { bench, draft, range, type Bench, type OpenEngine } from "./engine.ts";

const field = { path: "/title", message: "must be text" };
const leftOut: Intake = { ignored: [field] };
const unknown = (body: string): Intake => ({
  ignored: [],
  came: { body, isCut: false, contentType: "application/json", userAgent: "Foobar/1.2" },
});

async function send(peal: Bench, name: string, intake: Intake, more: Partial<Publication> = {}) {
  const publication = { namespaceId: peal.home.id, to: { name }, draft: draft(), intake, ...more };
  const published = await peal.store.messages.publish(publication);
  if (published.kind !== "stored") throw new Error(published.kind);
  return published;
}
const kept = async (peal: Bench, ...seqs: number[]) =>
  [...(await peal.store.intake.of(seqs, 100))].map(([seq, { came }]) => [seq, came?.body]);

export const intake = (open: OpenEngine) => {
  describe("the record of how a message was sent", () => {
    test("has the ignored fields and the body, for messages that have them", async () => {
      await using peal = await bench(open);
      const plain = await peal.publish("tools");
      const one = await send(peal, "tools", leftOut);
      const two = await send(peal, "tools", { ...unknown('{"a": 1}'), ignored: [field] });
      const seqs = [plain, one, two].map(({ message }) => message.seq);
      expect([...(await peal.store.intake.of(seqs, 4))] as unknown).toEqual([
        [one.message.seq, leftOut],
        [
          two.message.seq,
          {
            ignored: [field],
            came: { body: '{"a"', length: 8, isCut: false, contentType: "application/json", userAgent: "Foobar/1.2" },
          },
        ],
      ]);
      const store = await peal.reopen();
      expect((await store.intake.of(seqs, 100)).size).toBe(2);
    });

    test("is counted over the newest 20 messages of a topic", async () => {
      await using peal = await bench(open);
      const { topic } = await send(peal, "tools", leftOut);
      expect(await peal.store.intake.leftOut(topic.id)).toEqual({ looked: 1, lacking: [{ id: 1, ignored: [field] }] });
      await send(peal, "tools", unknown("{}"));
      await send(peal, "tools", leftOut);
      await send(peal, "others", leftOut);
      await peal.fill("tools", 17);
      const lacking = [3, 1].map((id) => ({ id, ignored: [field] }));
      expect(await peal.store.intake.leftOut(topic.id)).toEqual({ looked: 20, lacking });
      await peal.publish("tools");
      expect(await peal.store.intake.leftOut(topic.id)).toEqual({ looked: 20, lacking: lacking.slice(0, 1) });
    });

    test("keeps the bodies of the newest messages of a topic only; the ignored fields stay", async () => {
      await using peal = await bench(open);
      const other = await send(peal, "others", unknown("another topic's"));
      const seqs = [];
      for (const n of range(1, BODIES_PER_TOPIC + 2))
        seqs.push((await send(peal, "tools", { ...unknown(`body ${n}`), ignored: [field] })).message.seq);
      const shown = await kept(peal, ...seqs);
      expect(shown.map(([, body]) => body)).toEqual([
        ...[undefined, undefined],
        ...range(3, BODIES_PER_TOPIC + 2).map((n) => `body ${n}`),
      ]);
      expect<Intake | undefined>((await peal.store.intake.of(seqs, 100)).get(seqs[0] ?? 0)).toEqual(leftOut);
      expect(await kept(peal, other.message.seq)).toEqual([[other.message.seq, "another topic's"]]);
    });

    test("keeps the bodies of the newest messages of a namespace only, however many topics it has", async () => {
      await using peal = await bench(open);
      const elsewhere = await peal.store.namespaces.create("elsewhere");
      if (elsewhere === "name_taken") throw new Error(elsewhere);
      const spared = await send(peal, "t", unknown("another namespace's"), { namespaceId: elsewhere.id });
      const sent = await Promise.all(
        range(1, BODIES_PER_NAMESPACE + 1).map(async (n) => send(peal, `t${n % 100}`, unknown("b"))),
      );
      const seqs = sent.map(({ message }) => message.seq).sort((a, b) => a - b);
      const shown = await kept(peal, ...seqs);
      expect(shown.filter(([, body]) => body === undefined)).toEqual([[seqs[0], undefined]]);
      expect(await kept(peal, spared.message.seq)).toEqual([[spared.message.seq, "another namespace's"]]);
    });

    test("is deleted with its message, and restored with it", async () => {
      await using peal = await bench(open);
      const { topic, message } = await send(peal, "tools", { ...unknown("{}"), ignored: [field] });
      const before = await peal.store.intake.of([message.seq], 100);
      expect(before.size).toBe(1);
      await peal.store.messages.discard(topic.id, message.id);
      expect((await peal.store.intake.of([message.seq], 100)).size).toBe(0);
      expect(await peal.store.messages.restore(topic.id, message.id)).toBe(true);
      expect(await peal.store.intake.of([message.seq], 100)).toEqual(before);
      await peal.store.messages.remove(topic.id, message.id);
      expect((await peal.store.intake.of([message.seq], 100)).size).toBe(0);
    });

    test("is deleted by retention, and with its topic", async () => {
      await using peal = await bench(open);
      const old = await send(peal, "tools", unknown("old"));
      const young = await send(peal, "tools", unknown("young"));
      await peal.store.sweep({ days: 0, messages: 1 }, 1_000);
      expect(await kept(peal, old.message.seq, young.message.seq)).toEqual([[young.message.seq, "young"]]);
      await peal.store.topics.remove(young.topic.id);
      await peal.store.sweep({ days: 0, messages: 0 }, 1_000);
      expect(await kept(peal, young.message.seq)).toEqual([]);
    });

    test("is kept with a message that waits", async () => {
      await using peal = await bench(open);
      const deliverAt = peal.clock.now() + 5;
      const publication = { namespaceId: peal.home.id, to: { name: "tools" }, draft: draft(), deliverAt };
      await peal.store.messages.publish({ ...publication, intake: unknown("later") });
      await peal.store.messages.publish(publication);
      peal.clock.advance(5);
      expect(await peal.store.scheduled.fire(peal.clock.now(), 5)).toBe(2);
      const seqs = peal.heard.flatMap((event) => (event.kind === "message" ? event.message.seq : []));
      expect(await kept(peal, ...seqs)).toEqual([[seqs[0] ?? 0, "later"]]);
    });

    test("is not stored again for a repeat", async () => {
      await using peal = await bench(open);
      const idempotency = { key: "k", hash: "h" };
      const first = await send(peal, "tools", unknown("once"), { idempotency });
      expect(await send(peal, "tools", unknown("twice"), { idempotency })).toMatchObject({ replayed: true });
      expect(await kept(peal, first.message.seq)).toEqual([[first.message.seq, "once"]]);
    });
  });
};
