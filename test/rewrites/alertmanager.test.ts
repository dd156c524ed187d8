/** What messages for Alertmanager's alerts say, where no fixture shows it (REWRITES.md §3). */
import { describe, expect, test } from "bun:test";
import { ago, draft, firing, over, said, type Part } from "./alerts.ts";
import { draftOf, NOW } from "./support.ts";

describe("severity", () => {
  const words = (text: string) => text.split(" ");
  // prettier-ignore
  const rows: [words: string[], look: string][] = [
    [words("page emergency emerg disaster fatal panic p0 sev0 PAGE Fatal"), "error urgent"],
    [words("critical crit error err high major severe alert p1 sev1 1 CRITICAL"), "error high"],
    [words("warning warn medium moderate minor average p2 sev2 2 unheard-of constructor __proto__"), "warning normal"],
    [words("info informational information notice low debug ok none p3 p4 p5 sev3 sev4 3 4 5 Info"), "info low"],
  ];
  test.each(rows)("%p is %s", (all, look) => {
    for (const word of all) {
      const { level, priority, tags } = draft([firing({ severity: word })]);
      expect([word, `${level} ${priority}`, tags]).toEqual([word, look, ["alertmanager", word.toLowerCase()]]);
    }
  });

  test("a number is accepted as a word", () => {
    expect(draft([firing({ severity: 1 })])).toMatchObject({ level: "error", priority: "high" });
  });

  test("an absent one gives a warning", () => {
    expect(draft([firing()])).toMatchObject({ level: "warning", priority: "normal", tags: ["alertmanager"] });
  });

  test.each(["severity", "priority", "level", "criticality"])("is read from the label %s", (label) => {
    expect(draft([firing({ [label]: "page" })]).priority).toBe("urgent");
  });

  test("is read from the first of these labels that has a known word", () => {
    expect(draft([firing({ criticality: "page", level: "info", severity: " " })]).priority).toBe("low");
  });

  test("of a group is the worst of those firing", () => {
    const alerts = [firing({ severity: "info" }), firing({ severity: "critical" }), over({ severity: "page" })];
    expect(draft(alerts)).toMatchObject({ level: "error", priority: "high" });
  });

  test.each([
    ["low", ["info", "warning"], "low"],
    ["normal when one was grave", ["info", "critical"], "normal"],
  ])("of a group that is over: priority %s", (_, words, priority) => {
    const alerts = words.map((severity) => over({ severity }));
    expect(draft(alerts)).toMatchObject({ level: "success", priority, status: "resolved" });
  });
});

describe("an alert is resolved", () => {
  // prettier-ignore
  const rows: [alert: unknown, group: unknown, over: boolean][] = [
    ["resolved", "firing",   true],
    ["OK",       "firing",   true],
    ["normal",   "firing",   true],
    ["firing",   "resolved", false],
    [undefined,  "resolved", true],
    [null,       "firing",   false],
    ["alerting", "ok",       false],
  ];
  test.each(rows)("status %p in a group that is %p: %p", (own, whole, isOver) => {
    expect(draft([{ status: own }], { status: whole }).status).toBe(isOver ? "resolved" : "firing");
  });
});

