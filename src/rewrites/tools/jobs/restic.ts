/** Backups by restic and borgmatic, which publish how they ended. */
import type { Tool } from "../../tool.ts";
import { sh, yaml } from "../../../util/text/quoting.ts";
import { curl } from "./curl.ts";

export const restic: Tool<"restic"> = {
  name: "restic",
  title: "restic, borgmatic",
  setup: {
    place: {
      en: "A script around restic, or the commands of borgmatic",
      de: "Ein Skript um restic herum, oder die Befehle von borgmatic",
    },
    withKey: (url, key) => [
      {
        label: { en: "restic, as a script", de: "restic, als Skript" },
        value: [
          "#!/bin/sh",
          `KEY=${sh(key)}`,
          "restic backup /srv",
          "code=$?",
          'level=success; [ "$code" -eq 0 ] || level=error',
          curl('-d "restic ended with $code"', `${sh(`${url}?level=`)}"$level"`),
          'exit "$code"',
        ].join("\n"),
      },
      {
        label: "borgmatic, config.yaml",
        value: [
          "commands:",
          "  - after: error",
          "    run:",
          `      - ${yaml(`KEY=${sh(key)}; ${curl('-d "borgmatic failed"', sh(`${url}?level=error`))}`)}`,
        ].join("\n"),
      },
    ],
  },
};
