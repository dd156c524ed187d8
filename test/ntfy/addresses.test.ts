/** ntfy's addresses and peal's own never want the same request (NTFY.md §1): a walk over all routes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { isNamespaceName } from "../../src/names/namespace.ts";
import { areTopicKeys, isTopicKey, newTopicKey } from "../../src/names/topic.ts";
import { speaksNtfy } from "../../src/ntfy/errors.ts";
import { createApp } from "../../src/server/app.ts";
import { createTable, type RouteTable } from "../../src/server/table.ts";
import { inProcess, type InProcess } from "../support/server.ts";

interface Mounted {
  method: string;
  path: string;
}
const KEYS = ["backups-0123456789abcdefghjkmnpqrs", `${"a".repeat(32)}-zyxwvtsrqpnmkjhgfedcba9876`, "--00000000000000000000000000"];
/** The last parts of ntfy's addresses, which a topic of peal may be called as well. */
const WORDS = ["json", "sse", "raw", "ws", "auth", "clear", "read", "v1", "health", "account"];
const NAMESPACES = ["home", "a".repeat(32), "backups-0123456789abcdefghjkmnp", "0"];

let peal: InProcess;
let all: RouteTable;
let ntfys: Mounted[];
let own: Mounted[];
let ownTable: RouteTable;
beforeAll(async () => {
  peal = await inProcess();
  const { routes, table } = createApp(peal.running.deps);
  all = table;
  const shadowed = new Set(table.shadowed().map(({ method, path }) => `${method} ${path}`));
  const mounted = (routes as unknown as Mounted[]).filter(({ method, path }) => !shadowed.has(`${method} ${path}`));
  const isNtfys = ({ method, path }: Mounted) =>
    path.startsWith("/:topics") || path.startsWith("/ntfy/") || /^\/v1\/(?:health|account|version)/.test(path) || (path === "/" && method !== "GET");
  ntfys = mounted.filter(isNtfys);
  own = mounted.filter((route) => !isNtfys(route));
  ownTable = createTable(own);
});
afterAll(async () => peal[Symbol.asyncDispose]());

/** The paths of a template with all these values at its first parameter, and these at the others. */
function filled(template: string, first: readonly string[], others: readonly string[]): string[] {
  const segments = template.split("/");
  const begin = segments.findIndex((segment) => segment.startsWith(":"));
  if (begin < 0) return [template];
  return first.flatMap((value) =>
    others.map((other) =>
      segments
        .map((segment, at) => (at === begin ? value : segment.startsWith(":") ? other : segment))
        .join("/"),
    ),
  );
}

test("every address of peal is still that of its route, whatever a topic is called", () => {
  expect(own.length).toBeGreaterThan(150);
  let walked = 0;
  for (const { path } of own) {
    const isOfTopic = path.startsWith("/:");
    for (const address of filled(path, isOfTopic ? NAMESPACES : ["home", ...WORDS], [...WORDS, ...KEYS, "backups"])) {
      expect([address, all.match(address)?.template]).toEqual([address, ownTable.match(address)?.template]);
      walked++;
    }
  }
  expect(walked).toBeGreaterThan(2_000);
});

test("every address of ntfy is that of its route, and none of peal's would have been a namespace's", () => {
  expect(ntfys.length).toBeGreaterThan(30);
  const lists = [...KEYS, KEYS.join(","), KEYS.slice(0, 2).join("%2C")];
  for (const { method, path } of ntfys) {
    const first = path.startsWith("/:topics") ? lists : NAMESPACES;
    for (const address of filled(path, first, ["copy-1", ...KEYS])) {
      const found = all.match(address);
      expect([address, found?.template, found?.methods.includes(method)]).toEqual([address, path, true]);
      const before = ownTable.match(address);
      if (before?.template.startsWith("/:") === true)
        expect([address, isNamespaceName(address.split("/")[1] ?? "")]).toEqual([address, false]);
      else if (path !== "/") expect([address, before?.template]).toEqual([address, undefined]);
      if (method !== "GET") expect([address, speaksNtfy(method, address)]).toEqual([address, true]);
    }
  }
});

test("peal's own refusals keep their form", () => {
  for (const { method, path } of own)
    for (const address of filled(path, NAMESPACES, ["backups", ...KEYS]))
      expect([method, address, speaksNtfy(method, address)]).toEqual([method, address, false]);
});

test("no namespace looks like a topic key, and every topic key is a topic of ntfy that none of its words is", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(name, (given) => {
      const key = newTopicKey(given);
      expect(isTopicKey(key) && areTopicKeys(key) && areTopicKeys(`${key},${key}`)).toBeTrue();
      expect(key).toMatch(/^[-_A-Za-z0-9]{1,64}$/);
      expect(WORDS).not.toContain(key);
      expect(isNamespaceName(key)).toBeFalse();
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,31}$/), (text) => {
      if (isNamespaceName(text)) expect(areTopicKeys(text)).toBeFalse();
    }),
  );
});
