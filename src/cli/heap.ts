/** Makes the server a small process: a NAS has other things to do with its memory. */

/**
 * Of the machine's memory, what the garbage collector believes to have. A quarter of it is what may pile up before it
 * collects: 20 MiB in place of 32, which saves 20 to 30 MB while thousands of pushes are sent (measured).
 */
const ASSUMED_BYTES = 83_886_080;
/** JavaScriptCore's, `Source/JavaScriptCore/runtime/OptionsList.h`; Bun reads it from the environment alone, at its start. */
const OPTION = "BUN_JSC_forceRAMSize";

/**
 * Starts the program once more in this process, with a small heap; comes back where that was done, or cannot be. Before
 * anything is open or printed: it costs a few milliseconds then.
 */
export function useSmallHeap(): void {
  if (process.env[OPTION] !== undefined || !Bun.main.startsWith("/$bunfs/")) return;
  const env = { ...process.env, [OPTION]: String(ASSUMED_BYTES) };
  try {
    process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(2)], env);
  } catch {
    // the program's file may be gone, or a sandbox allow no exec: a larger heap serves as well
  }
}
