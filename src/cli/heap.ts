/** Makes the server a small process: a NAS has other things to do with its memory. */

/** JavaScriptCore's options (`Source/JavaScriptCore/runtime/OptionsList.h`); Bun reads them from the environment alone, at its start. */
const OPTIONS: Readonly<Record<string, string>> = {
  // The memory of the machine that the collector assumes, in bytes: 80 MiB. Then the heap grows little between two collections,
  // which saves 20 to 30 MB while thousands of pushes are sent. With 128 MiB a publish costs no less, and a stream 0.4 KB more (measured).
  BUN_JSC_forceRAMSize: "83886080",
  // The smallest share of the heap that is left for new objects before old ones are looked at too. With a third, which is the
  // default, two thirds of so small a heap are soon full of code, and each collection looks at all of it: a publish costs 48 µs of
  // processor instead of 60 (measured).
  BUN_JSC_minEdenToOldGenerationRatio: "0.1",
};

/**
 * Starts the program once more in this process, with a small heap; returns if that was done, or cannot be. Call it before
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
