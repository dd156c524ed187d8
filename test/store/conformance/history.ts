/** Pages of history: directions, filters, search, and retention. */
import { describe, expect, test } from "bun:test";
import type { Draft } from "../../../src/drafts/draft.ts";
import type { PageQuery } from "../../../src/store/messages.ts";
import { bench, ids, range, topicNamed, type OpenEngine } from "./engine.ts";

const colours = (n: number): Partial<Draft> => ({
  message: `message ${n}`,
  level: n % 3 === 0 ? "error" : "info",
  priority: n % 4 === 0 ? "high" : "normal",
  ...(n % 5 === 0 && { tags: ["disk", "nas"] }),
});

// prettier-ignore
const pages: [string, Omit<PageQuery, "limit"> & { limit?: number }, number[], { hasMore?: boolean; nextBefore?: number; nextSince?: number }][] = [
  // promise                       query                                     ids             and
  ["the newest first",             {},                                       range(20, 11),  { hasMore: true, nextBefore: 11 }],
  ["then those before",            { before: 11 },                           range(10, 1),   {}],
  ["a page that just fits",        { limit: 20 },                            range(20, 1),   {}],
  ["after an id, oldest first",    { since: 5 },                             range(6, 15),   { hasMore: true, nextSince: 15 }],
  ["from the start",               { since: 0, limit: 2 },                   [1, 2],         { hasMore: true, nextSince: 2 }],
  ["between two ids",              { since: 5, before: 8 },                  [6, 7],         {}],
  ["after an id, newest first",    { after: 15, limit: 3 },                  [20, 19, 18],   { hasMore: true, nextBefore: 18 }],
  ["between two, newest first",    { after: 5, before: 8 },                  [7, 6],         {}],
  ["after an id, with a word",     { after: 5, q: "message 2" },             [20, 12],       {}],
  ["after the last",               { since: 20 },                            [],             {}],
  ["far after the last",           { since: Number.MAX_SAFE_INTEGER },       [],             {}],
  ["before the first",             { before: 1 },                            [],             {}],
  ["of a level",                   { levels: ["error"] },                    [18, 15, 12, 9, 6, 3], {}],
  ["of a level, page by page",     { levels: ["error"], limit: 2 },          [18, 15],       { hasMore: true, nextBefore: 15 }],
  ["… and its last page",          { levels: ["error"], limit: 2, before: 9 }, [6, 3],       {}],
  ["of a level, oldest first",     { levels: ["error"], since: 3, limit: 2 }, [6, 9],        { hasMore: true, nextSince: 9 }],
  ["of two levels",                { levels: ["error", "info"] },            range(20, 11),  { hasMore: true, nextBefore: 11 }],
  ["of a level that never was",    { levels: ["warning"] },                  [],             {}],
  ["of a priority",                { priorities: ["high", "urgent"] },       [20, 16, 12, 8, 4], {}],
  ["of both",                      { priorities: ["high"], levels: ["error"] }, [12],        {}],
  ["with a tag",                   { tag: "disk" },                          [20, 15, 10, 5], {}],
  ["with a part of a tag: none",   { tag: "dis" },                           [],             {}],
  ["with a tag and a level",       { tag: "nas", levels: ["error"] },        [15],           {}],
  ["with a word",                  { q: "MESSAGE 1", limit: 3 },             [19, 18, 17],   { hasMore: true, nextBefore: 17 }],
  ["with a word, oldest first",    { q: "message 2", since: 0 },             [2, 12, 20],    {}],
];

// prettier-ignore
const searches: [string, string, Partial<Draft>, boolean][] = [
  // promise                  q                 message                                             found
  ["any case",                "backup",         { message: "BACKUP done" },                         true],
  ["inside a word",           "ack",            { message: "backup" },                              true],
  ["all words, any order",    "done backup",    { message: "backup done" },                         true],
  ["not one of two",          "backup failed",  { message: "backup done" },                         false],
  ["title and text together", "nas backup",     { title: "NAS", message: "backup" },                true],
  ["not across the two",      "nasbackup",      { title: "NAS", message: "backup" },                false],
  ["letters beyond ASCII",    "GRÖSSE ПРИВЕТ",  { message: "Привет, grösse" },                       true],
  ["composed and not",        "cafe\u0301",     { message: "Caf\u00e9" },                           true],
  ["full-width as plain",     "disk",           { message: "ＤＩＳＫ" },                            true],
  ["scripts without spaces",  "完成",            { message: "备份完成了" },                            true],
  ["not in other fields",     "example",        { message: "x", url: "https://example.com/" },      false],
  ["quotes and backslashes",  '"\\',            { message: 'say "\\"' },                            true],
  ["a wildcard is a letter",  "%",              { message: "93 of 100" },                           false],
  ["nothing but space: all",  "  ",             { message: "x" },                                   true],
];

