/** Strangers who fill every place keep no one out (OPERATIONS.md §6). The test decides when the check of a password ends. */
import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { createQueue } from "../../src/accounts/queue.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { turns } from "../support/turns.ts";
import { cookieOf, login, PASSWORD, person, SAME_SITE } from "../support/signin.ts";

const WRONG = "not her password";
const FIRST = 2; // these are being checked
const WAITING = 100;
const HOME = "192.0.2.7";
const AWAY = "198.51.100.7";
/** An address in a separate site. */
const siteOf = (n: number) => `2001:db8:${n.toString(16)}::1`;
const from = (address: string) => ({ headers: { ...SAME_SITE, "x-forwarded-for": address } });
const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

const confirm = async (peal: InProcess, cookie: string, password = PASSWORD, address = AWAY) =>
  peal.request("/-/confirm", {
    method: "POST",
    headers: { cookie, ...from(address).headers },
    body: new URLSearchParams({ password }),
  });

/** A server on which the check of a password ends when the test says so. */
async function crowd(limit = "10/m:10") {
  const clock = heldClock();
  const peal = await inProcess({ clock, env: { PEAL_LIMITS_AUTH: limit } });
  await person(peal);
  const looks: (() => void)[] = [];
  let isHeld = true;
  const spy = spyOn(Bun.password, "verify");
  spy.mockImplementation(async (password) => {
    if (isHeld)
      await new Promise<undefined>((go) => {
        looks.push(() => {
          go(undefined);
        });
      });
    return password === PASSWORD;
  });
  const statuses = new Map<string, number>();
  const finish = async () => (await eventually("a password that is looked at", () => looks.shift()))();
  return {
    ...{ peal, clock, statuses, finish },
    /** Signs in from an address, with the right password unless `spec` says otherwise. */
    signIn: async (address: string, spec: Parameters<typeof login>[1] = {}) => login(peal, spec, from(address)),
    /** Makes unknown people sign in, each from a separate site; `statuses` collects the answers. */
    strangers: (sites: readonly number[]) => {
      for (const n of sites)
        void login(peal, { name: `name ${n}`, password: WRONG }, from(siteOf(n))).then(
          ({ status }) => statuses.set(siteOf(n), status),
          () => undefined, // the test is over
        );
    },
    release: () => {
      isHeld = false;
      for (const look of looks.splice(0)) look();
    },
    [Symbol.asyncDispose]: async () => {
      isHeld = false;
      for (const look of looks.splice(0)) look();
      await peal[Symbol.asyncDispose]();
      spy.mockRestore();
    },
  };
}

/** Takes all places: one attempt more than there are places is refused. */
async function full({ strangers, statuses }: Awaited<ReturnType<typeof crowd>>) {
  strangers(range(1, FIRST + WAITING + 1));
  await eventually("one without a place", () => statuses.size === 1);
  expect([...statuses.values()]).toEqual([503]);
  statuses.clear();
}

describe("while strangers fill every place", () => {
  test("someone who finds none gets an explanation, and it does not count as a failed try", async () => {
    await using peal = await crowd("1/h:1");
    await full(peal);
    for (let times = 0; times < 6; times++) {
      const busy = await peal.signIn(AWAY);
      expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "2"]);
      const form = await busy.text();
      expect(form).toContain("Try again in 2 seconds");
      expect(form).toMatch(/<form [^>]*action="\/-\/login\?to=%2F-%2F"[^]*<input [^>]*value="mara"/);
      expect(form).not.toMatch(/don’t match|aria-invalid/);
    }
    const figures = await (await peal.peal.request("/metrics")).text();
    expect(figures).toContain('peal_rate_limited_total{limit="passwords"} 7\n');
    peal.release();
    await eventually("the end of the crowd", () => peal.statuses.size === FIRST + WAITING);
    expect((await peal.signIn(AWAY)).status).toBe(303);
  });

  test("a session that confirms, an address that is signed in, and peal.sock have their own places", async () => {
    await using peal = await crowd();
    const first = peal.signIn(HOME);
    await peal.finish();
    const cookie = cookieOf(await first);
    await full(peal);
    const made = peal.peal.local("/-/local/people", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "jonas", admin: true, password: PASSWORD }),
    });
    // of two at once one waits, and the other is told so
    const twice = async (ask: () => Promise<Response>) => {
      const both = [ask(), ask()];
      expect((await Promise.race(both)).status).toBe(503);
      return both;
    };
    const waiting = [
      ...(await twice(async () => confirm(peal.peal, cookie))),
      ...(await twice(async () => peal.signIn(HOME))),
    ];
    for (let ended = 0; ended < FIRST + 2; ended++) await peal.finish();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 303, 503, 503]);
    expect((await made).status).toBe(201);
    expect(peal.statuses.size).toBeLessThanOrEqual(FIRST);
  });

  test("someone who tries again goes before a flood from ever new sites", async () => {
    await using peal = await crowd();
    await full(peal);
    peal.clock.advance(1_000);
    expect((await peal.signIn(AWAY)).status).toBe(503);
    peal.clock.advance(2_000);
    await peal.finish();
    peal.strangers([500]); // into the place that has become free
    await eventually("the answer to the first", () => peal.statuses.size === 1);
    const again = peal.signIn(AWAY);
    await eventually("the newcomer, sent away", () => peal.statuses.get(siteOf(500)) === 503);
    // only those that were there before it go first: one per check, and newcomers take each place that becomes free
    for (const n of range(501, FIRST + WAITING)) {
      peal.strangers([n]);
      await peal.finish();
      peal.clock.advance(30);
    }
    expect((await again).status).toBe(303);
  });

  test("a site waits only once, whichever of its addresses asks", async () => {
    await using peal = await crowd();
    peal.strangers([1, 2]);
    const both = ["2001:db8:9:1::1", "2001:db8:9:2::1"].map(async (address) => peal.signIn(address));
    expect((await Promise.race(both)).status).toBe(503);
    peal.release();
    expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([303, 503]);
  });
});

