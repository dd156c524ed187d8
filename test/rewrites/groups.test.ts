/** What messages for groups of alerts say, where no fixture shows it (REWRITES.md §3). */
import { describe, expect, test } from "bun:test";
import { ago, draft, firing, over, said, type Part } from "./alerts.ts";

describe("title of a group", () => {
  const [a, b, c] = ["A", "B", "C"].map((alertname) => firing({ alertname }));
  const ended = over({ alertname: "A" });
  // prettier-ignore
  const rows: [what: string, alerts: (Part | undefined)[], rest: Part, title: string][] = [
    ["one name",                       [a, a],                {},                                                  "A: 2 firing"],
    ["two names, the worst first",     [b, firing({ alertname: "A", severity: "page" })], {},                      "A, B: 2 firing"],
    ["three names",                    [a, b, c],             {},                                                  "A, B +1: 3 firing"],
    ["some are over",                  [a, ended, ended],     {},                                                  "A: 1 firing, 2 resolved"],
    ["all are over",                   [ended, ended],        {},                                                  "A: all 2 resolved"],
    ["no name: the group's label",     [firing(), firing()],  { groupLabels: { severity: "page", job: "j" } },     "page: 2 firing"],
    ["no name, no group's label",      [firing(), firing()],  {},                                                  "Alert: 2 firing"],
    ["where all of them are",          [a, a],                { commonLabels: { site: "attic", job: "node:1" } },  "A: 2 firing (node)"],
    ["where the name says it",         [a, a],                { commonLabels: { site: "a" } },                     "A: 2 firing"],
    ["where only the counts say it",   [a, a],                { commonLabels: { site: "2" } },                     "A: 2 firing (2)"],
    ["some were cut off",              [a, ended],            { truncatedAlerts: 3 },                              "A: 1+ firing, 1 resolved"],
    ["one alert, some were cut off",   [a],                   { truncatedAlerts: "3" },                            "A: 1+ firing"],
    ["who knows",                      [ended, ended],        { truncatedAlerts: 3 },                              "A: 2 resolved, 3 not shown"],
    ["a count that is none",           [ended, ended],        { truncatedAlerts: -3 },                             "A: all 2 resolved"],
  ];
  test.each(rows)("%s", (_, alerts, rest, title) => {
    expect(draft(alerts as Part[], rest).title).toBe(title);
  });
});

