/** `PEAL_TLS=files`: https with the operator's own certificate, which may be replaced at any moment (OPERATIONS.md §7). */
import { afterAll, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { authority, type Certificate } from "../support/push/ca.ts";
import { ROUNDS } from "../support/rounds.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { fresh, streaming } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-tls-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
let made = 0;

function files(pair: Certificate) {
  const [cert, key] = [join(folder, `${++made}.crt`), join(folder, `${made}.key`)];
  const write = (next: { cert?: string; key?: string }) => {
    if (next.cert !== undefined) writeFileSync(cert, next.cert);
    if (next.key !== undefined) writeFileSync(key, next.key);
  };
  write(pair);
  return { write, env: { PEAL_TLS: "files", PEAL_TLS_CERT: cert, PEAL_TLS_KEY: key, PEAL_LISTEN_TLS: "127.0.0.1:0" } };
}
const serialOf = ({ cert }: Certificate): string => new X509Certificate(cert).serialNumber;

async function httpsOf(peal: Peal): Promise<string> {
  const port = /https on (\d+)/.exec(peal.output())?.[1];
  const url = `https://127.0.0.1:${port}`;
  await eventually("https", async () => (await fresh(`${url}/ready`).catch(() => undefined))?.status === 200);
  return url;
}
const health = async (peal: Peal) =>
  (await (await fetch(`${peal.url}/health`)).json()) as {
    checks: Record<string, string>;
    problems?: string[];
    status: string;
  };

test("it serves https beside http, with the certificate of the files", async () => {
  const pair = authority.issue();
  await using peal = await startPeal({ env: files(pair).env });
  const url = await httpsOf(peal);
  const response = await fetch(`${url}/ready`, { tls: { ca: authority.cert } });
  expect(response.status).toBe(200);
  expect((await fresh(`${url}/ready`)).serial).toBe(serialOf(pair));
  expect((await fetch(`${peal.url}/ready`)).status).toBe(200);
  expect((await health(peal)).checks["tls"]).toBe("ok");
});

test("without the setting nothing listens, and health says nothing of it", async () => {
  await using peal = await startPeal();
  expect(peal.output()).not.toContain("https on");
  expect((await health(peal)).checks).not.toHaveProperty("tls");
});

test("new files are used within seconds, and those that do not belong together are not", async () => {
  const [first, second, other] = [authority.issue(), authority.issue(), authority.issue()];
  const { env, write } = files(first);
  await using peal = await startPeal({ env });
  const url = await httpsOf(peal);
  write({ cert: second.cert, key: other.key });
  const told = await eventually("the trouble", async () => (await health(peal)).problems?.[0]);
  expect(told).toContain("The private key does not belong to the certificate.");
  expect((await health(peal)).status).toBe("degraded");
  expect(peal.logs()).toContain("The private key does not belong to the certificate.");
  expect((await fresh(`${url}/ready`)).serial).toBe(serialOf(first));
  write({ key: second.key });
  await eventually("the new certificate", async () => (await fresh(`${url}/ready`)).serial === serialOf(second));
  expect((await health(peal)).checks["tls"]).toBe("ok");
}, 60_000);

test("a server without a usable certificate starts, says so, and uses the files once they are right", async () => {
  const pair = authority.issue();
  const { env, write } = files(pair);
  write({ cert: "nothing" });
  await using peal = await startPeal({ env });
  const { problems } = await health(peal);
  expect(problems?.join()).toContain("The certificate cannot be read");
  write(pair);
  await httpsOf(peal);
}, 60_000);

test("two servers never share the port of https", async () => {
  await using peal = await startPeal({ env: files(authority.issue()).env });
  const url = await httpsOf(peal);
  const { env } = files(authority.issue());
  const second = startPeal({ env: { ...env, PEAL_LISTEN_TLS: `127.0.0.1:${new URL(url).port}` } });
  expect(second).rejects.toThrow(/Another program listens on 127\.0\.0\.1:\d+\. .* with PEAL_LISTEN_TLS/);
  await second.catch(() => undefined);
});

test("no request fails while certificates are swapped: publishers that connect anew, and streams that go on", async () => {
  const { env, write } = files(authority.issue());
  await using peal = await startPeal({ env });
  const url = await httpsOf(peal);
  const topic = await peal.topic("swapped");
  const stop = new AbortController();
  const failures: string[] = [];
  const serials = new Set<string>();
  let published = 0;
  const publisher = async () => {
    while (!stop.signal.aborted)
      try {
        const { status, serial } = await fresh(`${url}/home/${topic.key}`, {
          ...{ method: "POST", body: "swapped", headers: { authorization: `Bearer ${peal.adminKey}` } },
        });
        if (status !== 201) failures.push(String(status));
        serials.add(serial);
        published++;
      } catch (error) {
        failures.push(String(error));
      }
  };
  const streams = await Promise.all(
    Array.from({ length: 20 }, async () => streaming(`${url}/home/${topic.key}/events`)),
  );
  const publishers = Array.from({ length: 16 }, publisher);
  for (let round = 0; round < Math.min(ROUNDS, 5); round++) {
    const next = authority.issue();
    write(next);
    await eventually("the new certificate", () => serials.has(serialOf(next)));
  }
  stop.abort();
  await Promise.all(publishers);
  expect(failures).toEqual([]);
  expect(published).toBeGreaterThan(50);
  expect(streams.filter(({ isOver }) => isOver())).toEqual([]);
  for (const stream of streams) stream.end();
}, 300_000);
