/**
 * Each example of ntfy's documentation that publishes (examples.json), sent by the program or language that it is shown for:
 * only the server's address, the topic and the token are other ones.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { examples, type Example, type Language } from "../../src/build/examples.ts";
import { type TestMessage, type TestTopic } from "../support/client.ts";
import { startPeal } from "../support/server.ts";
import { areHere, testWith } from "../support/tools.ts";
import { commandOf, environmentOf, sendAll, typed, type Target } from "./programs.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const { key } = await peal.mint("publish");

const PUBLISHING = examples().filter(({ gets }) => gets === undefined);
/** A topic goes by its key at the root, by its name below `/ntfy/{ns}`. */
const BASES = [
  ["by keys", "", ({ key: topic }: TestTopic) => topic],
  ["by names", "/ntfy/home", ({ name }: TestTopic) => name],
] as const;

let made = 0;
interface Place {
  topic: TestTopic;
  target: Target;
}

describe.each(BASES)("%s", (_, base, askedOf) => {
  const place = async (): Promise<Place> => {
    const topic = await peal.topic(`example-${++made}`);
    return { topic, target: { server: `${peal.url}${base}`, topic: askedOf(topic), other: "", key } };
  };

  for (const program of ["curl", "ntfy"] as const) {
    const shown = PUBLISHING.flatMap((example) =>
      (example[program] ?? []).map((args) => [args.replaceAll(/\s+/g, " "), args, example] as const),
    );
    const inSteps = PUBLISHING.filter((example) => example.steps !== undefined && example[program] !== undefined);

    testWith("bash", program).each(shown.filter(([, , { steps }]) => steps === undefined))(
      `${program} %s`,
      async (_shown, args, example) => {
        const { topic, target } = await place();
        const ended = await typed(commandOf(program, args, target), await environmentOf(target));
        if (example.refused !== undefined) {
          expect(ended.code).not.toBe(0);
          expect(await peal.history(topic)).toEqual([]);
          return;
        }
        expect(ended).toMatchObject({ code: 0, stderr: "" });
        await expectPromised(example, { topic, target }, ended.stdout);
      },
      20_000,
    );

    testWith("bash", program).each(inSteps.map((example) => [example.what, example] as const))(
      `${program}: %s`,
      async (_what, example) => {
        const { topic, target } = await place();
        const answers: NtfyAnswer[] = [];
        for (const args of example[program] ?? []) {
          const env = await environmentOf(target, answers[0]?.id);
          const ended = await typed(commandOf(program, args, target), env);
          expect(ended).toMatchObject({ code: 0, stderr: "" });
          answers.push(JSON.parse(ended.stdout) as NtfyAnswer);
        }
        await expectSteps(example, { topic, target }, answers);
      },
      20_000,
    );
  }

  const languages: (Language | "HTTP")[] = ["HTTP", "JavaScript", "Go", "PowerShell", "Python", "PHP"];
  for (const language of languages) {
    const sent = PUBLISHING.flatMap(({ http, by = [], ...example }) =>
      http !== undefined && (language === "HTTP" || by.includes(language)) ? [{ ...example, request: http }] : [],
    );
    test.skipIf(language === "Python" && !areHere("requests"))(
      `what is shown for ${language}`,
      async () => {
        const places = await Promise.all(sent.map(place));
        const requests = sent.map(({ request }, n) => ({ request, target: (places[n] as Place).target }));
        const answers = await sendAll(language, requests);
        expect(answers.length).toBe(sent.length);
        for (const [n, example] of sent.entries()) {
          const [{ status, text } = { status: 0, text: "" }, there] = [answers[n], places[n] as Place];
          const said = `${example.what}: ${text}`;
          if (example.refused === undefined) {
            expect([status, said]).toEqual([200, said]);
            await expectPromised(example, there, text);
          } else {
            expect([example.refused.includes(status), said]).toEqual([true, said]);
            expect(await peal.history(there.topic)).toEqual([]);
          }
        }
      },
      60_000,
    );

    const going = PUBLISHING.flatMap(({ requests, by = [], ...example }) =>
      requests !== undefined && (language === "HTTP" || by.includes(language)) ? [{ ...example, requests }] : [],
    );
    test.skipIf(language === "Python" && !areHere("requests"))(
      `what is shown for ${language} in several steps`,
      async () => {
        const all = await Promise.all(
          going.map(async (example) => ({ example, there: await place(), answers: [] as NtfyAnswer[] })),
        );
        const most = Math.max(...going.map(({ requests }) => requests.length));
        for (let step = 0; step < most; step++) {
          const now = all.flatMap(({ example, there, answers }) => {
            const request = example.requests[step];
            return request === undefined ? [] : [{ what: example.what, request, target: there.target, answers }];
          });
          const toSend = now.map(({ answers, ...one }) => ({ ...one, id: answers[0]?.id }));
          for (const [n, { status, text }] of (await sendAll(language, toSend)).entries()) {
            expect([now[n]?.what, status, text]).toEqual([now[n]?.what, 200, text]);
            now[n]?.answers.push(JSON.parse(text) as NtfyAnswer);
          }
        }
        for (const { example, there, answers } of all) await expectSteps(example, there, answers);
      },
      60_000,
    );
  }
});

