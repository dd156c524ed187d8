/** Passwords as argon2id: slow and large on purpose, so that they are looked at in turn (WEB.md §1). */
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Clock } from "../util/clock.ts";
import { seldom } from "../util/seldom.ts";
import { MAX_PASSWORD, passwordForm } from "../names/person.ts";
import { createQueue, type Place } from "./queue.ts";

/** 19 MiB and two passes: what OWASP's Password Storage Cheat Sheet asks for at the least; 30 ms, and fine on a small NAS. */
const COST = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** The hash of a password that nobody knows: checking the password of an unknown name takes as long. */
const NOBODY =
  "$argon2id$v=19$m=19456,t=2,p=1$KLpTk6YzYSi8St+g0SyMtrYywytDHPXAnH5LG9aF5YE$2vLtMm21D3cRqJq4/3Wv07VnRqEO0YS+Scm2xzxK5sw";

export interface Passwords {
  /** The hash to store; only known people may have one made. @throws Problem 503 `sign_in_busy` */
  hash(password: string): Promise<string>;
  /** Whether it is the password of this hash; without one it takes as long, and is false. @throws Problem 503 `sign_in_busy` */
  isRight(password: string, hash: string | undefined, place: Place, signal?: AbortSignal): Promise<boolean>;
}

interface PasswordDeps {
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

export function createPasswords({ clock, log, metrics }: PasswordDeps): Passwords {
  const isTime = seldom(clock, 60_000);
  const queue = createQueue(clock, () => {
    metrics.rateLimited.of("passwords").inc();
    if (isTime()) log.warn("sign-ins are sent away: more passwords wait to be checked than there are places");
  });
  return {
    hash: async (password) => queue.run({ kind: "known" }, async () => Bun.password.hash(passwordForm(password), COST)),
    isRight: async (password, hash, place, signal) => {
      const form = passwordForm(password);
      const isUsable = form !== "" && Buffer.byteLength(form) <= MAX_PASSWORD;
      const verify = async () => Bun.password.verify(isUsable ? form : "-", hash ?? NOBODY);
      const matches = await queue.run(place, verify, signal);
      return matches && isUsable && hash !== undefined;
    },
  };
}
