/** Every limit of every field, exact and one over, over HTTP: 201, or 422 with the field and nothing stored (API.md §3, §6). */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { startPeal } from "../support/server.ts";
import { LIMITS, rowsOf, TOGETHER, type Limit } from "./limits.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const untouched = await peal.topic("untouched");

const inDays = (days: number, ms: number) => new Date(Date.now() + days * 86_400_000 + ms).toISOString();
const AT: Limit = ["at", [inDays(30, 0), inDays(-1, 0)], [inDays(30, 3_600_000), "tomorrow", "", 1, null]];

async function expectAnswer(fields: object, paths: string[]): Promise<void> {
  const fits = paths.length === 0;
  const response = await peal.api(
    "POST",
    fits ? "/home/fits" : "/home/untouched",
    { message: "m", ...fields },
    { prefer: "handling=strict" },
  );
  const told = await answer<{ code?: string; errors?: { path: string }[] }>(fits ? 201 : 422, response);
  if (fits) return;
  expect([told.code, told.errors?.map(({ path }) => path)]).toEqual(["validation_failed", paths]);
  expect(await peal.history(untouched)).toEqual([]);
}

test.each(rowsOf([...LIMITS, AT]))("%s %s %s", async (field, _, __, value, paths) => {
  await expectAnswer({ [field]: value }, paths);
});

test.each(TOGETHER)("%s", async (_, fields, paths) => {
  await expectAnswer(fields, paths);
});
