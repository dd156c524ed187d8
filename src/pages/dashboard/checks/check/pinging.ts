/** How a job tells that it is done: ready commands with the check's own URL. Pure. */
import type { CheckSettings, Schedule } from "../../../../checks/check.ts";

export interface Snippet {
  name: string;
  command: string;
}

/** Where the script that needs no binary is saved. */
const SCRIPT = "/usr/local/bin/peal-run";

/** Stands for the reader's own job, by the name of its check: nothing in it is more than a word to a shell. */
export function jobOf({ slug, name }: Pick<CheckSettings, "slug" | "name">): string {
  const plain = (slug ?? name)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\da-z]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return `/usr/local/bin/${plain || "backup"}`;
}

/**
 * `url`: its ping URL, which holds nothing that a shell would read as its own. A shell takes a line that `\` breaks; cron and
 * systemd's units are one line each.
 */
export function pingSnippets(
  url: string,
  { schedule, postOnly, ...named }: Pick<CheckSettings, "schedule" | "postOnly" | "slug" | "name">,
): Snippet[] {
  const curl = `curl -fsS -m 10 --retry 5 -o /dev/null${postOnly ? " -X POST" : ""}`;
  const when = cronOf(schedule);
  const job = jobOf(named);
  const server = url.slice(0, url.lastIndexOf("/v1/ping/"));
  return [
    ...(when === undefined ? [] : [{ name: "cron", command: `${when}  ${job} && ${curl} ${url}` }]),
    { name: "curl", command: `${curl} \\\n  ${url}` },
    { name: "peal run", command: `peal run --check ${url} \\\n  -- ${job}` },
    {
      name: "run.sh",
      command: `curl -fsS -o ${SCRIPT} \\\n  ${server}/-/run.sh\nsh ${SCRIPT} --check ${url} \\\n  -- ${job}`,
    },
    {
      name: "systemd",
      command: [
        "[Service]",
        "Type=oneshot",
        "KillMode=mixed",
        `ExecStart=/usr/local/bin/peal run --check ${url} -- ${job}`,
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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When cron has to run the job so that it reports in time: as often as expected, or more often. Undefined if cron cannot. */
export function cronOf(schedule: Schedule): string | undefined {
  if (schedule.kind === "cron") return schedule.expression;
  if (schedule.kind === "manual" || schedule.everyMs >= 24 * HOUR) return "30 2 * * *";
  const { everyMs } = schedule;
  if (everyMs < MINUTE) return undefined;
  const within = (count: number, unit: number) => Math.max(...divisors(count).filter((n) => n * unit <= everyMs), 1);
  if (everyMs >= HOUR) return `30 ${star(within(24, HOUR))} * * *`;
  return `${star(within(60, MINUTE))} * * * *`;
}
const star = (step: number): string => (step === 1 ? "*" : `*/${step}`);
/** Steps that come out even, so that no gap is longer than the others. */
const divisors = (count: number): number[] =>
  Array.from({ length: count }, (_, i) => i + 1).filter((n) => count % n === 0);
