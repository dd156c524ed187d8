/** An export that is imported into an empty server gives the same export again (docs/moving.md). */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCheck, ping, pingKeyUrl } from "../support/checks.ts";
import { peal as run } from "../support/command.ts";
import { newHook } from "../support/hooks.ts";
import { inProcess, type InProcess } from "../support/server.ts";

interface Line {
  kind: string;
  [field: string]: unknown;
}

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "peal-moves-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
};

async function exported(from: InProcess, ...flags: string[]): Promise<Line[]> {
  const { code, stdout, stderr } = await run(["export", "--data-dir", from.dataDir, ...flags]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** What no import can make equal: the time of the export, and what the other server has of its own. */
const comparable = (lines: readonly Line[]): Line[] =>
  lines
    .filter(({ kind, name }) => !(kind === "server_secret" && name === "vapid"))
    .filter(({ kind }) => kind !== "peal-export" && kind !== "end" && kind !== "key");

async function importInto(to: InProcess, file: string, ...flags: string[]) {
  const { code, stdout, stderr } = await run(["import", "peal", file, "--json", "--data-dir", to.dataDir, ...flags]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as { counts: Record<string, Record<string, number>>; notes: string[] };
}

async function furnish(peal: InProcess): Promise<void> {
  const backups = await peal.topic("backups");
  await peal.api("PATCH", `/v1/home/topics/${backups.key}`, { description: "Nightly", retention_days: 30 });
  for (let n = 1; n <= 5; n++) await peal.publish(backups, { message: `backup ${n}`, title: "Done", tags: ["ok"] });
  await peal.publish(backups, { message: "disk full", dedup_key: "disk", status: "firing", level: "error" });
  await peal.api("POST", "/home/backups", { message: "later", delay: 3600 });
  await newHook(peal, { topic: "backups", name: "Sonarr", as: "gotify" });
  const check = await newCheck(peal, { name: "Nightly", every: 3600, tags: ["db"] });
  await ping(peal, check.ping_url, { method: "POST", body: "all copied" });
  await ping(peal, `${check.ping_url}/fail`, { method: "POST", body: "no space" });
  await pingKeyUrl(peal);
}

test("an export with secrets that is imported into an empty server gives the same export again", async () => {
  await using from = await inProcess();
  await using to = await inProcess({ unclaimed: true });
  await furnish(from);
  using at = folder();
  const file = join(at.path, "peal.ndjson");
  const { code } = await run(["export", "--with-secrets", "--out", file, "--data-dir", from.dataDir]);
  expect(code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const dry = await importInto(to, file);
  expect(dry.counts["message"]).toEqual({ created: 7 });
  expect(comparable(await exported(to))).toEqual([]);
  await importInto(to, file, "--apply");
  const sent = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  expect(comparable(await exported(to, "--with-secrets"))).toEqual(comparable(sent));
  // again: nothing is doubled
  const again = await importInto(to, file, "--apply");
  for (const [kind, by] of Object.entries(again.counts))
    if (kind !== "topic_ids" && kind !== "server_secret") expect([kind, Object.keys(by)]).toEqual([kind, ["exists"]]);
  expect(comparable(await exported(to, "--with-secrets"))).toEqual(comparable(sent));
}, 60_000);
