/** A request that a client repeats counts once, within a day and across a restart (CHECKINS.md §2). */
import { expect, test } from "bun:test";
import { checkOf, newCheck, ping } from "../support/checks.ts";
import { heldClock } from "../support/clock.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { inProcess } from "../support/server.ts";

const HOUR = 3_600_000;
/** A job that runs every 10 s; in a short test run, every minute. */
const RUNS_AN_HOUR = IS_THOROUGH ? 360 : 60;

test("any run of the last day is recognized, even on the shortest schedule", async () => {
  const clock = heldClock();
  await using peal = await inProcess({ clock });
  const { id, ping_url } = await newCheck(peal, { every: "1d" });
  const pings = async () => (await checkOf(peal, id)).pings;
  const end = async (run: string) => {
    for (const suffix of ["/start", ""])
      expect(await ping(peal, `${ping_url}${suffix}?rid=${run}`, { method: "POST" })).toEqual([200, "ok"]);
  };
  for (let hour = 0; hour < 24; hour++) {
    await Promise.all(Array.from({ length: RUNS_AN_HOUR }, async (_, n) => end(`${hour}.${n}`)));
    clock.advance(HOUR);
  }
  const sent = 2 * 24 * RUNS_AN_HOUR;
  expect(await pings()).toBe(sent);

  clock.jump(-1);
  for (const run of ["0.0", `0.${RUNS_AN_HOUR - 1}`, "12.7", `23.${RUNS_AN_HOUR - 1}`]) await end(run);
  expect([await pings(), (await checkOf(peal, id))["running"]]).toEqual([sent, false]);
  await peal.restart();
  for (const run of ["0.0", `23.${RUNS_AN_HOUR - 1}`]) await end(run);
  expect(await pings()).toBe(sent);

  clock.jump(1);
  for (const run of ["0.0", "0.0", "1.0"]) await end(run);
  expect(await pings()).toBe(sent + 2);
}, 60_000);
