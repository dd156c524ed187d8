/** `peal tail`: messages as they arrive, over lost connections without a gap or a repeat (docs/send.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frameOf } from "../../src/cli/tail-events.ts";
import { lineOf } from "../../src/cli/tail.ts";
import { linkStreams } from "../../src/cli/tail-where.ts";
import type { TestTopic } from "../support/client.ts";
import { peal as runPeal } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
let env: Record<string, string>;
beforeAll(async () => {
  peal = await startPeal();
  env = { PEAL_URL: peal.url, PEAL_KEY: (await peal.mint("full")).key };
});
const folder = mkdtempSync(join(tmpdir(), "peal-tail-"));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function tailing(args: readonly string[], set = env) {
  let [output, errors] = ["", ""];
  const child = Bun.spawn([...COMMAND, "tail", ...args], { env: cleanEnv(set), stdio: ["ignore", "pipe", "pipe"] });
  const read = Promise.all([
    (async () => {
      for await (const bytes of child.stdout) output += Buffer.from(bytes).toString();
    })(),
    (async () => {
      for await (const bytes of child.stderr) errors += Buffer.from(bytes).toString();
    })(),
  ]);
  return {
    output: () => output,
    errors: () => errors,
    texts: () =>
      output
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => (JSON.parse(line) as { message: string }).message),
    exited: (async () => {
      const code = await child.exited;
      await read;
      return code;
    })(),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

const publish = async (topic: TestTopic, message: string, more = {}, to = peal) => {
  if ((await to.publish(topic, { message, ...more })) === null) throw new Error("not published");
};
/** Publishes until one is seen: then it listens, and the test goes on. */
async function heard(topic: TestTopic, listening: { output: () => string }, to = peal) {
  await eventually("it to listen", async () => {
    await publish(topic, "are you there?", {}, to);
    return listening.output().includes("are you there?");
  });
}
const without = (texts: readonly string[]) => texts.filter((text) => text !== "are you there?");

test("messages of a topic are printed for people, and those of a namespace as JSON", async () => {
  const topic = await peal.topic("printed");
  await using people = tailing(["home/printed"]);
  await using json = tailing(["home", "--json"]);
  await heard(topic, people);
  await heard(topic, json);
  await publish(topic, "first line\nsecond line", { title: "Disk", level: "error" });
  const line = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}home\/printed {2}error {2}Disk: first line\n {4}second line\n$/m;
  await eventually("a line", () => line.test(people.output()));
  await eventually("the JSON", () => json.texts().includes("first line\nsecond line"));
});

