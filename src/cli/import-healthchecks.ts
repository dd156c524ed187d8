/** `peal import healthchecks`: its checks over API v3, and a script that replaces their ping URLs. */
import { Type } from "@sinclair/typebox";
import type { NewCheckRecord } from "../moves/record.ts";
import { sedScript, slugs } from "../moves/sources/foreign.ts";
import { checkOf, HealthchecksCheck } from "../moves/sources/healthchecks.ts";
import { CommandFailed, type Command } from "./command.ts";
import { ask, readToken, serverOf, targetFlags, targetOf, topicFlag, URL_FLAG } from "./import-ask.ts";
import { IMPORT_FLAGS, runImport } from "./import.ts";

const Checks = Type.Object({ checks: Type.Array(HealthchecksCheck) });

export const importHealthchecks: Command = {
  name: "import healthchecks",
  args: [],
  summary: "Import the checks of a Healthchecks project; without --apply, only say what would be imported.",
  about:
    "With --apply, standard output is a script for sed that replaces the old ping URLs by the new ones in crontabs and scripts. " +
    "The project's API key (Settings, API access) comes from PEAL_IMPORT_TOKEN, the file PEAL_IMPORT_TOKEN_FILE or standard input; a " +
    "read-only key doesn't show ping URLs.",
  flags: [URL_FLAG, topicFlag, ...targetFlags, ...IMPORT_FLAGS],
  examples: [
    "PEAL_IMPORT_TOKEN=… peal import healthchecks --url https://healthchecks.io",
    "peal import healthchecks --url https://hc.example.com --apply < key > moved.sed",
    "crontab -l | sed -f moved.sed | crontab -",
  ],
  run: async (invocation) => {
    const server = serverOf(invocation.values);
    const namespace = await targetOf(invocation);
    const topic = invocation.values["topic"] ?? "checks";
    const headers = { "X-Api-Key": await readToken("the API key of a Healthchecks project") };
    const { checks } = await ask(`${server}/api/v3/checks/`, headers, Checks);
    if (checks.some(({ ping_url: url }) => url === undefined))
      throw new CommandFailed("this API key may only read and doesn't show ping URLs; use one that may write");
    const slugOf = slugs();
    const planned = checks.map((check) => ({
      old: check.ping_url ?? "",
      made: checkOf(check, { namespace, topic, slug: slugOf(check.slug ?? "") }),
    }));
    const records = planned.flatMap(({ made }) => (typeof made === "string" ? [] : [made]));
    const notes = planned.flatMap(({ made }) => (typeof made === "string" ? [`left out: ${made}`] : []));
    const described = checks.filter(({ desc = "" }) => desc !== "").length;
    if (described > 0)
      notes.push(`${described} descriptions and all integrations stay behind; alerts go to the topic ${topic}`);
    const script = (urls: ReadonlyMap<string, string>) => {
      const isMade = (made: NewCheckRecord | string): made is NewCheckRecord => typeof made !== "string";
      const moved = planned.flatMap(({ old, made }) => {
        const url = isMade(made) ? urls.get(made.id) : undefined;
        return url === undefined ? [] : [{ old: { url: old }, new: url }];
      });
      return sedScript(moved, [
        `Ping URLs of ${server}, old and new. Keep it secret. Use: crontab -l | sed -f FILE | crontab -`,
      ]);
    };
    return runImport(invocation, { records, notes: () => notes, script });
  },
};
