/** ntfy's own command subscribes to a peal that is killed meanwhile, and loses nothing (NTFY.md §6). */
import { afterAll, expect } from "bun:test";
import { mkdtempSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { ROUNDS } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { environmentOf, startReader, typed } from "./programs.ts";

const dir = mkdtempSync(join(tmpdir(), "peal-ntfy-command-"));
afterAll(async () => rm(dir, { recursive: true, force: true }));
const withNtfy = testWith("ntfy", "bash");

withNtfy(
  "a command for each topic of a file, as a service runs it, with its condition and its own password",
  async () => {
    await using peal = await startPeal();
    const [alerts, others] = [await peal.topic("alerts"), await peal.topic("others")];
    const { key } = await peal.mint("full");
    const config = join(dir, "client.yml");
    const subscribe = [
      { topic: "alerts", command: 'echo "$NTFY_TOPIC: $message ($prio) $tags"', if: { priority: "high,urgent" } },
      { topic: "others", command: 'echo "$topic: $m"', user: "phil", password: key },
    ];
    await writeFile(
      config,
      JSON.stringify({ "default-host": `${peal.url}/ntfy/home`, "default-token": key, subscribe }),
    );
    const target = { server: peal.url, topic: "", other: "", key };
    await using reader = startReader(`ntfy subscribe --config ${config} --from-config`, await environmentOf(target));
    await eventually("two readers", async () => (await metric(peal, "peal_sse_connections")) === 2);
    await peal.publish(alerts, { message: "not important" });
    await peal.publish(alerts, { message: "on fire", priority: "urgent", tags: ["fire"] });
    await peal.publish(others, { message: "hello" });
    await eventually("two lines", () => reader.heard().split("\n").length > 2);
    expect(reader.heard().trim().split("\n").toSorted()).toEqual(["alerts: on fire (5) fire", "others: hello"]);
  },
  30_000,
);

withNtfy(
  "no message is lost or doubled for a reader that says what it read last, though peal is killed",
  async () => {
    await using peal = await startPeal();
    const topic = await peal.topic("backups");
    const { key } = await peal.mint("publish");
    const env = await environmentOf({ server: peal.url, topic: topic.key, other: "", key });
    const acknowledged: string[] = [];
    const publish = async (text: string) => {
      const { code } = await typed(`ntfy publish --quiet ${topic.key} '${text}'`, env);
      if (code === 0) acknowledged.push(text);
      return code;
    };
    const heard: Line[] = [];
    for (let round = 0; round < Math.min(ROUNDS, 5); round++) {
      const since = heard.at(-1)?.id ?? "all";
      {
        await using reader = startReader(`ntfy subscribe --config "$NTFY_CONFIG" --since ${since} ${topic.key}`, env);
        expect(await publish(`${round}: first`)).toBe(0);
        await eventually("the first", () => linesOf(reader.heard()).at(-1)?.message === `${round}: first`);
        const before = acknowledged.length;
        const publishing = [1, 2, 3, 4, 5, 6].map(async (n) => publish(`${round}: ${n}`));
        await eventually("one of them", () => acknowledged.length > before);
        await peal.kill("SIGKILL");
        await Promise.all(publishing);
        // its command would connect again after ten seconds, and say the same `since` as at its start
        heard.push(...linesOf(reader.heard()));
      }
      await peal.start();
      expect(await publish(`${round}: last`)).toBe(0);
      const { stdout } = await typed(
        `ntfy subscribe --config "$NTFY_CONFIG" --poll --since ${heard.at(-1)?.id ?? ""} ${topic.key}`,
        env,
      );
      heard.push(...linesOf(stdout));
    }
    const history = (await peal.history(topic)).map(({ message }) => message);
    expect(acknowledged.filter((text) => !history.includes(text))).toEqual([]);
    expect(heard.map(({ message }) => message)).toEqual(history);
  },
  120_000,
);

interface Line {
  id: string;
  message: string;
}
const linesOf = (text: string): Line[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
