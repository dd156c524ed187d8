/** What is kept of pings: the state of the check, the lines of the log, and bodies. */
import { describe, expect, test } from "bun:test";
import type { PingBody, PingSource } from "../../../src/checks/check.ts";
import { range, type OpenEngine } from "./engine.ts";
import { changed, nothing, recorded, rules, standing, throwing, watch } from "./watching.ts";

const SOURCE: PingSource = { method: "GET", address: "192.0.2.7", userAgent: "curl/8.5.0" };
const bytes = (length: number, value = 0xff): Uint8Array => new Uint8Array(length).fill(value); // no UTF-8

export const log = (open: OpenEngine) => {
  describe("a decision on a check", () => {
    test("is stored: the new standing, when it is due and what it recorded; and it is returned", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      const undue = { ...check.standing, okStreak: 3 };
      const decision = {
        after: { ...undue, deadlineAt: 9 },
        recorded: [],
        alerts: [],
        named: [],
      };
      const seen: unknown[] = [];
      const applied = await checks.apply(
        { token: check.tokenHash },
        rules((one) => {
          seen.push(one);
          return decision;
        }),
      );
      expect(seen).toEqual([check]);
      expect(applied).toEqual({ check: { ...check, standing: decision.after, dueAt: 9 }, decision });
      const store = await peal.reopen();
      expect(await store.checks.find(check)).toEqual({ ...check, standing: decision.after, dueAt: 9 });
      await store.checks.apply(
        check,
        rules(() => ({ ...decision, after: undue })),
      );
      expect(await store.checks.find(check)).toEqual({ ...check, standing: undue });
    });

    test("is not made for an unknown check", async () => {
      await using peal = await watch(open);
      expect(await peal.store.checks.apply({ token: "none" }, throwing)).toBeUndefined();
    });

    test("that throws is passed on, and affects no other", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const [bad, good] = [await peal.check("bad"), await peal.check("good")];
      const done = await Promise.allSettled([
        checks.apply(good, changed({ okStreak: 1 })),
        checks.apply(bad, throwing),
        checks.apply(
          good,
          rules(({ standing }) => ({
            after: { ...standing, okStreak: standing.okStreak + 1 },
            recorded: [],
            alerts: [],
            named: [],
          })),
        ),
      ]);
      expect(done.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect([(await peal.read(bad)).standing, (await peal.read(good)).standing.okStreak]).toEqual([bad.standing, 2]);
    });

    test("that changes and records nothing writes nothing", async () => {
      await using peal = await watch(open);
      const check = await peal.check("nas", { standing: standing({ deadlineAt: 9 }, "nas") });
      const written = () => peal.store.stats().walBytes;
      const before = written();
      expect(await peal.store.checks.apply(check, nothing)).toMatchObject({ check });
      expect(written()).toBe(before);
      await peal.store.checks.apply(check, changed({ okStreak: 1 }));
      expect(written()).toBeGreaterThan(before);
    });

    test("is announced when the check becomes due earlier", async () => {
      await using peal = await watch(open);
      const check = await peal.check("nas");
      for (const deadlineAt of [20, 30, 30, 10]) await peal.store.checks.apply(check, changed({ deadlineAt }));
      await peal.store.checks.edit(check, changed({ deadlineAt: 5 }));
      expect(peal.heard).toEqual([20, 10, 5].map((at) => ({ kind: "due", at })));
      expect(await peal.store.checks.nextAt()).toBe(5);
    });
  });

  describe("the log of a check", () => {
    test("contains each ping and where it came from, newest first", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      await peal.check("other");
      const body = { head: bytes(20), tail: bytes(0), totalBytes: 20 };
      await checks.apply(check, recorded({ kind: "start", at: 1, rid: "r1" }), SOURCE);
      await checks.apply(check, recorded({ kind: "fail", at: 2, exit: 3, durationMs: 1 }, { kind: "down", at: 2, reason: "failed" }), { ...SOURCE, body }); // prettier-ignore
      await checks.apply(check, recorded({ kind: "paused", at: 3 }));
      const lines = [
        { n: 4, kind: "paused", at: 3 },
        { n: 3, kind: "down", at: 2, reason: "failed" },
        { n: 2, kind: "fail", at: 2, exit: 3, durationMs: 1, ...SOURCE, bodyBytes: 20 },
        { n: 1, kind: "start", at: 1, rid: "r1", ...SOURCE },
      ] as const;
      expect(await checks.events(check, { limit: 9 })).toEqual([...lines]);
      expect(await checks.events(check, { limit: 2 })).toEqual(lines.slice(0, 2));
      expect(await checks.events(check, { limit: 2, before: 3 })).toEqual(lines.slice(2));
      expect(await checks.events(check, { limit: 2, before: 1 })).toEqual([]);
      expect((await checks.list(peal.home.id, { limit: 1 })).checks[0]?.standing.events).toBe(4);
    });

    test("keeps the newest hundred lines, independent of other checks, and their bodies", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const [left, check, right] = [await peal.check("left"), await peal.check("nas"), await peal.check("right")];
      for (const neighbour of [left, right]) await checks.apply(neighbour, recorded({ kind: "ok", at: 1 }));
      const ping = async (n: number) => {
        const body = { head: bytes(1, n % 256), tail: bytes(0), totalBytes: 1 };
        await checks.apply(check, recorded({ kind: "ok", at: n }), { ...SOURCE, ...(n !== 250 && { body }) });
      };
      await Promise.all(range(1, 250).map(ping));
      const lines = await checks.events(check, { limit: 200 });
      expect(lines.map(({ n, at }) => [n, at])).toEqual(range(250, 151).map((n) => [n, n]));
      expect(await checks.events(check, { limit: 3, before: 153 })).toHaveLength(2);
      expect(await checks.body(check, 151)).toEqual({ head: bytes(1, 151), tail: bytes(0), totalBytes: 1 });
      for (const n of [50, 150, 250, 251]) expect(await checks.body(check, n)).toBeUndefined();
      for (const neighbour of [left, right]) expect(await checks.events(neighbour, { limit: 9 })).toHaveLength(1);
      await checks.remove(peal.home.id, check.id);
      for (const neighbour of [left, right]) expect(await checks.events(neighbour, { limit: 9 })).toHaveLength(1);
    });

    // prettier-ignore
    const bodies: [string, PingBody][] = [
      ["short",                  { head: bytes(5), tail: bytes(0), totalBytes: 5 }],
      ["cut in the middle",      { head: bytes(2_048, 0x41), tail: bytes(8_192, 0x80), totalBytes: 1_000_000 }],
      ["of NUL bytes",           { head: bytes(9, 0), tail: bytes(9, 0), totalBytes: 18 }],
    ];
    test.each(bodies)("keeps a body %s, byte for byte", async (_, body) => {
      await using peal = await watch(open);
      const check = await peal.check("nas");
      await peal.store.checks.apply(check, recorded({ kind: "ok", at: 1 }), { ...SOURCE, body });
      const { checks } = await peal.reopen();
      expect(await checks.body(check, 1)).toEqual(body);
      expect((await checks.events(check, { limit: 1 }))[0]?.bodyBytes).toBe(body.totalBytes);
    });

    test("has no body for a ping without one", async () => {
      await using peal = await watch(open);
      const check = await peal.check("nas");
      await peal.store.checks.apply(check, recorded({ kind: "ok", at: 1 }), SOURCE);
      expect(await peal.store.checks.body(check, 1)).toBeUndefined();
    });
  });
};
