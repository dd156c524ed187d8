/** A client that pings without end is always heard, one that guesses is slowed down (CHECKINS.md §2). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Coalescer } from "../../src/checks/ping/coalesce.ts";
import { heldClock } from "../support/clock.ts";
import { checkOf, eventsOf, kindsOf, newCheck, ping, pingKeyUrl } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";

const UNKNOWN = "0123456789abcdefghjkmnpqrs";

describe("a client that guesses tokens", () => {
  test("is refused after 30 tries in any form, while known tokens always work", async () => {
    await using peal = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_PING: "30/m:30" } });
    const { id, ping_url } = await newCheck(peal, { slug: "known" });
    const byKey = await pingKeyUrl(peal);
    const guesses = [
      `/v1/ping/${UNKNOWN}`,
      `/v1/ping/${UNKNOWN}/start`,
      `/v1/ping/x`,
      `/v1/ping/pk_${UNKNOWN}/job?create=1`,
      `${byKey}/unknown`,
      `/api/push/${UNKNOWN}`,
    ];
    const statuses = [];
    for (let n = 0; n < 31; n++) statuses.push((await peal.request(guesses[n % guesses.length] ?? "")).status);
    expect(statuses).toEqual([...Array<number>(30).fill(404), 429]);
    for (const guess of guesses) {
      const refused = await peal.request(guess);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await answer(429, refused)).toMatchObject({ code: "rate_limited" });
    }
    expect(await ping(peal, `${ping_url}/log`)).toEqual([200, "ok"]);
    expect(await ping(peal, `${byKey}/known/log`)).toEqual([200, "ok"]);
    expect(await kindsOf(peal, id)).toEqual(["log", "log"]);
  });
});

const coalesced = (response: Response) => response.headers.get("ping-coalesced");

describe("a client that pings without end", () => {
  test("always gets 200: beyond 60 a minute successes share a write", async () => {
    await using peal = await inProcess();
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    const answers = await Promise.all(Array.from({ length: 100 }, async () => peal.request(ping_url)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const shared = answers.map(coalesced).filter((header) => header !== null);
    expect(new Set(shared)).toEqual(new Set(["1"]));
    expect(shared.length).toBeGreaterThan(20);
    expect(shared.length).toBeLessThanOrEqual(40);
    expect(await checkOf(peal, id)).toMatchObject({ state: "up" });
  });

  test("is heard at once when it reports more: starts, fails, exit codes, logs, the end of a run", async () => {
    await using peal = await inProcess();
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    await Promise.all(Array.from({ length: 70 }, async () => peal.request(ping_url)));
    for (const path of ["/start?rid=a", "?rid=a", "/fail", "/0", "/1", "/log"])
      expect([path, coalesced(await peal.request(ping_url + path))]).toEqual([path, null]);
    const after = (await eventsOf(peal, id)).filter(
      ({ rid, kind, exit }) => rid !== undefined || kind !== "ok" || exit === 0,
    );
    expect(after.map(({ kind }) => kind)).toEqual(["start", "ok", "fail", "down", "ok", "up", "fail", "down", "log"]);
  });
});

test("has its waiting successes written before a fail", async () => {
  const clock = heldClock();
  await using peal = await inProcess({ clock });
  const { ping_url } = await newCheck(peal, { every: "1d" });
  await Promise.all(Array.from({ length: 60 }, async () => peal.request(ping_url)));
  let shared: string | null | undefined;
  const waiting = peal.request(ping_url).then((response) => (shared = coalesced(response)));
  await eventually("the answer, which no time brings", async () => {
    await ping(peal, `${ping_url}/fail`);
    return shared !== undefined;
  });
  expect(await waiting).toBe("1");
});

describe("successes that share a write", () => {
  /** Sends one success after each gap; returns when there were writes, and what each ping was answered. */
  async function run(gaps: readonly number[]) {
    const clock = heldClock();
    const coalescer = new Coalescer<number>(clock);
    const written: number[] = [];
    const pings: Promise<{ calledAt: number; result: number; isCoalesced: boolean }>[] = [];
    for (const gap of gaps) {
      clock.advance(gap);
      const calledAt = clock.monotonic();
      const write = async () => {
        written.push(clock.monotonic());
        return Promise.resolve(calledAt);
      };
      pings.push(coalescer.success("one", write).then((outcome) => ({ ...outcome, calledAt })));
    }
    clock.advance(1_000);
    return { written, pings: await Promise.all(pings) };
  }

  test("each is written within a second of its arrival; at first 60 at once, then one a second more", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 300 }), { minLength: 100, maxLength: 400 }), async (gaps) => {
        const { written, pings } = await run(gaps);
        for (const { calledAt, result, isCoalesced } of pings) {
          const at = written.find((time) => time >= calledAt) ?? Infinity;
          expect(at - calledAt).toBeLessThanOrEqual(isCoalesced ? 1_000 : 0);
          expect(result).toBeGreaterThanOrEqual(calledAt);
        }
        for (const from of written) {
          const within = written.filter((at) => at >= from && at < from + 60_000).length;
          expect(within).toBeLessThanOrEqual(60 + 60 + 1);
        }
      }),
    );
  });

  test("of 70 at once 60 are written immediately, and the others together a second later", async () => {
    const { written, pings } = await run(Array<number>(70).fill(0));
    expect([written.length, written.at(-1)]).toEqual([61, 1_000]);
    expect(pings.filter(({ isCoalesced }) => isCoalesced).length).toBe(10);
  });

  test("other pings are written after them", async () => {
    const coalescer = new Coalescer<string>(heldClock());
    const order: string[] = [];
    const write = (name: string) => async () => {
      order.push(name);
      return Promise.resolve(name);
    };
    await Promise.all(Array.from({ length: 60 }, async () => coalescer.success("one", write("ok"))));
    const waiting = coalescer.success("one", write("waited"));
    const other = coalescer.success("other", write("other"));
    expect(order.slice(60)).toEqual(["other"]);
    coalescer.flush("one");
    order.push("fail");
    expect(await Promise.all([waiting, other])).toEqual([
      { result: "waited", isCoalesced: true },
      { result: "other", isCoalesced: false },
    ]);
    expect(order.slice(60)).toEqual(["other", "waited", "fail"]);
  });

  test("a failed write fails for all of them, and the next one is tried", async () => {
    const clock = heldClock();
    const coalescer = new Coalescer<string>(clock);
    await Promise.all(
      Array.from({ length: 60 }, async () => coalescer.success("one", async () => Promise.resolve("ok"))),
    );
    const refused = async () => Promise.reject(new Error("no room"));
    const waiting = [coalescer.success("one", refused), coalescer.success("one", refused)];
    const settled = Promise.allSettled(waiting);
    clock.advance(1_000);
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = coalescer.success("one", async () => Promise.resolve("ok"));
    clock.advance(1_000);
    expect(await next).toEqual({ result: "ok", isCoalesced: true });
  });

  test("beyond 20,000 checks the least recent is forgotten, and its waiting successes are written", async () => {
    const coalescer = new Coalescer<string>(heldClock());
    const write = async () => Promise.resolve("ok");
    await Promise.all(Array.from({ length: 60 }, async () => coalescer.success("first", write)));
    const waiting = coalescer.success("first", write);
    await Promise.all(Array.from({ length: 20_000 }, async (_, n) => coalescer.success(String(n), write)));
    expect(await waiting).toEqual({ result: "ok", isCoalesced: true });
    expect(await coalescer.success("first", write)).toEqual({ result: "ok", isCoalesced: false });
  });
});
