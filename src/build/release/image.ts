/** peal-oci.tar: the image of a release, for both platforms. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CONFIG } from "../image/config.ts";
import { baseFiles } from "../image/files.ts";
import { layer, ociArchive, type Image, type PlatformImage } from "../image/oci.ts";
import type { Platform } from "../image/packages.ts";

/** Takes the binaries from `folder`. */
export async function writeImage(
  file: string,
  folder: string,
  commit: Pick<Image, "version" | "revision" | "at">,
): Promise<void> {
  const of = async (platform: Platform, binary: string): Promise<PlatformImage> => {
    const content = new Uint8Array(await readFile(join(folder, binary)));
    return {
      platform,
      layers: [
        layer("glibc, certificates and zone data of Debian", await baseFiles(platform), commit.at),
        layer(`peal ${commit.version}`, [{ path: "peal", mode: 0o755, content }], commit.at),
      ],
    };
  };
  const platforms = [await of("amd64", "peal-linux-x64"), await of("arm64", "peal-linux-arm64")] as const;
  await writeFile(file, ociArchive({ ...commit, name: "peal", config: CONFIG, platforms: [...platforms] }));
}
