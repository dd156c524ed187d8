/** Simultaneous publishes are stored with few statements: the store answers as if they had come one after another. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Publication } from "../../../src/store/messages.ts";
import { newTopicKey } from "../../../src/names/topic.ts";
import { SEQUENCES } from "../../support/rounds.ts";
import { bench, draft, ids, range, type Bench, type OpenEngine } from "./engine.ts";

/** Where a publish goes. `known` exists from the beginning, `gone` was deleted; the others are new, and there is space for two. */
const PLACES = [
  "known",
  "its key",
  "its key as a name",
  "its row",
  "gone",
  "no key",
  "new",
  "newer",
  "too new",
] as const;
type Way = (typeof PLACES)[number];

interface Sent {
  way: Way;
  /** Whether the database refuses the message. */
  isBroken: boolean;
  /** Makes the publish special: with an idempotency key, or delayed. */
  beside: "idempotency" | "delay" | undefined;
  dedupKey: string | undefined;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  way: fc.constantFrom(...PLACES),
  isBroken: fc.constantFrom(false, false, false, false, true),
  beside: fc.constantFrom(undefined, undefined, undefined, "idempotency", "delay"),
  dedupKey: fc.constantFrom(undefined, "disk"),
});

/** A store in which `known` has a message and another topic was deleted. */
async function begun(open: OpenEngine) {
  const peal = await bench(open, { topicsPerNamespace: 3 });
  const { topic: known } = await peal.publish("known");
  const { topic: gone } = await peal.publish("gone");
  await peal.store.topics.remove(gone.id);
  const places: Record<Way, Publication["to"]> = {
    known: { name: "known" },
    "its key": { key: known.key },
    "its key as a name": { name: known.key },
    "its row": { id: known.id },
    gone: { key: gone.key },
    "no key": { name: newTopicKey("known") },
    new: { name: "new" },
    newer: { name: "newer" },
    "too new": { name: "too-new" },
  };
  const publication = ({ way, isBroken, beside, dedupKey }: Sent, n: number): Publication => ({
    namespaceId: peal.home.id,
    to: places[way],
    draft: draft({
      message: `m${n}`,
      ...(isBroken && { level: null as never }),
      ...(dedupKey !== undefined && { dedup_key: dedupKey, status: "firing" }),
    }),
    ...(beside === "idempotency" && { idempotency: { key: `k${n % 3}`, hash: "same" } }),
    ...(beside === "delay" && { deliverAt: peal.clock.now() + 1_000 }),
    key: n,
  });
  return { ...peal, publication };
}

/** Replaces values that are random. */
export const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, part: unknown) =>
      name === "key" || name === "id" ? (typeof part === "string" ? "" : part) : part,
    ),
  );

export const outcome = (result: PromiseSettledResult<unknown>): unknown =>
  result.status === "fulfilled" ? comparable(result.value ?? null) : String(result.reason);

async function leftIn({ store, home, heard }: Bench): Promise<unknown> {
  const topics = await store.topics.list(home.id, { archived: false, limit: 10 });
  const stream = await store.messages.pageNamespace(home.id, 0, 1_000);
  return comparable({ topics, stream, heard });
}

export const batching = (open: OpenEngine) => {
  describe("simultaneous publishes", () => {
    test("have ids without a gap in the order in which they came, across topics and ways to name them", async () => {
      await using peal = await begun(open);
      const ways = ["known", "new", "its key", "its row", "newer", "its key as a name"] as const;
      const all = range(0, 199).map((n) =>
        peal.publication(
          { way: ways[(n * 7) % 6] ?? "known", isBroken: false, beside: undefined, dedupKey: undefined },
          n,
        ),
      );
      const published = await Promise.all(all.map(async (one) => peal.store.messages.publish(one)));
      const stored = published
        .map((one) => (one.kind === "stored" ? one : undefined))
        .filter((one) => one !== undefined);
      expect(stored).toHaveLength(200);
      const seqs = stored.map(({ message }) => message.seq);
      expect(seqs).toEqual(range(seqs[0] ?? 0, (seqs[0] ?? 0) + 199));
      for (const [name, of] of Map.groupBy(stored, ({ topic }) => topic.name)) {
        const first = name === "known" ? 2 : 1;
        expect(ids(of.map(({ message }) => message))).toEqual(range(first, first + of.length - 1));
      }
      const heard = peal.heard.flatMap((event) => (event.kind === "message" ? [event.message.seq] : []));
      expect(heard.slice(-200)).toEqual(seqs);
    });

    test("in any mix, answer, announce and leave the same as one after another", async () => {
      const together = async (all: readonly Sent[]) => {
        await using peal = await begun(open);
        const publishes = all.map(async (one, n) => peal.store.messages.publish(peal.publication(one, n)));
        return [(await Promise.allSettled(publishes)).map(outcome), await leftIn(peal)];
      };
      const alone = async (all: readonly Sent[]) => {
        await using peal = await begun(open);
        const results = [];
        for (const [n, one] of all.entries())
          results.push(...(await Promise.allSettled([peal.store.messages.publish(peal.publication(one, n))])));
        return [results.map(outcome), await leftIn(peal)];
      };
      const property = fc.asyncProperty(fc.array(sent, { maxLength: 40 }), async (all) => {
        expect(await together(all)).toEqual(await alone(all));
      });
      await fc.assert(property, { numRuns: SEQUENCES });
    });
  });
};
