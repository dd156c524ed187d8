/** Links of alerts, the special cases of Grafana and of the watchdog, and the data beside the text (REWRITES.md §3). */
import { describe, expect, test } from "bun:test";
import { hasUrl } from "../../src/drafts/draft.ts";
import { ago, draft, firing, over, type Part } from "./alerts.ts";

const annotated = (annotations: Part, rest: Part = {}): Part => firing({}, { annotations, ...rest });
const link = (name: string) => `https://${name}.example/`;

describe("a tap opens", () => {
  const pages = ["dashboard_url", "dashboard", "grafana_url", "link", "url"];
  const runbooks = ["runbook_url", "runbook"];
  const order = ["panelURL", "dashboardURL", ...pages, "generatorURL", ...runbooks, "externalURL"];
  const alertFields = new Set(["panelURL", "dashboardURL", "generatorURL"]);

  test.each(order.map((name, i): [string, string[]] => [name, order.slice(i)]))(
    "%s before the following ones",
    (name, all) => {
      const urls = all.map((each): [string, string] => [each, link(each.replaceAll("_", "-"))]);
      const own = urls.filter(([each]) => alertFields.has(each));
      const annotations = urls.filter(([each]) => pages.includes(each) || runbooks.includes(each));
      const alert = annotated(Object.fromEntries(annotations), Object.fromEntries(own));
      const { url } = draft([alert], { externalURL: link("externalURL") });
      expect(url).toBe(link(name.replaceAll("_", "-").toLowerCase()));
    },
  );

  // prettier-ignore
  const rows: [what: string, alert: Part, external: string, url: string | undefined][] = [
    ["the first with a dot in its host", firing({}, { generatorURL: "http://prometheus:9090/graph" }), "http://am.example:9093", "http://am.example:9093/"],
    ["an IPv6 address like one",         firing({}, { generatorURL: "http://prometheus:9090/graph" }), "http://[2001:db8::1]:9093", "http://[2001:db8::1]:9093/"],
    ["else the first",                   firing({}, { generatorURL: "http://prometheus:9090/graph" }), "http://alertmanager:9093", "http://prometheus:9090/graph"],
    ["not the tool's own loopback",      firing({}, { generatorURL: "http://localhost:9090/graph" }), "http://127.0.0.1:9093", undefined],
    ["not what is no web page",          firing({}, { generatorURL: "javascript:alert(1)" }), "ftp://am.example", undefined],
  ];
  test.each(rows)("%s", (_, alert, externalURL, url) => {
    expect(draft([alert], { externalURL }).url).toBe(url as string);
  });

  test("the worst alert's page", () => {
    const [mild, bad] = ["info", "page"].map((severity) => firing({ severity }, { generatorURL: link(severity) }));
    expect(draft([mild as Part, bad as Part]).url).toBe(link("page"));
  });
});

