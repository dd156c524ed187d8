/** The client's address and origin, seen through trusted proxies (API.md §7, OPERATIONS.md §1). */
import { BlockList, isIP } from "node:net";

/** An address as it is compared and logged: IPv4 inside IPv6 is unwrapped, and the zone is left out. */
export function normalAddress(address: string): string {
  const bare = address.replace(/%.*$/, "").toLowerCase();
  return bare.startsWith("::ffff:") && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare;
}

/** What a limit counts: an IPv4 address, or the /64 of an IPv6 one (a household, a server). Other text stays. `bits`: of 16. */
export function network(address: string, bits = 64): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right];
  return `${groups.slice(0, bits / 16).join(":")}::/${bits}`;
}

/** What a hoster or provider readily gives one customer: an IPv4 address, or a /48 of IPv6, which is 65,536 times a /64. */
export const site = (address: string): string => network(address, 48);

/** Whether an address is in one of the CIDR blocks, or one of the addresses. */
export function createTrust(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [base = "", prefix] = block.split("/");
    const address = normalAddress(base);
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const bits = family === "ipv4" ? 32 : 128;
    // the prefix of an IPv4 block that is written inside IPv6 counts from the left of 128 bits
    const wrapped = family === "ipv4" && base.includes(":") ? 96 : 0;
    list.addSubnet(address, prefix === undefined ? bits : Math.max(0, Number(prefix) - wrapped), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/**
 * The client behind trusted proxies: from the right of X-Forwarded-For, the first address that is not a trusted proxy
 * itself; everything left of it may be made up. An entry that is not an address ends the walk at the hop before it.
 */
export function clientAddress(peer: string, forwardedFor: string, isTrusted: (address: string) => boolean): string {
  let client = peer;
  for (const entry of forwardedFor.split(",").reverse()) {
    const hop = hopAddress(entry.trim());
    if (hop === undefined) break;
    client = hop;
    if (!isTrusted(hop)) break;
  }
  return client;
}

/** `192.0.2.1`, `192.0.2.1:1234`, `2001:db8::1`, `[2001:db8::1]:1234`. */
function hopAddress(entry: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  const address = normalAddress(bare);
  return isIP(address) === 0 ? undefined : address;
}

const PRIVATE = createTrust([
  ...["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"],
  ...["::1/128", "fc00::/7", "fe80::/10"],
]);

/** Whether an address is in a private network: a forwarding header from there comes from a proxy that nobody has declared. */
export const isPrivate = (address: string): boolean => PRIVATE(address);

/** A host as a URL may have it: a name or IPv4 address, or an IPv6 address in brackets, and a port. */
export const isHost = (text: string): boolean => /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(text);

/** The last value of a forwarding header, which the nearest proxy wrote. */
export const lastValue = (header: string | null): string | undefined => header?.split(",").at(-1)?.trim();
