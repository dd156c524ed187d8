/** A disk that fills up. */
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk extends Disposable {
  path: string;
  /** Fills the disk except for this many bytes. */
  fill(leftBytes: number): void;
  /** Frees that space. */
  free(): void;
}

/** Mounts a small separate disk, which requires the right to mount: `testWith("mount")`. */
export function smallDisk(bytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "peal-disk-"));
  const { success, stderr } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path]);
  if (!success) throw new Error(stderr.toString());
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
