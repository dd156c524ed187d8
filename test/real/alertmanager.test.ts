/** A real Alertmanager posts, and people can read what happened (REWRITES.md §2, §3): Debian's package, which .ci/run installs. */
import { expect } from "bun:test";
import { KEY_TOOLS } from "../../src/pages/publishing/tools.ts";
import type { TestMessage, TestTopic } from "../support/client.ts";
import { smallDisk } from "../support/disk.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { startAlertmanager, type Alert } from "./alertmanager.ts";

/** The configuration in the manual and on the claim page, with a key that may only publish. */
async function manual(peal: Peal): Promise<string> {
  const { key } = await peal.mint("publish");
  const [setting] =
    KEY_TOOLS.find(({ name }) => name === "alertmanager")?.withKey(`${peal.url}/home/alerts`, key) ?? [];
  return setting?.value ?? "";
}
const now = () => new Date().toISOString();

const cpu = (node: string): Alert => ({
  labels: { alertname: "HostHighCpuLoad", cluster: "home", severity: "warning", instance: `${node}.lan:9100` },
  annotations: { summary: "CPU load is high" },
  startsAt: now(),
});
const down: Alert = {
  labels: { alertname: "InstanceDown", cluster: "home", severity: "critical", instance: "nas.lan:9100" },
  annotations: { summary: "Instance nas.lan:9100 is down", runbook_url: "https://runbooks.example/InstanceDown" },
};

/** The topic's history, once it has this many messages. */
const told = async (peal: Peal, topic: TestTopic, count: number): Promise<TestMessage[]> =>
  eventually(`message ${count}`, async () => {
    const messages = await peal.history(topic);
    return messages.length >= count ? messages : undefined;
  });

/** Title, text and what determines the card, because durations depend on the machine. */
const shown = ({ title, message, level, priority, status }: TestMessage) => ({
  title,
  message: message.replace(/(asted) (?:\d+ s|under 1 s)/g, "$1 {d}"),
  look: [level, priority, status].join(" "),
});
const cards = async (topic: TestTopic) => (await (await fetch(topic.url)).text()).match(/<article/g)?.length;

testWith("alertmanager")("a group that fires, grows, gets better and is over is one card", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("alerts");
  await using alertmanager = await startAlertmanager({ receivers: await manual(peal) });
  const [one, two, three] = [cpu("node1"), cpu("node2"), cpu("node3")];

  await alertmanager.alert(one);
  await told(peal, topic, 1);
  await alertmanager.alert(one, two, three);
  await told(peal, topic, 2);
  await alertmanager.alert({ ...two, endsAt: now() });
  await told(peal, topic, 3);
  await alertmanager.alert({ ...one, endsAt: now() }, { ...three, endsAt: now() });
  const messages = await told(peal, topic, 4);

  expect(messages.map(shown)).toEqual([
    {
      title: "CPU load is high (node1.lan)",
      message: "HostHighCpuLoad · instance=node1.lan:9100 · cluster=home",
      look: "warning normal firing",
    },
    {
      title: "HostHighCpuLoad: 3 firing (home)",
      message: "CPU load is high\n• node1.lan:9100\n• node2.lan:9100\n• node3.lan:9100",
      look: "warning normal firing",
    },
    {
      title: "HostHighCpuLoad: 2 firing, 1 resolved (home)",
      message: "CPU load is high\n• node1.lan:9100\n• node3.lan:9100\nResolved:\n• node2.lan:9100 (lasted {d})",
      look: "warning normal firing",
    },
    {
      title: "HostHighCpuLoad: all 2 resolved (home)",
      message: "CPU load is high\n• node1.lan:9100 (lasted {d})\n• node3.lan:9100 (lasted {d})",
      look: "success low resolved",
    },
  ]);
  expect(new Set(messages.map((message) => message["dedup_key"])).size).toBe(1);
  expect(await cards(topic)).toBe(1);
});

