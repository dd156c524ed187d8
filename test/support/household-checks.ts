/** The checks of the household: their jobs, and how each of their runs ended. */
import type { TestCheck } from "./checks.ts";
import { asked, MINUTE, type Step } from "./household-steps.ts";
import type { InProcess } from "./server.ts";

/** How many days of runs are made. */
export const DAYS = 12;
const DAY = 1_440;

interface Job {
  /** Such as `home/photos-sync`. */
  name: string;
  /** When it was last due, in minutes before the end; absent: it never ran. */
  ago?: number;
  /** Minutes between two runs; a daily job has a cron schedule. */
  every: number;
  /** How many minutes a run takes. */
  takes: number;
  grace: number;
  /** The latest run, if it was not a success: none, an exit code with the output, or only a start. */
  last?: "missed" | "running" | { exit: number; output: string };
  /** A success that came later than its slot, in minutes before the end. */
  backAt?: number;
}

// prettier-ignore
export const CHECKS: readonly Job[] = [
  { name: "home/borgmatic-laptop",   ago: 1_090, every: DAY,      takes: 6,   grace: 60 },
  { name: "lab/certs-renew",         ago: 8_000, every: 7 * DAY,  takes: 1,   grace: 60 },
  { name: "media/jellyfin-scan",     ago: 368,   every: 360,      takes: 0,   grace: 15 },
  { name: "home/nas-backup",         ago: 700,   every: DAY,      takes: 12,  grace: 60,  last: "missed", backAt: 122 },
  { name: "home/paperless-export",   ago: 3,     every: DAY,      takes: 4,   grace: 30,  last: "running" },
  { name: "home/photos-sync",        ago: 700,   every: DAY,      takes: 12,  grace: 60,  last: "missed" },
  { name: "home/pihole-gravity",     ago: 9_000, every: 7 * DAY,  takes: 1,   grace: 60 },
  { name: "lab/proxmox-vzdump",      ago: 129,   every: DAY,      takes: 21,  grace: 60,  last: { exit: 2, output: "INFO: starting new backup job\nERROR: storage 'nfs-backup' is not online\n" } },
  { name: "home/restic-prune",       ago: 9_500, every: 2 * DAY,  takes: 18,  grace: 60 },
  { name: "lab/truenas-replication",             every: DAY,      takes: 0,   grace: 60 },
];

const suffixed = ({ ping_url }: TestCheck, suffix: string): string => `${new URL(ping_url).pathname}${suffix}`;

/** Makes the check of a job. */
export async function checkOn(
  peal: InProcess,
  { name: path, ago, every, grace }: Job,
  end: number,
): Promise<TestCheck> {
  const [ns = "", name = ""] = path.split("/");
  const schedule =
    every === DAY && ago !== undefined
      ? { cron: cronAt(end - ago * MINUTE), timezone: "Europe/Berlin" }
      : { every: every * 60 };
  const body = { name, ...schedule, grace: grace * 60, topic: "checks", max_run: 3_600 };
  return asked<TestCheck>(peal, "POST", `/v1/${ns}/checks`, body);
}

/** A cron schedule for every day at this time in Berlin. */
function cronAt(at: number): string {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "numeric", minute: "numeric" });
  const [hour, minute] = time.format(at).split(":").map(Number);
  return `${minute} ${hour} * * *`;
}

/** The pings of its jobs, each run at its time. */
export function runsOf(peal: InProcess, checks: ReadonlyMap<string, TestCheck>): Step[] {
  return CHECKS.flatMap(({ name, ago = 0, every, takes, last, backAt }) => {
    const check = checks.get(name);
    if (check === undefined || ago === 0) return [];
    const ping = (at: number, suffix = "", body = ""): Step => ({
      ago: at,
      run: async () => peal.request(suffixed(check, suffix), { method: "POST", body }),
    });
    const run = (at: number) => (takes === 0 ? [ping(at)] : [ping(at, "/start"), ping(at - takes, "", "done\n")]);
    const count = Math.floor((DAYS * DAY - ago) / every);
    const before = Array.from({ length: count }, (_, i) => run(ago + (count - i) * every)).flat();
    if (last === "missed") return [...before, ...(backAt === undefined ? [] : run(backAt))];
    if (last === "running") return [...before, ping(ago, "/start")];
    if (last !== undefined) return [...before, ping(ago, "/start"), ping(ago - 4, `/${last.exit}`, last.output)];
    return [...before, ...run(ago)];
  });
}

/** What the owner did: paused one check. */
export const endOf = (peal: InProcess, checks: ReadonlyMap<string, TestCheck>): Step[] => [
  {
    ago: 7 * DAY - 100,
    run: async () => asked(peal, "POST", `/v1/home/checks/${checks.get("home/restic-prune")?.id ?? ""}/pause`),
  },
];
