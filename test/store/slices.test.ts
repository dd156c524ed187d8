/** Long work lets the event loop continue: a clock that moves with each look simulates slow rows. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Draft } from "../../src/drafts/draft.ts";
import { MOST_NAMED } from "../../src/store/checks.ts";
import { bench, draft, ids, range, type OpenEngine } from "./conformance/engine.ts";
import { HOUR, pingedMany, standing, turn, watch, type Watch } from "./conformance/watching.ts";
import { folder, openIn, openSqlite } from "./sqlite.ts";
import { turnsDuring } from "../support/turns.ts";

/** The engine on a clock that moves by `ms` whenever a duration is measured. */
const withSteps =
  (ms: number): OpenEngine =>
  async ({ clock, ...options }) => {
    let monotonic = 0;
    return openSqlite({ ...options, clock: { ...clock, monotonic: () => (monotonic += ms) } });
  };

test.each([{ q: "needle" }, { tag: "needle" }, { levels: ["error"] as const }, { priorities: ["low"] as const }])(
  "a search that finds nothing, %j, takes turns of 2 ms",
  async (filter) => {
    await using peal = await bench(withSteps(0.01));
    const topic = await peal.fill("hay", 2_000);
    const page = peal.store.messages.page(topic.id, { limit: 50, ...filter });
    expect(await turnsDuring(page)).toBeGreaterThanOrEqual(9); // 20 ms in total
    expect(await page).toMatchObject({ messages: [], hasMore: false });
  },
);

test.each([{ q: "needle" }, { tag: "needle" }, { levels: ["error"] as const }, { priorities: ["low"] as const }])(
  "the same in many topics at once, %j, stops when its time is up, says so, and continues from there without a gap",
  async (filter) => {
    await using peal = await bench(withSteps(0.2));
    const needle: Partial<Draft> = { message: "needle", tags: ["needle"], level: "error", priority: "low" };
    for (let n = 0; n < 20; n++) {
      void peal.fill(`hay-${n}`, 100);
      if (n % 7 === 0) void peal.publish(`hay-${n}`, needle);
    }
    await peal.publish("last");
    const found: string[] = [];
    let cuts = 0;
    let before: number | undefined;
    do {
      const given = { limit: 50, ...filter, ...(before !== undefined && { before }) };
      const page = peal.store.messages.list([peal.home.id], given);
      expect(await turnsDuring(page)).toBeLessThanOrEqual(160); // 250 ms in steps of 2 ms, and what the test itself needs
      const { messages, nextBefore, lookedTo } = await page;
      found.push(...messages.map(({ topic }) => topic.name));
      if (lookedTo !== undefined) cuts++;
      before = nextBefore;
    } while (before !== undefined);
    expect(found).toEqual(["hay-14", "hay-7", "hay-0"]);
    expect(cuts).toBeGreaterThan(0);
  },
);

test("each history of an alert is read in a separate turn", async () => {
  await using peal = await bench(openSqlite);
  const { topic, message } = await peal.publish("disks", { dedup_key: "sda", status: "firing" });
  const { alert, firingSince } = peal.store.messages;
  const pasts = [
    async () => alert(topic.id, "sda", message.seq, { limit: 20, bytes: 1_048_576, characters: 257 }),
    async () => firingSince(topic.id, "sda", message.seq),
  ];
  for (const past of pasts) {
    const all = async () => {
      for (let n = 0; n < 50; n++) await past();
    };
    expect(await turnsDuring(all())).toBeGreaterThanOrEqual(49);
  }
});

test("searches share the turns", async () => {
  await using peal = await bench(withSteps(0.01));
  const topic = await peal.fill("hay", 1_000);
  const search = async () => peal.store.messages.page(topic.id, { limit: 50, q: "needle" });
  const alone = await turnsDuring(search());
  expect(await turnsDuring(Promise.all([search(), search(), search()]))).toBeGreaterThanOrEqual(3 * alone - 3);
});

