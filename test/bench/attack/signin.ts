/** 70 connections, each request from a new IPv6 network, guess passwords at full speed: does the owner get in, and how soon? */
import type { Bench, Row } from "../bench.ts";
import { freshDirectory } from "../machine.ts";
import { startPeal } from "../servers.ts";

const CONNECTIONS = 70;
const OWNER = { name: "mara", password: "correct horse battery" };
const HOME = "192.0.2.7";
/** How often someone who is told to wait tries again, and for how long. */
const AGAIN_MS = 2_000;
const PATIENCE_MS = 12_000;

/** Addresses that have not been used before: in another /64 of one /48 each time, or in another /48. */
const FRESH = {
  "/64s of one site": (n: number) => `2001:db8:1:${(n % 65_536).toString(16)}::${(n >> 16).toString(16)}`,
  "/48s": (n: number) => `2001:${(0xdb8 + (n >> 16)).toString(16)}:${(n % 65_536).toString(16)}::1`,
};

export async function attackSignIn({ program, isQuick }: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [networks, fresh] of Object.entries(FRESH))
    rows.push(...(await attack(program, networks, fresh, isQuick)));
  return rows;
}

async function attack(
  program: Bench["program"],
  networks: string,
  fresh: (n: number) => string,
  isQuick: boolean,
): Promise<Row[]> {
  const env = { PEAL_ADMIN_NAME: OWNER.name, PEAL_ADMIN_PASSWORD: OWNER.password, PEAL_LOG: "error" };
  await using peal = await startPeal(program, { dataDir: freshDirectory(), env });
  const signIn = async (address: string, form: object) => {
    const headers = { "sec-fetch-site": "same-origin", "x-forwarded-for": address };
    const init = { method: "POST", headers, body: new URLSearchParams({ ...form }), redirect: "manual" } as const;
    const answered = await fetch(`${peal.url}/-/login`, init);
    await answered.arrayBuffer();
    return answered.status;
  };
  if ((await signIn(HOME, OWNER)) !== 303) throw new Error("the owner cannot sign in at all");

  let isOver = false;
  let guesses = 0;
  const guess = async () => {
    while (!isOver) {
      const n = guesses++;
      await signIn(fresh(n), { name: `name ${n}`, password: "wrong wrong wrong" });
    }
  };
  const guessers = Array.from({ length: CONNECTIONS }, guess);
  await Bun.sleep(1_000);

  /** Tries until the sign-in succeeds or `PATIENCE_MS` is over. */
  const comesIn = async (address: string): Promise<{ first: boolean; isIn: boolean; ms: number }> => {
    const started = performance.now();
    for (let tries = 1; performance.now() - started < PATIENCE_MS; tries++) {
      if ((await signIn(address, OWNER)) === 303)
        return { first: tries === 1, isIn: true, ms: performance.now() - started };
      await Bun.sleep(AGAIN_MS);
    }
    return { first: false, isIn: false, ms: performance.now() - started };
  };
  const visits = isQuick ? 3 : 10;
  const seen = { home: [] as Awaited<ReturnType<typeof comesIn>>[], away: [] as Awaited<ReturnType<typeof comesIn>>[] };
  const beside = async (kind: "home" | "away") => {
    for (let n = 0; n < visits; n++) seen[kind].push(await comesIn(kind === "home" ? HOME : `198.51.100.${n}`));
  };
  await Promise.all([beside("home"), beside("away")]);
  isOver = true;
  await Promise.all(guessers);
  return [
    ...told(`where they are signed in, guesses from fresh ${networks}`, seen.home),
    ...told(`at a new address, guesses from fresh ${networks}`, seen.away),
  ];
}

function told(where: string, seen: readonly { first: boolean; isIn: boolean; ms: number }[]): Row[] {
  const share = (is: (one: (typeof seen)[number]) => boolean) => (100 * seen.filter(is).length) / seen.length;
  return [
    { what: `sign-in ${where}: at the first try`, unit: "%", peal: share(({ first }) => first) },
    {
      what: `… within ${PATIENCE_MS / 1_000} s, trying again`,
      unit: "%",
      peal: share(({ isIn }) => isIn),
      target: "100",
    },
    { what: "… at worst", unit: "ms", peal: Math.max(...seen.map(({ ms }) => ms)) },
  ];
}