test("a server that is killed and started again: no message is missing, doubled or out of order", async () => {
  await using own = await startPeal();
  const topic = await own.topic("restarts");
  const there = { PEAL_URL: own.url, PEAL_KEY: own.adminKey };
  await using one = tailing(["home/restarts", "--json"], there);
  await using all = tailing(["home", "--json"], there);
  for (const listening of [one, all]) await heard(topic, listening, own);
  const texts = Array.from({ length: 30 }, (_, n) => `message ${n}`);
  for (const [n, text] of texts.entries()) {
    await publish(topic, text, {}, own);
    if (n % 10 !== 5) continue;
    await own.kill(n % 20 === 5 ? "SIGKILL" : "SIGTERM");
    await own.start();
  }
  for (const { texts: seen, errors } of [one, all]) {
    await eventually("all to be seen", () => seen().includes("message 29"));
    expect(without(seen())).toEqual(texts);
    expect(errors()).toMatch(
      /^(?:peal tail: .* can't be reached \(\w+\); trying again\npeal tail: connected to .* again\n)*$/,
    );
  }
}, 60_000);

describe("--since", () => {
  test("all, an id and a duration", async () => {
    const topic = await peal.topic("since");
    for (const text of ["one", "two", "three"]) await publish(topic, text);
    // prettier-ignore
    const from: [since: string, texts: string[]][] = [
      ["all", ["one", "two", "three"]],
      ["2", ["three"]],
      ["1h", ["one", "two", "three"]],
    ];
    for (const [since, texts] of from) {
      await using listening = tailing(["home/since", "--json", "--since", since]);
      await eventually("the last", () => listening.texts().includes("three"));
      expect(listening.texts()).toEqual(texts);
    }
    // longer ago than a second
    const stored = (await peal.history(topic)).at(-1)?.created_at ?? "";
    await eventually("a second to pass", () => Date.now() - Date.parse(stored) > 1_000);
    await using late = tailing(["home/since", "--json", "--since", "1s"]);
    await heard(topic, late);
    expect(without(late.texts())).toEqual([]);
  });
});

test("--level leaves out what is less serious", async () => {
  const topic = await peal.topic("levels");
  for (const level of ["info", "success", "warning", "error"]) await publish(topic, level, { level });
  await using listening = tailing(["home/levels", "--json", "--level", "warning", "--since", "all"]);
  await eventually("the last", () => listening.texts().includes("error"));
  expect(listening.texts()).toEqual(["warning", "error"]);
});

test("a share link needs no key, and its end is reported without the link", async () => {
  const topic = await peal.topic("shared");
  await using listening = tailing([topic.url, "--json"], {});
  await heard(topic, listening);
  await using short = tailing([`${peal.url}/home/${topic.key}`, "--json"], {});
  await heard(topic, short);
  expect((await peal.api("POST", `/v1/home/${topic.key}/rotate`)).status).toBe(200);
  expect([await listening.exited, await short.exited]).toEqual([1, 1]);
  const gone = "peal: the topic is gone: it was deleted, or its key was replaced\n";
  expect([listening.errors(), short.errors()]).toEqual([gone, gone]);
  const again = await runPeal(["tail", topic.url]);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("answered 404");
  expect(again.stderr).not.toContain(topic.key);
});

describe("--exec", () => {
  test("runs the command for each message, in order, one at a time; a failure is reported and ends nothing", async () => {
    const topic = await peal.topic("exec");
    const out = join(folder, "exec");
    const command = `echo "begin $PEAL_MESSAGE_ID"; cat; echo "end $PEAL_MESSAGE_TEXT|$PEAL_MESSAGE_TITLE|$PEAL_MESSAGE_TAGS|$PEAL_MESSAGE_LEVEL"; exit $((PEAL_MESSAGE_ID == 2 ? 3 : 0))`;
    for (const [text, more] of [
      ["one", { title: "T", tags: ["a", "b"] }],
      ["two", {}],
      ["three", { level: "error" }],
    ] as const)
      await publish(topic, text, more);
    await using listening = tailing(["home/exec", "--since", "all", "--exec", `{ ${command}; } >>${out}`]);
    await eventually("the last", () => readFileSync(out, { flag: "a+" }).includes("end three"));
    const lines = readFileSync(out, "utf8").trimEnd().split("\n");
    expect(lines.filter((_, n) => n % 3 !== 1)).toEqual(
      ["begin 1", "end one|T|a,b|info", "begin 2", "end two|||info", "begin 3", "end three|||error"], // prettier-ignore
    );
    expect((JSON.parse(lines[1] ?? "") as { id: number }).id).toBe(1);
    expect(listening.errors()).toBe("peal tail: the command ended with 3 for message 2 of home/exec\n");
  });

  test("never reads a message as shell text", async () => {
    const topic = await peal.topic("hostile");
    const [out, pwned] = [join(folder, "hostile"), join(folder, "pwned")];
    const text = `"; touch ${pwned}; $(touch ${pwned}) \`touch ${pwned}\` ' && touch ${pwned}`;
    await publish(topic, text, { title: text });
    const exec = `printf '%s\\n' "$PEAL_MESSAGE_TEXT" "$PEAL_MESSAGE_TITLE" >${out}.new; mv ${out}.new ${out}`;
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- it ends with the block
    await using _ = tailing(["home/hostile", "--since", "all", "--exec", exec]);
    await eventually("the command", async () => Bun.file(out).exists());
    expect(readFileSync(out, "utf8")).toBe(`${text}\n${text}\n`);
    expect(await Bun.file(pwned).exists()).toBe(false);
  });

  test("a command slower than the messages misses none, and peal commands work in it", async () => {
    const [slow, copy] = [await peal.topic("slow"), await peal.topic("copy")];
    const texts = Array.from({ length: 5 }, (_, n) => `slow ${n}`);
    for (const text of texts) await publish(slow, text);
    const exec = `${COMMAND.join(" ")} send home/copy "$PEAL_MESSAGE_TEXT"`;
    await using listening = tailing(["home/slow", "--since", "all", "--exec", exec]);
    await eventually("all copies", async () => (await peal.history(copy)).length === 5);
    expect((await peal.history(copy)).map(({ message }) => message)).toEqual(texts);
    expect(listening.errors()).toBe("");
  });
});

test("on the server's own machine no key is needed", async () => {
  const topic = await peal.topic("socket");
  await publish(topic, "by the socket");
  await using listening = tailing(["home/socket", "--json", "--since", "all"], { PEAL_DATA_DIR: peal.dataDir });
  await eventually("the message", () => listening.texts().includes("by the socket"));
});

test("a reader that leaves ends it without a complaint", async () => {
  const topic = await peal.topic("head");
  for (let n = 0; n < 3; n++) await publish(topic, `line ${n}`);
  const child = Bun.spawn(["sh", "-c", '"$@" | head -n 1', "sh", ...COMMAND, "tail", "home/head", "--since", "all"], {
    env: cleanEnv(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  await eventually("it to end", async () => {
    await publish(topic, "more");
    return child.exitCode !== null;
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([out.trimEnd().endsWith("line 0"), err]).toEqual([true, ""]);
});

// prettier-ignore
const WRONG: [what: string, args: string[], code: number, told: string][] = [
  ["a link that is none",          ["https://peal.example/home"],             64, "that is not a share link"],
  ["three names",                  ["home/a/b"],                              64, "must be <namespace>"],
  ["a level that is none",         ["home", "--level", "bad"],                64, "must be one of info"],
  ["a time that is none",          ["home", "--since", "noon"],               64, "must be a duration"],
  ["--json beside --exec",         ["home", "--json", "--exec", "true"],      64, "can't be combined"],
  ["an unknown topic",             ["home/nowhere"],                           1, "there is no topic nowhere"],
  ["another namespace",            ["media"],                                  1, "answered 403"],
];
test.each(WRONG)("%s is refused", async (_, args, code, told) => {
  const ran = await runPeal(["tail", ...args], env);
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(told) as string]);
});

describe("when it can't go on", () => {
  const ran = async (
    args: readonly string[],
    more: Record<string, string> = {},
    stdout: number | "ignore" = "ignore",
  ) => {
    const child = Bun.spawn([...COMMAND, "tail", ...args, "--since", "all"], {
      ...{ env: cleanEnv({ ...env, ...more }), stdio: ["ignore", stdout, "pipe"] },
    });
    return [await child.exited, await child.stderr.text()];
  };
  test("because its output is on a full disk, it says so and ends", async () => {
    await publish(await peal.topic("full"), "m");
    const full = openSync("/dev/full", "w");
    expect(await ran(["home/full"], {}, full)).toEqual([1, "peal: standard output can't be written (ENOSPC)\n"]);
    closeSync(full);
  });
  test("because there is no shell for --exec, it says so and ends", async () => {
    await publish(await peal.topic("no-shell"), "m");
    const told = "peal: --exec can't be run (ENOENT)\n";
    expect(await ran(["home/no-shell", "--exec", "true"], { PATH: "/dev/null" })).toEqual([1, told]);
  });
});

describe("what comes is read", () => {
  test("frame by frame", () => {
    expect(frameOf("id: 1-a-b\nevent: message\ndata: {}")).toEqual({ id: "1-a-b", event: "message", data: "{}" });
    expect(frameOf("event: gone\ndata: {}")).toEqual({ event: "gone", data: "{}" });
    for (const none of [":", "retry: 3000", ""]) expect(frameOf(none)).toBeUndefined();
  });
  test("without what would steer the terminal", () => {
    const hostile = { created_at: "2027-01-01T00:00:00.000Z", namespace: "h\x1b[2J", topic_name: "t", level: "info" };
    const line = lineOf({ ...hostile, message: "a\x1b]0;x\x07b" } as unknown as Parameters<typeof lineOf>[0]);
    expect(line).not.toMatch(/[\x00-\x1f\x7f]/);
  });
  test("from a share link, with and without a name and a base path", () => {
    const key = "backups-0123456789abcdefghjkmnpqrs";
    // prettier-ignore
    const links: [link: string, streams: string[]][] = [
      [`https://p.example/home/${key}`, [`https://p.example/home/${key}/events`]],
      [`https://p.example/home/backups/${key}#m1`, [`https://p.example/home/${key}/events`, `https://p.example/home/backups/${key}/events`]],
      [`https://p.example/peal/home/x/${key}?before=1`, [`https://p.example/peal/home/${key}/events`, `https://p.example/peal/home/x/${key}/events`]],
    ];
    for (const [link, streams] of links) expect(linkStreams(link)).toEqual(streams);
  });
});