test("a search whose time is up says where it stopped, and continues from there in either direction", async () => {
  await using peal = await bench(withSteps(0.5));
  await peal.fill("hay", 500);
  await peal.publish("hay", { message: "needle" });
  const topic = await peal.fill("hay", 500);
  for (const isForward of [false, true]) {
    const found: number[] = [];
    let pages = 0;
    for (
      let query: { since?: number; before?: number } | undefined = isForward ? { since: 0 } : {};
      query !== undefined;
    ) {
      const page = await peal.store.messages.page(topic.id, { limit: 5, q: "needle", ...query });
      found.push(...ids(page.messages));
      pages++;
      query = undefined;
      if (page.nextBefore !== undefined) query = { before: page.nextBefore };
      if (page.nextSince !== undefined) query = { since: page.nextSince };
      expect(page.hasMore).toBe(query !== undefined);
    }
    expect(found).toEqual([501]);
    expect(pages).toBeGreaterThan(2);
  }
});

test("the slower the disk, the fewer rows a slice of the sweep takes", async () => {
  const commitsAt = async (ms: number) => {
    await using peal = await bench(withSteps(ms));
    await peal.fill("hay", 600);
    let commits = 0;
    peal.store.onCommit(() => commits++);
    while (await peal.store.sweep({ days: 0, messages: 1 }, 1_000));
    return commits;
  };
  expect(await commitsAt(1.5)).toBeGreaterThan(3 * (await commitsAt(0.001)));
});

test("the sweep stops when its time is up, even where there is nothing to delete, and continues from there", async () => {
  await using peal = await bench(withSteps(1));
  for (let n = 0; n < 60; n++) void peal.publish(`topic-${n}`);
  await peal.publish("last");
  const old = { days: 0, messages: 0 };
  expect(await peal.store.sweep(old, 20)).toBe(true);
  let calls = 1;
  while (await peal.store.sweep(old, 20)) calls++;
  expect(calls).toBeGreaterThan(2);
});

test("the sweep stops in the middle of a topic too", async () => {
  await using peal = await bench(withSteps(1));
  const topic = await peal.fill("hay", 1_000);
  expect(await peal.store.sweep({ days: 0, messages: 1 }, 20)).toBe(true);
  expect((await peal.store.messages.page(topic.id, { limit: 5 })).messages).toHaveLength(5);
});

test("after the sweep a deleted topic leaves no row", async () => {
  using dir = folder();
  const store = await openIn(dir.path);
  const home = await store.namespaces.create("home");
  if (home === "name_taken") throw new Error(home);
  const published = await store.messages.publish({ namespaceId: home.id, to: { name: "gone" }, draft: draft() });
  if (published.kind !== "stored") throw new Error(published.kind);
  await store.topics.remove(published.topic.id);
  await store.sweep({ days: 0, messages: 0 }, 1_000);
  await store.close();
  using db = new Database(`${dir.path}/peal.db`, { readonly: true });
  expect(db.prepare("SELECT count(*) FROM topic UNION ALL SELECT count(*) FROM message").values()).toEqual([[0], [0]]);
});

/** Makes this many checks, all due at 10, in one topic or in those that `topic` names. */
const allDue = async (peal: Watch, count: number, topic: (n: number) => string = () => "checks") =>
  Promise.all(
    range(1, count).map(async (n) =>
      peal.check(`c${n}`, { topic: { name: topic(n) }, standing: standing({ deadlineAt: 10 }, `c${n}`) }),
    ),
  );

