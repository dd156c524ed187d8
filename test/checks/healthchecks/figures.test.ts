/** The metrics of single checks (OPERATIONS.md §5). */
import { expect, test } from "bun:test";
import { newCheck, ping } from "../../support/checks.ts";
import { answer } from "../../support/client.ts";
import { heldClock } from "../../support/clock.ts";
import { metric } from "../../support/metric.ts";
import { inProcess, type InProcess } from "../../support/server.ts";

/** The samples of the metrics per check: `up{home,nas} 1`. */
async function figures(peal: InProcess): Promise<string[]> {
  const text = await (await peal.request("/metrics")).text();
  return [...text.matchAll(/^peal_check_(\w+)\{ns="([^"]*)",slug="([^"]*)"\} (.+)$/gm)].map(
    ([, name = "", ns = "", slug = "", value = ""]) => `${name}{${ns},${slug}} ${value}`,
  );
}

test("each check has its state, its last success and its last duration, by namespace and slug or id", async () => {
  const clock = heldClock();
  await using peal = await inProcess({ clock });
  const nas = await newCheck(peal, { slug: "nas", every: 60, grace: 60 });
  const { id } = await newCheck(peal, { name: "slugless", every: 60 });
  expect(await figures(peal)).toEqual([`late{home,nas} 0`, `late{home,${id}} 0`]);
  await ping(peal, `${nas.ping_url}/start`);
  clock.advance(1_500);
  await ping(peal, nas.ping_url);
  const at = clock.now() / 1000;
  const told = (up: number, late: number) => [
    ...[`up{home,nas} ${up}`, `late{home,nas} ${late}`, `late{home,${id}} 0`],
    ...[`last_success_timestamp_seconds{home,nas} ${at}`, "last_duration_seconds{home,nas} 1.5"],
  ];
  expect(await figures(peal)).toEqual(told(1, 0));
  clock.advance(61_000);
  expect(await figures(peal)).toEqual(told(1, 1));
  clock.advance(90_000);
  expect(await figures(peal)).toEqual(told(0, 0));
  await answer(200, await peal.api("POST", `/v1/home/checks/${nas.id}/pause`));
  expect((await figures(peal)).filter((line) => /^(?:up|late)\{home,nas/.test(line))).toEqual([]);
  expect((await peal.api("DELETE", `/v1/home/checks/${nas.id}`)).status).toBe(204);
  expect(await figures(peal)).toEqual([`late{home,${id}} 0`]);
  expect(await metric(peal, "peal_checks_unlisted")).toBe(0);
});

test("of more than 500 checks the oldest are shown, and it is said how many are not", async () => {
  await using peal = await inProcess();
  const made = await Promise.all(
    Array.from({ length: 503 }, async (_, n) => newCheck(peal, { slug: `job-${n}`, every: 3600 })),
  );
  await Promise.all(made.map(async ({ ping_url }) => ping(peal, ping_url)));
  const found = await figures(peal);
  // up, late and last success; none has taken time
  expect([found.length, new Set(found).size]).toEqual([1_500, 1_500]);
  expect(await metric(peal, "peal_checks_unlisted")).toBe(3);
});
