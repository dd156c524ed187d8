/** The log of a check as rows: a start and its end are one row (WEB.md §3). */
import { expect, test } from "bun:test";
import { logRows } from "../../src/pages/dashboard/checks/check/log-rows.ts";
import type { LoggedEvent } from "../../src/store/checks.ts";

type Line = Omit<LoggedEvent, "n">;
const start = (at: number, rid?: string): Line => ({ kind: "start", at, ...(rid !== undefined && { rid }) });
const ok = (at: number, durationMs?: number, rid?: string): Line => ({
  ...{ kind: "ok", at },
  ...(durationMs !== undefined && { durationMs }),
  ...(rid !== undefined && { rid }),
});

/** Lines are oldest first; rows are given by their numbers, `3<1` is line 3 with its start, line 1. */
// prettier-ignore
const rows: [promise: string, lines: Line[], rows: string[]][] = [
  ["a start and its end are one row",                 [start(1), ok(5, 4)],                                    ["2<1"]],
  ["a failure is an end too",                         [start(1), { kind: "fail", at: 5, durationMs: 4 }],      ["2<1"]],
  ["a success without a start stands alone",          [ok(1), ok(2)],                                          ["2", "1"]],
  ["a start without an end stands alone",             [ok(1), start(2)],                                       ["2", "1"]],
  ["a start that another one took over stands alone", [start(1), start(2), ok(5, 3)],                          ["3<2", "1"]],
  ["what came in between stays where it was",         [start(1), { kind: "log", at: 2 }, ok(5, 4)],            ["3<1", "2"]],
  ["runs that overlap have each their own",           [start(1, "a"), start(1, "b"), ok(4, 3, "b"), ok(5, 4, "a")], ["4<1", "3<2"]],
  ["no start ends twice",                             [start(1), ok(5, 4), ok(5, 4)],                          ["3<1", "2"]],
  ["a start that has left the log is no part of it",  [ok(5, 4)],                                              ["1"]],
];
test.each(rows)("%s", (_, lines, expected) => {
  const events = lines.map((line, i) => ({ ...line, n: i + 1 })).toReversed();
  const said = logRows(events).map((row) =>
    row.start === undefined ? `${row.event.n}` : `${row.event.n}<${row.start.n}`,
  );
  expect(said).toEqual(expected);
});
