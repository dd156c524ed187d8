/** `PEAL_TLS=acme`: the next certificate, and an authority that gives none (RFC 8555, RFC 9773; OPERATIONS.md §7). */
import { expect, test } from "bun:test";
import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Account, directoryOf } from "../../src/tls/acme/client.ts";
import { certificateId } from "../../src/tls/acme/csr.ts";
import { DAY, HOUR, MINUTE, type Millis } from "../../src/util/clock.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { limitedAuthority } from "../support/limited.ts";
import { startPebble, type Pebble } from "../support/pebble.ts";
import { authority } from "../support/push/ca.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { testWith } from "../support/tools.ts";
import { certified, NAME, type Certified } from "./authority.ts";
import { fresh, streaming } from "./load.ts";

const withPebble = testWith("pebble", "pebble-challtestsrv");

/** Lets time pass until so long before the end of the certificate. */
function advanceToEnd(own: Certified, beforeMs: number): void {
  own.clock.advance((own.status().certificate?.until ?? 0) - own.clock.now() - beforeMs);
}

withPebble(
  "it renews in the window that the authority names",
  async () => {
    await using pebble = await startPebble();
    await using own = await certified(pebble);
    const { clock } = own;
    await own.issued();
    const first = own.serial();
    const { renewAt, certificate } = await own.passing("the window", () => {
      const status = own.status();
      return status.renewAt !== undefined && status;
    });
    expect(renewAt).toBeLessThan(certificate?.until ?? 0);
    clock.advance((renewAt ?? 0) - clock.now() - HOUR);
    expect(own.serial()).toBe(first);
    clock.advance(2 * HOUR);
    await own.renewed(first);
    expect((await fresh(`${own.https()}/ready`)).status).toBe(200);
  },
  60_000,
);

testWith("pebble-ari", "pebble-challtestsrv")(
  "an authority that wants a certificate replaced early gets its renewal within six hours, as the replacement of that one",
  async () => {
    await using pebble = await startPebble({}, "pebble-ari");
    await using own = await certified(pebble);
    const { clock } = own;
    await own.issued();
    const first = own.serial();
    clock.advance(2 * DAY);
    const { x509 } = own.peal.running.deps.tls?.certificate ?? {};
    if (x509 === undefined) throw new Error("no certificate");
    const at = (ms: Millis) => new Date(ms).toISOString();
    const suggestedWindow = { start: at(clock.now() - 2 * DAY), end: at(clock.now() - DAY) };
    const told = await fetch(`${pebble.management}/set-renewal-info/`, {
      method: "POST",
      body: JSON.stringify({ certificate: x509.toString(), ariResponse: JSON.stringify({ suggestedWindow }) }),
      tls: { ca: authority.cert },
    });
    expect(await told.text()).toBe("");
    clock.advance(6 * HOUR);
    await own.renewed(first);
    const { directory, account } = await accountOf(pebble, await readFile(join(own.folder, "account.pem"), "utf8"));
    const replaces = certificateId(x509);
    const again = account.post(directory.newOrder, { identifiers: [{ type: "dns", value: NAME }], replaces });
    expect(again).rejects.toHaveProperty("type", "alreadyReplaced");
  },
  60_000,
);

withPebble(
  "an authority that forgot the account gets a new one",
  async () => {
    await using pebble = await startPebble();
    await using own = await certified(pebble);
    await own.issued();
    const path = join(own.folder, "account.pem");
    const key = await readFile(path, "utf8");
    const first = own.serial();
    await deactivate(pebble, key);
    advanceToEnd(own, HOUR);
    await own.renewed(first);
    expect(await readFile(path, "utf8")).not.toBe(key);
  },
  60_000,
);

withPebble(
  "an authority that is down for a day: the old certificate stays, and the new one comes once it is back",
  async () => {
    await using pebble = await startPebble();
    await using own = await certified(pebble);
    const { clock } = own;
    await own.issued();
    const first = own.serial();
    await pebble.stop();
    advanceToEnd(own, 2 * DAY);
    await own.passing("the trouble", () => own.status().problem?.includes("could not be reached"));
    expect((await own.told("expires in 3 days")).message).toContain("could not be reached");
    const until = clock.now() + DAY;
    const pauses: number[] = [];
    while (clock.now() < until) {
      const next = own.status().renewAt ?? 0;
      pauses.push(next - clock.now());
      clock.advance(next - clock.now());
      await eventually("the next try", () => (own.status().renewAt ?? 0) > next);
    }
    expect(pauses.length).toBeLessThan(12);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(own.serial()).toBe(first);
    await pebble.start();
    clock.advance((own.status().renewAt ?? 0) - clock.now());
    await own.renewed(first);
    // the authority's own clock is not held: to this one, the new certificate is old
    expect(own.status().problem).not.toContain("could not be reached");
  },
  90_000,
);

test("a rate limit: nothing is asked for before the authority said so, also after a restart", async () => {
  const clock = heldClock(Date.now());
  const orders: Millis[] = [];
  using limited = limitedAuthority(clock, () => void orders.push(clock.now()));
  await using own = await certified({ url: limited.url, httpPort: 1 }, { clock });
  await own.passing("the limit", () => own.status().problem?.includes("too many certificates"));
  expect(own.status().problem).toContain("issues no more certificates for now");
  await own.peal.restart();
  await eventually("the next try", () => {
    clock.advance(10 * MINUTE);
    return orders.length > 1;
  });
  expect((orders[1] ?? 0) - (orders[0] ?? 0)).toBeGreaterThanOrEqual(2 * HOUR);
});

withPebble(
  "a renewal under load fails no request: publishers that connect anew, and streams that go on",
  async () => {
    await using pebble = await startPebble();
    await using own = await certified(pebble);
    const { peal, clock } = own;
    await own.issued();
    const first = own.serial();
    // months pass before there are streams, which write a line every 15 s
    clock.advance((own.status().renewAt ?? 0) - clock.now() - HOUR);
    const topic = await peal.topic("renewed");
    const url = own.https();
    const [readers, writers] = IS_THOROUGH ? [200, 64] : [20, 16];
    const streams = await Promise.all(
      Array.from({ length: readers }, async () => streaming(`${url}/home/${topic.key}/events`)),
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
    await own.renewed(first);
    await own.passing("publishers on the second", () => (serials.get(own.serial()) ?? 0) >= writers);
    isOver = true;
    await Promise.all(publishers);
    expect(failures).toEqual([]);
    expect(serials.get(first) ?? 0).toBeGreaterThan(0);
    await peal.publish(topic, "the last one");
    await eventually("the last message on all streams", () =>
      streams.every(({ text }) => text().includes("the last one")),
    );
    for (const stream of streams) stream.end();
  },
  90_000,
);

async function deactivate(pebble: Pebble, key: string): Promise<void> {
  const { account, url } = await accountOf(pebble, key);
  await account.post(url, { status: "deactivated" });
}

/** As the account's owner, by another program. */
async function accountOf(pebble: Pebble, key: string) {
  const outside = { clock: heldClock(Date.now()), signal: new AbortController().signal, ca: authority.cert };
  const { directory } = await directoryOf(pebble.url, outside);
  const account = new Account(directory, createPrivateKey(key), outside);
  return { directory, account, url: await account.register() };
}
