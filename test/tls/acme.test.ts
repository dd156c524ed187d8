/** `PEAL_TLS=acme`: certificates of an authority, here Pebble (RFC 8555, RFC 9773; OPERATIONS.md §7). */
import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR, MINUTE } from "../../src/util/clock.ts";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { startPebble, type Pebble } from "../support/pebble.ts";
import { authority } from "../support/push/ca.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { fresh } from "./load.ts";

const NAME = "peal.example.net";
const withPebble = testWith("pebble", "pebble-challtestsrv");

async function start(
  pebble: Pick<Pebble, "url" | "httpPort">,
  { env = {}, offMs = 0, dataDir }: { env?: Record<string, string>; offMs?: number; dataDir?: string } = {},
) {
  const clock = heldClock(Date.now() + offMs);
  const peal = await inProcess({
    ...{ clock, ca: authority.cert, ...(dataDir !== undefined && { dataDir }) },
    env: {
      ...{
        PEAL_TLS: "acme",
        PEAL_BASE_URL: `https://${NAME}`,
        PEAL_LISTEN_TLS: "127.0.0.1:0",
        PEAL_ACME_URL: pebble.url,
      },
      PEAL_ACME_LISTEN: `127.0.0.1:${pebble.httpPort}`,
      ...env,
    },
  });
  return { peal, clock };
}
const statusOf = (peal: InProcess) => {
  const { tls } = peal.running.deps;
  if (tls === undefined) throw new Error("no https");
  return tls.status();
};
const httpsOf = (peal: InProcess): string => `https://127.0.0.1:${peal.running.tlsAddresses[0]?.port}`;
/** Lets held timers pass in small steps until it looks good. */
const passing = async <T>(clock: HeldClock, what: string, look: () => T | false | undefined): Promise<T> =>
  (await eventually(what, () => {
    clock.advance(1_000);
    return look();
  })) as T;
const issued = async ({ peal, clock }: Awaited<ReturnType<typeof start>>) =>
  passing(clock, "a certificate", () => statusOf(peal).certificate);

withPebble("HTTP-01: the name is proved on a port of its own, and https answers with the certificate", async () => {
  await using pebble = await startPebble();
  const started = await start(pebble);
  await using peal = started.peal;
  const certificate = await issued(started);
  expect(certificate.names).toEqual([NAME]);
  expect(certificate.issuer).toContain("Pebble");
  const { status, serial } = await fresh(`${httpsOf(peal)}/ready`);
  expect(status).toBe(200);
  expect(serial).toBe(peal.running.deps.tls?.certificate?.x509.serialNumber ?? "");
  expect(statusOf(peal).problem).toBeUndefined();
  // what is kept is for its owner alone
  const folder = join(peal.dataDir, "tls", new URL(pebble.url).host.replace(":", "_"));
  for (const file of ["account.pem", `${NAME}.pem`]) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
});

withPebble("a restart uses the certificate that is kept, also while the authority is away", async () => {
  await using pebble = await startPebble();
  const started = await start(pebble);
  await using peal = started.peal;
  await issued(started);
  const before = peal.running.deps.tls?.certificate?.x509.serialNumber;
  await pebble.stop();
  await peal.restart();
  expect(statusOf(peal).certificate?.names).toEqual([NAME]);
  expect((await fresh(`${httpsOf(peal)}/ready`)).serial).toBe(before ?? "");
  expect(statusOf(peal).problem).toBeUndefined();
});

withPebble("HTTP-01 is answered on peal's own http port too", async () => {
  await using pebble = await startPebble();
  const { url, httpPort } = pebble;
  const started = await start(pebble, { env: { PEAL_LISTEN: `127.0.0.1:${httpPort}`, PEAL_ACME_LISTEN: "off" } });
  await using peal = started.peal;
  expect((await issued(started)).names).toEqual([NAME]);
  expect(peal.url).toContain(String(httpPort));
  expect(url).toStartWith("https:");
});

withPebble("DNS-01: a program sets the record, and takes it away", async () => {
  await using pebble = await startPebble();
  const folder = await mkdtemp(join(tmpdir(), "peal-dns-"));
  const [program, log] = [join(folder, "dns"), join(folder, "log")];
  await writeFile(
    program,
    `#!/bin/sh
echo "$1 $2 $PEAL_ACME_DNS_TOKEN" >>${log}
[ "$1" = add ] && exec curl -sf -d "{\\"host\\":\\"$2.\\",\\"value\\":\\"$3\\"}" ${pebble.dns}/set-txt
exec curl -sf -d "{\\"host\\":\\"$2.\\"}" ${pebble.dns}/clear-txt
`,
    { mode: 0o755 },
  );
  const started = await start(pebble, {
    env: { PEAL_ACME_DNS: `exec:${program}`, PEAL_ACME_DNS_TOKEN: "a-token-of-dns" },
  });
  await using peal = started.peal;
  expect((await issued(started)).names).toEqual([NAME]);
  expect(await readFile(log, "utf8")).toBe(
    `add _acme-challenge.${NAME} a-token-of-dns\nremove _acme-challenge.${NAME} a-token-of-dns\n`,
  );
  await rm(folder, { recursive: true });
  expect(peal.url).toBeDefined();
});

