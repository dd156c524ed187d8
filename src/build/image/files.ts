/** The root file system of the image: glibc, certificates, zone data, a user; no shell and no program but peal. */
import { lstat, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchPackage, BASE, type Platform } from "./packages.ts";
import type { Entry } from "./tar.ts";

/** What is taken out of the packages: libraries, zones, what names the system, and the licences. */
const WANTED: readonly RegExp[] = [
  /^lib(64)?\/.*\.so/,
  /^usr\/lib\/[^/]*linux-gnu\/.*\.so/,
  /^(etc|usr\/lib)\/os-release$|^etc\/debian_version$/,
  /^etc\/(protocols|services)$/,
  /^usr\/share\/zoneinfo\//,
  /^usr\/share\/doc\/[^/]+(\/copyright)?$/,
];
/** Conversions of text and checks of the linker, which peal does not use; the same zones twice more. */
const UNWANTED = /\/(gconv|audit)\/|\/zoneinfo\/(right|posix)\//;
const CERTIFICATES = /^usr\/share\/ca-certificates\/.*\.crt$/;

/** The user of the image, and `nobody`. */
const PEAL = 1000;
const PASSWD = `root:x:0:0:root:/root:/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin
peal:x:${PEAL}:${PEAL}:peal:/data:/sbin/nologin
`;
const GROUP = `root:x:0:
nogroup:x:65534:
peal:x:${PEAL}:
`;

const text = (path: string, content: string): Entry => ({ path, mode: 0o644, content: Buffer.from(content) });
const folder = (path: string, mode: number, owner?: number): Entry => ({
  path,
  mode,
  content: "folder",
  ...(owner !== undefined && { owner }),
});

/** All but peal itself, so that an upgrade loads only what has changed. */
export async function baseFiles(platform: Platform): Promise<Entry[]> {
  const parts = await Promise.all(
    BASE.packages[platform].map(async (each) => {
      const file = await fetchPackage(each, BASE.at);
      // scanners of images read which packages are there, as in the images of distroless
      const control = text(`var/lib/dpkg/status.d/${each.name}`, await dpkg("--field", file));
      return [...(await unpacked(file)), control];
    }),
  );
  const entries = parts.flat();
  const certificates = entries
    .filter(({ path }) => CERTIFICATES.test(path))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const bundle = certificates.map(({ content }) => Buffer.from(content as Uint8Array).toString()).join("");
  return withFolders([
    ...entries.filter(({ path }) => !CERTIFICATES.test(path)),
    text("etc/ssl/certs/ca-certificates.crt", bundle),
    text("etc/passwd", PASSWD),
    text("etc/group", GROUP),
    text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
    folder("tmp", 0o1777),
    folder("var/tmp", 0o1777),
    folder("root", 0o700),
    folder("data", 0o755, PEAL),
    ...["dev", "proc", "sys", "run"].map((path) => folder(path, 0o755)), // where engines mount on a read-only root
  ]);
}

/** Adds the folders that the entries are in. */
function withFolders(entries: readonly Entry[]): Entry[] {
  const all = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { path } of entries)
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const parent = path.slice(0, at);
      if (!all.has(parent)) all.set(parent, folder(parent, 0o755));
    }
  return [...all.values()];
}

/** What is wanted of a package's files. */
async function unpacked(file: string): Promise<Entry[]> {
  const root = await mkdtemp(join(tmpdir(), "peal-image-"));
  try {
    await dpkg("--extract", file, root);
    const paths = (await readdir(root, { recursive: true })).filter(
      (path) => CERTIFICATES.test(path) || (WANTED.some((form) => form.test(path)) && !UNWANTED.test(path)),
    );
    const entries = await Promise.all(paths.map(async (path) => read(root, path)));
    return entries.filter(({ content }) => content !== "folder"); // those with something in them come back
  } finally {
    await rm(root, { recursive: true });
  }
}

async function read(root: string, path: string): Promise<Entry> {
  const full = join(root, path);
  const state = await lstat(full);
  const mode = state.mode & 0o7777;
  if (state.isSymbolicLink()) return { path, mode, content: { linkTo: await readlink(full) } };
  return { path, mode, content: state.isDirectory() ? "folder" : new Uint8Array(await readFile(full)) };
}

/** Runs dpkg-deb, which every Debian and Ubuntu has. Resolves to what it prints. */
async function dpkg(...words: string[]): Promise<string> {
  const child = Bun.spawn(["dpkg-deb", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const said = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`dpkg-deb ${words.join(" ")} failed`);
  return said;
}
