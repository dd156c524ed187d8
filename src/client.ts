/** peal for machines that only talk to a server elsewhere: its client commands, without the server. */
import { runProgram } from "./cli/program.ts";

process.exitCode = await runProgram(
  {
    sections: [
      {
        title: "Client",
        commands: [
          ["ping", async () => (await import("./cli/ping.ts")).ping],
          ["run", async () => (await import("./cli/run.ts")).run],
          ["version", async () => (await import("./cli/client-version.ts")).clientVersion],
        ],
      },
    ],
  },
  process.argv.slice(2),
);
