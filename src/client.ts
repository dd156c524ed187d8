/** peal for machines that only talk to a server elsewhere: its client commands, without the server. */
import { runProgram } from "./cli/program.ts";

process.exitCode = await runProgram(
  {
    sections: [
      {
        title: "Client",
        commands: [
          ["send", async () => (await import("./cli/send.ts")).send],
          ["tail", async () => (await import("./cli/tail.ts")).tail],
          ["login", async () => (await import("./cli/login.ts")).login],
          ["ping", async () => (await import("./cli/ping.ts")).ping],
          ["run", async () => (await import("./cli/run.ts")).run],
          ["version", async () => (await import("./cli/client-version.ts")).clientVersion],
        ],
      },
    ],
  },
  process.argv.slice(2),
);
