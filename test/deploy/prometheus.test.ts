/** The dashboard, the alert rules and the scrape settings use what a real server's `/metrics` has, and alert when they should. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { METRICS } from "../../src/telemetry/metrics.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { image, run, textOf } from "./files.ts";

const TOKEN = "t".repeat(32);

interface Target {
  expr: string;
  legendFormat: string;
}
interface Dashboard {
  uid: string;
  templating: { list: { name: string; query: string }[] };
  panels: {
    id: number;
    title: string;
    gridPos: Record<"x" | "y" | "w" | "h", number>;
    datasource: object;
    targets: Target[];
  }[];
}
interface Rules {
  groups: {
    rules: { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> }[];
  }[];
}
const dashboard = JSON.parse(textOf("grafana.json")) as Dashboard;
const rules = (Bun.YAML.parse(textOf("prometheus-rules.yaml")) as Rules).groups.flatMap((group) => group.rules);
const targets = dashboard.panels.flatMap((panel) => panel.targets);
const expressions = [
  ...targets.map(({ expr }) => expr),
  ...dashboard.templating.list.map(({ query }) => query),
  ...rules.map(({ expr }) => expr),
];

let peal: Peal;
beforeAll(async () => {
  peal = await startPeal({ env: { PEAL_METRICS: TOKEN } });
});
afterAll(async () => peal[Symbol.asyncDispose]());

const metrics = async () => {
  const answer = await peal.request("/metrics", { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(answer.status).toBe(200);
  return answer.text();
};

/** Metrics by the names that a histogram gives them as well. */
const known = new Map<string, readonly string[]>(
  METRICS.flatMap<[string, readonly string[]]>(({ name, type, labels }) =>
    type === "histogram"
      ? [
          [`${name}_bucket`, ["le"]],
          [`${name}_count`, []],
          [`${name}_sum`, []],
        ]
      : [[name, labels]],
  ),
);
/** Of every target, whatever it is. */
const OF_ALL = ["job", "instance"];
const named = (text: string): string[] => text.match(/\b(?:peal|process)_\w+/g) ?? [];

test("every metric of the dashboard and of the rules is declared, and in a real server's answer", async () => {
  const text = await metrics();
  const names = new Set(expressions.flatMap(named));
  expect(names.size).toBeGreaterThan(20);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
  const inAnswer = (name: string) => text.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, "")} `);
  expect([...names].filter((name) => !inAnswer(name))).toEqual([]);
});

test("every label is one of the metrics of its expression", () => {
  const wrong = expressions.flatMap((expr) => {
    const allowed = new Set([...OF_ALL, ...named(expr).flatMap((name) => known.get(name) ?? [])]);
    const matched = [...expr.matchAll(/[{,]\s*(\w+)\s*(?:=|!)/g)].map(([, label = ""]) => label);
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/,\s*/));
    return [...matched, ...grouped].filter((label) => !allowed.has(label)).map((label) => `${label} in ${expr}`);
  });
  expect(wrong).toEqual([]);
});

test("legends and sentences name labels that the result has", () => {
  const missing = (expr: string, text: string) => {
    const [, by] = /by \(([^)]*)\)/.exec(expr) ?? [];
    const labels = by?.split(/,\s*/) ?? [...OF_ALL, ...named(expr).flatMap((name) => known.get(name) ?? [])];
    const used = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = ""]) => label);
    return used.filter((label) => !labels.includes(label)).map((label) => `${label} of ${expr}`);
  };
  expect(targets.flatMap(({ expr, legendFormat }) => missing(expr, legendFormat))).toEqual([]);
  expect(rules.flatMap(({ expr, annotations }) => missing(expr, Object.values(annotations).join(" ")))).toEqual([]);
});

test("the values that expressions ask for are among those that a server gives", async () => {
  const text = await metrics();
  for (const check of ["store", "alerter", "push", "disk", "clock"])
    expect(text).toContain(`peal_health{check="${check}"} 0\n`);
  expect(Number(/^peal_disk_free_bytes (\d+)/m.exec(text)?.[1])).toBeGreaterThan(0);
  expect(text).toContain('peal_checks{state="down"} 0\n');
});

test("the panels of the dashboard do not overlap, and each has its own number and a source that can be chosen", () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const fields = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
  );
  expect(new Set(fields).size).toBe(fields.length);
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  for (const { datasource } of panels) expect(datasource).toEqual({ type: "prometheus", uid: "${datasource}" });
});

test("each alert says how bad it is, what it is and what to do", () => {
  for (const { labels, annotations } of rules) {
    expect(["critical", "warning"]).toContain(labels.severity);
    expect(Object.keys(annotations).toSorted()).toEqual(["description", "summary"]);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

testWith("promtool")("promtool accepts every expression, those of the dashboard too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peal-test-"));
  try {
    const file = join(folder, "panels.yaml");
    const filled = (expr: string) =>
      expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", "peal").replaceAll("$instance", ".+");
    const panels = targets.map(({ expr }, n) => ({ record: `panel:${n}`, expr: filled(expr) }));
    await writeFile(file, JSON.stringify({ groups: [{ name: "panels", rules: panels }] }));
    const { code, said } = await run(["promtool", "check", "rules", file, "deploy/prometheus-rules.yaml"]);
    expect({ code, said }).toMatchObject({ code: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
});

testWith("promtool")("each alert fires when it should, and none for a healthy server", async () => {
  const { code, said } = await run(["promtool", "test", "rules", "test/deploy/rules.yaml"]);
  expect({ code, said }).toMatchObject({ code: 0 });
  const tests = await Bun.file("test/deploy/rules.yaml").text();
  expect(rules.map(({ alert }) => alert).filter((alert) => !tests.includes(alert))).toEqual([]);
});

testWith("promtool")("the scrape settings are Prometheus', and name the port", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peal-test-"));
  try {
    const text = textOf("prometheus.yaml");
    expect(text).toContain(`localhost:${image.port}`);
    const [token, file] = [join(folder, "token"), join(folder, "prometheus.yml")];
    await writeFile(token, TOKEN);
    const here = text
      .replace("/etc/prometheus/peal-token", token)
      .replace("/etc/prometheus/prometheus-rules.yaml", join(process.cwd(), "deploy/prometheus-rules.yaml"));
    expect(here).not.toContain("/etc/prometheus");
    await writeFile(file, here);
    const { code, said } = await run(["promtool", "check", "config", file]);
    expect({ code, said }).toMatchObject({ code: 0 });
  } finally {
    await rm(folder, { recursive: true });
  }
});

testWith("promtool")("Prometheus finds nothing wrong with the metrics of a server", async () => {
  await peal.publish(await peal.topic("hello"), { message: "hi" });
  const child = Bun.spawn(["promtool", "check", "metrics"], {
    stdin: Buffer.from(await metrics()),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, code] = await Promise.all([child.stderr.text(), child.exited]);
  // 3: remarks on style, such as a gauge of a count
  expect({ code, said }).toSatisfy(({ code }) => code === 0 || code === 3);
});