withPebble("a nonce that is refused is replaced, even if half of them are", async () => {
  await using pebble = await startPebble({ PEBBLE_WFE_NONCEREJECT: "50" });
  const started = await start(pebble);
  await using peal = started.peal;
  expect((await issued(started)).names).toEqual([NAME]);
  expect(peal.url).toBeDefined();
});

withPebble("a name that leads elsewhere: it says why, keeps trying with longer pauses, and http goes on", async () => {
  await using pebble = await startPebble();
  const started = await start({ ...pebble, httpPort: 1 });
  await using peal = started.peal;
  const problem = await passing(started.clock, "the trouble", () => {
    const { problem } = statusOf(peal);
    return problem?.includes("could not see") === true && problem;
  });
  expect(problem).toContain(`http://${NAME}/.well-known/acme-challenge/`);
  const health = (await (await peal.request("/health")).json()) as { checks: { tls: string }; problems: string[] };
  expect(health.checks.tls).toBe("degraded");
  expect(health.problems).toContain(problem);
  expect((await peal.request("/ready")).status).toBe(200);
});

withPebble(
  "it renews in the window that the authority names, and requests in flight do not notice",
  async () => {
    await using pebble = await startPebble();
    const started = await start(pebble);
    await using peal = started.peal;
    const { clock } = started;
    await issued(started);
    const first = peal.running.deps.tls?.certificate?.x509.serialNumber ?? "";
    const { renewAt, certificate } = await passing(clock, "the window", () => {
      const status = statusOf(peal);
      return status.renewAt !== undefined && status;
    });
    expect(renewAt).toBeLessThan(certificate?.until ?? 0);
    clock.advance((renewAt ?? 0) - clock.now() - HOUR);
    expect(peal.running.deps.tls?.certificate?.x509.serialNumber).toBe(first);
    clock.advance(2 * HOUR);
    await passing(clock, "another certificate", () => peal.running.deps.tls?.certificate?.x509.serialNumber !== first);
    expect((await fresh(`${httpsOf(peal)}/ready`)).status).toBe(200);
  },
  60_000,
);

withPebble(
  "an authority that forgot the account gets a new one",
  async () => {
    await using pebble = await startPebble();
    const started = await start(pebble);
    await using peal = started.peal;
    const { clock } = started;
    await issued(started);
    const folder = join(peal.dataDir, "tls", new URL(pebble.url).host.replace(":", "_"));
    const key = await readFile(join(folder, "account.pem"), "utf8");
    const first = peal.running.deps.tls?.certificate?.x509.serialNumber ?? "";
    await deactivate(pebble, key);
    clock.advance((peal.running.deps.tls?.certificate?.until ?? 0) - clock.now() - HOUR);
    await passing(clock, "another certificate", () => peal.running.deps.tls?.certificate?.x509.serialNumber !== first);
    expect(await readFile(join(folder, "account.pem"), "utf8")).not.toBe(key);
  },
  60_000,
);

withPebble(
  "an authority that is down for a day: the old certificate stays, and the new one comes once it is back",
  async () => {
    await using pebble = await startPebble();
    const started = await start(pebble);
    await using peal = started.peal;
    const { clock } = started;
    await issued(started);
    const { serialNumber: first } = peal.running.deps.tls?.certificate?.x509 ?? new X509Certificate("");
    const until = peal.running.deps.tls?.certificate?.until ?? 0;
    await pebble.stop();
    clock.advance(until - clock.now() - 2 * 24 * HOUR);
    await passing(clock, "the trouble", () => statusOf(peal).problem?.includes("could not be reached"));
    const told = await eventually("the message", async () => {
      const { topics } = (await (await peal.api("GET", "/v1/home/topics")).json()) as {
        topics: { name: string; topic: string }[];
      };
      const topic = topics.find(({ name }) => name === "peal");
      const kept = topic === undefined ? [] : await peal.history({ namespace: "home", key: topic.topic });
      return kept.find(({ title }) => String(title).includes("ends in 3 days"));
    });
    expect(told.message).toContain("could not be reached");
    for (let minutes = 0; minutes < 24 * 60; minutes += 30) {
      clock.advance(30 * MINUTE);
      await Bun.sleep(1);
    }
    expect(peal.running.deps.tls?.certificate?.x509.serialNumber).toBe(first);
    await pebble.start();
    clock.advance(7 * HOUR);
    await passing(clock, "another certificate", () => peal.running.deps.tls?.certificate?.x509.serialNumber !== first);
    expect(statusOf(peal).problem).toBeUndefined();
  },
  90_000,
);

