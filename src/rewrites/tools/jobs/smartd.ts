/** smartd: a script publishes what it reports about a disk. */
import type { Tool } from "../../tool.ts";
import { sh } from "../../../util/text/quoting.ts";
import { curl } from "./curl.ts";

export const smartd: Tool<"smartd"> = {
  name: "smartd",
  title: "smartd",
  setup: {
    place: {
      en: "smartd.conf and a script it runs",
      de: "smartd.conf und ein Skript, das von dort gestartet wird",
    },
    withKey: (url, key) => [
      { label: "/etc/smartd.conf", value: "DEVICESCAN -a -m <nomailer> -M exec /usr/local/bin/smartd-peal" },
      {
        label: "/usr/local/bin/smartd-peal (0700)",
        value: [
          "#!/bin/sh",
          `KEY=${sh(key)}`,
          curl(
            '-d "level=error" --data-urlencode "title=SMART: $SMARTD_DEVICE" --data-urlencode "message=$SMARTD_MESSAGE"',
            sh(url),
          ),
        ].join("\n"),
      },
    ],
  },
};
