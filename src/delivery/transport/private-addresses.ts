/** Refuses a stranger's endpoint that leads to a private address (DELIVERY.md §4). endpoint.ts refuses one that is written as a number. */
import { isIP } from "node:net";
import { createTrust, normalAddress } from "../../http/address.ts";

/** Blocks that are not public: https://www.iana.org/assignments/iana-ipv4-special-registry. */
const SPECIAL4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
];

/** An IPv4 block, as a translator reaches it from IPv6 networks (RFC 6052 §2.1). */
function translated(block: string): string {
  const [base = "", prefix = ""] = block.split("/");
  return `64:ff9b::${base}/${96 + Number(prefix)}`;
}

/** All of IPv6 that has been assigned (https://www.iana.org/assignments/ipv6-address-space), and translated IPv4. */
const isGlobal6 = createTrust(["2000::/3", "64:ff9b::/96"]);
/** Exceptions: addresses of protocols such as Teredo, documentation, and the abandoned 6to4 (RFC 7526). */
const isSpecial = createTrust([
  ...SPECIAL4,
  ...SPECIAL4.map(translated),
  ...["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
]);

/** A sentence if one of a host's addresses is private. One is enough: a host with both kinds is an attack. */
export const refusalOfPrivate = (addresses: readonly string[]): string | undefined =>
  addresses.every(isPublic) ? undefined : "the host has an address in a private network";

/** A text that is not an address is not public. */
export function isPublic(address: string): boolean {
  const bare = normalAddress(address);
  const isGlobal = isIP(bare) === 4 || isGlobal6(bare);
  return isGlobal && !isSpecial(bare);
}
