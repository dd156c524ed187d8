/** Checks: their rows, and the store's methods on them. */
import { and, count, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Check, CheckState, PingSource } from "../../../checks/check.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Millis } from "../../../util/clock.ts";
import { createTurns } from "../../../util/turns.ts";
import type { Applied, CheckStore, Made, NewCheck, Rules, Which } from "../../checks.ts";
import type { Committed } from "../../store.ts";
import { checkLog, type CheckLog } from "./log.ts";
import { checkReader } from "./rows.ts";
import { pick, placeholders, prepared } from "../statements.ts";
import { finders, topicFinder } from "../topics/destination.ts";
import { silently, inSlices } from "../job.ts";
import type { Engine } from "../engine.ts";
import type { Outcome } from "../job.ts";
import { namedPings } from "./named.ts";
import { check, namespace } from "../schema/schema.ts";
import { decided, settler } from "./settle.ts";
import type { Settings } from "../settings.ts";
import { ticker } from "./tick.ts";
import type { MakeTopic } from "../topics/make.ts";

const given = placeholders<typeof check, "by" | "generation" | "hash" | "oldUntil">();

/** How many checks a search for a tag reads at once. */
const PAGE = 200;

interface Parts {
  settings: Settings;
  makeTopic: MakeTopic;
}

export function checkStore(engine: Engine, parts: Parts): CheckStore {
  const q = queries(engine);
  const { forget, ...log } = checkLog(engine);
  const jobs = jobParts(engine, parts);
  return {
    ...log,
    ...reads(engine, q),
    ...definitions(engine, q, { ...jobs, forget }),
    ...decisions(engine, q, jobs),
    tick: ticker(engine, jobs.inside, jobs.settle),
    ...watching(engine, parts.settings),
  };
}

function reads({ read, clock, namespaces }: Engine, q: Queries) {
  const outside = checkReader(read, namespaces);
  const turn = createTurns();
  return {
    find: async (which) => outside.find(which, clock.now())?.check,

    byId: async (id) => outside.byId(id),

    within: async (first, last) => outside.within(first, last),

    byBadge: async (badgeToken) => outside.byBadge(badgeToken),

    list: async (namespaceId, { after, limit, tag }) => {
      const checks: Check[] = [];
      for (let from = after; ;) {
        const page = outside.page(namespaceId, from, tag === undefined ? limit + 1 : PAGE);
        checks.push(...page.filter(({ standing }) => tag === undefined || standing.settings.tags.includes(tag)));
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE || checks.length > limit) break;
        from = { name: last.standing.settings.name, id: last.id };
        await turn();
      }
      return { checks: checks.slice(0, limit), hasMore: checks.length > limit };
    },

    oldest: async (limit) => {
      const found: Awaited<ReturnType<CheckStore["oldest"]>> = [];
      for (let page = outside.behind(0); page.length > 0; page = outside.behind(page.at(-1)?.row ?? Infinity)) {
        for (const { id, namespace, standing } of page)
          if (namespace !== undefined && found.length < limit) found.push({ id, namespace, standing });
        if (found.length === limit) break;
        await turn(); // 100 take a millisecond
      }
      return found;
    },

    nextAt: async () => outside.nextAt(),

    counts: async () => {
      const byState: Record<CheckState, number> = { new: 0, up: 0, down: 0, paused: 0 };
      for (const state of ["new", "up", "down", "paused"] as const) {
        byState[state] = q.inState.all({ state })[0]?.checks ?? 0;
        await turn(); // reading 100,000 takes a millisecond
      }
      return { byState, armed: q.armed.all()[0]?.checks ?? 0 };
    },

    pingKey: async (namespaceId) => ({ generation: q.pingKey.all({ namespaceId })[0]?.generation ?? 0 }),

    byPingKey: async (hash) => q.byPingKey.all({ hash })[0]?.row,
  } satisfies Partial<CheckStore>;
}

type Jobs = ReturnType<typeof jobParts>;

