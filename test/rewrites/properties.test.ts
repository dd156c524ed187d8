/** Properties that hold for every payload, whoever made it (REWRITES.md §1, §7). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { posted } from "../../src/rewrites/fields.ts";
import { REWRITES, rewrite } from "../../src/rewrites/rewrite.ts";
import { SOURCES } from "../../src/rewrites/tools/all.ts";
import { examples, IS_THOROUGH } from "../support/rounds.ts";
import { fixtures } from "./fixtures.ts";
import { hostile } from "./hostile.ts";
import { expectWithinLimits, NOW } from "./support.ts";

const SECRET = "s3cr3t";
const STORED_SOURCES = new Set(REWRITES.map((name) => `rewrite:${name}`));

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.constantFrom(
    `https://user:${SECRET}@h.example/?token=${SECRET}&a=1#x`,
    `[N][https://u:${SECRET}@h.example] server certificate c will expire in 2 days`,
    "Domain name h.example will expire in 2 days",
    "x Testing",
    "resolved",
    "firing",
    "2026-11-20T19:00:45.340846365Z",
    "2026-11-20 19:00:45",
    "running",
    "exited",
    "CRITICAL",
    "page",
    "Watchdog",
    "TestAlert",
    "DatasourceNoData",
    "__proto__",
    "constructor",
    "\u0000\ud800\x1b[31m\u202e",
    "👨‍👩‍👧‍👦".repeat(50),
    `a${"\u0301".repeat(600)}`,
    "\n".repeat(300),
    "é,".repeat(2_000),
  ),
);
const names = fc.constantFrom(
  ..."__proto__ constructor prototype alerts labels annotations status startsAt endsAt summary description alertname".split(
    " ",
  ),
  ..."severity instance job values groupLabels commonLabels commonAnnotations groupKey externalURL generatorURL".split(
    " ",
  ),
  ..."silenceURL truncatedAlerts orgId receiver fingerprint heartbeat monitor msg name pathName url hostname port".split(
    " ",
  ),
  ..."tags time lastDownTime important id value data target type level ts resolved resolved_ts from to err error".split(
    " ",
  ),
  ..."trace images path used_gb total_gb percentage version message title text toString".split(" "),
);
const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(texts, fc.double(), fc.integer(), fc.constantFrom(null, true, false, 0, 1, 2, 3, 1e999, NOW)),
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(names, texts), tie("node"), { maxKeys: 6 }),
  ),
}));

/** A fixture in which some values, anywhere, were replaced, added or removed. */
const mutated = fc
  .tuple(
    fc.constantFrom(...fixtures.map(({ raw }) => raw)),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), names, node), { maxLength: 6 }),
  )
  .map(([json, changes]) => {
    const payload: unknown = JSON.parse(json);
    for (const [place, how, name, value] of changes) change(payload, place, how, name, value);
    return payload;
  });

function change(payload: unknown, place: number, how: number, name: string, value: unknown): void {
  const all = objectsIn(payload);
  const object = all[place % all.length] ?? {};
  const keys = Object.keys(object);
  const own = keys[place % Math.max(1, keys.length)] ?? name;
  if (how === 0) Reflect.deleteProperty(object, own);
  else
    Object.defineProperty(object, how === 1 ? name : own, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

const objectsIn = (value: unknown): object[] =>
  typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : [];

/** The value after it was sent as JSON; undefined if JSON cannot represent it. */
function arrived(value: unknown): { payload: unknown; raw: string } {
  const raw = JSON.stringify(value);
  return { payload: JSON.parse(raw) as unknown, raw };
}

const prototype = Object.getOwnPropertyNames(Object.prototype);

function check(value: unknown): void {
  const { payload, raw } = arrived(value);
  for (const name of REWRITES) {
    const draft = rewrite(name, payload, { now: NOW, raw, link: "https://komodo.example" });
    expectWithinLimits(draft);
    expect(JSON.stringify(draft)).not.toContain(SECRET);
    expect(STORED_SOURCES.has(draft.source)).toBe(true);
  }
  expect(JSON.stringify(payload)).toBe(raw);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
}

test("any JSON value gives one message within the limits, without secrets", () => {
  fc.assert(fc.property(fc.oneof(fc.jsonValue(), node), check), { numRuns: examples(1_000) });
});

test("so does any change of a fixture", () => {
  fc.assert(fc.property(mutated, check), { numRuns: examples(3_000) });
});

test("so does any text", () => {
  fc.assert(
    fc.property(texts, (raw) => {
      for (const name of REWRITES) expectWithinLimits(rewrite(name, undefined, { now: NOW, raw }));
    }),
  );
});

test("no mapper ever throws", () => {
  fc.assert(
    fc.property(mutated, (value) => {
      const { payload } = arrived(value);
      const fields = posted(payload);
      for (const source of SOURCES) if (source.fits(fields, { now: NOW })) source.tell(fields, { now: NOW });
    }),
    { numRuns: examples(3_000) },
  );
});

/** The most that may be sent; quadratic work takes a minute even on a quarter of it. */
const BYTES = IS_THOROUGH ? 1_048_576 : 262_144;
// the runner's time limit is the assertion; the printed times are for people
test(`${BYTES / 1024} KiB designed to be slow are handled within the limits too, and quickly`, () => {
  const times: { ms: number; what: string }[] = [];
  for (const { what, name, payload, raw } of hostile(BYTES)) {
    const start = Bun.nanoseconds();
    const draft = rewrite(name, payload, { now: NOW, raw });
    times.push({ ms: (Bun.nanoseconds() - start) / 1e6, what: `${name}: ${what}` });
    expectWithinLimits(draft);
  }
  times.sort((a, b) => b.ms - a.ms);
  for (const { ms, what } of times.slice(0, 3)) process.stdout.write(`${ms.toFixed(1)} ms ${what}\n`);
  expect(times.length).toBeGreaterThan(700);
}, 60_000);