test("a tick decides at least one check, and continues with topics while its budget lasts", async () => {
  await using peal = await watch(withSteps(1));
  await allDue(peal, 60, (n) => `t${n}`);
  const looked: number[] = [];
  for (const budgetMs of [0, 10, 20]) {
    const slice = await peal.store.checks.tick(50, turn(50), { limit: 200, budgetMs });
    expect(slice.nextAt).toBe(10);
    looked.push(slice.looked);
  }
  const [least, some = 0, more = 0] = looked;
  expect(least).toBe(1);
  expect(some).toBeGreaterThan(1);
  expect(some).toBeLessThanOrEqual(10);
  expect(more).toBeGreaterThan(some);
  expect(more).toBeLessThanOrEqual(20);
});

test("a topic is reported completely, whatever the budget", async () => {
  await using peal = await watch(withSteps(1));
  await allDue(peal, 60);
  expect(await peal.store.checks.tick(50, turn(50), { limit: 200, budgetMs: 1 })).toMatchObject({ looked: 60 });
});

test("a search for a tag that no check has is split into turns", async () => {
  await using peal = await watch(openSqlite);
  await allDue(peal, 1_000);
  const search = peal.store.checks.list(peal.home.id, { limit: 5, tag: "none" });
  expect(await turnsDuring(search)).toBeGreaterThanOrEqual(4);
});

test("a check whose standing cannot be read is postponed and stops no other", async () => {
  using dir = folder();
  const open: OpenEngine = async (options) => {
    const store = await openIn(dir.path, options);
    return { store, reopen: async () => openIn(dir.path, options), [Symbol.asyncDispose]: async () => store.close() };
  };
  await using peal = await watch(open);
  const [broken, sound] = await allDue(peal, 2);
  using db = new Database(`${dir.path}/peal.db`);
  db.run(`UPDATE "check" SET standing = '{"settings":' WHERE row = ?`, [broken?.row ?? 0]);
  const { looked, failed, nextAt } = await peal.store.checks.tick(50, turn(50), { limit: 9, budgetMs: 9 });
  expect([looked, failed.map(({ id }) => id), nextAt]).toEqual([2, [broken?.id ?? ""], 50 + HOUR]);
  expect(sound && (await peal.read(sound)).standing.state).toBe("down");
});

test("a check that is deleted leaves no row, and many named pings are deleted in slices", async () => {
  using dir = folder();
  const store = await openIn(dir.path);
  const home = await store.namespaces.create("home");
  if (home === "name_taken") throw new Error(home);
  const spec = { namespaceId: home.id, topic: { name: "checks" }, tokenHash: "t", badgeToken: "b" };
  await store.checks.create({ ...spec, id: "c", standing: standing() });
  for (const at of [1, 2]) await store.checks.apply({ token: "t" }, turn(at));
  await pingedMany(store, { token: "t" }, 1, MOST_NAMED + 5);
  using db = new Database(`${dir.path}/peal.db`, { readonly: true });
  expect(db.prepare("SELECT count(*) FROM check_named").values()).toEqual([[MOST_NAMED]]);

  let commits = 0;
  store.onCommit(() => commits++);
  await store.checks.remove(home.id, "c");
  expect(commits).toBeGreaterThanOrEqual(20);
  await store.close();
  const tables = ['"check"', "check_event", "check_incident", "check_named"];
  const counts = tables.map((table) => `SELECT count(*) FROM ${table}`);
  expect(db.prepare(counts.join(" UNION ALL ")).values()).toEqual([[0], [0], [0], [0]]);
});

test("a key that was left in a deleted namespace is deleted with it, and holds up no sweep", async () => {
  using dir = folder();
  const store = await openIn(dir.path);
  const lab = await store.namespaces.create("lab");
  if (lab === "name_taken") throw new Error(lab);
  await store.keys.create({ namespaceId: lab.id, scope: "full" });
  await store.close();
  {
    using db = new Database(`${dir.path}/peal.db`);
    db.run("UPDATE namespace SET name = '-' || row WHERE row = ?", [lab.id]);
  }
  const again = await openIn(dir.path);
  expect(again.setup.state().keys).toBe(true);
  expect(await again.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
  expect(again.setup.state().keys).toBe(false);
  await again.close();
});
