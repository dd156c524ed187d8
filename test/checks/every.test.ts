/** What looks at every check of a namespace leaves the event loop to others in between. */
import { expect, test } from "bun:test";
import { everyCheck } from "../../src/checks/every.ts";
import { newCheck } from "../support/checks.ts";
import { inProcess } from "../support/server.ts";
import { turnsDuring } from "../support/turns.ts";

test("other requests have their turn between two pages of checks, and each check comes once, by name", async () => {
  await using peal = await inProcess();
  const names = Array.from({ length: 201 }, (_, n) => `check ${String(n).padStart(3, "0")}`);
  await Promise.all(names.map(async (name) => newCheck(peal, { name, every: 60 })));
  const { deps } = peal.running;
  const home = await deps.store.namespaces.byName("home");
  if (home === undefined) throw new Error("no namespace");
  const found: string[] = [];
  const read = async () => {
    for await (const { standing } of everyCheck(deps, home.id)) found.push(standing.settings.name);
  };
  expect(await turnsDuring(read())).toBeGreaterThanOrEqual(2);
  expect(found).toEqual(names);
});