describe("a place in the queue", () => {
  const never = new Promise<undefined>(() => undefined);

  test("is free again once its client disconnects", async () => {
    const queue = createQueue(heldClock(), () => undefined);
    for (const n of [1, 2]) void queue.run({ kind: "stranger", address: siteOf(n) }, async () => never);
    const gone = new AbortController();
    const wait = async (signal?: AbortSignal) =>
      queue.run({ kind: "stranger", address: AWAY }, async () => never, signal).catch((error: unknown) => error);
    const first = wait(gone.signal);
    expect(await wait()).toMatchObject({ code: "sign_in_busy" });
    gone.abort();
    expect(await first).toMatchObject({ code: "sign_in_busy" });
    expect(await Promise.race([wait(), Promise.resolve("waits")])).toBe("waits");
  });

  test("goes to whoever has been asking longest, each once, in whatever order they come", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(300), fc.nat(40)), { minLength: 150, maxLength: 400 }),
        async (asks) => {
          const clock = heldClock();
          const queue = createQueue(clock, () => undefined);
          const ends: (() => void)[] = [];
          const since = new Map<string, number>();
          const waiting = new Set<string>();
          const looked: string[] = [];
          const hold = async () =>
            new Promise<undefined>((resolve) => {
              ends.push(() => {
                resolve(undefined);
              });
            });
          for (const n of [1_000, 1_001]) void queue.run({ kind: "stranger", address: siteOf(n) }, hold);
          for (const [site, ms] of asks) {
            clock.advance(ms);
            const address = siteOf(site);
            since.set(address, since.get(address) ?? clock.monotonic());
            if (waiting.has(address)) continue;
            waiting.add(address);
            const work = async () => {
              looked.push(address);
              await Promise.resolve();
            };
            void queue.run({ kind: "stranger", address }, work).catch(() => waiting.delete(address));
            await Promise.resolve();
          }
          await turns();
          const expected = [...waiting].map((address) => since.get(address) ?? 0).toSorted((a, b) => a - b);
          for (const end of ends) end();
          await turns();
          expect(waiting.size).toBe(Math.min(WAITING, since.size));
          expect(looked.map((address) => since.get(address) ?? 0)).toEqual(expected);
          const longest = [...since.values()].toSorted((a, b) => a - b).slice(0, WAITING);
          expect(expected).toEqual(longest);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("a name that is guessed from everywhere", () => {
  /** A server on which the name's tries of a minute are used up. */
  async function guessed() {
    const peal = await crowd();
    peal.release();
    const guess = async (n: number) => (await peal.signIn(siteOf(n), { password: WRONG })).status;
    for (const n of range(1, 40)) expect(await guess(n)).toBe(422);
    expect(await guess(41)).toBe(429);
    return { ...peal, guess };
  }

  test("lets its owner, who tries again from a new address, in before any newcomer", async () => {
    await using peal = await guessed();
    peal.clock.advance(31_000); // long enough for the guesser to have given up
    for (const n of range(100, 20)) expect(await peal.guess(n)).toBe(422);
    expect(await peal.guess(120)).toBe(429);
    expect((await peal.signIn(AWAY)).status).toBe(429);
    peal.clock.advance(3_000); // two more tries: one is for the client that came before
    expect([await peal.guess(200), (await peal.signIn(AWAY)).status]).toEqual([429, 303]);
  });

  test("lets its owner in after those who have been trying longer, and still do, had their turn", async () => {
    await using peal = await guessed();
    const others = range(100, 20);
    for (const n of others) expect(await peal.guess(n)).toBe(429);
    const seen: number[] = [];
    for (let times = 0; times < 20 && seen.at(-1) !== 303; times++) {
      peal.clock.advance(5_000);
      for (const n of [...others, 1_000 + times]) await peal.guess(n);
      seen.push((await peal.signIn(AWAY)).status);
    }
    expect(seen.at(-1)).toBe(303);
    expect(seen.length).toBeLessThan(12); // of 22 attempts there are 3 in 5 s
  });
});

test("strangers at the same address keep out neither its sessions nor its people", async () => {
  await using peal = await crowd("2/m:2");
  peal.release();
  const cookie = cookieOf(await peal.signIn(HOME));
  for (const status of [422, 422, 429])
    expect((await peal.signIn(HOME, { name: "nobody", password: WRONG })).status).toBe(status);
  expect((await confirm(peal.peal, cookie, PASSWORD, HOME)).status).toBe(303);
  expect((await peal.signIn(HOME)).status).toBe(303);
  // and the signed-in person has no more tries there than others
  const failed = [];
  for (let n = 0; n < 3; n++) failed.push((await peal.signIn(HOME, { password: WRONG })).status);
  expect(failed).toEqual([422, 422, 429]);
});

test("a correct set-up code is not a failed try, whatever else is wrong", async () => {
  await using peal = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_AUTH: "1/h:1" }, unclaimed: true });
  const claim = async (fields: object) => {
    const form = { code: peal.running.setupCode ?? "", name: "Mara", password: PASSWORD, ...fields };
    const headers = { accept: "text/html", ...SAME_SITE };
    return (await peal.request("/-/setup", { method: "POST", headers, body: new URLSearchParams(form) })).status;
  };
  expect([await claim({ password: "short" }), await claim({ name: "" })]).toEqual([422, 422]);
  expect([await claim({}), await claim({ code: "AAAA" })]).toEqual([200, 409]);
});
