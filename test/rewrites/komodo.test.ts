/**
 * What messages for Komodo's alerts say: every variant of `AlertData` in 2.3.2 (client/core/rs/src/entities/alert.rs),
 * with the body that serde writes for it and with its meaning (REWRITES.md §5).
 */
import { describe, expect, test } from "bun:test";
import type { Draft } from "../../src/drafts/draft.ts";
import { draftOf, expectWithinLimits } from "./support.ts";

type Part = Record<string, unknown>;

const ID = "6780a1b2c3d4e5f60718293a";
const TS = 1_763_668_800_000;

interface Sent {
  target?: string;
  level?: string;
  resolved?: boolean;
  link?: string;
  data?: Part;
}

/** Events arrive as resolved, conditions as open. */
function alert(type: string, sent: Sent = {}): Draft {
  const isCondition = type.startsWith("Server") || type.startsWith("Swarm");
  const resolved = sent.resolved ?? !isCondition;
  const body = {
    ts: TS,
    resolved,
    level: sent.level ?? "WARNING",
    target: { type: sent.target ?? "Stack", id: ID },
    data: { type, data: { id: ID, name: "web", ...sent.data } },
    resolved_ts: resolved ? TS + 754_321 : null,
  };
  return draftOf("komodo", body, sent.link);
}

const onServer = { server_id: "s", server_name: "nas", swarm_id: null, swarm_name: null };
const onSwarm = { server_id: null, server_name: null, swarm_id: "w", swarm_name: "hive" };
const err = { error: "failed to connect", trace: ["refused", "tcp error", "os error 111"] };
const region = { region: "attic" };

interface Row {
  variant: string;
  sent: Sent;
  title: string;
  message: string;
  look: string;
  status?: "firing" | "resolved";
  /** The end of the key; absent: no key. */
  key?: string;
}

