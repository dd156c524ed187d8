/** What `peal serve` prints once it listens: its addresses, and how to claim it (WEB.md §2). */
import type { ListenAddress, TcpAddress } from "../config/config.ts";

export interface Surroundings {
  version: string;
  dataDir: string;
  /** The database did not exist before this start. */
  isNew: boolean;
  /** With real ports instead of 0. */
  listen: readonly ListenAddress[];
  /** With https. */
  tls: readonly TcpAddress[];
  baseUrl: string | undefined;
  inContainer: boolean;
  interfaces: Readonly<Record<string, readonly Interface[] | undefined>>;
  /** Absent once somebody has claimed the server. */
  setupCode: string | undefined;
  /** Without an admin nobody can sign in, even if a key of PEAL_ADMIN_KEY works. */
  hasAdmin: boolean;
}
interface Interface {
  address: string;
  family: string;
  internal: boolean;
}

/** Bridges and their ends: addresses that no other machine can reach. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel|cali|podman|lxc|lxd)/;
const WILDCARDS = new Set(["::", "0.0.0.0"]);

/** The text, in several lines. It never names 0.0.0.0 or [::], which nobody can open. */
export function banner(about: Surroundings): string {
  const { version, dataDir, isNew, listen, tls, setupCode, hasAdmin } = about;
  const places = [placesOf(listen), ...tls.map(({ port }) => `https on ${port}`)].join(", ");
  const head = `peal ${version}   data ${dataDir}${isNew ? " (new)" : ""}   listening on ${places}`;
  const addresses = addressesOf(about);
  if (setupCode === undefined)
    return [head, "", ...addresses.map((address) => `  ${address}/`), ...(hasAdmin ? [] : NO_ADMIN), ""].join("\n");
  const links = addresses.map((address) => `    ${address}/-/setup#${setupCode}`);
  return [
    head,
    "",
    "  Set up peal (one time), in a browser:",
    ...links,
    `  Code: ${setupCode}`,
    `  Lost it?  It is in ${dataDir}/setup-code, and \`peal setup-code\` prints it.`,
    "  No browser?  `peal admin create NAME`, or start with PEAL_ADMIN_PASSWORD or PEAL_ADMIN_KEY.",
    "",
  ].join("\n");
}

/** `port 7325, unix:/run/peal.sock` */
export function placesOf(listen: readonly ListenAddress[]): string {
  const places = listen.map((address) => (address.kind === "unix" ? `unix:${address.path}` : `port ${address.port}`));
  return [...new Set(places)].join(", ");
}

const NO_ADMIN = [
  "",
  "  Nobody can sign in yet: `peal admin create NAME` creates an admin,",
  "  or `peal setup-code` prints a code for a browser.",
];

/** Addresses that people can open, the one for other machines first. */
function addressesOf({ listen, baseUrl, inContainer, interfaces }: Surroundings): string[] {
  if (baseUrl !== undefined) return [baseUrl];
  const outside = inContainer ? [] : reachable(interfaces);
  const urls = listen.flatMap((address) => {
    if (address.kind === "unix") return [];
    const hosts = WILDCARDS.has(address.host) ? [...outside, "localhost"] : [address.host];
    return hosts.map((host) => `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`);
  });
  // inside addresses are of no use outside, and the published port is not known here
  return [...(inContainer ? ["http://<this machine>:<published port>"] : []), ...new Set(urls)];
}

/** One address for each interface that other machines may see, IPv4 if it has one. */
function reachable(interfaces: Surroundings["interfaces"]): string[] {
  return Object.entries(interfaces).flatMap(([name, addresses = []]) => {
    if (VIRTUAL.test(name)) return [];
    const seen = addresses.filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
    const best = seen.find(({ family }) => family === "IPv4") ?? seen[0];
    return best === undefined ? [] : [best.address];
  });
}
