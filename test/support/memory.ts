/** What a server takes of the machine's memory. */

const bytesOf = async (pid: number, name: string): Promise<number> =>
  1_024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(await Bun.file(`/proc/${pid}/status`).text())?.[1]);

/** Bytes that a process holds; NaN where the system does not tell. */
export const residentBytes = async (pid: number): Promise<number> => bytesOf(pid, "VmRSS");

/** The most that it held since it began. */
export const mostResidentBytes = async (pid: number): Promise<number> => bytesOf(pid, "VmHWM");
