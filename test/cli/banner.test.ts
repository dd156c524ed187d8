/** What a start prints: addresses that can be opened, and the way to claim the server (WEB.md §2). */
import { expect, test } from "bun:test";
import { banner, type Surroundings } from "../../src/cli/banner.ts";

const at = (address: string, family = "IPv4", internal = false) => ({ address, family, internal });
const surroundings: Surroundings = {
  version: "1.2.3",
  dataDir: "./data",
  isNew: false,
  listen: [{ kind: "tcp", host: "::", port: 7325 }],
  tls: [],
  baseUrl: undefined,
  inContainer: false,
  interfaces: {
    lo: [at("127.0.0.1", "IPv4", true)],
    eth0: [at("fe80::1", "IPv6"), at("192.168.1.20"), at("fd00::20", "IPv6")],
    wg0: [at("fd00:1::5", "IPv6")],
    docker0: [at("172.17.0.1")],
    "br-1f": [at("172.18.0.1")],
  },
  setupCode: undefined,
  hasAdmin: true,
};
const CODE = "7KQF-M2XD-9TPA-V3HE";
const addresses = (about: Partial<Surroundings>): string[] =>
  banner({ ...surroundings, ...about }).match(/(?<= )https?:\S+( \S+ port>\S*)?/g) ?? [];
const tcp = (host: string, port = 7325) => ({ kind: "tcp", host, port }) as const;

// prettier-ignore
const rows: [promise: string, about: Partial<Surroundings>, addresses: string[]][] = [
  ["one for each interface, none for bridges",  {},                                      ["http://192.168.1.20:7325/", "http://[fd00:1::5]:7325/", "http://localhost:7325/"]],
  ["the same for 0.0.0.0",                      { listen: [tcp("0.0.0.0")] },            ["http://192.168.1.20:7325/", "http://[fd00:1::5]:7325/", "http://localhost:7325/"]],
  ["the host that was asked for, and no other", { listen: [tcp("127.0.0.1", 80)] },      ["http://127.0.0.1:80/"]],
  ["every address that it listens on",          { listen: [tcp("nas", 80), { kind: "unix", path: "/run/x" }, tcp("::1", 81)] }, ["http://nas:80/", "http://[::1]:81/"]],
  ["the base URL alone",                        { baseUrl: "https://x.org/peal" },       ["https://x.org/peal/"]],
  ["the published form in a container",         { inContainer: true },                   ["http://<this machine>:<published port>/", "http://localhost:7325/"]],
  ["the link with the code in its fragment",    { listen: [tcp("nas")], setupCode: CODE }, [`http://nas:7325/-/setup#${CODE}`]],
];
test.each(rows)("prints %s", (_, about, expected) => expect(addresses(about)).toEqual(expected));

test("never names an address that cannot be opened", () => {
  for (const host of ["::", "0.0.0.0"])
    expect(banner({ ...surroundings, listen: [tcp(host)] })).not.toMatch(/0\.0\.0\.0|\[::\]/);
});

test("says how to print the code again, but only while there is one", () => {
  expect(banner({ ...surroundings, setupCode: CODE })).toContain("peal setup-code");
  expect(banner(surroundings)).not.toContain("setup");
  expect(banner({ ...surroundings, isNew: true })).toContain("data ./data (new)");
});
