/** Debian's own cron (package `cron`), with a separate file system and clock. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Millis } from "../../src/util/clock.ts";
import { PATH } from "../tools.ts";

export interface Span {
  /** The zone and its rules in POSIX notation, because the machine's tz database may differ from Bun's or be missing. */
  tz: string;
  /** In whole minutes. A run at `from` itself is not recorded. */
  from: Millis;
  to: Millis;
}

const MINUTE = 60_000;

/** Allows everyone: Debian's rules take most of the time of a job, and may fail in a container. */
const PAM = ["auth", "account", "password", "session"].map((kind) => `${kind} required pam_permit.so\n`).join("");

/** In a mount namespace, where cron finds only the crontabs of `$1`, and writes its pid there only. */
const SANDBOX = `set -e
mount --bind "$1/crontab" /etc/crontab
mount --bind "$1/pam.d" /etc/pam.d
mount --bind "$1/cron.d" /etc/cron.d
mount --bind "$1/spool" /var/spool/cron/crontabs
mount -t tmpfs tmpfs /run
LD_PRELOAD="$1/steppedclock.so" exec cron -f`;

/** The library that controls cron's clock, compiled once. */
let clock: Promise<Uint8Array> | undefined;

/** The minutes in which cron ran each schedule, ascending, one list per schedule; empty for one that it does not understand. */
export async function debianRuns(schedules: readonly string[], span: Span): Promise<Millis[][]> {
  const log = await runCron((file) => schedules.map((schedule, n) => `${schedule} root echo ${n} >>${file}`), span);
  return runs(log, schedules.length);
}

/**
 * Lets cron run lines of `/etc/cron.d` (`* * * * * root command`), each to its end before the clock moves. Returns the
 * log: the times of the clock, and what the lines have written.
 */
export async function runCron(lines: (log: string) => readonly string[], { tz, from, to }: Span): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "peal-cron-"));
  try {
    writeFileSync(join(folder, "steppedclock.so"), await (clock ??= compiled("steppedclock.c")));
    for (const name of ["cron.d", "pam.d", "spool"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "crontab"), "");
    for (const service of ["cron", "other"]) writeFileSync(join(folder, "pam.d", service), PAM);
    const log = join(folder, "log");
    writeFileSync(log, "");
    // one file each, because cron skips a whole file for one bad line
    for (const [n, line] of lines(log).entries()) writeFileSync(join(folder, "cron.d", `${n}`), `${line}\n`);
    await finished(["unshare", "--mount", "--propagation", "private", "sh", "-c", SANDBOX, "sh", folder], {
      TZ: tz,
      CLOCK_FROM: `${from / 1000}`,
      CLOCK_TO: `${to / 1000}`,
      CLOCK_LOG: log,
    });
    return readFileSync(log, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compiled(source: string): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "peal-clock-"));
  try {
    const library = join(folder, "library.so");
    await finished(["cc", "-shared", "-fPIC", "-O1", "-o", library, join(import.meta.dir, source)]);
    return readFileSync(library);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function finished(command: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const child = Bun.spawn([...command], {
    env: { PATH, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderr = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command[0] ?? ""} failed: ${stderr}`);
}

/** Lines are a time of the clock (`@epoch seconds`) or the number of a schedule that ran at the time above. */
function runs(log: string, count: number): Millis[][] {
  const minutes = Array.from({ length: count }, () => new Set<Millis>());
  let now: Millis = 0;
  for (const line of log.trimEnd().split("\n")) {
    if (line.startsWith("@")) now = Math.floor((Number(line.slice(1)) * 1000) / MINUTE) * MINUTE;
    else minutes[Number(line)]?.add(now);
  }
  return minutes.map((times) => [...times]);
}
