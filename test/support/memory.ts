/** How much of the machine's memory a server uses. */

const bytesOf = async (pid: number, name: string): Promise<number> =>
  1_024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(await Bun.file(`/proc/${pid}/status`).text())?.[1]);

/** Resident bytes of a process; NaN where the system does not report them. */
export const residentBytes = async (pid: number): Promise<number> => bytesOf(pid, "VmRSS");

/** The largest resident size of a process so far, in bytes. */
export const mostResidentBytes = async (pid: number): Promise<number> => bytesOf(pid, "VmHWM");
