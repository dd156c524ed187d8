/** Names of copies that are not whole yet: each run has its own, so that runs do not share one, and a dead run's is deleted. */
import { DAY } from "../../util/clock.ts";
import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../../util/ids.ts";

/** The end of the name: the machine (or container) and the process. */
const NAME = /\.([0-9a-f]{8})-(\d+)\.partial(-journal)?$/;

const here = (): string => sha256(hostname()).slice(0, 8);

/** The path at which this process writes a copy that becomes `path`. */
export const partialOf = (path: string): string => `${path}.${here()}-${process.pid}.partial`;

/**
 * Deletes what killed runs left in the folder of `path`, and nothing of a run that is alive. Nobody here knows whether a process
 * of another machine or container is alive: its copy is deleted a day (`now`, epoch ms) after it was last written to.
 */
export function sweepPartials(path: string, now: number): void {
  const folder = dirname(path);
  for (const name of namesIn(folder)) {
    const [found, machine, pid] = NAME.exec(name) ?? [];
    if (found === undefined && name !== `${basename(path)}.partial`) continue; // older versions had this name
    const changedAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
    const isDead = machine === here() ? !isAlive(Number(pid)) : now - changedAt > DAY;
    if (isDead) remove(join(folder, name));
  }
}

/** A folder that may be written to need not be readable. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** In a folder such as `/tmp` another user's file may not be deleted: that must not keep a copy from being made. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // it stays
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // the process is another user's
  }
}
