/** The overall state in one sentence: a problem is never called fine. */
import { expect, test } from "bun:test";
import { textsOf } from "../../src/pages/texts/languages.ts";

const CALM = {
  ...{ down: 0, failed: 0, isMore: false, waiting: 0, moreWaiting: false },
  ...{ firing: 0, moreFiring: false, isRefusing: false, pushes: undefined, namespace: undefined },
};
const NO = { paused: 0, fresh: 0 };
type Checks = Parameters<ReturnType<typeof textsOf>["overview"]["others"]>[0];

// prettier-ignore
const rows: [checks: Checks, heading: string, others: string, german: string][] = [
  [{ down: 0, all: 0, fine: 0, late: 0, ...NO },             "All quiet.",                                    "",                                                      ""],
  [{ down: 0, all: 1, fine: 1, late: 0, ...NO },             "All quiet. Your one check is fine.",            "",                                                      ""],
  [{ down: 0, all: 12, fine: 12, late: 0, ...NO },           "All quiet. All twelve checks are fine.",        "",                                                     ""],
  [{ down: 0, all: 12, fine: 9, late: 0, paused: 2, fresh: 1 }, "All quiet. Nine checks are fine.",           "2 are paused, 1 has never checked in.",                 "2 sind pausiert, 1 noch nie gemeldet."],
  [{ down: 0, all: 3, fine: 0, late: 0, paused: 3, fresh: 0 }, "All quiet.",                          "3 are paused.",                                         "3 sind pausiert."],
  [{ down: 0, all: 2, fine: 1, late: 1, ...NO },             "All quiet. One check is fine.",                "1 is a little late.",                                   "1 ist überfällig."],
  [{ down: 1, all: 2, fine: 1, late: 0, ...NO },             "One check is down.",                            "The other one is fine.",                                "Der andere ist in Ordnung."],
  [{ down: 1, all: 11, fine: 10, late: 0, ...NO },           "One check is down.",                            "The other 10 are fine.",                                "Die anderen 10 sind in Ordnung."],
  [{ down: 1, all: 11, fine: 8, late: 1, paused: 1, fresh: 0 }, "One check is down.",                         "8 are fine, 1 is a little late, 1 is paused.",          "8 sind in Ordnung, 1 ist überfällig, 1 ist pausiert."],
  [{ down: 0, all: 900, paused: 1, fresh: 0 },               "All quiet.",                                    "1 is paused.",                                          "1 ist pausiert."],
];
test.each(rows)("of %j", ({ down, ...checks }, heading, others, german) => {
  const { overview } = textsOf("en");
  expect(overview.heading({ ...CALM, down, checks })).toBe(heading);
  expect(overview.others({ down, ...checks })).toBe(others);
  expect(textsOf("de").overview.others({ down, ...checks })).toBe(german);
});

test("of one namespace it covers only that one, and a problem with all pushes counts", () => {
  const checks = { all: 1, fine: 1, late: 0, ...NO };
  const said = (lang: "en" | "de", given: object) => textsOf(lang).overview.heading({ ...CALM, checks, ...given });
  expect(said("en", { namespace: "lab" })).toBe("All quiet in lab. Your one check is fine.");
  expect(said("de", { namespace: "lab" })).toBe("In lab ist alles ruhig, der eine Check ist in Ordnung.");
  expect(said("en", { pushes: "none" })).toBe("Pushes aren’t getting through.");
  expect(said("de", { pushes: "some", down: 1 })).toBe("Ein Check ist ausgefallen, manche Pushes kommen nicht durch.");
  expect(said("en", { isRefusing: true, down: 1 })).toBe("Publishing is refused, one check is down.");
});

test("what waits is counted up to a limit, and the sentence says so", () => {
  const checks = { all: 0, ...NO };
  const said = (lang: "en" | "de") =>
    textsOf(lang).overview.heading({ ...CALM, waiting: 5, moreWaiting: true, checks });
  expect(said("en")).toBe("More than five urgent messages are unacknowledged.");
  expect(said("de")).toBe("Mehr als fünf dringende Nachrichten sind unbestätigt.");
});
