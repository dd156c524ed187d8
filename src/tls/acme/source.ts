/** `PEAL_TLS=acme`: a certificate of an authority for the name of PEAL_BASE_URL (RFC 8555), renewed when it says (RFC 9773). */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { join } from "node:path";
import type { AcmeSource } from "../../config/config.ts";
import type { Log } from "../../telemetry/log.ts";
import { DAY, HOUR, MINUTE, type Clock, type Millis } from "../../util/clock.ts";
import type { Certificate, Pair } from "../certificate.ts";
import { providerOf } from "../dns/all.ts";
import { readKept, writeKept } from "../kept.ts";
import type { Renewal, Source } from "../tls.ts";
import { Account, ask, directoryOf, type Directory, type Outside } from "./client.ts";
import { certificateId } from "./csr.ts";
import { dns01 } from "./dns01.ts";
import { http01 } from "./http01.ts";
import { order } from "./order.ts";
import { createKeptPair } from "./pair.ts";
import { createPatience } from "./patience.ts";
import { AcmeError, reasonOf, Told } from "./problem.ts";
import { fractionOf, pauseMs, renewAt, windowOf, type Window } from "./when.ts";

interface Parts {
  dataDir: string;
  clock: Clock;
  log: Log;
  /** PEM: the authorities that are trusted instead of the machine's. */
  ca?: string;
}

/** How often the authority is asked when to renew, unless it says (RFC 9773 §4.3.2), and at most. */
const ASK_MS = 6 * HOUR;
const LEAST_ASK_MS = MINUTE;
/** To a clock that is months ahead each certificate looks old: they must not be asked for one after another. */
const LEAST_LIFE_MS = DAY;
/** A certificate lives for days: a clock that is off by less does no harm. */
const CLOCK_OFF_MS = HOUR;

export function acmeSource(config: AcmeSource, { dataDir, clock, log, ca }: Parts): Source {
  const { name, directory: url } = config;
  const folder = join(dataDir, "tls", new URL(url).host.replace(":", "_"));
  const kept = createKeptPair(join(folder, `${name}.pem`), { clock, log });
  const patience = createPatience(join(folder, `${name}.wait.json`), { clock, log });
  const answers = new Map<string, string>();
  let window: Window | undefined;
  let askAt: Millis = 0;
  /** How far this clock is ahead of the authority’s. */
  let offMs = 0;
  let youngUntil = -Infinity;

  const dueAt = (current: Certificate): Millis => renewAt(current, window, fractionOf(current.pair.cert));
  const isYoung = (current: Certificate | undefined): boolean =>
    current !== undefined && (clock.now() < dueAt(current) || clock.monotonic() < youngUntil);

  /** Where the authority does not say, or cannot be asked, a third of the lifetime decides. */
  async function askWhen({ renewalInfo }: Directory, current: Certificate, outside: Outside): Promise<void> {
    askAt = clock.now() + ASK_MS;
    const id = certificateId(current.x509);
    if (renewalInfo === undefined || id === undefined) return;
    try {
      const { fields, afterMs } = await ask(`${renewalInfo}/${id}`, {}, outside);
      window = windowOf(fields);
      if (afterMs !== undefined) askAt = clock.now() + Math.min(Math.max(afterMs, LEAST_ASK_MS), DAY);
    } catch (error) {
      log.debug("the certificate authority did not say when to renew", { error });
    }
  }
  async function obtain(directory: Directory, current: Certificate | undefined, outside: Outside): Promise<Pair> {
    const { signal } = outside;
    const account = await register(directory, outside, { path: join(folder, "account.pem"), log });
    const { dns, listen } = config;
    const prover = dns === undefined ? http01(listen, answers) : dns01({ provider: providerOf(dns), clock, signal });
    log.info("asking for a certificate", { name, authority: new URL(url).host, proof: prover.type });
    const replaces = directory.renewalInfo === undefined ? undefined : current && certificateId(current.x509);
    return order({ account, directory, name, prover, clock, signal, ...(replaces !== undefined && { replaces }) });
  }
  function fail(error: unknown): Renewal {
    const afterMs = error instanceof AcmeError || error instanceof Told ? error.afterMs : undefined;
    return patience.failed(reasonOf(error, url) + clockWords(offMs), afterMs);
  }
  return {
    kind: "acme",
    kept: async () => Promise.resolve(kept.read()),
    renew: async (current, signal) => {
      const waiting = patience.waiting();
      if (waiting !== undefined) return waiting;
      const outside = { clock, signal, ...(ca !== undefined && { ca }) };
      try {
        // it could not be used when it came, as something else had the port: another would be one too many
        const left = kept.unused(current);
        if (left !== undefined) return { kind: "new", pair: left };
        const { directory, date } = await directoryOf(url, outside);
        offMs = date === undefined ? 0 : clock.now() - date;
        if (current !== undefined && clock.now() >= askAt) await askWhen(directory, current, outside);
        if (isYoung(current)) return { kind: "same" };
        const pair = await obtain(directory, current, outside);
        kept.keep(pair);
        patience.over();
        [window, askAt, youngUntil] = [undefined, 0, clock.monotonic() + LEAST_LIFE_MS];
        return { kind: "new", pair };
      } catch (error) {
        if (signal.aborted) return { kind: "same" };
        if (!isYoung(current)) return fail(error);
        askAt = clock.now() + ASK_MS; // a good certificate: that nobody could be asked about it is no trouble
        return { kind: "same" };
      }
    },
    nextAt: (current, now) => {
      if (current === undefined) return now;
      const due = dueAt(current);
      return Math.max(due > now ? Math.min(due, askAt) : askAt, now + LEAST_ASK_MS);
    },
    pauseMs,
    renewAt: dueAt,
    challenge: (token) => answers.get(token),
  };
}

/** The kept key, or a new one: an account has nothing that is worth keeping. */
function accountKey(path: string, isNew: boolean): KeyObject {
  try {
    const kept = isNew ? undefined : readKept(path);
    if (kept !== undefined) return createPrivateKey(kept);
  } catch (error) {
    if (error instanceof Told) throw error; // it may be there, and only not for this user
  }
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeKept(path, privateKey.export({ type: "pkcs8", format: "pem" }));
  return privateKey;
}
/** An account that was deactivated, or that the authority no longer knows, is replaced by a new one. */
async function register(
  directory: Directory,
  outside: Outside,
  { path, log }: { path: string; log: Log },
): Promise<Account> {
  const account = new Account(directory, accountKey(path, false), outside);
  try {
    await account.register();
    return account;
  } catch (error) {
    if (!(error instanceof AcmeError) || !GONE.has(error.type)) throw error;
    log.warn("the account at the certificate authority is gone: a new one is made", { says: error.message });
    const fresh = new Account(directory, accountKey(path, true), outside);
    await fresh.register();
    return fresh;
  }
}

/** RFC 8555 §7.3.6 and §6.7: `unauthorized` is what a deactivated account gets. */
const GONE = new Set(["unauthorized", "accountDoesNotExist"]);

/** A sentence to be added; empty if the clock is right. */
const clockWords = (offMs: number): string =>
  Math.abs(offMs) <= CLOCK_OFF_MS
    ? ""
    : ` This machine’s clock is ${Math.round(Math.abs(offMs) / HOUR)} h ${offMs < 0 ? "behind" : "ahead of"} that of the certificate authority.`;
