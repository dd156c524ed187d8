/** Alerts: stored in one transaction with their incident and its cause, each sent once. */
import { describe, expect, test } from "bun:test";
import type { Told } from "../../../src/checks/check.ts";
import { draft, range, topicNamed, type OpenEngine } from "./engine.ts";
import { HOUR, incident, messagesIn, rules, told, turn, turned, watch } from "./watching.ts";

export const alerts = (open: OpenEngine) => {
  describe("an alert", () => {
    test("is a message of the check's topic like any other: counted, announced, and restoring the topic", async () => {
      await using peal = await watch(open);
      const { checks, topics } = peal.store;
      const check = await peal.check("nas");
      await peal.publish("checks", { message: "by hand" });
      await topics.patch(check.topic.id, { archived: true });
      peal.heard.length = 0;
      const applied = await checks.apply(check, turn(5));
      expect(applied?.decision.alerts).toHaveLength(1);
      expect(messagesIn(peal.heard)).toEqual(["checks 2"]);
      expect(peal.heard).toMatchObject([{ kind: "message", alerts: ["down"] }, { kind: "due" }]);
      expect((await peal.told(check)).map(({ id, text }) => `${id} ${text}`)).toEqual(["1 by hand", "2 nas down"]);
      expect((await topicNamed(peal.store, peal.home, "checks"))?.lastId).toBe(2);
      await peal.reopen();
    });

    test("reads the check as the decision left it", async () => {
      await using peal = await watch(open);
      const check = await peal.check("nas");
      let seen: Told[] = [];
      const compose = (told: readonly Told[]) => {
        seen = [...told];
        return [{ draft: draft(), told }];
      };
      const applied = await peal.store.checks.apply(check, turn(5, { compose }));
      expect(seen).toEqual(applied?.decision.alerts.map((alert) => ({ check: applied.check, alert })) ?? []);
    });

    test("of an incident is linked to it; the incident keeps what it became", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      await checks.apply(check, turn(5));
      const [down] = await peal.told(check);
      expect(await checks.incidents(check, { limit: 5 })).toEqual([{ ...incident(1, 5), downMessage: down?.seq ?? 0 }]);
      await checks.apply(check, rules(({ standing }) => ({ after: { ...standing, incident: { ...incident(1, 5), missed: 3 } }, recorded: [], alerts: [], named: [] }))); // prettier-ignore
      const last = { ...incident(1, 5), missed: 4 };
      await checks.apply(
        check,
        rules((one) => ({ ...turned(one, 9), alerts: [{ kind: "up", at: 9, incident: last }] })),
      );
      const [, up] = await peal.told(check);
      const messages = { downMessage: down?.seq ?? 0, upMessage: up?.seq ?? 0 };
      const store = await peal.reopen();
      expect(await store.checks.incidents(check, { limit: 5 })).toEqual([{ ...last, closedAt: 9, ...messages }]);
    });

    test("that was suppressed leaves its incident without a message, until it is sent", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      await checks.apply(
        check,
        rules((one) => ({ ...turned(one, 5), alerts: [] })),
      );
      expect(await checks.incidents(check, { limit: 5 })).toEqual([incident(1, 5)]);
      await checks.apply(check, told({ kind: "down", at: 5, incident: incident(1, 5) }));
      const [down] = await peal.told(check);
      expect(await checks.incidents(check, { limit: 5 })).toEqual([{ ...incident(1, 5), downMessage: down?.seq ?? 0 }]);
    });

    test("is not required to close an incident", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      await checks.apply(check, turn(5));
      await checks.apply(
        check,
        rules((one) => ({ ...turned(one, 9), recorded: [{ kind: "paused", at: 8 }], alerts: [] })),
      );
      expect(await checks.incidents(check, { limit: 5 })).toMatchObject([{ n: 1, closedAt: 8 }]);
      expect((await checks.incidents(check, { limit: 5 }))[0]?.upMessage).toBeUndefined();
    });

    test("of an incident that was already reported, or in no message, is refused with everything in its job", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const check = await peal.check("nas");
      await checks.apply(check, turn(5));
      const before = await peal.read(check);
      const again = turn(7, { decide: (one) => ({ ...turned(check, 7), after: { ...one.standing, okStreak: 9 } }) });
      const silent = turn(7, { compose: () => [] });
      peal.heard.length = 0;
      for (const refused of [again, silent]) {
        const error: unknown = await checks.apply(check, refused).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(Error);
      }
      expect(peal.heard).toEqual([]);
      expect(await peal.read(check)).toEqual(before);
      expect(await checks.events(check, { limit: 5 })).toHaveLength(1);
      expect(await peal.told(check)).toHaveLength(1);
      expect((await peal.publish("checks")).message.id).toBe(2);
    });
  });

  describe("incidents of a check", () => {
    test("are paged newest first, and the newest thousand are kept", async () => {
      await using peal = await watch(open);
      const { checks } = peal.store;
      const [check, other] = [await peal.check("nas"), await peal.check("other")];
      await checks.apply(other, turn(1));
      const silent = (at: number) => rules((one) => ({ ...turned(one, at), alerts: [] }));
      await Promise.all(range(1, 2_005).map(async (n) => checks.apply(check, silent(n * HOUR))));
      const all = [];
      for (let before = Infinity; ;) {
        const page = await checks.incidents(check, { limit: 300, ...(before !== Infinity && { before }) });
        all.push(...page);
        expect(all.length).toBeLessThanOrEqual(1_000); // otherwise the pages repeat
        const last = page.at(-1);
        if (last === undefined) break;
        before = last.n;
      }
      expect(all.map(({ n }) => n)).toEqual(range(1_003, 4));
      expect(all.map(({ closedAt }) => closedAt !== undefined)).toEqual([false, ...range(1, 999).map(() => true)]);
      expect(await checks.incidents(other, { limit: 5 })).toHaveLength(1);
    });
  });
};
