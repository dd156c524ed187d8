/** Passwords as argon2id: slow and large on purpose, so that only two are looked at at once (WEB.md §1). */
import { problem } from "../http/problem.ts";
import { MAX_PASSWORD, passwordForm } from "./person.ts";

/** 19 MiB and two passes: what OWASP's Password Storage Cheat Sheet asks for at the least; 30 ms, and fine on a small NAS. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Of a password that nobody knows: what is checked where there is no such person takes as long. */
const NOBODY =
  "$argon2id$v=19$m=19456,t=2,p=1$KLpTk6YzYSi8St+g0SyMtrYywytDHPXAnH5LG9aF5YE$2vLtMm21D3cRqJq4/3Wv07VnRqEO0YS+Scm2xzxK5sw";

const AT_ONCE = 2;
/** Whoever comes after them would wait for seconds. */
const MAX_WAITING = 50;

let running = 0;
const waiting: (() => void)[] = [];

/** As it is stored. @throws Problem 429 when too many wait */
export const hashPassword = async (password: string): Promise<string> =>
  inTurn(async () => Bun.password.hash(passwordForm(password), COST));

/** Whether it is the password of this hash; without one it takes as long, and is false. @throws Problem 429 when too many wait */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const form = passwordForm(password);
  const isUsable = form !== "" && Buffer.byteLength(form) <= MAX_PASSWORD;
  const matches = await inTurn(async () => Bun.password.verify(isUsable ? form : "-", hash ?? NOBODY));
  return matches && isUsable && hash !== undefined;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MAX_WAITING)
    throw problem.rateLimited("Too many passwords wait to be checked. Try again in a moment.", { "retry-after": "2" });
  if (running >= AT_ONCE)
    await new Promise<void>((go) => {
      waiting.push(go);
    });
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift(); // is given the turn
    if (next === undefined) running -= 1;
    else next();
  }
}