/** What the jobs below share. */
function jobParts(engine: Engine, { settings, makeTopic }: Parts) {
  const { write, clock, namespaces } = engine;
  const inside = checkReader(write, namespaces);
  const named = namedPings(write);
  const settle = settler(engine, named);
  const findTopic = topicFinder(makeTopic);
  const find = finders(write);
  const topicFor = (namespaceId: NamespaceId, to: NewCheck["topic"]) =>
    findTopic(find, { namespaceId, to }, clock.now());
  const isTaken = (namespaceId: NamespaceId, slug: string | undefined) =>
    slug !== undefined && inside.find({ namespaceId, slug }, 0) !== undefined;
  const again = ({ namespaceId, id }: Pick<Check, "namespaceId" | "id">) => inside.find({ namespaceId, id }, 0)?.check;
  /**
   * Notes that watching begins now, before the only armed check is armed. The alerter notes it only once it has ticked, but a
   * server that is killed before that was away all the same.
   */
  const noteWatch = (dueAt: Millis | undefined, before?: Check) => {
    if (dueAt !== undefined && before?.dueAt === undefined && inside.nextAt() === undefined)
      settings.set("alerter_seen_at", String(clock.now()));
  };
  return { inside, named, settle, topicFor, isTaken, again, noteWatch };
}

function definitions({ writer, clock }: Engine, q: Queries, jobs: Jobs & Pick<CheckLog, "forget">) {
  const { topicFor, isTaken, again, noteWatch, forget } = jobs;
  return {
    create: async (spec) =>
      writer.run<Made>(() => {
        const { namespaceId, id, tokenHash, badgeToken, standing, dueAt } = spec;
        const { state, settings } = standing;
        const { name, slug } = settings;
        if (isTaken(namespaceId, slug)) return { result: { kind: "slug_taken" } };
        if (q.room.all({ namespaceId }).length === 0) return { result: { kind: "too_many_checks" } };
        const topic = topicFor(namespaceId, spec.topic);
        if (typeof topic === "string") return { result: { kind: topic } };
        noteWatch(dueAt);
        q.insert.run({
          ...{ id, namespaceId, topicId: topic.row.row, name, slug: slug ?? null, tokenHash, badgeToken },
          ...{ createdAt: clock.now(), state, dueAt: dueAt ?? null, standing: JSON.stringify(standing) },
        });
        q.count.run({ namespaceId, by: 1 });
        const made = again(spec);
        if (made === undefined) throw new Error("a check that was just made is not there");
        return { result: { kind: "made", check: made }, events: [...sooner(made), hint(namespaceId)] };
      }),

    rotate: async (read, tokenHash, oldUntil) =>
      writer.run(() => {
        const { row, tokenGeneration: generation } = read;
        q.rotate.run({ row, generation, tokenHash, oldUntil });
        const now = again(read);
        return { result: now?.tokenHash === tokenHash ? now : undefined };
      }),

    remove: async (namespaceId, id) =>
      inSlices<boolean>(writer, () => {
        const gone = again({ namespaceId, id });
        if (gone === undefined) return { result: false };
        if (!forget(gone.row)) return { result: "more" };
        q.count.run({ namespaceId, by: -1 });
        return { result: true, events: [hint(namespaceId)] };
      }),

    setPingKey: async (namespaceId, generation, hash) =>
      silently(writer, () => q.setPingKey.run({ namespaceId, generation, hash })),
  } satisfies Partial<CheckStore>;
}

/** An event of a check, as `apply` gets it. */
interface Event {
  which: Which;
  rules: Rules;
  source: PingSource | undefined;
}

