/** A cron job that publishes when it fails. */
import type { Tool } from "../../tool.ts";
import { crontab } from "../../../util/text/quoting.ts";
import { curl } from "./curl.ts";

export const cron: Tool<"cron"> = {
  name: "cron",
  title: "cron",
  setup: {
    place: "crontab -e",
    withKey: (url, key) => [
      { label: { en: "Above the jobs", de: "Über den Jobs" }, value: `KEY=${key}` },
      {
        label: { en: "After a job", de: "Hinter einem Job" },
        value: `30 3 * * * /usr/local/bin/backup || ${curl("-d 'Backup failed'", crontab(`${url}?level=error`))}`,
      },
    ],
  },
};