export const history = (open: OpenEngine) => {
  describe("history", () => {
    test.each(pages)("%s", async (_, query, found, rest) => {
      await using peal = await bench(open);
      for (const n of range(1, 20)) void peal.publish("backups", colours(n));
      await peal.publish("other", { message: "message 1 of another topic", level: "error", tags: ["disk"] });
      const topic = await topicNamed(peal.store, peal.home, "backups");
      if (topic === undefined) throw new Error("no topic");
      const { messages, ...page } = await peal.store.messages.page(topic.id, { limit: 10, ...query });
      expect(ids(messages)).toEqual(found);
      expect(page).toEqual({ hasMore: false, lastId: 20, truncated: false, ...rest });
    });

    test.each(searches)("search: %s", async (_, q, sent, isFound) => {
      await using peal = await bench(open);
      const { topic } = await peal.publish("backups", sent);
      expect((await peal.store.messages.page(topic.id, { q, limit: 5 })).messages).toHaveLength(isFound ? 1 : 0);
    });

    test("deleted messages do not count as missing", async () => {
      await using peal = await bench(open);
      const topic = await peal.fill("backups", 6);
      for (const id of [1, 3, 6]) await peal.store.messages.remove(topic.id, id);
      expect(ids((await peal.store.messages.page(topic.id, { limit: 5 })).messages)).toEqual([5, 4, 2]);
      expect(await peal.store.messages.page(topic.id, { since: 0, limit: 2 })).toMatchObject({
        messages: [{ id: 2 }, { id: 4 }],
        nextSince: 4,
        lastId: 6,
      });
      expect(await peal.store.messages.find(topic.id, 3)).toBeUndefined();
    });

    test("messages deleted by retention are reported as truncated to readers who resume before them", async () => {
      await using peal = await bench(open);
      const topic = await peal.fill("backups", 10);
      await peal.store.sweep({ days: 0, messages: 4 }, 1_000);
      const page = async (query: Omit<PageQuery, "limit">) =>
        peal.store.messages.page(topic.id, { limit: 20, ...query });
      expect(await page({ since: 5 })).toMatchObject({ truncated: true, lastId: 10 });
      expect(ids((await page({ since: 5 })).messages)).toEqual([7, 8, 9, 10]);
      expect((await page({ since: 6 })).truncated).toBe(false);
      expect((await page({})).truncated).toBe(false);
      expect((await page({ since: 0, q: "m8" })).truncated).toBe(true);
    });

    test("the history of an alert is newest first and within its topic", async () => {
      await using peal = await bench(open);
      const seqs: number[] = [];
      for (const n of range(1, 4)) {
        const draft = { message: `text ${n}`, dedup_key: n === 2 ? "b" : "a", ...(n === 3 && { title: "t" }) };
        seqs.push((await peal.publish("backups", draft)).message.seq);
      }
      await peal.publish("other", { dedup_key: "a" });
      const { topic } = await peal.publish("backups");
      const past = async (key: string, n: number, limit: number, bytes = 500) => {
        const most = { limit, bytes, characters: 4 };
        const { bytes: read, ...found } = await peal.store.messages.alert(topic.id, key, seqs[n - 1] ?? 0, most);
        expect(read > 0).toBe(found.earlier.length > 0);
        return found;
      };
      const told = { createdAt: peal.clock.now(), level: "info", priority: "normal", message: "text" } as const;
      const [third, first] = [{ ...told, title: "t" }, told];
      expect(await past("a", 4, 2)).toEqual({ isNewest: true, earlier: [third, first], moreEarlier: false });
      expect(await past("a", 4, 1)).toEqual({ isNewest: true, earlier: [third], moreEarlier: true });
      expect(await past("a", 4, 2, 200)).toEqual({ isNewest: true, earlier: [third], moreEarlier: true });
      expect(await past("a", 4, 2, 10)).toEqual({ isNewest: true, earlier: [third], moreEarlier: true });
      expect(await past("a", 3, 1)).toEqual({ isNewest: false, earlier: [first], moreEarlier: false });
      expect(await past("c", 4, 1)).toEqual({ isNewest: true, earlier: [], moreEarlier: false });
    });

    test("the beginning of an alert is searched for in at most 1,000 messages and 1 MiB", async () => {
      await using peal = await bench(open);
      const tell = async (key: string, draft: Partial<Draft> = {}) => {
        peal.clock.advance(60_000);
        return (await peal.publish("disks", { dedup_key: key, status: "firing", ...draft })).message;
      };
      const many = async (count: number, key: string, draft: Partial<Draft> = {}) => {
        const all = [];
        for (let n = 0; n < count; n++) all.push(await tell(key, draft));
        return all;
      };
      const { topic } = await peal.publish("disks");
      const since = async (key: string, { seq }: { seq: number }) =>
        peal.store.messages.firingSince(topic.id, key, seq);

      const [early] = await many(2, "a");
      await tell("a", { status: "resolved" });
      const [first, second] = await many(3, "a");
      await tell("b");
      const last = await tell("a");
      expect(await since("a", last)).toBe(first?.createdAt);
      expect(await since("a", second ?? last)).toBe(first?.createdAt);
      expect(await since("a", early ?? last)).toBe(early?.createdAt);

      const said = peal.clock.now() - 3_600_000;
      await tell("said", { timestamp: new Date(said).toISOString() });
      expect(await since("said", await tell("said"))).toBe(said);
      await tell("ahead", { timestamp: new Date(peal.clock.now() + 3_600_000).toISOString() });
      expect(await since("ahead", await tell("ahead"))).toBe(peal.clock.now() - 60_000);

      const long = await many(32, "long", { message: "x".repeat(32_000) });
      expect(await since("long", long.at(-1) ?? last)).toBe(long[0]?.createdAt);
      expect(await since("long", await tell("long", { message: "x".repeat(32_000) }))).toBeUndefined();
      const often = await many(1_000, "often");
      expect(await since("often", often.at(-1) ?? last)).toBe(often[0]?.createdAt);
      expect(await since("often", await tell("often"))).toBeUndefined();
    });

    test("the stream of a namespace has only its messages, continues after any seq, and has full pages although topics were deleted", async () => {
      await using peal = await bench(open);
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      const gone = await peal.fill("gone", 5);
      await peal.fill("kept", 3);
      expect(await peal.store.messages.pageNamespace(other.id, 0, 5)).toEqual([]);
      await peal.store.topics.remove(gone.id);
      const first = await peal.store.messages.pageNamespace(peal.home.id, 0, 2);
      expect(first.map(({ topic, message }) => `${topic.name} ${message.id}`)).toEqual(["kept 1", "kept 2"]);
      const rest = await peal.store.messages.pageNamespace(peal.home.id, first[1]?.message.seq ?? 0, 2);
      expect(rest.map(({ topic, message }) => `${topic.name} ${message.id}`)).toEqual(["kept 3"]);
    });

    test("the last seq never decreases, whatever is deleted, swept or reopened", async () => {
      await using peal = await bench(open);
      expect(await peal.store.messages.lastSeq()).toBe(0);
      const topic = await peal.fill("backups", 3);
      const last = await peal.store.messages.lastSeq();
      const [newest] = (await peal.store.messages.page(topic.id, { limit: 1 })).messages;
      expect(newest?.seq).toBe(last);
      await peal.store.messages.remove(topic.id, 3);
      expect(await peal.store.messages.lastSeq()).toBe(last);
      peal.clock.advance(2 * 86_400_000);
      while (await peal.store.sweep({ days: 1, messages: 0 }, 1_000));
      expect(await peal.store.messages.pageNamespace(peal.home.id, 0, 5)).toEqual([]);
      expect(await peal.store.messages.lastSeq()).toBe(last);
      const store = await peal.reopen();
      expect(await store.messages.lastSeq()).toBe(last);
    });
  });
};
