/** ntfy's own command subscribes to a peal that is killed meanwhile, and loses nothing (NTFY.md §6). */
import { afterAll, expect } from "bun:test";
import { mkdtempSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { ROUNDS } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { environmentOf, startReader, typed } from "./programs.ts";

const dir = mkdtempSync(join(tmpdir(), "peal-ntfy-command-"));
afterAll(async () => rm(dir, { recursive: true, force: true }));
const withNtfy = testWith("ntfy", "bash");

withNtfy("a command for each topic of a file, as a service runs it, with its condition", async () => {
  await using peal = await startPeal();
  const [alerts, others] = [await peal.topic("alerts"), await peal.topic("others")];
  const { key } = await peal.mint("full");
  const config = join(dir, "client.yml");
  const subscribe = [
    { topic: "alerts", command: 'echo "$NTFY_TOPIC: $message ($prio) $tags"', if: { priority: "high,urgent" } },
    { topic: "others", command: 'echo "$topic: $m"' },
  ];
  await writeFile(config, JSON.stringify({ "default-host": `${peal.url}/ntfy/home`, "default-token": key, subscribe }));
  const target = { server: peal.url, topic: "", other: "", key };
  await using reader = startReader(`ntfy subscribe --config ${config} --from-config`, await environmentOf(target));
  await eventually("two readers", async () => {
    const metrics = await (await peal.request("/metrics")).text();
    return /^peal_sse_connections 2$/m.test(metrics);
  });
  await peal.publish(alerts, { message: "not important" });
  await peal.publish(alerts, { message: "on fire", priority: "urgent", tags: ["fire"] });
  await peal.publish(others, { message: "hello" });
  await eventually("two lines", () => reader.heard().split("\n").length > 2);
  expect(reader.heard().trim().split("\n").toSorted()).toEqual(["alerts: on fire (5) fire", "others: hello"]);
}, 30_000);

withNtfy("what was published while peal was killed and started again is read, each message once, in order", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("backups");
  const target = { server: peal.url, topic: topic.key, other: "", key: (await peal.mint("publish")).key };
  const env = await environmentOf(target);
  const acknowledged: string[] = [];
  let heard: string[] = [];
  let since = "all";
  for (let round = 0; round < Math.min(ROUNDS, 5); round++) {
    await using reader = startReader(`ntfy subscribe --since ${since} ${topic.key}`, env);
    const seen = () =>
      reader
        .heard()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { id: string; message: string });
    const publish = async (text: string) => {
      const { code } = await typed(`ntfy publish ${topic.key} '${text}'`, env);
      if (code === 0) acknowledged.push(text);
    };
    const killed = (async () => {
      await eventually("some messages", () => acknowledged.length > 4 * round + 1);
      await peal.kill("SIGKILL");
      await peal.start();
    })();
    for (const n of [1, 2, 3, 4]) await publish(`${round}.${n}`);
    await killed;
    // the command reconnects by itself, without what it missed: whoever wants all says since when
    const before = seen();
    since = before.at(-1)?.id ?? since;
    heard = [...heard, ...before.map(({ message }) => message)];
  }
  const polled = await typed(`ntfy subscribe --poll --since ${since} ${topic.key}`, env);
  const rest = polled.stdout.split("\n").filter((line) => line !== "");
  heard = [...heard, ...rest.map((line) => (JSON.parse(line) as { message: string }).message)];
  const history = (await peal.history(topic)).map(({ message }) => message);
  expect(acknowledged.filter((text) => !history.includes(text))).toEqual([]);
  expect(heard.filter((text, n) => heard.indexOf(text) !== n)).toEqual([]);
  expect(heard).toEqual(history);
}, 120_000);
