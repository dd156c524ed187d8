/** Any pings, ticks and changes in any order: the store contains what the rules make of them, one after another. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CheckEvent, NamedPing, Recorded, Standing } from "../../../src/checks/check.ts";
import { decide, initial } from "../../../src/checks/decide/decide.ts";
import { dueAt } from "../../../src/checks/decide/missed.ts";
import { rulesFor } from "../../../src/checks/rules.ts";
import type { Store } from "../../../src/store/store.ts";
import { SEQUENCES } from "../../support/rounds.ts";
import type { OpenEngine } from "./engine.ts";
import { HOUR, standing, watch, type Watch } from "./watching.ts";

interface ModelCheck {
  standing: Standing;
  log: Recorded[];
  named: NamedPing[];
  downs: number;
  ups: number;
}
interface Model {
  checks: Map<string, ModelCheck>;
  /** Counts alerts over all checks. */
  alerts: number;
}
interface Real {
  peal: Watch;
  store: Store;
}
type Command = fc.AsyncCommand<Model, Real>;

const NAMES = ["a", "b", "c"];
const TOPIC = { name: "checks" };
const name = fc.constantFrom(...NAMES);
const settingsOf = (name: string) => ({ ...standing({}, name).settings, graceMs: HOUR / 4, armed: true });

const command = (label: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run,
  toString: () => label,
});

function happen(model: Model, one: ModelCheck, event: CheckEvent, now: number): void {
  const known = one.named.filter(({ rid }) => rid === ridOf(event));
  const { after, recorded, alerts, named } = decide(one.standing, event, now, known);
  one.standing = after;
  one.log.push(...recorded);
  one.named.push(...named);
  one.downs += alerts.filter(({ kind }) => kind === "down").length;
  one.ups += alerts.filter(({ kind }) => kind === "up").length;
  model.alerts += alerts.length;
}

const ridOf = (event: CheckEvent) => ("rid" in event ? event.rid : undefined);

const event: fc.Arbitrary<CheckEvent> = fc.oneof(
  fc.record({ kind: fc.constantFrom("ok", "fail", "start", "log") }),
  fc.record({ kind: fc.constantFrom("ok", "fail", "start"), rid: fc.constantFrom("r", "s") }),
  fc.record({ kind: fc.constantFrom("pause", "resume", "ack", "test", "ignored") }),
);

const commands = [
  fc.array(fc.tuple(name, event), { minLength: 1, maxLength: 8 }).map((batch) =>
    command(`apply ${JSON.stringify(batch)}`, async (model, { peal: { home, clock }, store }) => {
      const now = clock.now();
      await Promise.all(
        batch.map(async ([slug, event]) =>
          store.checks.apply(
            { namespaceId: home.id, slug },
            rulesFor(() => [event], now, ridOf(event)),
          ),
        ),
      );
      for (const [slug, event] of batch) {
        const one = model.checks.get(slug);
        if (one !== undefined) happen(model, one, event, now);
      }
    }),
  ),
  fc.integer({ min: 0, max: 3 * HOUR }).map((ms) =>
    command(`tick after ${ms}`, async (model, { peal: { clock }, store }) => {
      clock.advance(ms);
      const now = clock.now();
      const due = [...model.checks.values()].filter((one) => (dueAt(one.standing) ?? Infinity) <= now);
      for (const one of due) happen(model, one, { kind: "tick" }, now);
      const slice = await store.checks.tick(
        now,
        rulesFor(() => [{ kind: "tick" }], now),
        { limit: 9, budgetMs: 9 },
      );
      expect([slice.looked, slice.failed]).toEqual([due.length, []]);
    }),
  ),
  name.map((name) =>
    command(`make ${name}`, async (model, { peal: { home, clock }, store }) => {
      const standing = initial(settingsOf(name), clock.now());
      const due = dueAt(standing);
      const id = crypto.randomUUID();
      const made = await store.checks.create({
        ...{ namespaceId: home.id, topic: TOPIC, id, tokenHash: id, badgeToken: id, standing },
        ...(due !== undefined && { dueAt: due }),
      });
      expect(made.kind).toBe(model.checks.has(name) ? "slug_taken" : "made");
      if (made.kind === "made") model.checks.set(name, { standing, log: [], named: [], downs: 0, ups: 0 });
    }),
  ),
  name.map((name) =>
    command(`remove ${name}`, async (model, { peal: { home }, store }) => {
      const found = await store.checks.find({ namespaceId: home.id, slug: name });
      expect(found !== undefined).toBe(model.checks.delete(name));
      if (found !== undefined) expect(await store.checks.remove(home.id, found.id)).toBe(true);
    }),
  ),
  fc.constant(
    command("reopen", async (_, real) => {
      real.store = await real.peal.reopen();
    }),
  ),
];

async function compare({ checks, alerts }: Model, { store, peal: { home } }: Real): Promise<void> {
  const { checks: found } = await store.checks.list(home.id, { limit: 9 });
  expect(found.map(({ standing }) => standing)).toEqual(
    [...checks].toSorted().map(([, one]) => JSON.parse(JSON.stringify(one.standing)) as Standing),
  );
  const due = [...checks.values()].map((one) => dueAt(one.standing) ?? Infinity);
  expect((await store.checks.nextAt()) ?? Infinity).toBe(Math.min(Infinity, ...due));
  const told = await store.messages.pageNamespace(home.id, 0, 10_000);
  expect(told).toHaveLength(alerts);
  const seqs = new Set(told.map(({ message }) => message.seq));
  for (const check of found) {
    const one = checks.get(check.standing.settings.name);
    const lines = (await store.checks.events(check, { limit: 100 })).map(({ n: _, ...line }) => line);
    expect(lines).toEqual((one?.log ?? []).slice(-100).toReversed());
    const incidents = await store.checks.incidents(check, { limit: 100 });
    const messages = (field: "downMessage" | "upMessage") => incidents.flatMap((each) => each[field] ?? []);
    expect([messages("downMessage").length, messages("upMessage").length]).toEqual([one?.downs ?? 0, one?.ups ?? 0]);
    for (const seq of [...messages("downMessage"), ...messages("upMessage")]) expect(seqs.has(seq)).toBe(true);
    const open = incidents.filter(({ closedAt }) => closedAt === undefined);
    expect(open.map(({ n }) => n)).toEqual(check.standing.incident === undefined ? [] : [check.standing.incident.n]);
  }
}

export const checkModel = (open: OpenEngine) => {
  describe("any pings", () => {
    test("leave what the rules require", async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands, { maxCommands: 30 }), async (sequence) => {
          await using peal = await watch(open);
          const model: Model = { checks: new Map(), alerts: 0 };
          const real: Real = { peal, store: peal.store };
          await fc.asyncModelRun(() => ({ model, real }), sequence);
          await compare(model, real);
        }),
        { numRuns: SEQUENCES },
      );
    }, 60_000);
  });
};
