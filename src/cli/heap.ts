/** Makes the server a small process: a NAS has other things to do with its memory. */

/**
 * JavaScriptCore's options (`Source/JavaScriptCore/runtime/OptionsList.h`); Bun reads them from the environment alone, at its start.
 * As measured with 64 writers, and while thousands of pushes are sent:
 */
const OPTIONS: Readonly<Record<string, string>> = {
  // The memory of the machine that the collector assumes, bytes. Until the process has 80 % of it, the heap may double between two
  // collections; from 90 % on it grows by a quarter, which saves 20 to 30 MB.
  BUN_JSC_forceRAMSize: "117440512",
  // The heap that is not collected for its size, bytes: a start fills 12 MB, and ends with one collection in place of three.
  BUN_JSC_largeHeapSize: "20971520",
  // The smallest share of the heap that is left for new objects before old ones are looked at too. With a third, which is the
  // default, two thirds of so small a heap are soon full of code, and each collection looks at all of it.
  BUN_JSC_minEdenToOldGenerationRatio: "0.1",
};

/**
 * Starts the program once more in this process, with a small heap; comes back where that was done, or cannot be. Before
 * anything is open or printed: it costs a few milliseconds then.
 */
export function useSmallHeap(): void {
  if (process.env["BUN_JSC_forceRAMSize"] !== undefined || !Bun.main.startsWith("/$bunfs/")) return;
  try {
    process.execve?.(process.execPath, [process.execPath, ...process.argv.slice(2)], { ...process.env, ...OPTIONS });
  } catch {
    // the program's file may be gone, or a sandbox allow no exec: a larger heap serves as well
  }
}
