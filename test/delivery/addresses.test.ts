/** To which addresses an untrusted endpoint may lead (DELIVERY.md §4). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isPublic } from "../../src/delivery/transport/private-addresses.ts";

// prettier-ignore
test.each<[kind: string, first: string, last: string]>([
  ["this network",           "0.0.0.0",          "0.255.255.255"],
  ["private",                "10.0.0.0",         "10.255.255.255"],
  ["carriers' translation",  "100.64.0.0",       "100.127.255.255"],
  ["loopback",               "127.0.0.0",        "127.255.255.255"],
  ["link-local, metadata",   "169.254.0.0",      "169.254.169.254"],
  ["private",                "172.16.0.0",       "172.31.255.255"],
  ["protocols' own",         "192.0.0.0",        "192.0.0.255"],
  ["documentation",          "192.0.2.0",        "192.0.2.255"],
  ["6to4 relays",            "192.88.99.0",      "192.88.99.255"],
  ["private",                "192.168.0.0",      "192.168.255.255"],
  ["benchmarks",             "198.18.0.0",       "198.19.255.255"],
  ["documentation",          "198.51.100.0",     "198.51.100.255"],
  ["documentation",          "203.0.113.0",      "203.0.113.255"],
  ["multicast",              "224.0.0.0",        "239.255.255.255"],
  ["reserved, broadcast",    "240.0.0.0",        "255.255.255.255"],
  ["unspecified, loopback",  "::",               "::1"],
  ["compatible IPv4",        "::7f00:1",         "::192.168.0.1"],
  ["mapped private IPv4",    "::ffff:10.0.0.1",  "::ffff:127.0.0.1"],
  ["mapped IPv4 in hex",     "::ffff:7f00:1",    "::ffff:c0a8:1"],
  ["translated private IPv4", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1"],
  ["local translation",      "64:ff9b:1::1",     "64:ff9b:1:ffff::1"],
  ["discard",                "100::",            "100::ffff"],
  ["Teredo, protocols' own", "2001::1",          "2001:1ff:ffff::1"],
  ["documentation",          "2001:db8::",       "2001:db8:ffff::1"],
  ["6to4",                   "2002:7f00:1::",    "2002:808:808::1"],
  ["documentation",          "3fff::",           "3fff:fff::1"],
  ["unique local",           "fc00::",           "fdff:ffff::1"],
  ["link-local",             "fe80::1",          "fe80::1%eth0"],
  ["site-local",             "fec0::",           "feff::1"],
  ["multicast",              "ff00::",           "ff02::1"],
  ["not given out",          "4000::1",          "e000::1"],
  ["a name",                 "localhost",        "fcm.googleapis.com"],
  ["nothing",                "",                 "127.0.0.1.5"],
])("%s is not public: %s to %s", (_, first, last) => {
  expect([isPublic(first), isPublic(last)]).toEqual([false, false]);
});

// prettier-ignore
test.each([
  "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
  "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
  "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001:82a::200a", "2001:4860:4860::8888", "2001:200::1",
  "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b::808:808",
])("%s is public", (address) => {
  expect(isPublic(address)).toBe(true);
});

const dotted = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join(".");
const inHex = (n: number) => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`;

test("an IPv4 address embedded in IPv6 is never more public than the address itself", () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), (n) => {
      const itself = isPublic(dotted(n));
      expect([isPublic(`::ffff:${dotted(n)}`), isPublic(`64:ff9b::${dotted(n)}`)]).toEqual([itself, itself]);
      expect(isPublic(`64:ff9b::${inHex(n)}`)).toBe(itself);
      for (const carried of [`::${dotted(n)}`, `::ffff:${inHex(n)}`, `2002:${inHex(n)}::1`])
        expect(isPublic(carried)).toBe(false);
    }),
  );
});
