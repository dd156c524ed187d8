/** A peal that gets its certificates from an authority, with its clock held. */
import { join } from "node:path";
import type { TlsStatus } from "../../src/tls/tls.ts";
import type { TestMessage } from "../support/client.ts";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import type { Pebble } from "../support/pebble.ts";
import { authority } from "../support/push/ca.ts";
import { inProcess, type InProcess } from "../support/server.ts";

export const NAME = "peal.example.net";

export interface Certified extends AsyncDisposable {
  readonly peal: InProcess;
  readonly clock: HeldClock;
  status(): TlsStatus;
  /** `https://127.0.0.1:<port>` */
  https(): string;
  /** Of the certificate in use; empty: there is none. */
  serial(): string;
  /** Where the account and the certificate are kept. */
  readonly folder: string;
  /** Lets held timers pass in small steps until it looks good. */
  passing<T>(what: string, look: () => T | false | undefined): Promise<T>;
  /** Waits for the first certificate. */
  issued(): Promise<NonNullable<TlsStatus["certificate"]>>;
  /** Waits for another certificate than this. */
  renewed(serial: string): Promise<void>;
  /** The message on the topic `peal` whose title has these words. */
  told(words: string): Promise<TestMessage>;
}

interface Options {
  env?: Record<string, string>;
  /** Absent: one that begins now. */
  clock?: HeldClock;
  dataDir?: string;
}

export async function certified(
  { url, httpPort }: Pick<Pebble, "url" | "httpPort">,
  { env = {}, clock = heldClock(Date.now()), dataDir }: Options = {},
): Promise<Certified> {
  const peal = await inProcess({
    ...{ clock, ca: authority.cert, ...(dataDir !== undefined && { dataDir }) },
    env: {
      ...{ PEAL_TLS: "acme", PEAL_BASE_URL: `https://${NAME}`, PEAL_LISTEN_TLS: "127.0.0.1:0", PEAL_ACME_URL: url },
      PEAL_ACME_LISTEN: `127.0.0.1:${httpPort}`,
      ...env,
    },
  });
  const tls = () => {
    const { tls } = peal.running.deps;
    if (tls === undefined) throw new Error("no https");
    return tls;
  };
  const passing = async <T>(what: string, look: () => T | false | undefined): Promise<T> =>
    (await eventually(what, () => {
      clock.advance(1_000);
      return look();
    })) as T;
  const serial = () => tls().certificate?.x509.serialNumber ?? "";
  return {
    ...{ peal, clock, passing, serial, folder: folderOf(peal.dataDir, url) },
    status: () => tls().status(),
    https: () => `https://127.0.0.1:${peal.running.tlsAddresses[0]?.port}`,
    issued: async () => passing("a certificate", () => tls().status().certificate),
    renewed: async (before) => {
      await passing("another certificate", () => serial() !== before);
    },
    told: async (words) =>
      eventually(`the message: ${words}`, async () => {
        clock.advance(1_000);
        const { topics } = (await (await peal.api("GET", "/v1/home/topics")).json()) as {
          topics: { name: string; topic: string }[];
        };
        const topic = topics.find(({ name }) => name === "peal");
        const kept = topic === undefined ? [] : await peal.history({ namespace: "home", key: topic.topic });
        return kept.find(({ title }) => String(title).includes(words));
      }),
    [Symbol.asyncDispose]: async () => peal[Symbol.asyncDispose](),
  };
}

/** Where peal keeps what it got from the authority of this directory. */
export const folderOf = (dataDir: string, url: string): string =>
  join(dataDir, "tls", new URL(url).host.replace(":", "_"));
