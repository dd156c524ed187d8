/** Apprise's `json://`: it posts fields that we read, and others that we ignore. */
import type { Tool } from "../../tool.ts";
import { withPassword } from "../../tool-setup.ts";
import { sh } from "../../../util/text/quoting.ts";

export const apprise: Tool<"apprise"> = {
  name: "apprise",
  title: "Apprise",
  setup: {
    place: {
      en: "A command, or a line in its configuration file",
      de: "Ein Befehl, oder eine Zeile der Konfigurationsdatei",
    },
    withKey: (url, key) => [
      {
        label: { en: "Command", de: "Befehl" },
        value: `apprise -t "Backup" -b "Finished" ${sh(withPassword(url, key).replace(/^http/, "json"))}`,
      },
    ],
  },
};
