/** One certificate, from the order to the file (RFC 8555 §7.4). */
import { generateKeyPairSync } from "node:crypto";
import type { Clock } from "../../util/clock.ts";
import type { Pair } from "../certificate.ts";
import type { Account, Answer, Directory } from "./client.ts";
import { csr } from "./csr.ts";
import { fieldsOf, listOf, textOf, type Fields } from "./json.ts";
import { AcmeError, refusalOf, Told } from "./problem.ts";

/** A way to prove that a name is ours. */
export interface Prover {
  type: "http-01" | "dns-01";
  /** Shows it to the authority; `withdraw` takes it away. @throws Told */
  prove(proof: { name: string; token: string; keyAuthorization: string }): Promise<{ withdraw: () => Promise<void> }>;
  /** What to do where the authority did not find it. */
  advice(name: string): string;
}

interface Asked {
  account: Account;
  directory: Directory;
  name: string;
  prover: Prover;
  clock: Clock;
  signal: AbortSignal;
  /** The id of the certificate that it follows (RFC 9773 §5). */
  replaces?: string;
}

/** An authority that has not decided by then never will. */
const PATIENCE_MS = 5 * 60_000;
const POLL_MS = 1_000;
const MOST_POLL_MS = 30_000;

/** @throws AcmeError, Told */
export async function order(asked: Asked): Promise<Pair> {
  const { account, name } = asked;
  const placed = await place(asked);
  const url = placed.location;
  if (url === undefined) throw new Told("The certificate authority accepted the order, and did not say where it is.");
  for (const authorization of listOf(placed.fields, "authorizations"))
    if (typeof authorization === "string") await authorize(asked, authorization);
  const ready = await settled(asked, url, (status) => status === "ready" || status === "valid");
  const finalize = textOf(ready.fields, "finalize");
  if (finalize === undefined) throw new Told("The certificate authority did not say where to send the request.");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await account.post(finalize, { csr: csr(name, privateKey).toString("base64url") });
  const issued = await settled(asked, url, (status) => status === "valid");
  const certificate = textOf(issued.fields, "certificate");
  if (certificate === undefined) throw new Told("The certificate authority did not say where the certificate is.");
  const { text } = await account.post(certificate);
  return { cert: text, key: privateKey.export({ type: "pkcs8", format: "pem" }) };
}

/** An authority that does not take `replaces` gets the order without. */
async function place({ account, directory, name, replaces }: Asked): Promise<Answer> {
  const identifiers = [{ type: "dns", value: name }];
  if (replaces === undefined) return account.post(directory.newOrder, { identifiers });
  try {
    return await account.post(directory.newOrder, { identifiers, replaces });
  } catch (error) {
    if (!(error instanceof AcmeError) || error.type === "rateLimited" || error.status >= 500) throw error;
    return account.post(directory.newOrder, { identifiers });
  }
}

async function authorize(asked: Asked, url: string): Promise<void> {
  const { account, prover } = asked;
  const { fields } = await account.post(url);
  if (textOf(fields, "status") === "valid") return;
  const name = textOf(fieldsOf(fields["identifier"]), "value") ?? asked.name;
  const challenges = listOf(fields, "challenges").map(fieldsOf);
  const challenge = challenges.find((each) => textOf(each, "type") === prover.type);
  const [at, token] = [challenge && textOf(challenge, "url"), challenge && textOf(challenge, "token")];
  if (at === undefined || token === undefined || !/^[\w-]+$/.test(token)) {
    const offered = challenges.map((each) => textOf(each, "type")).join(", ");
    throw new Told(`The certificate authority does not offer ${prover.type}, only ${offered}.`);
  }
  const proof = await prover.prove({ name, token, keyAuthorization: await account.keyAuthorization(token) });
  try {
    await account.post(at, {});
    const { fields: judged } = await settled(asked, url, (status) => status === "valid" || status === "invalid");
    if (textOf(judged, "status") === "invalid") throw refused(judged, prover.advice(name));
  } finally {
    await proof.withdraw();
  }
}

function refused(authorization: Fields, advice: string): Told {
  const errors = listOf(authorization, "challenges").flatMap((each) => fieldsOf(each)["error"] ?? []);
  const { message } = refusalOf(errors[0], 0);
  return new Told(`The certificate authority could not see that the name is yours. ${advice} It says: ${message}`);
}

/** Asks again until the status is a wanted one. */
async function settled(
  { account, clock, signal }: Asked,
  url: string,
  isWanted: (status: string) => boolean,
): Promise<Answer> {
  const until = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    const answer = await account.post(url);
    const status = textOf(answer.fields, "status") ?? "";
    if (isWanted(status)) return answer;
    if (status === "invalid") throw refusalOf(answer.fields["error"], 0);
    if (clock.monotonic() > until)
      throw new Told(`The certificate authority did not decide within 5 minutes: it is still ${status}.`);
    await pause(clock, Math.min(Math.max(answer.afterMs ?? 0, POLL_MS), MOST_POLL_MS), signal);
  }
}

/** @throws what the signal was aborted with */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const cancel = clock.after(ms, done);
    function done() {
      signal.removeEventListener("abort", done);
      cancel();
      resolve();
    }
    signal.addEventListener("abort", done);
  });
  signal.throwIfAborted();
}