describe("buttons", () => {
  const button = (label: string, alerts: Part[], rest?: Part) =>
    draft(alerts, rest)
      .actions?.filter(hasUrl)
      .find((action) => action.label === label)?.url;
  const filterOf = (url = "") => decodeURIComponent(url.replace(/^.*#\/silences\/new\?filter=/, ""));
  const am = { externalURL: "http://am.example:9093/base/" };

  test("the runbook, unless a tap opens it", () => {
    const runbook = { runbook_url: link("runbook") };
    expect(button("Runbook", [annotated({ ...runbook, dashboard: link("dashboard") })])).toBe(link("runbook"));
    expect(button("Runbook", [annotated({ runbook: link("other"), dashboard: link("dashboard") })])).toBe(
      link("other"),
    );
    expect(button("Runbook", [annotated(runbook)])).toBeUndefined();
  });

  test("the source, unless a tap opens it or it links nowhere useful", () => {
    const dashboard = { dashboard: link("dashboard") };
    expect(button("Source", [annotated(dashboard, { generatorURL: link("prom") })])).toBe(link("prom"));
    expect(button("Source", [annotated(dashboard, { generatorURL: "http://prom:9090/" })])).toBeUndefined();
    expect(button("Source", [annotated({}, { generatorURL: link("prom") })])).toBeUndefined();
  });

  // prettier-ignore
  const silences: [what: string, alerts: Part[], rest: Part, filter: string][] = [
    ["of one alert: its labels",             [firing({ a: "1", b: 2 })], { groupLabels: { a: "1" } },                              '{a="1", b="2"}'],
    ["of a group: the group's labels",       [firing(), firing()], { groupLabels: { g: "1" }, commonLabels: { c: "1" } },          '{g="1"}'],
    ["of a group without: the common ones",  [firing(), firing()], { groupLabels: {}, commonLabels: { c: "1" } },                  '{c="1"}'],
    ["of a group of one and more",           [firing({ a: 1 })], { groupLabels: { g: "1" }, truncatedAlerts: 1 },                  '{g="1"}'],
    ["of what may still fire",               [over({ a: 1 })], { groupLabels: { g: "1" }, truncatedAlerts: 1 },                    '{g="1"}'],
    ["quotes what needs it",                 [firing({ "a.b": '"\\' })], {},                                                       '{"a.b"="\\"\\\\"}'],
  ];
  test.each(silences)("silence %s", (_, alerts, rest, filter) => {
    const url = button("Silence", alerts, { ...am, ...rest });
    expect(url).toStartWith("http://am.example:9093/base/#/silences/new?filter=%7B");
    expect(filterOf(url)).toBe(filter);
  });

  // prettier-ignore
  const none: [what: string, alerts: Part[], rest: Part][] = [
    ["when all is over",                       [over({ a: 1 })], am],
    ["without labels",                         [firing()], am],
    ["where Alertmanager opens nowhere else",  [firing({ a: 1 })], { externalURL: "http://alertmanager:9093" }],
    ["by Grafana's address",                   [firing({ a: 1 })], { ...am, orgId: 1 }],
    ["that would match another value",         [firing({ a: "http://u:p@h.example" })], am],
    ["whose URL is too long",                  [firing({ a: "x".repeat(2_048) })], am],
  ];
  test.each(none)("no silence %s", (_, alerts, rest) => {
    expect(button("Silence", alerts, rest)).toBeUndefined();
  });

  test("Grafana's own silence", () => {
    const alert = firing({ a: 1 }, { silenceURL: "https://grafana.example/alerting/silence/new?matcher=a%3D1" });
    expect(button("Silence", [alert], am)).toBe("https://grafana.example/alerting/silence/new?matcher=a%3D1");
    expect(button("Silence", [{ ...alert, status: "resolved" }], am)).toBeUndefined();
  });
});

describe("the watchdog", () => {
  const names = ["Watchdog", "DeadMansSwitch", "deadman-switch", "Dead_Mans_Switch", "dead man switch", "AlwaysFiring"];
  test.each(names)("%s is good news while it fires", (alertname) => {
    expect(draft([firing({ alertname, severity: "critical" })])).toMatchObject({
      title: `${alertname}: alerting works`,
      level: "info",
      priority: "low",
      status: "resolved",
      data: { status: "firing" },
    });
    expect(draft([over({ alertname }), over({ alertname })])).toMatchObject({
      title: `${alertname} stopped`,
      level: "error",
      priority: "high",
      status: "firing",
      data: { status: "resolved" },
    });
  });

  test("beside another alert it is an ordinary one", () => {
    const { title, level } = draft([firing({ alertname: "Watchdog", severity: "page" }), firing({ alertname: "A" })]);
    expect([title, level]).toEqual(["Watchdog, A: 2 firing", "error"]);
  });

  test("a name that only begins the same is not one", () => {
    expect(draft([firing({ alertname: "WatchdogTimeout" })]).title).toBe("WatchdogTimeout");
  });
});

test("Grafana's test is not an alert", () => {
  const test = firing({ alertname: "TestAlert", instance: "Grafana", severity: "page" });
  const { title, message, level, priority, ...rest } = draft([test], { receiver: "home", orgId: 1 });
  expect({ title, message, level, priority }).toEqual({
    title: "Grafana test",
    message: "home: this notification works.",
    level: "info",
    priority: "normal",
  });
  expect(rest).not.toContainAnyKeys(["dedup_key", "status"]);
  expect(draft([test, test]).title).toStartWith("TestAlert: 2 firing");
});

describe("data", () => {
  test("the receiver's name as it was given", () => {
    expect(draft([firing()], { receiver: "peal\\.home\\+\\(me\\)" }).data?.["receiver"]).toBe("peal.home+(me)");
  });

  test("ten alerts of eight labels, twenty common labels, and nothing for what is absent", () => {
    const labels = (n: number, prefix: string) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`${prefix}${i}`, "v"]));
    const alerts = Array.from({ length: 12 }, () => firing({ ...labels(10, "l"), c0: "v" }));
    const data = draft(alerts, { commonLabels: labels(25, "c") }).data ?? {};
    expect(data["alerts"]).toHaveLength(10);
    expect((data["alerts"] as Part[])[0]).toEqual({ status: "firing", labels: labels(8, "l") });
    expect(data["common_labels"]).toEqual(labels(20, "c"));
    expect(data).not.toContainAnyKeys(["truncated", "reason", "receiver", "external_url", "alerts_cut"]);
  });

  test("the end of resolved alerts only", () => {
    const times = { startsAt: ago(90), endsAt: ago(30) };
    const { data } = draft([firing({}, times), over({}, times)]);
    const expected = [{ starts_at: ago(90) }, { starts_at: ago(90), ends_at: ago(30) }];
    expect(data?.["alerts"]).toMatchObject(expected);
    expect((data?.["alerts"] as Part[])[0]).not.toHaveProperty("ends_at");
  });

  test("names that JavaScript treats specially are not copied", () => {
    const labels = JSON.parse('{"__proto__":"x","constructor":"y","__pro\u200bto__":"z","a":"b"}') as Part;
    const { data, message } = draft([firing(labels)], { commonLabels: labels, groupKey: "g" });
    expect(message).toBe("The alert is firing.");
    expect(JSON.stringify(data?.["common_labels"])).toBe('{"a":"b"}');
  });

  test("over 4,000 bytes the last alerts are removed, then the common labels", () => {
    const long = (prefix: string, n: number) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`${prefix}${i}`, "ü".repeat(100)]));
    const alerts = Array.from({ length: 10 }, (_, i) => firing({ ...long("l", 4), i }));
    const some = draft(alerts).data ?? {};
    expect((some["alerts"] as Part[]).map(({ labels }) => (labels as Part)["i"])).toEqual(["0", "1", "2", "3"]);
    expect(some["alerts_cut"]).toBe(true);
    const none = draft(alerts, { commonLabels: long("c", 20), externalURL: link("am") }).data ?? {};
    expect(none).toMatchObject({ external_url: link("am"), alerts_cut: true, firing: 10 });
    expect(none).not.toContainAnyKeys(["alerts", "common_labels"]);
  });
});
