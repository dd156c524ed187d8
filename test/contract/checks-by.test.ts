/** The history keeps who did what to a check, for each thing that one form changes (CHECKINS.md §4). */
import { expect, test } from "bun:test";
import { changeCheck } from "../../src/checks/upsert.ts";
import { checkOf, eventsOf, newCheck } from "../support/checks.ts";
import { inProcess } from "../support/server.ts";

test("someone who edits, pauses and mutes a check at once is named for each", async () => {
  await using peal = await inProcess();
  const { deps } = peal.running;
  const { id } = await newCheck(peal, { slug: "backup", every: "1d" });
  const namespaceId = (await deps.store.namespaces.byName("home"))?.id;
  if (namespaceId === undefined) throw new Error("unknown namespace home");
  const muted_until = new Date(deps.clock.now() + 60_000).toISOString();
  await changeCheck(deps, { namespaceId, id }, { slug: "backup", every: "2d", paused: true, muted_until }, "Mara");
  expect(await checkOf(peal, id)).toMatchObject({ paused: true, paused_by: "Mara" });
  expect((await eventsOf(peal, id)).map(({ kind, by }) => [kind, by])).toEqual([
    ["edited", "Mara"],
    ["paused", "Mara"],
    ["snoozed", "Mara"],
  ]);
});
