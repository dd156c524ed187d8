/** A program of the operator's: `/path add <name> <value>`, and `remove`; the record is there when it ends with 0. */
import { Told } from "../acme/problem.ts";
import type { DnsProvider, TxtRecord } from "./provider.ts";

const RUN_MS = 5 * 60_000;
/** Of what it says on standard error. */
const MOST_CHARACTERS = 300;

/** `token`: in its environment as PEAL_ACME_DNS_TOKEN, since all of a machine may read arguments. */
export function exec(path: string, token: string): DnsProvider {
  const run = async (action: "add" | "remove", { name, value }: TxtRecord, signal?: AbortSignal): Promise<void> => {
    const { PATH = "/usr/bin:/bin" } = process.env;
    let child;
    try {
      child = Bun.spawn([path, action, name, value], {
        env: { PATH, ...(token !== "" && { PEAL_ACME_DNS_TOKEN: token }) },
        stdio: ["ignore", "ignore", "pipe"],
        timeout: RUN_MS,
        ...(signal && { signal }),
      });
    } catch (error) {
      throw new Told(`${path} cannot be run: ${error instanceof Error ? error.message : String(error)}.`);
    }
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
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
      return async () => run("remove", record);
    },
  };
}
