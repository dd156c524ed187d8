/**
 * The archive of an image for several platforms, as registries, podman and `docker load` take it: an OCI image layout
 * (https://github.com/opencontainers/image-spec, image-layout.md) and beside it `manifest.json`, which Docker's own store
 * reads instead.
 */
import { sha256 } from "../../util/ids.ts";
import type { Platform } from "./packages.ts";
import { tar, type Entry } from "./tar.ts";

/** One file system on top of another, as it is stored. */
export interface Layer {
  gzip: Uint8Array;
  /** The hash of the archive before it was compressed. */
  diffId: string;
  /** What it is, for `docker history`. */
  what: string;
}

/** `at`: epoch s. */
export function layer(what: string, entries: readonly Entry[], at: number): Layer {
  const archive = tar(entries, at);
  // of the compressors in Bun, this one makes the same bytes on every machine
  return { what, gzip: Bun.gzipSync(archive, { library: "libdeflate", level: 6 }), diffId: digest(archive) };
}

export interface PlatformImage {
  platform: Platform;
  layers: readonly Layer[];
}

export interface Image {
  name: string;
  version: string;
  /** The commit that it is built from. */
  revision: string;
  /** Epoch s. */
  at: number;
  /** `config` of the OCI image configuration, and the health check that Docker adds to it. */
  config: Record<string, unknown> & { Labels: Record<string, string> };
  /** The first one gets the plain tag in `manifest.json`, where a tag is for one platform only. */
  platforms: readonly [PlatformImage, ...PlatformImage[]];
}

const OCI = "application/vnd.oci.image";
const digest = (bytes: Uint8Array): string => `sha256:${sha256(bytes)}`;

/** Names bytes by their hash (descriptor.md). */
interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

/** The whole file, `peal-oci.tar`. */
export function ociArchive(image: Image): Uint8Array<ArrayBuffer> {
  const blobs = new Map<string, Uint8Array>();
  const blob = (mediaType: string, bytes: Uint8Array): Descriptor => {
    blobs.set(pathOf(digest(bytes)), bytes);
    return { mediaType, digest: digest(bytes), size: bytes.length };
  };
  const built = image.platforms.map(({ platform, layers }) => {
    const config = blob(`${OCI}.config.v1+json`, json(configOf(image, platform, layers)));
    const stored = layers.map(({ gzip }) => blob(`${OCI}.layer.v1.tar+gzip`, gzip));
    const manifest = { schemaVersion: 2, mediaType: `${OCI}.manifest.v1+json`, config, layers: stored };
    const described = { ...blob(manifest.mediaType, json(manifest)), platform: platformOf(platform) };
    return { platform, config, stored, described };
  });
  const index = { schemaVersion: 2, mediaType: `${OCI}.index.v1+json`, manifests: built.map((each) => each.described) };
  const reference = `docker.io/library/${image.name}:${image.version}`;
  const annotations = { "io.containerd.image.name": reference, "org.opencontainers.image.ref.name": image.version };
  const top = { ...index, manifests: [{ ...blob(index.mediaType, json(index)), annotations }] };
  // a tag of Docker's own store is for one platform: the others are named by it
  const forDocker = built.map(({ platform, config, stored }, position) => ({
    Config: pathOf(config.digest),
    RepoTags: [`${image.name}:${image.version}${position === 0 ? "" : `-${platform}`}`],
    Layers: stored.map((each) => pathOf(each.digest)),
  }));
  const file = (path: string, content: Uint8Array): Entry => ({ path, mode: 0o644, content });
  return tar(
    [
      file("oci-layout", json({ imageLayoutVersion: "1.0.0" })),
      file("index.json", json(top)),
      file("manifest.json", json(forDocker)),
      ...["blobs", "blobs/sha256"].map((path): Entry => ({ path, mode: 0o755, content: "folder" })),
      ...[...blobs].map(([path, bytes]) => file(path, bytes)),
    ],
    image.at,
  );
}

/** config.md */
function configOf({ at, version, revision, config }: Image, platform: Platform, layers: readonly Layer[]) {
  const created = new Date(at * 1000).toISOString();
  const labels = { ...config.Labels, "org.opencontainers.image.version": version };
  return {
    created,
    ...platformOf(platform),
    config: { ...config, Labels: { ...labels, "org.opencontainers.image.revision": revision } },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ what }) => ({ created, created_by: what })),
  };
}

const platformOf = (platform: Platform) => ({
  architecture: platform,
  os: "linux",
  ...(platform === "arm64" && { variant: "v8" }),
});

const pathOf = (hash: string): string => `blobs/${hash.replace(":", "/")}`;
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
