/** However often the server is killed around deadlines: one alert for each incident, never two (ARCHITECTURE.md §2.3). */
import { expect, test } from "bun:test";
import { newCheck, type TestCheck } from "../support/checks.ts";
import { answer, type TestMessage } from "../support/client.ts";
import { withDice } from "../support/dice.ts";
import { eventually } from "../support/eventually.ts";
import { IS_THOROUGH, ROUNDS } from "../support/rounds.ts";
import { type Peal, startPeal } from "../support/server.ts";

const KILLS = 2 * ROUNDS;
const KILLS_PER_WAVE = 5;
/** How many checks share each topic: four are reported one by one, ten in a digest if they are due in the same slice. */
const TOPICS = IS_THOROUGH
  ? [...Array.from({ length: 40 }, () => 4), ...Array.from({ length: 6 }, () => 10)]
  : [...Array.from({ length: 12 }, () => 4), 10, 10];
/** The limit of a run, which is the shortest time in which a check that was up goes down. */
const MAX_RUN_MS = 1_000;
/** Further checks that are never pinged and go down once, one after another, the first in 10 s. */
const ARMED = IS_THOROUGH ? 60 : 20;
const ARMED_S = KILLS / 3;
const CHECKS = TOPICS.reduce((sum, size) => sum + size, ARMED);

async function makeAll(peal: Peal): Promise<{ jobs: TestCheck[]; armed: TestCheck[] }> {
  const jobs = TOPICS.flatMap((size, topic) =>
    Array.from({ length: size }, async (_, n) =>
      newCheck(peal, { name: `${topic}.${n}`, topic: `jobs-${topic}`, tags: ["job"], max_run: MAX_RUN_MS / 1000 }),
    ),
  );
  const armed = Array.from({ length: ARMED }, async (_, n) =>
    newCheck(peal, {
      ...{ name: `${n}`, topic: `armed-${n % 12}`, tags: ["armed"] },
      ...{ every: 10 + Math.floor((n * ARMED_S) / ARMED), grace: 0, armed: true },
    }),
  );
  return { jobs: await Promise.all(jobs), armed: await Promise.all(armed) };
}

async function ping(peal: Peal, checks: readonly TestCheck[], suffix: string): Promise<void> {
  const statuses = await Promise.all(
    checks.map(async ({ ping_url }) => (await peal.request(new URL(ping_url).pathname + suffix)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
}

async function states(peal: Peal, tag: string): Promise<Set<string>> {
  const seen = new Set<string>();
  for (let after = ""; ;) {
    const path = `/v1/home/checks?limit=200&tag=${tag}${after}`;
    const page = await answer<{ checks: TestCheck[]; next_after?: string }>(200, await peal.api("GET", path));
    for (const { state } of page.checks) seen.add(state);
    if (page.next_after === undefined) return seen;
    after = `&after=${encodeURIComponent(page.next_after)}`;
  }
}

const allAre = async (peal: Peal, tag: string, state: string): Promise<unknown> =>
  eventually(`every ${tag} to be ${state}`, async () => Bun.deepEquals(await states(peal, tag), new Set([state])));

interface Told {
  check: string;
  incident: number;
}

/** The incidents that a message reports: of one check, or of many in a digest. */
function incidentsIn({ data }: TestMessage): Told[] {
  const { checks, ...one } = data as Told & { checks?: Told[] };
  return checks ?? [one];
}

const named = (messages: readonly TestMessage[]): string[] =>
  messages.flatMap((message) => incidentsIn(message).map(({ check, incident }) => `${check} ${incident}`)).sort();

/** The first `incidents` incidents of each check. */
const firstOf = (checks: readonly TestCheck[], incidents: number): string[] =>
  checks.flatMap(({ id }) => Array.from({ length: incidents }, (_, n) => `${id} ${n + 1}`));

async function closedIncidents(peal: Peal, { id }: TestCheck): Promise<number> {
  const response = await peal.api("GET", `/v1/home/checks/${id}/incidents`);
  const { incidents } = await answer<{ incidents: { closed_at?: string }[] }>(200, response);
  return incidents.filter(({ closed_at }) => closed_at !== undefined).length;
}

const after = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test(
  `SIGKILL around the deadlines of ${CHECKS} checks, ${KILLS} times`,
  async () =>
    withDice(async (dice) => {
      await using peal = await startPeal();
      const { jobs, armed } = await makeAll(peal);
      const restarting = performance.now();
      await peal.kill("SIGTERM");
      await peal.start();
      const restartMs = performance.now() - restarting;

      const kills: { wave: number; at: number }[] = [];
      let waves = 0;
      const kill = async () => {
        await peal.kill("SIGKILL");
        kills.push({ wave: waves, at: Date.now() });
      };
      while (kills.length < KILLS) {
        waves++;
        const first = after(MAX_RUN_MS + 150 * dice()); // at a random moment among the deadlines
        await ping(peal, jobs, "/start");
        await first;
        await kill();
        while (kills.length % KILLS_PER_WAVE > 0 && kills.length < KILLS) {
          const again = after(restartMs * (0.5 + dice())); // what is due is reported as soon as it is up
          const starting = peal.start().catch(() => undefined); // the server may be killed before it has started
          await again;
          await kill();
          await starting;
        }
        await peal.start();
        await allAre(peal, "job", "down");
        await ping(peal, jobs, "");
      }
      await allAre(peal, "armed", "down");
      await allAre(peal, "job", "up");

      const topics = new Set([...jobs, ...armed].map(({ topic }) => topic));
      const histories = await Promise.all([...topics].map(async (key) => peal.history({ namespace: "home", key })));
      const messages = histories.flat();
      const recoveries = messages.filter(({ status }) => status === "resolved");
      const alerts = messages.filter(({ status }) => status !== "resolved");
      expect(named(alerts)).toEqual([...firstOf(jobs, waves), ...firstOf(armed, 1)].sort());
      expect(named(recoveries)).toEqual(firstOf(jobs, waves).sort());
      for (const job of jobs) expect(await closedIncidents(peal, job)).toBe(waves);

      // a kill that comes too early or too late proves little, so some have to hit the middle of a wave
      const midst = kills.filter(({ wave, at }) => {
        const times = alerts.filter((alert) => incidentsIn(alert)[0]?.incident === wave).map(timeOf);
        return times.some((time) => time < at) && times.some((time) => time > at);
      });
      if (KILLS >= 50) expect(midst.length).toBeGreaterThan(0);
    }),
  60_000 + KILLS * 5_000,
);

const timeOf = ({ created_at }: TestMessage): number => Date.parse(created_at);