testWith("alertmanager")("its alerts are known by their shape as they are with `?rewrite=`", async () => {
  await using peal = await startPeal();
  const [bare, named] = [await peal.topic("alerts"), await peal.topic("named")];
  const lines = await manual(peal);
  expect(lines).toContain("/home/alerts'");
  const receivers = lines.replace("/home/alerts'", "/home/named?rewrite=alertmanager'");
  for (const [topic, settings] of [
    [bare, lines],
    [named, receivers],
  ] as const) {
    await using alertmanager = await startAlertmanager({ receivers: settings });
    await alertmanager.alert(cpu("node1"), cpu("node2"));
    await told(peal, topic, 1);
    await alertmanager.alert({ ...cpu("node1"), endsAt: now() }, { ...cpu("node2"), endsAt: now() });
    await told(peal, topic, 2);
    expect(await cards(topic)).toBe(1);
  }
  const [asked, known] = await Promise.all([named, bare].map(async (topic) => peal.history(topic)));
  expect(known?.map(shown)).toEqual((asked ?? []).map(shown));
  const same = ({ tags, source, dedup_key }: TestMessage) => ({ tags, source, dedup_key });
  expect(known?.map(same)).toEqual((asked ?? []).map(same));
});

testWith("alertmanager")("an alert that goes on is told again, on its card, with what one may do", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("alerts");
  await using alertmanager = await startAlertmanager({
    receivers: (await manual(peal)).replace(
      /authorization:\n +credentials: '(.+)'/,
      "basic_auth: {username: peal, password: $1}",
    ),
    repeat_interval: "500ms",
  });
  await alertmanager.alert(down);
  const [first, again] = await told(peal, topic, 2);
  const silence = expect.stringContaining("http://alertmanager.example:9093/#/silences/new?filter=") as unknown;
  const alert = {
    message: "InstanceDown · instance=nas.lan:9100 · cluster=home",
    level: "error",
    priority: "high",
    status: "firing",
    url: "https://runbooks.example/InstanceDown",
    tags: ["alertmanager", "critical", "cluster:home"],
    actions: [{ label: "Silence", url: silence }],
    source: "rewrite:alertmanager",
  };
  expect(first).toMatchObject({ ...alert, title: "Instance nas.lan:9100 is down" });
  expect(again).toMatchObject({ ...alert, dedup_key: first?.["dedup_key"], timestamp: first?.["timestamp"] });
  expect(await cards(topic)).toBe(1);
});

testWith("alertmanager")("an alert that came while the server was dead arrives once it is back", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("alerts");
  await using alertmanager = await startAlertmanager({ receivers: await manual(peal) });
  await alertmanager.alert(cpu("node1"));
  await told(peal, topic, 1);
  await peal.kill("SIGKILL");
  await alertmanager.alert(down, cpu("node2"));
  await eventually("a failed webhook", async () => (await alertmanager.failures()) > 0);
  await peal.start();
  const titles = (await told(peal, topic, 3)).map(({ title }) => title);
  expect(titles[0]).toBe("CPU load is high (node1.lan)");
  expect(titles.slice(1).sort()).toEqual(["HostHighCpuLoad: 2 firing (home)", "Instance nas.lan:9100 is down"]);
});

testWith("alertmanager", "mount")("an alert that met a full disk arrives once there is room", async () => {
  using disk = smallDisk(20_000_000);
  await using peal = await startPeal({ dataDir: disk.path });
  const topic = await peal.topic("alerts");
  await using alertmanager = await startAlertmanager({ receivers: await manual(peal) });
  disk.fill(0);
  await eventually("a store that takes nothing", async () => {
    const probe = await peal.api("POST", "/home/probe?rewrite=uptimekuma", { msg: "x".repeat(8_000) });
    return probe.status === 503 && probe.headers.get("retry-after") === "5";
  });
  await alertmanager.alert(down);
  await eventually("a failed webhook", async () => (await alertmanager.failures()) > 0);
  expect(await peal.history(topic)).toEqual([]);
  disk.free();
  const [arrived] = await told(peal, topic, 1);
  expect(arrived).toMatchObject({ id: 1, title: "Instance nas.lan:9100 is down", status: "firing" });
});

testWith("alertmanager")("the watchdog is good news while it fires, and an alert when it stops", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("alerts");
  await using alertmanager = await startAlertmanager({ receivers: await manual(peal) });
  const watchdog: Alert = { labels: { alertname: "Watchdog", severity: "none" }, startsAt: now() };
  await alertmanager.alert(watchdog);
  await told(peal, topic, 1);
  await alertmanager.alert({ ...watchdog, endsAt: now() });
  const messages = await told(peal, topic, 2);
  expect(messages.map(shown)).toEqual([
    {
      title: "Watchdog: alerting works",
      message: "Always-firing test alert received. Send it to a peal check (/v1/ping/…) instead of a topic.",
      look: "info low resolved",
    },
    {
      title: "Watchdog stopped",
      message: "Prometheus no longer sends its always-firing alert: alerts may not reach you.",
      look: "error high firing",
    },
  ]);
  expect(await cards(topic)).toBe(1);
});