test("a rate limit: nothing is asked for before the authority said so, also after a restart", async () => {
  let orders = 0;
  const { cert, key } = authority.issue();
  using server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", tls: { cert, key } },
    fetch: (request) => {
      const { pathname, origin } = new URL(request.url);
      const headers = { "replay-nonce": crypto.randomUUID(), location: `${origin}/account/1` };
      const at = { newNonce: `${origin}/nonce`, newAccount: `${origin}/account`, newOrder: `${origin}/order` };
      if (pathname === "/dir") return Response.json(at, { headers });
      if (pathname !== "/order")
        return Response.json({ status: "valid" }, { status: pathname === "/account" ? 201 : 200, headers });
      orders++;
      const problem = { type: "urn:ietf:params:acme:error:rateLimited", detail: "too many certificates" };
      return new Response(JSON.stringify(problem), {
        status: 429,
        headers: { ...headers, "content-type": "application/problem+json", "retry-after": "7200" },
      });
    },
  });
  const started = await start({ url: `https://127.0.0.1:${server.port}/dir`, httpPort: 1 });
  await using peal = started.peal;
  const { clock } = started;
  await passing(clock, "the limit", () => statusOf(peal).problem?.includes("too many certificates"));
  expect(statusOf(peal).problem).toContain("issues no more certificates for now");
  await peal.restart();
  for (let minutes = 0; minutes < 110; minutes += 10) {
    clock.advance(10 * MINUTE);
    await Bun.sleep(5);
  }
  expect(orders).toBe(1);
  clock.advance(15 * MINUTE);
  await passing(clock, "the next try", () => orders === 2);
});

withPebble(
  "a renewal under load fails no request: publishers that connect anew, and streams that go on",
  async () => {
    await using pebble = await startPebble();
    const started = await start(pebble);
    await using peal = started.peal;
    const { clock } = started;
    await issued(started);
    const first = peal.running.deps.tls?.certificate?.x509.serialNumber ?? "";
    // months pass before there are streams, which write a line every 15 s
    clock.advance((statusOf(peal).renewAt ?? 0) - clock.now() - HOUR);
    const topic = await peal.topic("renewed");
    const url = httpsOf(peal);
    const [readers, writers] = IS_THOROUGH ? [200, 64] : [20, 16];
    const streams = await Promise.all(
      Array.from({ length: readers }, async () => {
        const response = await fetch(`${url}/home/${topic.key}/events`, { tls: { rejectUnauthorized: false } });
        const stream = { text: "", reader: response.body?.getReader() };
        const read = async () => {
          const decoder = new TextDecoder();
          for (;;) {
            const part = (await stream.reader?.read().catch(() => undefined)) as
              { done: boolean; value?: Uint8Array } | undefined;
            if (part === undefined || part.done) return;
            stream.text += decoder.decode(part.value, { stream: true });
          }
        };
        void read();
        return stream;
      }),
    );
    const failures: string[] = [];
    const serials = new Map<string, number>();
    let isOver = false;
    const publish = async () => {
      while (!isOver) {
        const headers = { authorization: `Bearer ${peal.adminKey}` };
        const sent = await fresh(`${url}/home/${topic.key}`, { method: "POST", body: "renewed", headers }).catch(
          String,
        );
        if (typeof sent === "string" || sent.status !== 201)
          failures.push(typeof sent === "string" ? sent : String(sent.status));
        else serials.set(sent.serial, (serials.get(sent.serial) ?? 0) + 1);
      }
    };
    const publishers = Array.from({ length: writers }, publish);
    await eventually("publishers on the first one", () => serials.has(first));
    clock.advance(2 * HOUR);
    await passing(clock, "another certificate", () => peal.running.deps.tls?.certificate?.x509.serialNumber !== first);
    const { serialNumber: second } = peal.running.deps.tls?.certificate?.x509 ?? { serialNumber: "" };
    await passing(clock, "publishers on it", () => (serials.get(second) ?? 0) > 100);
    isOver = true;
    await Promise.all(publishers);
    expect(failures).toEqual([]);
    expect(serials.get(first) ?? 0).toBeGreaterThan(0);
    await peal.publish(topic, "the last one");
    await eventually("the last message on all streams", () =>
      streams.every(({ text }) => text.includes("the last one")),
    );
    await Promise.all(streams.map(async ({ reader }) => reader?.cancel()));
  },
  90_000,
);

withPebble.each([-24 * HOUR, 24 * HOUR])(
  "a clock that is off by a day (%p ms) does not prevent a certificate",
  async (offMs) => {
    await using pebble = await startPebble();
    const started = await start(pebble, { offMs });
    await using peal = started.peal;
    expect((await issued(started)).names).toEqual([NAME]);
    if (offMs < 0) expect(statusOf(peal).problem).toContain("clock is probably behind");
    else expect(statusOf(peal).problem).toBeUndefined();
  },
);

/** As the account's owner, by another program. */
async function deactivate(pebble: Pebble, key: string): Promise<void> {
  const { Account, directoryOf } = await import("../../src/tls/acme/client.ts");
  const { createPrivateKey } = await import("node:crypto");
  const outside = { clock: heldClock(Date.now()), signal: new AbortController().signal, ca: authority.cert };
  const { directory } = await directoryOf(pebble.url, outside);
  const account = new Account(directory, createPrivateKey(key), outside);
  const url = await account.register();
  await account.post(url, { status: "deactivated" });
}
