/** `peal doctor`: looks at all that can be wrong around a server, and says how to mend it. */
import { ConfigError } from "../config/errors.ts";
import type { Loaded } from "../config/sources.ts";
import { EXIT, JSON_FLAG, print, table, type Command, type Invocation } from "./command.ts";
import { fail, pass, type Finding } from "./doctor/finding.ts";
import { lookAtData } from "./doctor/look-data.ts";
import { lookAtServer } from "./doctor/look-server.ts";
import { lookAtServices } from "./doctor/look-services.ts";
import { becomeOwner } from "./identity.ts";

export const doctor: Command = {
  name: "doctor",
  args: [],
  summary:
    "Look for what is wrong with the data, the server, its address and the way to push services, and how to fix it.",
  about:
    "Each line is pass, warn or fail, with what to do. Run it where the server runs, as its user or as root; it works with the server stopped too, and " +
    "changes nothing. It connects to PEAL_BASE_URL and to the browsers' push services. Exit code 1 if a line says fail, else 0.",
  flags: [JSON_FLAG],
  examples: ["peal doctor", "docker exec peal /peal doctor", "peal doctor --json"],
  run: async ({ switches, load }) => {
    const loaded = await loadedOr(load);
    const findings = "config" in loaded ? await findingsOf(loaded) : [loaded];
    await print(switches, findings, () => table(findings.flatMap(rows)));
    return findings.some(({ result }) => result === "fail") ? EXIT.failed : EXIT.ok;
  },
};

async function loadedOr(load: Invocation["load"]): Promise<Loaded | Finding> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return fail(
      "configuration",
      error.message.replaceAll("\n", "; "),
      "Correct it; `peal config` shows what is in effect.",
    );
  }
}

/** All at once, and with the start of this command within 5 s. */
const PATIENCE_MS = 4_000;

async function findingsOf({ config }: Loaded): Promise<Finding[]> {
  becomeOwner(config.dataDir);
  const until = AbortSignal.timeout(PATIENCE_MS);
  const [server, services] = await Promise.all([lookAtServer({ config, until }), lookAtServices(config, until)]);
  return [pass("configuration", "valid"), ...lookAtData(config), ...server, ...services];
}

const rows = ({ result, about, text, fix }: Finding): string[][] => [
  [result, about, text],
  ...(fix === undefined ? [] : [["", "", `→ ${fix}`]]),
];
