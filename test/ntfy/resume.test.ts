/** Whatever happens in between, a reader of several topics gets each message once, in the order of the commits (NTFY.md §6). */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { TestTopic } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import type { NtfyMessage } from "../support/ntfy.ts";
import { IS_THOROUGH, ROUNDS } from "../support/rounds.ts";
import { inProcess } from "../support/server.ts";
import { poll, readLines, readSocket, type Reading } from "./reader.ts";

const LIVES = (IS_THOROUGH ? 12 : 6) * ROUNDS;
const TOPICS = 3;

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

type Step =
  | { kind: "publish"; to: number; count: number }
  | { kind: "delete"; of: number; back: number }
  | { kind: "connect"; reader: number; by: "json" | "ws" | "poll" }
  | { kind: "cut"; reader: number };

const READERS = 3;
// prettier-ignore
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("publish" as const), to: fc.nat(TOPICS - 1), count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), of: fc.nat(TOPICS - 1), back: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("connect" as const), reader: fc.nat(READERS - 1), by: fc.constantFrom("json" as const, "ws" as const, "poll" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cut" as const), reader: fc.nat(READERS - 1) }) },
);

/** A client that keeps what it was told, and resumes by its last id. */
class Reader {
  readonly got: NtfyMessage[] = [];
  /** It resumed by a message that was deleted, so others may have come again: only then, and with the same ids. */
  mayHaveTwice = false;
  readonly #url: string;
  readonly #deleted: ReadonlySet<string>;
  #open: Reading | undefined;

  constructor(url: string, deleted: ReadonlySet<string>) {
    this.#url = url;
    this.#deleted = deleted;
  }

  /** What it shows: a client knows a message by its id. */
  get texts(): string[] {
    const shown = this.mayHaveTwice ? [...new Map(this.got.map((one) => [one.id, one])).values()] : this.got;
    return shown.map(({ message }) => message ?? "");
  }

  get since(): string {
    return this.got.at(-1)?.id ?? "all";
  }

  async connect(by: "json" | "ws" | "poll"): Promise<void> {
    await this.cut();
    this.mayHaveTwice ||= this.#deleted.has(this.got.at(-1)?.message ?? "");
    const url = `${this.#url}/${by === "ws" ? "ws" : "json"}?since=${this.since}`;
    if (by === "poll") this.got.push(...(await poll(`${url}&poll=1`)));
    else this.#open = by === "ws" ? await readSocket(url) : await readLines(url);
  }

  /** What came is kept, as far as it came. */
  async cut(): Promise<void> {
    await this.#open?.close();
    this.got.push(...(this.#open?.objects() ?? []).filter(({ event }) => event === "message"));
    this.#open = undefined;
  }
}

test(`several topics, deletions, lost connections: no hole, no repeat, in ${LIVES} lives`, async () => {
  let life = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      life++;
      const topics: TestTopic[] = [];
      for (let n = 0; n < TOPICS; n++) topics.push(await peal.topic(`life-${life}-${n}`));
      const url = `${peal.url}/${topics.map(({ key }) => key).join(",")}`;
      const published: string[] = [];
      const last = new Array<number>(TOPICS).fill(0);
      const deleted = new Set<string>();
      const readers = Array.from({ length: READERS }, () => new Reader(url, deleted));
      for (const each of steps) {
        if (each.kind === "publish")
          for (let n = 0; n < each.count; n++) {
            const text = `${each.to} ${(last[each.to] ?? 0) + 1}`;
            await peal.publish(topics[each.to] ?? { namespace: "", name: "" }, text);
            published.push(text);
            last[each.to] = (last[each.to] ?? 0) + 1;
          }
        if (each.kind === "delete") {
          const id = (last[each.of] ?? 0) - each.back;
          const text = `${each.of} ${id}`;
          // the place of a reader is tried by its own test; one that is connected may have it all the same
          if (id < 1 || readers.some(({ got }) => got.at(-1)?.message === text)) continue;
          await peal.api("DELETE", `/v1/home/${topics[each.of]?.key}/messages/${id}`);
          deleted.add(text);
        }
        if (each.kind === "connect") await readers[each.reader]?.connect(each.by);
        if (each.kind === "cut") await readers[each.reader]?.cut();
      }
      const kept = published.filter((text) => !deleted.has(text));
      for (const reader of readers) {
        await reader.connect("poll");
        const { texts } = reader;
        expect(texts).toEqual(published.filter((text) => texts.includes(text))); // in order, none twice
        expect(kept.filter((text) => !texts.includes(text))).toEqual([]);
      }
    }),
    { numRuns: LIVES },
  );
}, 120_000);

test("where the last message of a reader was deleted, nothing is missing; of other topics some may come again", async () => {
  const [a, b] = [await peal.topic("again-a"), await peal.topic("again-b")];
  const url = `${peal.url}/${a.key},${b.key}/json?poll=1`;
  for (const [n, topic] of [a, b, a, b, b].entries()) await peal.publish(topic, `${n}`);
  const third = (await poll(url))[2]?.id ?? "";
  await peal.api("DELETE", `/v1/home/${a.key}/messages/2`);
  expect((await poll(`${url}&since=${third}`)).map(({ message }) => message)).toEqual(["1", "3", "4"]);
  expect((await poll(`${peal.url}/${a.key}/json?poll=1&since=${third}`)).map(({ message }) => message)).toEqual([]);
});

test("a reader that is live meanwhile hears every message of a burst over all topics", async () => {
  const topics: TestTopic[] = [];
  for (let n = 0; n < TOPICS; n++) topics.push(await peal.topic(`burst-${n}`));
  const url = `${peal.url}/${topics.map(({ key }) => key).join(",")}`;
  const readers = [await readLines(`${url}/json`), await readSocket(`${url}/ws`)];
  await Promise.all(readers.map(async (reader) => reader.opened()));
  const burst = Array.from({ length: 600 }, async (_, n) =>
    peal.publish(topics[n % TOPICS] ?? { namespace: "", name: "" }, `${n}`),
  );
  await Promise.all(burst);
  const expected = (await poll(`${url}/json?poll=1`)).map(({ message }) => message);
  expect(expected).toHaveLength(600);
  for (const reader of readers) {
    await eventually("all of them", () => reader.messages().length === 600);
    expect(reader.messages()).toEqual(expected);
    await reader.close();
  }
});
