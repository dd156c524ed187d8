/** A unit of systemd that publishes when another one fails. */
import type { Tool } from "../../tool.ts";
import { unit } from "../../../util/text/quoting.ts";

export const systemd: Tool<"systemd"> = {
  name: "systemd",
  title: "systemd",
  setup: {
    place: {
      en: "A unit that starts when another one fails",
      de: "Eine Unit, die startet, wenn eine andere fehlschlägt",
    },
    withKey: (url, key) => [
      { label: "/etc/peal.env (0600)", value: `KEY=${key}` },
      {
        label: "/etc/systemd/system/peal@.service",
        value: [
          "[Unit]",
          "Description=Tell that %i failed",
          "",
          "[Service]",
          "Type=oneshot",
          "EnvironmentFile=/etc/peal.env",
          'ExecStart=/usr/bin/curl -fsS -o /dev/null --retry 3 -H "Authorization: Bearer ${KEY}" \\',
          `  -d "%i failed on %H" ${unit(`${url}?level=error`)}`,
        ].join("\n"),
      },
      { label: "/etc/systemd/system/<name>.service.d/peal.conf", value: "[Unit]\nOnFailure=peal@%N.service" },
    ],
  },
};