describe("title of one alert", () => {
  // prettier-ignore
  const rows: [what: string, alert: Part, title: string][] = [
    ["the summary and where it is",        firing({ instance: "nas:9100" }, said("Disk full")),                       "Disk full (nas)"],
    ["the summary that says where",        firing({ instance: "nas:9100" }, said("Disk of NAS full")),                "Disk of NAS full"],
    ["the nearest name of where",          firing({ cluster: "c", target: "t", pod: "p", server: "s" }, said("Bad")), "Bad (s)"],
    ["a summary says no realm",            firing({ job: "node", cluster: "c" }, said("Bad")),                        "Bad"],
    ["the title annotation",               firing({}, { annotations: { title: "Old style", summary: "" } }),          "Old style"],
    ["the name and where it is",           firing({ alertname: "DiskFull", job: "node" }),                            "DiskFull (node)"],
    ["an IPv6 address keeps its colons",   firing({ alertname: "Down", instance: "[2001:db8::1]:9100" }),             "Down ([2001:db8::1])"],
    ["an IPv6 address without port",       firing({ alertname: "Down", instance: "2001:db8::1" }),                    "Down (2001:db8::1)"],
    ["a URL as instance",                  firing({ alertname: "Down", instance: "https://u:p@web.example:8443/x" }), "Down (https://web.example:8443/x)"],
    ["three labels",                       firing({ a: "1", severity: "info", b: "2", node: "n", c: "3" }),           "node=n · a=1 · b=2"],
    ["nothing",                            firing(),                                                                  "Alert"],
    ["what is over",                       over({ alertname: "DiskFull" }),                                           "Resolved: DiskFull"],
    ["Grafana without data",               firing({ alertname: "DatasourceNoData", rulename: "CPU" }),                "CPU: no data"],
    ["Grafana's query failed",             firing({ alertname: "DatasourceError", rulename: "CPU" }),                 "CPU: query failed"],
    ["Grafana's without its rule",         firing({ alertname: "DatasourceError" }),                                  "DatasourceError"],
    ["another alert with a rule's name",   firing({ alertname: "A", rulename: "CPU" }),                               "A"],
  ];
  test.each(rows)("%s", (_, alert, title) => {
    expect(draft([alert]).title).toBe(title);
  });

  test("a repeat is marked while it fires", () => {
    const reason = { notification_reason: "repeat interval elapsed" };
    expect(draft([firing({ alertname: "A" })], reason).title).toBe("Still firing: A");
    expect(draft([over({ alertname: "A" })], reason).title).toBe("Resolved: A");
    expect(draft([firing({ alertname: "A" })], { notification_reason: "first notification" }).title).toBe("A");
  });

  test("is cut at 256 characters", () => {
    expect(draft([firing({ alertname: "A" }, said("x".repeat(400)))]).title).toBe(`${"x".repeat(255)}…`);
  });
});

describe("text of one alert", () => {
  const many = { g: 1, f: 1, e: 1, d: 1, c: 1, b: 1, host: "h", namespace: "n" };
  const unsaid = {
    severity: "info",
    rulename: "r",
    datasource_uid: "d",
    ref_id: "A",
    prometheus: "p",
    endpoint: "e",
    uid: "u",
    __alert_rule_uid__: "x",
  };
  const annotated = (annotations: Part): Part => ({ annotations });
  // prettier-ignore
  const rows: [what: string, alert: Part, message: string][] = [
    ["description, then labels",                 firing({ alertname: "A", job: "j" }, annotated({ description: "a\nb" })),                    "a\nb\njob=j"],
    ["the message annotation",                   firing({ alertname: "A" }, annotated({ message: "old" })),                                   "old"],
    ["a description that is the summary",        firing({}, annotated({ summary: "S", description: "S" })),                                   "The alert is firing."],
    ["a description of what is over",            over({}, annotated({ summary: "S", description: "D" })),                                     "The alert is resolved."],
    ["a description of what is over, alone",     over({}, annotated({ description: "D" })),                                                   "D"],
    ["the name beside a summary",                firing({ alertname: "A" }, said("S")),                                                       "A"],
    ["six labels, where first",                  firing({ alertname: "A", ...many }),                                                         "host=h · namespace=n · g=1 · f=1 · e=1 · d=1"],
    ["no labels for machines",                   firing({ alertname: "A", ...unsaid }),                                                       "The alert is firing."],
    ["labels that are the title",                firing({ a: "1" }),                                                                          "The alert is firing."],
    ["Grafana's values, four, five digits",      firing({ alertname: "A" }, { values: { B: 18.98211, C: 1, D: 123456.7, E: 0.000012345678, F: 2 } }), "Values: B=18.982, C=1, D=123460, E=0.000012346"],
    ["values that are none",                     firing({ alertname: "A" }, { values: { B: "x", C: null } }),                                 "The alert is firing."],
    ["no values of what is over",                over({ alertname: "A" }, { values: { B: 1 } }),                                              "The alert is resolved."],
    ["not how long it has fired: its card does", firing({ alertname: "A" }, { startsAt: ago(7200) }),                                         "The alert is firing."],
    ["how long it lasted",                       over({ alertname: "A" }, { startsAt: ago(7200), endsAt: ago(60) }),                          "Lasted 1 h 59 min"],
    ["an end before the start",                  over({ alertname: "A" }, { startsAt: ago(60), endsAt: ago(61) }),                            "The alert is resolved."],
    ["Go's time for none",                       over({ alertname: "A" }, { startsAt: ago(60), endsAt: "0001-01-01T00:00:00Z" }),             "The alert is resolved."],
  ];
  test.each(rows)("%s", (_, alert, message) => {
    expect(draft([alert]).message).toBe(message);
  });
});

