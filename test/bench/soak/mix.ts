/** The load of a busy home and a small company at once, each part at its own steady rate. */
import { fixtures } from "../../rewrites/fixtures.ts";
import type { Peal } from "../servers.ts";
import type { Book } from "./book.ts";
import type { Pacer } from "./pace.ts";
import type { Phones } from "./phones.ts";
import { openReader, type Reader } from "./readers.ts";

const PUBLISHED = Array.from({ length: 10 }, (_, n) => `soak-${n}`);
/** Topics that are read from their first message to the last. */
export const TOPICS = [...PUBLISHED, "hooked", "pushed", "files"] as const;
const READERS = 300;
const CHECKS = 25;
const FILE_BYTES = 100_000;
/** Times a second. */
const RATES = {
  publish: 200,
  hook: 20,
  ping: 50,
  page: 5,
  push: 1,
  fault: 0.5,
  interrupted: 3,
  file: 0.2,
  registered: 0.05,
};

interface Mix {
  peal: Peal;
  book: Book;
  pacer: Pacer;
  phones: Phones;
  /** Of an admin who looks at pages. */
  cookie: string;
  /** Whether readers are opened that nobody closes. */
  leaks: boolean;
  /** By which all rates are multiplied, and the number of readers. */
  share: number;
}

interface Load {
  /** Topic keys by name. */
  topics: ReadonlyMap<string, string>;
  /** Milliseconds of the publishes since it was last asked. */
  takeLatencies(): number[];
  /** Pages that were answered 429. */
  refused(): number;
  /** Ends the readers. */
  close(): void;
}

interface Answered {
  id: number;
  message: string;
  topic: string;
}

/** Makes what it needs and begins; it goes on until the pacer is stopped. */
export async function mix({ peal, book, pacer, phones, cookie, leaks, share }: Mix): Promise<Load> {
  const topics = new Map<string, string>();
  for (const name of TOPICS) topics.set(name, await peal.topic(name));
  const asked = async <T>(path: string, init: RequestInit, status: number): Promise<T> => {
    const answer = await fetch(new URL(path, peal.url), {
      ...init,
      headers: { authorization: `Bearer ${peal.key}`, ...(init.headers as Record<string, string> | undefined) },
    });
    const text = await answer.text();
    if (answer.status !== status)
      throw new Error(`${path.replace(/[^/]{20,}/, "…")}: ${answer.status} ${text.slice(0, 200)}`);
    return (text.startsWith("{") ? JSON.parse(text) : undefined) as T;
  };
  const made = async <T>(path: string, body: object): Promise<T> =>
    asked<T>(
      path,
      { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
      201,
    );
  const pings: string[] = [];
  for (let n = 0; n < CHECKS; n++) {
    const { ping_url } = await made<{ ping_url: string }>("/v1/home/checks", {
      name: `job ${n}`,
      topic: "soak-0",
      every: 86_400,
    });
    pings.push(new URL(ping_url).pathname);
  }
  const { url: hook } = await made<{ url: string }>("/v1/home/hooks", { topic: "hooked" });
  await phones.register(peal, topics.get("pushed") ?? "");

  const follow = async (name: string): Promise<Reader> =>
    openReader(`${peal.url}/home/${topics.get(name) ?? ""}/events`, { book, topic: name });
  // the first of each topic are there from its first message to the last
  const steady = await Promise.all(TOPICS.map(follow));
  const others: Reader[] = [];
  for (let n = steady.length; n < READERS * share; n++) others.push(await follow(turnOf(TOPICS, n)));

  let took: number[] = [];
  const counters = { publish: 0, hook: 0, ping: 0, page: 0, interrupted: 0 };
  const publish = async (name: string) => {
    const text = book.next();
    const startedAt = performance.now();
    const { id } = await made<Answered>(`/home/${name}`, { message: text });
    took.push(performance.now() - startedAt);
    book.acknowledged(name, id, text);
  };
  pacer.every(share * RATES.publish, async () => publish(turnOf(PUBLISHED, counters.publish++)));
  pacer.every(share * RATES.push, async () => publish("pushed"));
  pacer.every(share * RATES.hook, async () => {
    const { raw } = turnOf(fixtures, counters.hook++);
    const init = { method: "POST", body: raw, headers: { "content-type": "application/json" } };
    const { id, message } = await asked<Answered>(hook, init, 201);
    book.acknowledged("hooked", id, message);
  });
  pacer.every(share * RATES.ping, async () => {
    const path = turnOf(pings, counters.ping++);
    await asked(counters.ping % 20 === 0 ? `${path}/start` : path, { method: "POST", body: "done" }, 200);
  });
  const pages = ["/-/", "/-/checks", ...PUBLISHED.map((name) => `/home/${topics.get(name) ?? ""}`)];
  let refused = 0;
  pacer.every(share * RATES.page, async () => {
    const answer = await fetch(peal.url + turnOf(pages, counters.page++), { headers: { cookie } });
    await answer.text();
    if (answer.status === 429)
      refused++; // pages give way to messages where the machine is busy
    else if (answer.status !== 200) throw new Error(`a page was answered ${answer.status}`);
  });
  pacer.every(share * RATES.interrupted, async () => turnOf(others, counters.interrupted++).interrupt());
  pacer.every(share * RATES.file, async () => {
    const body = crypto.getRandomValues(new Uint8Array(FILE_BYTES / 2)).toHex();
    const { id, message } = await asked<Answered>(
      "/home/files",
      { method: "POST", body, headers: { filename: "log.txt" } },
      201,
    );
    book.acknowledged("files", id, message);
  });
  pacer.every(share * RATES.fault, () => {
    phones.fail();
  });
  pacer.every(share * RATES.registered, async () => phones.register(peal, topics.get("pushed") ?? ""));
  const leaked: Reader[] = [];
  if (leaks) pacer.every(1, async () => leaked.push(await follow("files")));
  return {
    topics,
    refused: () => refused,
    takeLatencies: () => {
      const taken = took;
      took = [];
      return taken;
    },
    close: () => {
      for (const reader of [...steady, ...others, ...leaked]) reader.close();
    },
  };
}

function turnOf<T>(of: readonly T[], n: number): T {
  const found = of[n % of.length];
  if (found === undefined) throw new Error("there is none");
  return found;
}
