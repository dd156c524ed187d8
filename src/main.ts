/** The program with all its commands. */
import { SECTIONS } from "./cli/commands.ts";
import { useSmallHeap } from "./cli/heap.ts";
import { runProgram } from "./cli/program.ts";

process.exitCode = await runProgram(
  {
    sections: SECTIONS,
    fallback: "serve",
    settings: async () => (await import("./cli/settings.ts")).serverSettings,
    before: (name) => {
      if (name === "serve") useSmallHeap();
    },
  },
  process.argv.slice(2),
);
