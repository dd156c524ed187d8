/** `peal import healthchecks`: its checks over API v3, and a script that replaces their ping URLs. */
import { Type } from "@sinclair/typebox";
import { pattern, slugs, substitution } from "../moves/sources/foreign.ts";
import { checkOf, HealthchecksCheck, notesOn } from "../moves/sources/healthchecks.ts";
import { CommandFailed, type Command } from "./command.ts";
import { ask, readToken, serverOf, targetFlags, targetOf, topicFlag, URL_FLAG } from "./import-ask.ts";
import { importChecks, topicOf } from "./import-checks.ts";
import { IMPORT_FLAGS } from "./import.ts";

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
    const topic = topicOf(invocation);
    const headers = { "X-Api-Key": await readToken("the API key of a Healthchecks project") };
    const { checks } = await ask(`${server}/api/v3/checks/`, headers, Checks);
    if (checks.some(({ ping_url: url }) => url === undefined))
      throw new CommandFailed("this API key may only read and doesn't show ping URLs; use one that may write");
    const slugOf = slugs();
    const known = checks.map((check) => ({ check, slug: slugOf(check.slug ?? "") }));
    const planned = known.map(({ check, slug }) => ({
      made: checkOf(check, { namespace, topic, slug }),
      moved: (url: string) => [substitution(pattern(check.ping_url ?? ""), url)],
    }));
    const notes = notesOn(checks, {
      topic,
      slugless: known.flatMap(({ check, slug }) => (slug === undefined ? [check] : [])),
    });
    return importChecks(invocation, planned, { notes, about: [`Ping URLs of ${server}, old and new.`] });
  },
};