// prettier-ignore
const rows: Row[] = [
  { variant: "Test", sent: { target: "Alerter", level: "OK" }, title: "Komodo test", message: "Alerter web works.", look: "info normal" },
  { variant: "SwarmUnhealthy", sent: { target: "Swarm", level: "CRITICAL", data: { err } }, title: "Swarm web is unhealthy", message: "failed to connect: refused: tcp error", look: "error high", status: "firing", key: "SwarmUnhealthy" },
  { variant: "SwarmUnhealthy", sent: { target: "Swarm", level: "OK", resolved: true, data: { err } }, title: "Swarm web is healthy again", message: "Lasted 12 min 34 s", look: "success normal", status: "resolved", key: "SwarmUnhealthy" },
  { variant: "ServerUnreachable", sent: { target: "Server", level: "CRITICAL", data: { ...region, err } }, title: "web (attic) is unreachable", message: "failed to connect: refused: tcp error", look: "error high", status: "firing", key: "ServerUnreachable" },
  { variant: "ServerUnreachable", sent: { target: "Server", level: "CRITICAL", data: { region: null, err: null } }, title: "web is unreachable", message: "web is unreachable", look: "error high", status: "firing", key: "ServerUnreachable" },
  { variant: "ServerUnreachable", sent: { target: "Server", level: "OK", resolved: true, data: { ...region, err } }, title: "web (attic) is reachable again", message: "Lasted 12 min 34 s", look: "success normal", status: "resolved", key: "ServerUnreachable" },
  { variant: "ServerCpu", sent: { target: "Server", data: { ...region, percentage: 99.9712 } }, title: "web (attic): CPU at 100 %", message: "CPU usage 100 %", look: "warning normal", status: "firing", key: "ServerCpu" },
  { variant: "ServerCpu", sent: { target: "Server", level: "CRITICAL", data: { percentage: 0.0 } }, title: "web: CPU at its limit", message: "Komodo sent no figures", look: "error high", status: "firing", key: "ServerCpu" },
  { variant: "ServerCpu", sent: { target: "Server", level: "OK", resolved: true, data: { percentage: 12.34 } }, title: "web: CPU is fine again", message: "Lasted 12 min 34 s\nCPU usage 12.3 %", look: "success normal", status: "resolved", key: "ServerCpu" },
  { variant: "ServerMem", sent: { target: "Server", data: { used_gb: 30.04, total_gb: 31.2 } }, title: "web: memory at 96.3 %", message: "30 GiB of 31.2 GiB used", look: "warning normal", status: "firing", key: "ServerMem" },
  { variant: "ServerMem", sent: { target: "Server", data: { used_gb: 0.5, total_gb: 0.0 } }, title: "web: memory at its limit", message: "Komodo sent no figures", look: "warning normal", status: "firing", key: "ServerMem" },
  { variant: "ServerMem", sent: { target: "Server", level: "OK", resolved: true, data: { used_gb: 8, total_gb: 32 } }, title: "web: memory is fine again", message: "Lasted 12 min 34 s\n8 GiB of 32 GiB used", look: "success normal", status: "resolved", key: "ServerMem" },
  { variant: "ServerDisk", sent: { target: "Server", level: "CRITICAL", data: { path: "/mnt/a", used_gb: 1023.94, total_gb: 1024 } }, title: "web: disk /mnt/a at 100 %", message: "1023.9 GiB of 1 TiB used", look: "error high", status: "firing", key: "ServerDisk:/mnt/a" },
  { variant: "ServerDisk", sent: { target: "Server", level: "OK", resolved: true, data: { path: "/mnt/a", used_gb: 1, total_gb: 2 } }, title: "web: disk /mnt/a is fine again", message: "Lasted 12 min 34 s\n1 GiB of 2 GiB used", look: "success normal", status: "resolved", key: "ServerDisk:/mnt/a" },
  { variant: "ServerVersionMismatch", sent: { target: "Server", data: { server_version: "2.3.1", core_version: "2.3.2" } }, title: "web: Periphery version differs", message: "Periphery 2.3.1, Core 2.3.2", look: "warning normal", status: "firing", key: "ServerVersionMismatch" },
  { variant: "ServerVersionMismatch", sent: { target: "Server", level: "OK", resolved: true, data: { server_version: "2.3.1", core_version: "2.3.2" } }, title: "web: Periphery version matches again", message: "Lasted 12 min 34 s", look: "success normal", status: "resolved", key: "ServerVersionMismatch" },
  { variant: "ContainerStateChange", sent: { target: "Deployment", data: { ...onServer, from: "running", to: "exited" } }, title: "web has exited", message: "running → exited · on nas", look: "error high", status: "firing", key: "state" },
  { variant: "ContainerStateChange", sent: { target: "Deployment", data: { ...onSwarm, from: "running", to: "not_deployed" } }, title: "web is not deployed", message: "running → not deployed · swarm hive", look: "warning normal", status: "firing", key: "state" },
  { variant: "StackStateChange", sent: { data: { ...onSwarm, from: "deploying", to: "running" } }, title: "Stack web is running again", message: "deploying → running · swarm hive", look: "success normal", status: "resolved", key: "state" },
  { variant: "DeploymentImageUpdateAvailable", sent: { target: "Deployment", level: "OK", data: { ...onServer, image: "nginx:1" } }, title: "web: update available", message: "nginx:1 · on nas", look: "info low", key: "update" },
  { variant: "StackImageUpdateAvailable", sent: { level: "OK", data: { ...onSwarm, service: "db", image: "pg:17" } }, title: "web/db: update available", message: "pg:17 · swarm hive", look: "info low", key: "update:db" },
  { variant: "DeploymentAutoUpdated", sent: { target: "Deployment", level: "OK", data: { ...onServer, image: "nginx:1" } }, title: "web was updated", message: "nginx:1 · on nas", look: "success low", key: "updated" },
  { variant: "StackAutoUpdated", sent: { level: "OK", data: { ...onServer, images: Array.from({ length: 12 }, (_, i) => `i:${i}`) } }, title: "Stack web was updated", message: "i:0\ni:1\ni:2\ni:3\ni:4\ni:5\ni:6\ni:7\ni:8\ni:9\non nas", look: "success low", key: "updated" },
  { variant: "AwsBuilderTerminationFailed", sent: { target: "System", level: "CRITICAL", data: { id: undefined, name: undefined, instance_id: "i-0abc", message: "no permission" } }, title: "AWS builder was not terminated (it keeps costing money)", message: "i-0abc\nno permission", look: "error high", key: "AwsBuilderTerminationFailed" },
  { variant: "ResourceSyncPendingUpdates", sent: { target: "ResourceSync", level: "OK" }, title: "Sync web has pending updates", message: "Review and apply them in Komodo.", look: "info normal", key: "ResourceSyncPendingUpdates" },
  { variant: "BuildFailed", sent: { target: "Build", data: { version: { major: 1, minor: 0, patch: 0 } } }, title: "Build web failed", message: "Version 1.0.0", look: "error high", key: "BuildFailed" },
  { variant: "RepoBuildFailed", sent: { target: "Repo" }, title: "Repo build web failed", message: "See its log in Komodo.", look: "error high", key: "RepoBuildFailed" },
  { variant: "ProcedureFailed", sent: { target: "Procedure" }, title: "Procedure web failed", message: "See its log in Komodo.", look: "error high", key: "ProcedureFailed" },
  { variant: "ActionFailed", sent: { target: "Action" }, title: "Action web failed", message: "See its log in Komodo.", look: "error high", key: "ActionFailed" },
  { variant: "ScheduleRun", sent: { target: "Action", level: "OK", data: { resource_type: "Action" } }, title: "web started on schedule", message: "Action", look: "info low", key: "ScheduleRun" },
  { variant: "Custom", sent: { target: "System", level: "OK", data: { id: undefined, name: undefined, message: "First\nsecond", details: "" } }, title: "First", message: "second", look: "info normal" },
  { variant: "Custom", sent: { target: "System", level: "WARNING", data: { id: undefined, name: undefined, message: "Only", details: "" } }, title: "Only", message: "Only", look: "warning normal" },
];

