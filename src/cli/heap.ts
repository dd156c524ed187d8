/** Makes the server a small process: a NAS has other things to do with its memory. */

/**
 * The memory that the garbage collector believes the machine has. A quarter of it may pile up before it collects: 20 MiB instead
 * of 32, which saves 20 to 30 MB while thousands of pushes are sent (measured).
 */
const ASSUMED_BYTES = 83_886_080;
/**
 * The smallest share of the heap that is left for new objects before old ones are examined too. With a third, the default, two
 * thirds of such a small heap are soon full of code, and each collection examines all of it. With this, a publish costs 48 µs of
 * processor time instead of 60, and the heap is 3 MB larger under load (measured).
 */
const LEAST_NEW = 0.1;
/** JavaScriptCore's, `Source/JavaScriptCore/runtime/OptionsList.h`; Bun reads them from the environment alone, at its start. */
const OPTION = "BUN_JSC_forceRAMSize";
const OPTION_NEW = "BUN_JSC_minEdenToOldGenerationRatio";

/**
 * Starts the program once more in this process, with a small heap; returns if that was done already, or cannot be done. Called
 * before anything is open or printed, when it costs a few milliseconds.
 */
export function useSmallHeap(): void {
  if (process.env[OPTION] !== undefined || !Bun.main.startsWith("/$bunfs/")) return;
  const env = { ...process.env, [OPTION]: String(ASSUMED_BYTES), [OPTION_NEW]: String(LEAST_NEW) };
  try {
    process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(2)], env);
  } catch {
    // the program's file may be gone, or a sandbox allow no exec: a larger heap serves as well
  }
}
