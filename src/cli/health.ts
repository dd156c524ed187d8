/** `peal health`: for HEALTHCHECK and scripts. */
import { localSocket } from "../config/config.ts";
import { EXIT, JSON_FLAG, type Command } from "./command.ts";
import { reach } from "./identity.ts";

/** Longer than a probe of a busy disk takes, shorter than Docker's 30 s. */
const PATIENCE_MS = 5_000;

interface Told {
  status: string;
  detail?: string;
  /** Sentences for the operator. */
  problems?: readonly string[];
}

export const health: Command = {
  name: "health",
  args: [],
  summary: "Check that the server of this data directory is healthy; exit code 0 or 1.",
  flags: [JSON_FLAG],
  examples: ["peal health", "peal health --data-dir /var/lib/peal"],
  run: async ({ switches, load }) => {
    const { config } = await load();
    const socket = localSocket(config);
    reach(config.dataDir, socket);
    const told = await fetch("http://localhost/health", {
      unix: socket,
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).then(
      async (response) => ({ well: response.ok, text: await response.text() }),
      () => ({
        well: false,
        text: JSON.stringify({ status: "failing", detail: `no server is responding on ${socket}` }),
      }),
    );
    const { status, detail, problems = [] } = JSON.parse(told.text) as Told;
    const text = [detail === undefined ? status : `${status}: ${detail}`, ...problems].join("\n");
    console.log(switches.has("json") ? told.text : text);
    return told.well ? EXIT.ok : EXIT.failed;
  },
};