const VARIANTS =
  `None Test SwarmUnhealthy ServerUnreachable ServerCpu ServerMem ServerDisk ServerVersionMismatch ContainerStateChange
  DeploymentImageUpdateAvailable DeploymentAutoUpdated StackStateChange StackImageUpdateAvailable StackAutoUpdated
  AwsBuilderTerminationFailed ResourceSyncPendingUpdates BuildFailed RepoBuildFailed ProcedureFailed ActionFailed
  ScheduleRun Custom`.split(/\s+/);

test("every variant has a row; None is not an alert (shapes.test.ts)", () => {
  expect(new Set(["None", ...rows.map(({ variant }) => variant)])).toEqual(new Set(VARIANTS));
});

test.each(rows)("$variant: $title", ({ variant, sent, title, message, look, status, key }) => {
  const draft = alert(variant, sent);
  expect([draft.title, draft.message, `${draft.level} ${draft.priority}`]).toEqual([title, message, look]);
  expect(draft.status).toBe(status as "firing");
  expect(draft.dedup_key).toBe(
    (key === undefined ? undefined : `komodo:${sent.target ?? "Stack"}:${ID}:${key}`) as string,
  );
  expect(draft.tags?.slice(0, 2)).toEqual(["komodo", (sent.target ?? "Stack").toLowerCase()]);
  const isOver = status === "resolved" && !variant.endsWith("StateChange");
  expect(draft.timestamp).toBe(new Date(isOver ? TS + 754_321 : TS).toISOString());
  expectWithinLimits(draft);
});

describe("states", () => {
  const deployment =
    "deploying running created restarting stopping removing paused exited dead unhealthy not_deployed unknown".split(
      " ",
    );
  const stack = "deploying running paused stopped created restarting dead removing unhealthy down unknown".split(" ");
  const looks = new Map([
    ...["exited", "dead", "restarting", "unhealthy", "stopped"].map((state) => [state, "error high firing"] as const),
    ...["running", "healthy"].map((state) => [state, "success normal resolved"] as const),
    ["deploying", "info low undefined"],
  ]);
  const all = [...new Set([...deployment, ...stack, "healthy", "EXITED", "constructor", "__proto__", ""])];

  test.each(all)("%p is classified by itself, although every event arrives as resolved", (to) => {
    for (const type of ["ContainerStateChange", "StackStateChange"])
      for (const level of ["OK", "WARNING", "CRITICAL"]) {
        const { level: shown, priority, status } = alert(type, { level, data: { from: "running", to } });
        expect(`${shown} ${priority} ${status}`).toBe(looks.get(to.toLowerCase()) ?? "warning normal firing");
      }
  });

  test("a card is closed only when it runs again", () => {
    const data = { ...onServer, from: "running" };
    const card = (to: string) => alert("ContainerStateChange", { data: { ...data, to } });
    expect(card("exited").dedup_key).toBe(card("running").dedup_key as string);
    expect(deployment.filter((to) => card(to).status === "resolved")).toEqual(["running"]);
    expect(deployment.filter((to) => card(to).level === "success")).toEqual(["running"]);
  });

  // prettier-ignore
  const verbs: [to: unknown, verb: string][] = [
    ["running", "is running again"], ["healthy", "is healthy again"], ["exited", "has exited"], ["stopped", "has stopped"],
    ["dead", "is dead"], ["down", "is down"], [undefined, "is unknown"], [{ a: 1 }, "is unknown"],
  ];
  test.each(verbs)("to %p: it %s", (to, verb) => {
    expect(alert("StackStateChange", { data: { to } }).title).toBe(`Stack web ${verb}`);
  });
});

