/** The images of a release: for both platforms, and for arm64 alone, since Docker's own store gives a tag to one platform. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CONFIG } from "../image/config.ts";
import { baseFiles } from "../image/files.ts";
import { layer, ociArchive, type Image, type PlatformImage } from "../image/oci.ts";
import type { Platform } from "../image/packages.ts";

/** Takes the binaries from `folder`, and writes the images there. Resolves to their names. */
export async function writeImages(
  folder: string,
  commit: Pick<Image, "version" | "revision" | "at">,
): Promise<string[]> {
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
  const [x64, arm64] = [await of("amd64", "peal-linux-x64"), await of("arm64", "peal-linux-arm64")];
  const write = async (file: string, platforms: Image["platforms"]) => {
    await writeFile(join(folder, file), ociArchive({ ...commit, name: "peal", config: CONFIG, platforms }));
    return file;
  };
  return [await write("peal-oci.tar", [x64, arm64]), await write("peal-oci-arm64.tar", [arm64])];
}
