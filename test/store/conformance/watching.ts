/** Checks for the conformance suite, and rules that are as simple as a case needs, because the store has none. */
import type {
  Alert,
  Check,
  CheckSettings,
  Decision,
  NamedPing,
  Incident,
  Recorded,
  Standing,
} from "../../../src/checks/check.ts";
import type { Namespace } from "../../../src/keys/namespace.ts";
import type { Made, NewCheck, Rules, Which } from "../../../src/store/checks.ts";
import type { Committed, Store } from "../../../src/store/store.ts";
import type { PageQuery } from "../../../src/store/messages.ts";
import { draftOf } from "../../../src/messages/message.ts";
import { sha256 } from "../../../src/util/ids.ts";
import type { HeldClock } from "../../support/clock.ts";
import { bench, draft, range, type Bench, type Caps, type OpenEngine } from "./engine.ts";

export const HOUR = 3_600_000;

export interface Watch extends Bench {
  /** Makes a check with this name and slug that alerts to topic `checks` and is due at its `deadlineAt`. */
  make(name: string, options?: Partial<Pick<NewCheck, "topic" | "standing" | "namespaceId">>): Promise<Made>;
  /** The same, and expects success. */
  check(name: string, options?: Partial<Pick<NewCheck, "topic" | "standing">>): Promise<Check>;
  /** The check as it is now. */
  read(check: Pick<Check, "id" | "namespaceId">): Promise<Check>;
  /** The messages of the check's topic, oldest first: id, seq and text of each. */
  told(check: Check, query?: Partial<PageQuery>): Promise<{ id: number; seq: number; text: string }[]>;
}

export async function watch(open: OpenEngine, options: Caps = {}, clock?: HeldClock): Promise<Watch> {
  const peal = await bench(open, options, clock);
  const { checks, messages } = peal.store;
  const make: Watch["make"] = async (name, { standing: given = standing({}, name), ...rest } = {}) =>
    checks.create({
      ...{ namespaceId: peal.home.id, topic: { name: "checks" }, id: idOf(name), badgeToken: `badge ${name}` },
      ...{ tokenHash: sha256(name), standing: given },
      ...(given.deadlineAt !== undefined && { dueAt: given.deadlineAt }),
      ...rest,
    });
  return {
    ...peal,
    make,
    check: async (name, spec) => {
      const made = await make(name, spec);
      if (made.kind !== "made") throw new Error(made.kind);
      return made.check;
    },
    read: async ({ namespaceId, id }) => {
      const found = await checks.find({ namespaceId, id });
      if (found === undefined) throw new Error(`no check ${id}`);
      return found;
    },
    told: async ({ topic }, query) => {
      const page = await messages.page(topic.id, { since: 0, limit: 200, ...query });
      return page.messages.map((one) => ({ id: one.id, seq: one.seq, text: draftOf(one).message }));
    },
  };
}

export async function otherNamespace({ store }: Pick<Bench, "store">): Promise<Namespace> {
  const other = await store.namespaces.create("other");
  if (other === "name_taken") throw new Error(other);
  return other;
}

export const idOf = (name: string): string => name.padEnd(26, "-");
export const withoutSlug = ({ slug: _, ...settings }: CheckSettings): CheckSettings => settings;
export const nameOf = ({ standing }: Check): string => standing.settings.name;

export const standing = (overrides: Partial<Standing> = {}, name = "job"): Standing => ({
  settings: {
    ...{ name, slug: name, tags: [], schedule: { kind: "every", everyMs: HOUR }, failAfter: 1, recoverAfter: 1 },
    ...{ remindEveryMs: 0, notifyLate: false, notifySuccess: false, postOnly: false, armed: false },
  },
  ...{ state: "up", events: 0, incidents: 0, failStreak: 0, okStreak: 0, isLateTold: false },
  ...{ runs: [], offsets: [] },
  ...overrides,
});

/** Rules by which a check is due at its deadline, and each alert makes a message that names the check and the kind. */
export const rules = (decide: Rules["decide"], overrides: Partial<Rules> = {}): Rules => ({
  decide,
  dueAt: ({ deadlineAt }) => deadlineAt,
  count: () => undefined,
  compose: (told) =>
    told.map((one) => ({
      draft: draft({ message: `${one.check.standing.settings.name} ${one.alert.kind}`, source: "check" }),
      told: [one],
    })),
  ...overrides,
});

/** A decision that changes the check, with lines for its log and alerts. */
const becomes = (
  { standing: before }: Check,
  changes: Partial<Standing>,
  recorded: readonly Recorded[] = [],
  alerts: readonly Alert[] = [],
): Decision => ({
  after: { ...before, events: before.events + recorded.length, ...changes },
  recorded,
  alerts,
  named: [],
});

export const nothing = rules((check) => becomes(check, {}));
export const changed = (changes: Partial<Standing>) => rules((check) => becomes(check, changes));
export const recorded = (...lines: Recorded[]) => rules((check) => becomes(check, {}, lines));
export const pinged = (ping: NamedPing) => rules((check) => ({ ...becomes(check, {}, [ping]), named: [ping] }));
export const told = (...alerts: Alert[]) => rules((check) => becomes(check, {}, [], alerts));
export const throwing = rules(() => {
  throw new Error("no decision");
});

export const incident = (n: number, at: number): Incident => ({
  ...{ n, reason: "missed", openedAt: at, missed: 1, isTold: true, reminders: 0 },
});

/** The decision that takes a check down or up; it is then due in an hour. */
export function turned(check: Check, at: number): Decision {
  const { incident: open, incidents } = check.standing;
  if (open === undefined) {
    const opened = incident(incidents + 1, at);
    const after = { state: "down", incident: opened, incidents: opened.n, deadlineAt: at + HOUR } as const;
    return becomes(check, after, [{ kind: "down", at }], [{ kind: "down", at, incident: opened }]);
  }
  const { after, ...rest } = becomes(
    check,
    { state: "up", deadlineAt: at + HOUR },
    [
      { kind: "ok", at },
      { kind: "up", at },
    ],
    [{ kind: "up", at, incident: open }],
  );
  return { after: healed(after), ...rest };
}

const healed = ({ incident: _, ...after }: Standing): Standing => after;

export const turn = (at: number, overrides?: Partial<Rules>) => rules((check) => turned(check, at), overrides);

/** Ends the runs `r<from>` … `r<to>` at these times, at most as many at once as may wait. */
export async function pingedMany({ checks }: Store, which: Which, from: number, to: number): Promise<void> {
  for (let at = from; at <= to; at += AT_ONCE) {
    const some = range(at, Math.min(at + AT_ONCE - 1, to));
    await Promise.all(some.map(async (at) => checks.apply(which, pinged({ rid: `r${at}`, kind: "ok", at }))));
  }
}
const AT_ONCE = 5_000;

/** What a decision on the check that names this run gets to know about it. */
export async function knownOf(store: Store, check: Check, rid?: string): Promise<readonly NamedPing[]> {
  let seen: readonly NamedPing[] | undefined;
  const look = (one: Check, known: readonly NamedPing[]) => {
    seen = known;
    return becomes(one, {});
  };
  await store.checks.apply(check, rules(look, rid === undefined ? {} : { rid }));
  if (seen === undefined) throw new Error("no decision was asked for");
  return seen;
}

export const messagesIn = (heard: readonly Committed[]) =>
  heard.flatMap((event) => (event.kind === "message" ? [`${event.topic.name} ${event.message.id}`] : []));
