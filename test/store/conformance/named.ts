/** Pings of named runs: a decision can look up a repeat for a day, among the latest of a check. */
import { describe, expect, test } from "bun:test";
import type { NamedPing } from "../../../src/checks/check.ts";
import { MOST_NAMED, NAMED_MS } from "../../../src/store/checks.ts";
import { range, type OpenEngine } from "./engine.ts";
import { knownOf, pinged, pingedMany, watch } from "./watching.ts";

const ping = (rid: string, at: number, kind: NamedPing["kind"] = "ok"): NamedPing => ({ rid, kind, at });

export const named = (open: OpenEngine) => {
  describe("a ping of a named run", () => {
    test("is available to a decision on its check that names it, after a restart too", async () => {
      await using peal = await watch(open);
      const [check, other] = [await peal.check("nas"), await peal.check("other")];
      for (const one of [ping("a", 1, "fail"), ping("a", 2), ping("b", 3)])
        await peal.store.checks.apply(check, pinged(one));
      await peal.store.checks.apply(other, pinged(ping("c", 4)));
      for (const open of [() => peal.store, peal.reopen]) {
        const store = await open();
        expect(await knownOf(store, check, "a")).toEqual([ping("a", 1, "fail"), ping("a", 2)]);
        expect(await knownOf(store, check, "b")).toEqual([ping("b", 3)]);
        expect(await knownOf(store, check, "c")).toEqual([]);
        expect(await knownOf(store, check)).toEqual([]);
      }
    });

    test("is forgotten after enough later ones", async () => {
      await using peal = await watch(open);
      const [check, quiet] = [await peal.check("nas"), await peal.check("quiet")];
      await peal.store.checks.apply(quiet, pinged(ping("r0", 1)));
      await pingedMany(peal.store, check, 0, MOST_NAMED + 1);
      const known = await Promise.all(
        ["r0", "r1", "r2", `r${MOST_NAMED + 1}`].map(async (rid) => knownOf(peal.store, check, rid)),
      );
      expect(known.map(({ length }) => length)).toEqual([0, 0, 1, 1]);
      expect(await knownOf(peal.store, quiet, "r0")).toHaveLength(1);
    }, 60_000);

    test("is forgotten after a day, two for each new one, and not before", async () => {
      await using peal = await watch(open);
      const check = await peal.check("nas");
      await pingedMany(peal.store, check, 1, 6);
      const known = async () =>
        (await Promise.all(range(1, 6).map(async (n) => knownOf(peal.store, check, `r${n}`))))
          .flat()
          .map(({ at }) => at);
      await peal.store.checks.apply(check, pinged(ping("x", NAMED_MS)));
      expect(await known()).toEqual([1, 2, 3, 4, 5, 6]);
      const later = pinged(ping("x", NAMED_MS + 3));
      await peal.store.checks.apply(check, later);
      expect(await known()).toEqual([3, 4, 5, 6]);
      await peal.store.checks.apply(check, later);
      expect(await known()).toEqual([4, 5, 6]);
    });

    test("is forgotten as well when its time is in the future, because the clock was set back", async () => {
      await using peal = await watch(open);
      const check = await peal.check("nas");
      await peal.store.checks.apply(check, pinged(ping("ahead", NAMED_MS + 1)));
      await peal.store.checks.apply(check, pinged(ping("x", 2)));
      expect(await knownOf(peal.store, check, "ahead")).toHaveLength(1);
      await peal.store.checks.apply(check, pinged(ping("x", 1)));
      expect(await knownOf(peal.store, check, "ahead")).toEqual([]);
    });
  });
};
