/** A program of the operator's: `/path add <name> <value>`, and `remove`; the record is there when it ends with 0. */
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "../../util/clock.ts";
import { Told } from "../acme/problem.ts";
import type { DnsProvider, TxtRecord } from "./provider.ts";

const RUN_MS = 5 * 60 * SECOND;
/** What it leaves running may hold its standard error open for ever. */
const LAST_WORDS_MS = SECOND;
/** Of what it says on standard error. */
const MOST_CHARACTERS = 300;

/** `token`: in its environment as PEAL_ACME_DNS_TOKEN, since all of a machine may read arguments. */
export function exec(path: string, token: string): DnsProvider {
  const run = async (action: "add" | "remove", { name, value }: TxtRecord, signal: AbortSignal): Promise<void> => {
    let child;
    try {
      child = Bun.spawn([path, action, name, value], {
        env: { ...foreignEnv(), ...(token !== "" && { PEAL_ACME_DNS_TOKEN: token }) },
        stdio: ["ignore", "ignore", "pipe"],
        timeout: RUN_MS,
        killSignal: "SIGKILL",
        signal,
      });
    } catch (error) {
      throw new Told(`${path} cannot be run: ${error instanceof Error ? error.message : String(error)}.`);
    }
    const { exited } = child;
    const said = await Promise.race([
      new Response(child.stderr).text(),
      exited.then(async () => sleep(LAST_WORDS_MS, "", { ref: false })),
    ]);
    const code = await exited;
    const words = said
      .replaceAll(token === "" ? "\0" : token, "…")
      .trim()
      .slice(-MOST_CHARACTERS);
    if (code !== 0) throw new Told(`${path} ended with ${code} when it was to ${action} the record: ${words}`);
  };
  return {
    ...{ isSlow: false, followsAliases: false },
    add: async (record, signal) => {
      await run("add", record, signal);
      return async (until) => run("remove", record, until);
    },
  };
}

/** The tools that it calls find their own settings there; peal's are none of its business. */
const foreignEnv = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PEAL_")));