function decisions({ writer, clock }: Engine, q: Queries, jobs: Jobs) {
  const { inside, named, settle, topicFor, isTaken, noteWatch } = jobs;
  const applyOne = ({ which, rules, source }: Event): Outcome<Applied | undefined> => {
    const before = inside.find(which, clock.now());
    if (before === undefined) return { result: undefined };
    const known = rules.rid === undefined ? [] : named.of(before.check.row, rules.rid);
    const settlement = decided(before, rules, known);
    const { check, decision } = settlement;
    noteWatch(check.dueAt, before.check);
    const events = settle([settlement], rules, source);
    return { result: { check, decision }, events: [...events, ...sooner(check, before.check)] };
  };
  /** The pings of one turn as one job: one after the other, because some may be of the same check, but in one savepoint. */
  const applyAll = (all: readonly Event[]) => {
    const outcomes = all.map(applyOne);
    return { result: outcomes.map(({ result }) => result), events: outcomes.flatMap(({ events = [] }) => events) };
  };
  return {
    apply: async (which, rules, source) => await writer.together(applyAll, { which, rules, source }),

    edit: async (which, rules, topic) =>
      writer.run<Awaited<ReturnType<CheckStore["edit"]>>>(() => {
        const before = inside.find(which, clock.now());
        if (before === undefined) return { result: undefined };
        const settlement = decided(before, rules);
        const { check, decision } = settlement;
        const { namespaceId, row } = check;
        const { slug } = decision.after.settings;
        if (slug !== before.check.standing.settings.slug && isTaken(namespaceId, slug)) return { result: "slug_taken" };
        if (topic !== undefined) {
          const found = topicFor(namespaceId, topic);
          if (typeof found === "string") return { result: found };
          const { row: id, key, name } = found.row;
          q.move.run({ row, topicId: id });
          check.topic = { id, key, name };
        }
        noteWatch(check.dueAt, before.check);
        const events = settle([settlement], rules);
        return { result: { check, decision }, events: [...events, ...sooner(check, before.check)] };
      }),
  } satisfies Partial<CheckStore>;
}

function watching({ writer }: Engine, settings: Settings) {
  return {
    seenAt: async () => {
      const at = settings.get("alerter_seen_at");
      return at === undefined ? undefined : Number(at);
    },

    see: async (now) => silently(writer, () => settings.set("alerter_seen_at", String(now))),
  } satisfies Partial<CheckStore>;
}

/** For pages that show its checks. */
const hint = (namespaceId: NamespaceId): Committed => ({ kind: "hint", of: "check", namespaceId });

/** Tells the alerter about a check that it has to look at earlier than it knew. */
const sooner = ({ dueAt }: Check, before?: Check): Committed[] =>
  dueAt !== undefined && dueAt < (before?.dueAt ?? Infinity) ? [{ kind: "due", at: dueAt }] : [];

type Queries = ReturnType<typeof queries>;

function queries({ read, write, checksPerNamespace }: Engine) {
  const isRow = eq(check.row, given.row);
  const isNamespace = eq(namespace.row, given.namespaceId);
  return {
    room: prepared(() =>
      write
        .select({ row: namespace.row })
        .from(namespace)
        .where(and(isNamespace, lt(namespace.checks, checksPerNamespace))),
    ),
    count: prepared(() =>
      write
        .update(namespace)
        .set({ checks: sql`${namespace.checks} + ${given.by}` })
        .where(isNamespace),
    ),
    insert: prepared(() =>
      write.insert(check).values({
        ...pick(given, "id", "namespaceId", "topicId", "name", "slug", "tokenHash", "badgeToken", "createdAt"),
        ...pick(given, "state", "dueAt", "standing"),
      }),
    ),
    move: prepared(() => write.update(check).set({ topicId: given.topicId }).where(isRow)),
    rotate: prepared(() =>
      write
        .update(check)
        .set({
          oldTokenHash: sql`${check.tokenHash}`,
          oldTokenUntil: given.oldUntil,
          tokenHash: given.tokenHash,
          tokenGeneration: sql`${check.tokenGeneration} + 1`,
        })
        .where(and(isRow, eq(check.tokenGeneration, given.generation))),
    ),
    inState: prepared(() => read.select({ checks: count() }).from(check).where(eq(check.state, given.state))),
    armed: prepared(() => read.select({ checks: count() }).from(check).where(isNotNull(check.dueAt))),
    pingKey: prepared(() =>
      read.select({ generation: namespace.pingKeyGeneration }).from(namespace).where(isNamespace),
    ),
    setPingKey: prepared(() =>
      write.update(namespace).set({ pingKeyGeneration: given.generation, pingKeyHash: given.hash }).where(isNamespace),
    ),
    byPingKey: prepared(() =>
      read.select({ row: namespace.row }).from(namespace).where(eq(namespace.pingKeyHash, given.hash)),
    ),
  };
}