describe("the key of a card", () => {
  const key = (rest: Part, alerts = [firing()]) => draftOf("alertmanager", { alerts, ...rest }).dedup_key;

  test("is the group's, whoever sent it and whatever it contains", () => {
    expect(key({ groupKey: "k", groupLabels: { a: 1 } })).toBe(key({ groupKey: "k", groupLabels: { b: 2 } }, [over()]));
    expect(key({ groupKey: "k" })).toMatch(/^alertmanager:[0-9a-f]{32}$/);
    expect(key({ groupKey: "l" })).not.toBe(key({ groupKey: "k" }));
  });

  test("otherwise its labels, in any order", () => {
    expect(key({ groupLabels: { a: 1, b: 2 } })).toBe(key({ groupLabels: { b: 2, a: 1 } }));
    expect(key({ groupLabels: { a: 1 } })).not.toBe(key({ groupLabels: { a: 2 } }));
  });

  test("otherwise its alerts, in any order", () => {
    const [one, two] = [firing({}, { fingerprint: "1" }), firing({}, { fingerprint: "2" })];
    expect(key({ groupLabels: {} }, [one, two])).toBe(key({}, [two, one]));
    expect(key({}, [one])).not.toBe(key({}, [two]));
  });

  test("otherwise none, and no status", () => {
    expect(draftOf("alertmanager", { alerts: [firing()] })).not.toContainAnyKeys(["dedup_key", "status"]);
  });
});

describe("time", () => {
  const starts = (seconds: number) => ({ startsAt: ago(seconds) });
  // prettier-ignore
  const rows: [what: string, alerts: Part[], time: string | undefined][] = [
    ["the newest start of what fires",  [firing({}, starts(90)), firing({}, starts(30)), over({}, { endsAt: ago(10) })], ago(30)],
    ["else the newest end",             [over({}, { ...starts(90), endsAt: ago(20) }), over({}, { endsAt: ago(10) })],   ago(10)],
    ["a clock that is a bit ahead",     [firing({}, starts(-300))],                                                       ago(-300)],
    ["a clock that is far ahead",       [firing({}, starts(-301))],                                                       undefined],
    ["before 2000",                     [firing({}, { startsAt: "1999-12-31T23:59:59Z" })],                               undefined],
    ["another zone",                    [firing({}, { startsAt: "2026-11-20T21:00:00.5+01:00" })],                        "2026-11-20T20:00:00.500Z"],
    ["epoch milliseconds",              [firing({}, { startsAt: NOW - 1 })],                                              new Date(NOW - 1).toISOString()],
    ["a word",                          [firing({}, { startsAt: "yesterday" })],                                          undefined],
  ];
  test.each(rows)("%s", (_, alerts, time) => {
    expect(draft(alerts).timestamp).toBe(time as string);
  });
});

test("tags are those of the alert, or in a group those that all share", () => {
  const labels = { team: "t", cluster: "c,d", service: "s".repeat(40), instance: "i", severity: "Page" };
  expect(draft([firing(labels)]).tags).toEqual([
    "alertmanager",
    "page",
    "cluster:c d",
    `service:${"s".repeat(23)}…`,
    "team:t",
  ]);
  expect(draft([firing(labels), firing(labels)], { commonLabels: { env: "e" } }).tags).toEqual([
    "alertmanager",
    "env:e",
  ]);
});
