/** Hints: announcements that what a page shows has changed. */
import { describe, expect, test } from "bun:test";
import { bench, type Bench, type OpenEngine } from "./engine.ts";

export const hinting = (open: OpenEngine) => {
  describe("an open page gets a hint", () => {
    const named = (name: string) => ({ name, isAdmin: false });
    const made = <T>(one: T | string): T => {
      if (typeof one === "string") throw new Error(one);
      return one;
    };
    /** `act` is done to what `before` made. */
    const acts: [string, (peal: Bench) => Promise<() => Promise<unknown>>, string[]][] = [
      [
        "of a new topic",
        async ({ store, home }) =>
          async () =>
            store.topics.create(home.id, { name: "a" }),
        ["topic 1"],
      ],
      [
        "of a topic that is changed",
        async ({ store, home }) => {
          const { id } = made(await store.topics.create(home.id, { name: "a" }));
          return async () => store.topics.patch(id, { mutedUntil: 9 });
        },
        ["topic 1"],
      ],
      [
        "of a message that is deleted",
        async (peal) => {
          const { topic, message } = await peal.publish("a");
          return async () => peal.store.messages.remove(topic.id, message.id);
        },
        ["message 1"],
      ],
      [
        "of a message that is taken back",
        async (peal) => {
          const { topic, message } = await peal.publish("a");
          await peal.store.messages.discard(topic.id, message.id);
          return async () => peal.store.messages.restore(topic.id, message.id);
        },
        ["message 1"],
      ],
      [
        "of a new key",
        async ({ store, home }) =>
          async () =>
            store.keys.create({ namespaceId: home.id, scope: "full" }),
        ["key 1"],
      ],
      [
        "of a new namespace",
        async ({ store }) =>
          async () =>
            store.namespaces.create("lab"),
        ["namespace 2"],
      ],
      [
        "of a namespace that is muted",
        async ({ store, home }) =>
          async () =>
            store.namespaces.mute(home.id, 9),
        ["namespace 1"],
      ],
      [
        "of all that are muted",
        async ({ store }) =>
          async () =>
            store.namespaces.muteAll(9),
        ["namespace anywhere"],
      ],
      [
        "of a namespace that is deleted",
        async ({ store, home }) =>
          async () =>
            store.namespaces.remove(home.id),
        ["namespace 1"],
      ],
      [
        "of a new person",
        async ({ store }) =>
          async () =>
            store.accounts.create(named("Mara")),
        ["person anywhere"],
      ],
      [
        "of somebody who signs in",
        async ({ store }) => {
          const { id } = made(await store.accounts.create(named("Mara")));
          return async () => store.accounts.open({ personId: id, hash: "h", address: "192.0.2.7", agent: "curl" });
        },
        ["person anywhere"],
      ],
      [
        "of the first topic that is made",
        async ({ store }) =>
          async () =>
            store.setup.ensureFirst(),
        ["topic 1"],
      ],
      [
        "nothing of what is refused, or was not there",
        async ({ store, home }) => {
          const { id } = made(await store.topics.create(home.id, { name: "a" }));
          await store.setup.ensureFirst();
          return async () => {
            await store.topics.create(home.id, { name: "a" });
            await store.topics.patch(id, { name: "hello" });
            await store.messages.remove(id, 1);
            await store.namespaces.create("home");
            await store.setup.ensureFirst();
          };
        },
        [],
      ],
    ];
    test.each(acts)("%s", async (_, before, expected) => {
      await using peal = await bench(open);
      const act = await before(peal);
      peal.hinted.length = 0;
      await act();
      expect(peal.hinted).toEqual(expected);
    });
  });
};