describe("text of a group", () => {
  const numbered = (n: number, make: (i: number) => Part) => Array.from({ length: n }, (_, i) => make(i));
  const common = { commonLabels: { job: "j" }, commonAnnotations: { summary: "All", description: "D".repeat(700) } };

  test("ten firing, five resolved, and how many more", () => {
    const alerts = [
      ...numbered(12, (i) => firing({ alertname: "A", host: `f${i}` })),
      ...numbered(7, (i) => over({ alertname: "A", host: `r${i}` })),
    ];
    const lines = [
      ...numbered(10, (i) => ({ line: `• f${i}` })).map(({ line }) => line),
      "… and 2 more firing",
      "Resolved:",
      ...numbered(5, (i) => ({ line: `• r${i}` })).map(({ line }) => line),
      "… and 2 more resolved",
    ];
    expect(draft(alerts, { commonLabels: { alertname: "A" } }).message).toBe(lines.join("\n"));
  });

  test("ten resolved when none fires, without a heading", () => {
    const { message } = draft(numbered(12, (i) => over({ host: `r${i}` })));
    expect(message.split("\n")).toHaveLength(11);
    expect(message).toEndWith("• r9\n… and 2 more resolved");
  });

  test("the common summary first, the common description last, cut", () => {
    const { message } = draft([firing({ job: "j", a: 1 }), firing({ job: "j", a: 2 })], common);
    expect(message).toBe(`All\n• a=1\n• a=2\n${"D".repeat(599)}…`);
  });

  test("the common summary is cut at 300 characters", () => {
    const { message } = draft([firing({ a: 1 }), firing({ a: 2 })], {
      commonAnnotations: { summary: "S".repeat(400), title: "T" },
    });
    expect(message).toBe(`${"S".repeat(299)}…\n• a=1\n• a=2`);
  });

  test("no description when all are resolved", () => {
    expect(draft([over({ a: 1 }), over({ a: 2 })], common).message).toBe("All\n• a=1\n• a=2");
  });

  test("how many were left out", () => {
    const cut = { truncatedAlerts: 4 };
    expect(draft([firing({ a: 1 }), firing({ a: 2 })], cut).message).toEndWith(
      "\n4 more alerts were cut off by max_alerts.",
    );
    expect(draft([over({ a: 1 })], cut)).toMatchObject({
      message: "• a=1\n4 more alerts of this group were cut off by max_alerts and may still be firing.",
      level: "warning",
      priority: "normal",
      status: "firing",
    });
  });

  test("what exceeds 5,000 is counted, not read", () => {
    const { title, data } = draft(numbered(5_003, () => firing({ alertname: "A" })));
    expect(title).toBe("A: 5000+ firing");
    expect(data).toMatchObject({ firing: 5_000, truncated: 3 });
  });

  test("names and words that need cleaning are read for thousands of alerts when they repeat", () => {
    const alert = (name: string) => firing({ alertname: `🔥 ${name}`, severity: "Critical\n", instance: "nas@home" });
    const many = draft(numbered(4_000, (i) => alert(i % 2 === 0 ? "Disk" : "Cpu")));
    expect(many.title).toBe("🔥 Disk, 🔥 Cpu: 4000 firing");
    expect(many).toMatchObject({ level: "error", priority: "high" });
    expect(many.message).toStartWith("• 🔥 Disk: nas@home\n• 🔥 Cpu: nas@home\n");
  });

  test("where they all differ, only as many are read as fit; the group still gets its message", () => {
    const many = draft(numbered(4_000, (i) => firing({ alertname: `🔥 ${i} ${"=".repeat(100)}`, severity: "page" })));
    expect(many.title).toMatch(/^🔥 0 =+, 🔥 1 =+ \+\d+: 4000 firing$/u);
    expect(many).toMatchObject({ level: "error", priority: "urgent", status: "firing" });
    const next = draft([firing({ alertname: "🔥 next" })]);
    expect(next.title).toBe("🔥 next");
  });

  const [disk, cpu] = [{ alertname: "Disk" }, { alertname: "Cpu" }];
  // prettier-ignore
  const items: [what: string, alerts: Part[], rest: Part, lines: string[]][] = [
    ["own summaries and where",        [firing({ host: "a:1" }, said("Full")), firing({ host: "b" }, said("Full of b"))], {},  ["• Full (a)", "• Full of b"]],
    ["where that all share",           [firing({ host: "a" }, said("X")), firing({ host: "a", job: "j" }, said("Y"))],    { commonLabels: { host: "a" } }, ["• X", "• Y (j)"]],
    ["names that differ",              [firing({ ...disk }, said("X")), firing({ ...cpu }, said("Y"))],                   {},  ["• Disk: X", "• Cpu: Y"]],
    ["names that differ, labels",      [firing({ ...disk, host: "a" }), firing({ ...cpu })],                              {},  ["• Disk: a", "• Cpu"]],
    ["three labels, places bare",      [firing({ x: 1, y: 2, host: "a:1", z: 3 }), firing({ pod: "p", x: 1 })],           { commonLabels: { z: 3 } }, ["• a:1, x=1, y=2", "• p, x=1"]],
    ["no labels: the name",            [firing(disk), firing(disk)],                                                      { commonLabels: disk }, ["• Disk", "• Disk"]],
    ["nothing",                        [firing(), firing()],                                                              {},  ["• Alert", "• Alert"]],
    ["ranks that differ, worst first", [firing({ a: 1 }), firing({ a: 2, severity: "Page" }), over({ a: 3, severity: "page" })], {}, ["• [page] a=2", "• [none] a=1", "Resolved:", "• a=3"]],
    ["words of one rank",              [firing({ a: 1, severity: "warn" }), firing({ a: 2 })],                            {},  ["• a=1", "• a=2"]],
    ["how long it lasted",             [over({ a: 1 }, { startsAt: ago(100), endsAt: ago(99) }), over({ a: 2 })],         {},  ["• a=1 (lasted 1 s)", "• a=2"]],
  ];
  test.each(items)("%s", (_, alerts, rest, lines) => {
    expect(draft(alerts, rest).message).toBe(lines.join("\n"));
  });

  test("a word is cut together with its item", () => {
    const [item = ""] = draft([firing({ severity: "x".repeat(300) }), firing({ severity: "info" })]).message.split(
      "\n",
    );
    expect(item).toBe(`• [${"x".repeat(236)}…`);
  });

  test("an item is cut at 240 characters, but its duration stays", () => {
    const long = over({}, { ...said("x".repeat(300)), startsAt: ago(100), endsAt: ago(99) });
    const [item = ""] = draft([long, over()]).message.split("\n");
    expect(item).toEndWith("x… (lasted 1 s)");
    expect(item).toHaveLength(240);
  });
});