/** The answers, what a poll finds after them, and the last message in peal's history say what the example promises. */
async function expectSteps(
  { steps, left, is }: Pick<Example, "steps" | "left" | "is">,
  { topic, target }: Place,
  answers: readonly NtfyAnswer[],
): Promise<void> {
  const promised = JSON.parse(JSON.stringify(steps).replaceAll("$id", answers[0]?.id ?? "")) as object[];
  expect(answers).toMatchObject(promised);
  expect(await polled(target, "&scheduled=1")).toMatchObject(left ?? promised);
  if (is !== undefined) expect((await peal.history(topic)).at(-1)).toMatchObject(is);
}

/** What ntfy's clients read of a message; no field is ever null. */
interface NtfyAnswer {
  id: string;
  time: number;
  event: string;
  topic: string;
  [field: string]: unknown;
}

const PRIORITIES: Record<string, number> = { low: 2, high: 4, urgent: 5 };

/** ntfy's object, in part, for a message of ours. */
function objectFor({ is = {}, answer = {}, waits }: Pick<Example, "is" | "answer" | "waits">): Record<string, unknown> {
  const { message, title, priority, tags, url, image, icon, actions, format, dedup_key } = is as Partial<TestMessage>;
  const object = {
    ...(waits ?? {}),
    ...{ message, title, tags, icon, click: url, sequence_id: dedup_key, priority: PRIORITIES[String(priority)] },
    ...(image !== undefined && { attachment: { url: image } }),
    ...(format === "markdown" && { content_type: "text/markdown" }),
    ...(actions !== undefined && {
      actions: (actions as object[]).map((action) => ({ clear: false, ...action })),
    }),
    ...answer,
  };
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** The answer, the history of peal, and what the phone is told, say what the example promises. */
async function expectPromised(example: Omit<Example, "http">, { topic, target }: Place, text: string): Promise<void> {
  const answered = JSON.parse(text) as NtfyAnswer;
  const waits = example.waits !== undefined;
  expect(answered).toMatchObject({ event: "message", topic: target.topic, ...objectFor(example) });
  expect(answered.id).toMatch(/^[0-9A-Za-z]{12}$/);
  expect(Number.isInteger(answered.time)).toBe(true);
  expect(Object.values(answered)).not.toContain(null);

  const history = await peal.history(topic);
  expect(history.length).toBe(waits ? 0 : 1);
  const [stored] = history;
  if (example.is !== undefined) expect(stored).toMatchObject(example.is);
  for (const field of example.lacks ?? []) expect(stored?.[field]).toBeUndefined();
  if (example.holds !== undefined) expect(JSON.stringify(stored)).toContain(example.holds);

  if (waits) expect(answered.time).toBeGreaterThan(Date.now() / 1000);
  expect(await polled(target, waits ? "&scheduled=1" : "")).toEqual([answered]);
}

async function polled({ server, topic }: Target, more = ""): Promise<NtfyAnswer[]> {
  const headers = { authorization: `Bearer ${peal.adminKey}` };
  const response = await fetch(`${server}/${topic}/json?poll=1${more}`, { headers });
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as NtfyAnswer);
}
