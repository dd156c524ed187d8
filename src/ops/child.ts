/** Runs this program once more, for work that would hold the event loop. */
import { join } from "node:path";

/** The end of a child that gave no answer. */
export interface ChildFailed {
  kind: "failed";
  reason: string;
}

/** The JSON that `peal <args>` prints. The child gets nothing of our environment. `signal` ends it. */
export async function askChild<T>(args: readonly string[], signal?: AbortSignal): Promise<T | ChildFailed> {
  const self = import.meta.path.startsWith("/$bunfs/")
    ? [process.execPath]
    : [process.execPath, "--no-env-file", join(import.meta.dir, "../main.ts")];
  try {
    const child = Bun.spawn([...self, ...args], {
      env: {},
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal !== undefined && { signal }),
    });
    const [told, complaint] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (told !== "") return JSON.parse(told) as T;
    return {
      kind: "failed",
      reason: complaint.trim() || `its process ended with ${child.signalCode ?? child.exitCode}`,
    };
  } catch (error) {
    // no process could be started: the program was moved, or there are too many processes or open files
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}
