/** What the binaries are made of, from package-lock.json: CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json). */
import { sha256 } from "../../util/ids.ts";
import type { LockedPackage, Lockfile } from "./lockfile.ts";

interface Component {
  path: string;
  name: string;
  ref: string;
  locked: LockedPackage;
}

/** The same lock file and time give the same text. `at`: epoch s. */
export function sbomOf(lockfile: Lockfile, at: number): string {
  const components = Object.entries(lockfile.packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && dev !== true && devOptional !== true)
    .map(([path, locked]): Component => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return { path, name, locked, ref: purl(name, locked.version ?? "") };
    });
  const own: Component = {
    ...{ path: "", name: lockfile.name, ref: purl(lockfile.name, lockfile.version) },
    locked: lockfile.packages[""] ?? {},
  };
  const byPath = new Map(components.map((component) => [component.path, component]));
  const bom = {
    metadata: {
      timestamp: new Date(at * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": own.ref,
        name: own.name,
        version: lockfile.version,
        purl: own.ref,
        ...licence(own),
      },
    },
    // the same package may be installed in two places
    components: uniqueBy(components).map(componentJson),
    dependencies: uniqueBy([own, ...components]).map((component) => ({
      ref: component.ref,
      dependsOn: [...new Set(neededBy(component, byPath).map(({ ref }) => ref))].toSorted(),
    })),
  };
  const header = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${uuid(JSON.stringify(bom))}`,
    version: 1,
  };
  return `${JSON.stringify({ ...header, ...bom }, null, 2)}\n`;
}

function componentJson({ ref, name, locked }: Component) {
  const hash = /^sha512-(.+)$/.exec(locked.integrity ?? "")?.[1];
  return {
    type: "library",
    "bom-ref": ref,
    ...{ name, version: locked.version, purl: ref },
    ...(locked.optional === true && { scope: "optional" }),
    ...(hash !== undefined && { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] }),
    ...licence({ locked }),
  };
}

const licence = ({ locked: { license } }: Pick<Component, "locked">) =>
  license !== undefined && {
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
  };

/** The packages that it gets when it imports what it depends on: node looks in its own folder first, then further up. */
function neededBy({ path, locked }: Component, byPath: ReadonlyMap<string, Component>): Component[] {
  const names = Object.keys({ ...locked.dependencies, ...locked.optionalDependencies, ...locked.peerDependencies });
  const folders = [path];
  for (let at = path; at !== "";) {
    at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1));
    folders.push(at);
  }
  return names
    .map((name) =>
      folders.map((folder) => byPath.get(`${folder}/node_modules/${name}`.replace(/^\//, ""))).find(Boolean),
    )
    .filter((found) => found !== undefined); // an optional peer is not installed
}

/** https://github.com/package-url/purl-spec, npm */
const purl = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

const uniqueBy = (components: readonly Component[]): Component[] => [
  ...new Map(components.map((component) => [component.ref, component])).values(),
];

/** A UUID of version 8, whose bits are the sender's own (RFC 9562 §5.8). */
function uuid(text: string): string {
  const hex = sha256(text);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
