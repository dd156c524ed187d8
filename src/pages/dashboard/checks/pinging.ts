/** How a job tells that it is done: ready commands with the check's own URL. Pure. */
import type { CheckSettings } from "../../../checks/check.ts";

export interface Snippet {
  name: string;
  command: string;
}

/** Stands for the reader's own job. */
export const JOB = "/usr/local/bin/backup";

/** `url`: its ping URL, which holds nothing that a shell would read as its own. */
export function pingSnippets(
  url: string,
  { schedule, postOnly }: Pick<CheckSettings, "schedule" | "postOnly">,
): Snippet[] {
  const curl = `curl -fsS -m 10 --retry 5 -o /dev/null${postOnly ? " -X POST" : ""}`;
  const when = schedule.kind === "cron" ? schedule.expression : "30 2 * * *";
  return [
    { name: "cron", command: `${when}  ${JOB} && ${curl} ${url}` },
    { name: "curl", command: `${curl} ${url}` },
    { name: "peal run", command: `peal run --check ${url} -- ${JOB}` },
    {
      name: "systemd",
      command: [
        "[Service]",
        "Type=oneshot",
        "KillMode=mixed",
        `ExecStart=/usr/local/bin/peal run --check ${url} -- ${JOB}`,
      ].join("\n"),
    },
    {
      name: "PowerShell",
      command: `Invoke-RestMethod -TimeoutSec 10${postOnly ? " -Method Post" : ""} -Uri "${url}"`,
    },
    {
      name: "Python",
      command: `import urllib.request\nurllib.request.urlopen("${url}"${postOnly ? `, b""` : ""}, timeout=10)`,
    },
  ];
}
