/** A disk that fills up. */
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk extends Disposable {
  path: string;
  /** Takes all of its room but so many bytes. */
  fill(leftBytes: number): void;
  /** Gives that room back. */
  free(): void;
}

/** A small disk of its own; undefined where this user may not mount one. */
export function smallDisk(bytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), "peal-disk-"));
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path]).success;
  if (!mounted) rmSync(path, { recursive: true });
  if (!mounted) return undefined;
  const ballast = join(path, "ballast");
  return {
    path,
    fill: (leftBytes) => {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(ballast, new Uint8Array(bavail * bsize - leftBytes));
    },
    free: () => rmSync(ballast),
    [Symbol.dispose]: () => {
      Bun.spawnSync(["umount", "--lazy", path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** For `testWith`. */
export function whyNoDisk(): string | undefined {
  using disk = smallDisk(1_000_000);
  return disk === undefined ? "this user may not mount a tmpfs that could fill up" : undefined;
}
