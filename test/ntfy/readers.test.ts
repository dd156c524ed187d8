/** Each example of ntfy's documentation that reads (examples.json), by the program or language that it is shown for. */
import { afterAll, describe, expect, test } from "bun:test";
import { examples, type Given, type Language } from "../../src/build/examples.ts";
import type { TestTopic } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { pythonWith } from "../tools.ts";
import { commandOf, customOf, environmentOf, startReader, type Target } from "./programs.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const { key } = await peal.mint("full");

const READING = examples().filter(({ gets }) => gets !== undefined);
const BASES = [
  ["by keys", "", ({ key: topic }: TestTopic) => topic],
  ["by names", "/ntfy/home", ({ name }: TestTopic) => name],
] as const;

let made = 0;

describe.each(BASES)("%s", (_, base, askedOf) => {
  /** Two topics, and how to publish to them by the names that the examples have. */
  async function place() {
    const [topic, other] = [await peal.topic(`read-${++made}`), await peal.topic(`other-${made}`)];
    const target: Target = { server: `${peal.url}${base}`, topic: askedOf(topic), other: askedOf(other), key };
    const publish = async (given: Given): Promise<string> => {
      const { topic: named, ...message } = typeof given === "string" ? { message: given } : given;
      const to = named === "othertopic" ? target.other : target.topic;
      const headers = { authorization: `Bearer ${key}` };
      const sent = { method: "POST", headers, body: JSON.stringify({ topic: to, ...message }) };
      return ((await (await fetch(target.server, sent)).json()) as { id: string }).id;
    };
    return { target, publish };
  }

  for (const program of ["curl", "ntfy", "shell"] as const) {
    const shown = READING.flatMap((example) => (example[program] ?? []).map((args) => [args, example] as const));
    testWith("bash", program === "shell" ? "curl" : program).each(shown)(
      `${program} %s`,
      async (args, { given = [], sends = [], gets = [], ends }) => {
        const { target, publish } = await place();
        await readers(0); // the last test's is gone
        const ids: string[] = [];
        for (const one of given) ids.push(await publish(one));
        await using reader = startReader(commandOf(program, args, target), await environmentOf(target, ids[0]));
        if (ends !== true) await readers(1);
        for (const one of sends) await publish(one);
        if (ends === true) expect(await reader.ended).toBe(0);
        await eventually(`${gets.length} messages`, () => textsIn(reader.heard()).length >= gets.length);
        expect(textsIn(reader.heard())).toEqual(gets);
      },
      20_000,
    );
  }

  const requests = READING.flatMap(({ reads, by = [], ...example }) =>
    reads === undefined ? [] : (["HTTP", ...by] as const).map((who) => [who, reads.path, example] as const),
  );
  const byHttp = requests.filter(([who, path]) => who !== "Python" && !path.endsWith("/ws"));
  test.each(byHttp)("%s %s", async (who, path, { given = [], sends = [], gets = [] }) => {
    const { target, publish } = await place();
    for (const one of given) await publish(one);
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${key}`, ...asSentBy(who) };
    const response = await fetch(urlOf(path, target), { headers, signal: stop.signal });
    expect(response.status).toBe(200);
    let text = "";
    const read = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body as ReadableStream<Uint8Array>)
        text += decoder.decode(chunk, { stream: true });
    })().catch(() => undefined); // aborted
    for (const one of sends) await publish(one);
    await eventually("the messages", () => textsIn(text).length >= gets.length);
    expect(textsIn(text)).toEqual(gets);
    stop.abort();
    await read;
  });

  const inPython = requests.filter(([who]) => who === "Python").map(([, path, example]) => [path, example] as const);
  testWith("requests").each(inPython)(
    "Python %s",
    async (path, { given = [], sends = [], gets = [], ends }) => {
      const { target, publish } = await place();
      await readers(0);
      for (const one of given) await publish(one);
      const url = urlOf(path, target);
      const env = { ...(await environmentOf(target)), URL: url, SCRIPT: PYTHON };
      await using reader = startReader(`exec ${pythonWith("requests") ?? "python3"} -uc "$SCRIPT"`, env);
      if (ends !== true) await readers(1);
      for (const one of sends) await publish(one);
      await eventually("the messages", () => textsIn(reader.heard()).length >= gets.length);
      expect(textsIn(reader.heard())).toEqual(gets);
    },
    20_000,
  );

  const sockets = requests.filter(([, path]) => path.endsWith("/ws"));
  test.each(sockets)("%s %s", async (_who, path, { sends = [], gets = [] }) => {
    const { target, publish } = await place();
    const url = urlOf(path, target).replace("http", "ws");
    // browsers and apps can't set a header: they send the token as ntfy's web app does
    const socket = new WebSocket(base === "" ? url : `${url}?auth=${btoa(`Bearer ${key}`).replaceAll("=", "")}`);
    let text = "";
    socket.addEventListener("message", ({ data }) => (text += `${String(data)}\n`));
    await eventually("the first event", () => text.includes('"open"'));
    for (const one of sends) await publish(one);
    await eventually("the messages", () => textsIn(text).length >= gets.length);
    expect(textsIn(text)).toEqual(gets);
    socket.close();
  });
});

/** What a client of the language adds to its request; that of JavaScript is EventSource. */
const asSentBy = (who: Language | "HTTP"): Record<string, string> =>
  who === "JavaScript" ? { accept: "text/event-stream", "cache-control": "no-cache" } : customOf(who, { headers: {} });

const PYTHON = `
import os, requests
headers = {"Authorization": "Bearer " + os.environ["KEY"]}
for line in requests.get(os.environ["URL"], headers=headers, stream=True).iter_lines():
    if line:
        print(line.decode())
`;

const urlOf = (path: string, { server, topic }: Target): string => `${server}${path.replace("mytopic", topic)}`;

/** Texts of the messages in what a reader printed: JSON, server-sent events or text, one a line. */
const textsIn = (heard: string): string[] =>
  heard
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(/^data: ?/, ""))
    .flatMap((line) => {
      if (!line.startsWith("{")) return line === "" || /^(?:event|id): /.test(line) ? [] : [line];
      const { event, message } = JSON.parse(line) as { event: string; message: string };
      return event === "message" ? [message] : [];
    });

/** Waits until so many read: not all programs say when they begin to. */
const readers = async (count: number) =>
  eventually(`${count} readers`, async () => (await metric(peal, "peal_sse_connections")) === count);