describe("variants that are newer than this code", () => {
  test("an event is reported by its level, `resolved` or not", () => {
    const data = { count: 3, deep: { a: [1] }, ["__proto__x"]: 1 };
    const draft = alert("StackOnFire2Much", { level: "CRITICAL", data });
    expect(draft).toMatchObject({ title: "Stack On Fire2 Much: web", level: "error", priority: "high" });
    expect(draft.message).toBe(JSON.stringify({ id: ID, name: "web", ...data }));
    expect(draft).not.toHaveProperty("status");
  });

  test("a condition of a server or swarm opens and closes", () => {
    expect(alert("ServerTooHot", { level: "CRITICAL" })).toMatchObject({
      title: "Server Too Hot: web",
      level: "error",
      status: "firing",
    });
    expect(alert("SwarmSplit", { resolved: true })).toMatchObject({
      title: "Resolved: Swarm Split: web",
      level: "success",
      status: "resolved",
    });
  });

  test("twelve fields, 200 characters", () => {
    const data = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, i]));
    expect(Object.keys(JSON.parse(alert("New", { data }).message) as Part)).toHaveLength(12);
    expect(alert("New", { data: { text: "x".repeat(2_000) } }).message).toHaveLength(200);
  });

  test("an unknown level gives a warning", () => {
    expect(alert("New", { level: "FATAL" }).level).toBe("warning");
    expect(alert("New", { level: "critical" }).level).toBe("error");
  });
});

describe("a tap opens", () => {
  // prettier-ignore
  const links: [target: string, link: string, url: string | undefined][] = [
    ["Stack",        "https://komodo.example",            `https://komodo.example/stacks/${ID}`],
    ["Server",       "https://komodo.example/",           `https://komodo.example/servers/${ID}`],
    ["ResourceSync", "https://komodo.example/base/",      `https://komodo.example/base/resource-syncs/${ID}`],
    ["Deployment",   "https://u:p@komodo.example",        `https://komodo.example/deployments/${ID}`],
    ["System",       "https://komodo.example",            "https://komodo.example/"],
    ["../x",         "https://komodo.example",            `https://komodo.example/..%2Fxs/${ID}`],
    ["Stack",        "http://localhost:9120",             undefined],
    ["Stack",        "javascript:alert(1)",               undefined],
  ];
  test.each(links)("of a %s at %s", (target, link, url) => {
    expect(alert("BuildFailed", { target, link }).url).toBe(url as string);
  });

  test("nothing without Komodo's address", () => {
    expect(alert("BuildFailed")).not.toHaveProperty("url");
  });
});

test("without an id it has no key, and no status", () => {
  const body = { level: "WARNING", target: {}, data: { type: "StackStateChange", data: { name: "web", to: "dead" } } };
  expect(draftOf("komodo", body)).not.toContainAnyKeys(["dedup_key", "status"]);
});

test("a long path keeps its key short and its own", () => {
  const key = (path: string) => alert("ServerDisk", { target: "Server", data: { path } }).dedup_key ?? "";
  expect(key(`/${"a".repeat(200)}`)).toMatch(/^komodo:[0-9a-f]{32}$/);
  expect(key(`/${"a".repeat(200)}`)).not.toBe(key(`/${"a".repeat(201)}`));
});
