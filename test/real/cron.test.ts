/** Debian's own cron with `peal run` in its crontab: every run is reported, and the job runs as it would without. */
import { expect } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkOf, newCheck } from "../support/checks.ts";
import { runCron } from "../support/debiancron.ts";
import { COMMAND, startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { pingsOf, saidTo } from "../cli/run.ts";

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 0, 1);
const SPAN = { tz: "UTC", from: FROM, to: FROM + 3 * MINUTE + MINUTE / 2 };
const test = testWith("cc", "cron", "mount");

test("a job that runs every minute is reported three times: its start, its exit code, its output", async () => {
  await using peal = await startPeal();
  const { id, ping_url } = await newCheck(peal, { cron: "* * * * *", timezone: "UTC" });
  const out = mkdtempSync(join(tmpdir(), "peal-crontab-"));
  // the first run is no. 0 and succeeds, the next ones fail
  writeFileSync(join(out, "log"), "");
  const job = `n=$(wc -l <${out}/log); echo "run $n" | tee -a ${out}/log; echo "said by $n" >&2; exit $n`;
  const line = `* * * * * root ${COMMAND.join(" ")} run --check ${ping_url} -- sh -c '${job}' >>${out}/out 2>&1; echo "$?" >>${out}/codes`;
  await runCron(() => [line], SPAN);

  const read = (name: string) => readFileSync(join(out, name), "utf8");
  expect(read("out")).toBe("run 0\nsaid by 0\nrun 1\nsaid by 1\nrun 2\nsaid by 2\n");
  expect(read("codes")).toBe("0\n1\n2\n");
  const pings = await pingsOf(peal, id);
  expect(pings).toMatchObject([
    { kind: "start" },
    { kind: "ok", exit: 0 },
    { kind: "start" },
    { kind: "fail", exit: 1 },
    { kind: "start" },
    { kind: "fail", exit: 2 },
  ]);
  expect(new Set(pings.map(({ rid }) => rid)).size).toBe(3);
  expect((await saidTo(peal, id)).toString()).toBe("run 2\nsaid by 2\n");
  expect(await checkOf(peal, id)).toMatchObject({
    state: "down",
    running: false,
    incident: { n: 1, reason: "failed" },
  });
});

test("it needs no more than cron provides: a shell, a minimal environment, no terminal", async () => {
  await using peal = await startPeal();
  const { id, ping_url } = await newCheck(peal);
  const line = `* * * * * root PEAL_URL=${peal.url} ${COMMAND.join(" ")} run --check ${ping_url.slice(-26)} -- sh -c 'env; tty; pwd; cat'`;
  await runCron(() => [line], { ...SPAN, to: FROM + 1.5 * MINUTE });
  expect((await saidTo(peal, id)).toString().trimEnd().split("\n").sort()).toEqual([
    "/root",
    "HOME=/root",
    "LOGNAME=root",
    "PATH=/usr/bin:/bin",
    `PEAL_URL=${peal.url}`,
    "PWD=/root",
    "SHELL=/bin/sh",
    "not a tty",
  ]);
  expect(await pingsOf(peal, id)).toMatchObject([{ kind: "start" }, { kind: "ok", exit: 0 }]);
});
