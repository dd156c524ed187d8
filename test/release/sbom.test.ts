/** The bill of materials, beside the one that npm makes. */
import { expect, test } from "bun:test";
import { readLockfile } from "../../src/build/release/lockfile.ts";
import { hasIntegrity } from "../../src/build/release/runtimes.ts";
import { sbomOf } from "../../src/build/release/sbom.ts";
import { TARGETS } from "../../src/build/release/targets.ts";

interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: { purl: string; "bom-ref": string } };
  components: { purl: string; hashes?: object[]; licenses?: { license?: { id: string }; expression?: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const lockfile = await readLockfile();
const bom = JSON.parse(sbomOf(lockfile, 1_700_000_000)) as Bom;

test("it has the packages that npm finds, with the same hashes and licences", () => {
  const words = "npm sbom --package-lock-only --omit dev --sbom-format cyclonedx".split(" ");
  const npm = JSON.parse(Bun.spawnSync(words).stdout.toString()) as Bom;
  const ours = new Map(bom.components.map((component) => [component.purl, component]));
  expect(npm.components.length).toBeGreaterThan(30);
  const licences = (component: Bom["components"][number] | undefined) =>
    component?.licenses?.map(({ license, expression }) => license?.id ?? expression) ?? [];
  for (const component of npm.components) {
    const own = ours.get(component.purl);
    expect([component.purl, own?.hashes, licences(own)]).toEqual([
      component.purl,
      component.hashes,
      licences(component),
    ]);
  }
});

test("every package that peal depends on is in it, none that only tools and tests need", () => {
  const needs = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const seen = new Set<string>();
  const visit = (ref: string): void => {
    if (seen.has(ref)) return;
    seen.add(ref);
    for (const next of needs.get(ref) ?? []) visit(next);
  };
  visit(bom.metadata.component["bom-ref"]);
  for (const { purl } of bom.components) expect([purl, seen.has(purl)]).toEqual([purl, true]);
  for (const tool of ["eslint", "prettier", "playwright-core", "knip"])
    expect(bom.components.filter(({ purl }) => purl.startsWith(`pkg:npm/${tool}@`))).toEqual([]);
});

test("the same lock file and commit give the same text, another commit another serial number", () => {
  expect(sbomOf(lockfile, 1_700_000_000)).toBe(sbomOf(lockfile, 1_700_000_000));
  expect(bom.metadata.timestamp).toBe("2023-11-14T22:13:20.000Z");
  const other = JSON.parse(sbomOf(lockfile, 1_800_000_000)) as Bom;
  expect(other.serialNumber).not.toBe(bom.serialNumber);
});

test("the lock file has the hash of Bun for every target", () => {
  for (const { runtime } of TARGETS)
    expect(lockfile.packages[`node_modules/${runtime}`]?.integrity).toStartWith("sha512-");
  const [bytes, changed] = [Buffer.from("bun"), Buffer.from("bum")];
  const integrity = `sha512-${Bun.SHA512.hash(bytes, "base64")}`;
  expect([hasIntegrity(bytes, integrity), hasIntegrity(changed, integrity)]).toEqual([true, false]);
});
