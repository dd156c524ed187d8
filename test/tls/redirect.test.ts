/** What plain http leaves to https: pages, and nothing that programs ask for (OPERATIONS.md §7). */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { inProcess } from "../support/server.ts";
import { fresh } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-tls-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

async function start(env: Record<string, string> = {}) {
  const { cert, key } = authority.issue(["peal.example.net"]);
  const [certFile, keyFile] = [join(folder, "cert"), join(folder, "key")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const peal = await inProcess({
    env: { PEAL_TLS: "files", PEAL_TLS_CERT: certFile, PEAL_TLS_KEY: keyFile, PEAL_LISTEN_TLS: "127.0.0.1:0", ...env },
  });
  await eventually("a certificate", () => peal.running.deps.tls?.certificate);
  return peal;
}

test("pages lead to the base URL, what programs ask for is answered", async () => {
  await using peal = await start({ PEAL_BASE_URL: "https://peal.example.net:7326" });
  const topic = await peal.topic("redirected");
  const host = { host: "nas.lan:7325" };
  for (const method of ["GET", "HEAD"]) {
    const page = await peal.request(`/home/${topic.key}?before=3`, { method, headers: { ...host, ...BROWSER } });
    expect(page.status).toBe(307);
    expect(page.headers.get("location")).toBe(`https://peal.example.net:7326/home/${topic.key}?before=3`);
  }
  const asked: [string, string, Record<string, string>][] = [
    ["GET", "/health", BROWSER],
    ["GET", "/ready", BROWSER],
    ["GET", "/v1/home/topics", BROWSER],
    ["GET", `/home/${topic.key}`, { accept: "application/json" }],
    ["POST", `/home/${topic.key}`, BROWSER],
    ["GET", `/home/${topic.key}`, { ...BROWSER, "x-forwarded-proto": "https" }],
  ];
  for (const [method, path, headers] of asked)
    expect((await peal.request(path, { method, headers: { ...host, ...headers } })).status).not.toBe(307);
  const events = await peal.request(`/home/${topic.key}/events`, { headers: { ...host, accept: "text/event-stream" } });
  expect(events.status).toBe(200);
  await events.body?.cancel();
  // this machine's own address needs no https, and is the way in when it is broken
  expect((await peal.request("/-/", { headers: BROWSER })).status).not.toBe(307);
});

test("without a base URL pages lead to https of the same host, if the certificate is for it", async () => {
  await using peal = await start();
  const port = peal.running.tlsAddresses[0]?.port;
  const to = async (host: string) =>
    (await peal.request("/-/login", { headers: { host, ...BROWSER } })).headers.get("location");
  expect(await to("peal.example.net:7325")).toBe(`https://peal.example.net:${port}/-/login`);
  expect(await to("192.168.1.5:7325")).not.toStartWith("https:");
});

test("HSTS is sent over https alone, and only if it is asked for", async () => {
  await using plain = await start();
  const over = async (peal: typeof plain) =>
    (
      await fetch(`https://127.0.0.1:${peal.running.tlsAddresses[0]?.port}/ready`, {
        tls: { rejectUnauthorized: false },
      })
    ).headers;
  expect((await over(plain)).has("strict-transport-security")).toBe(false);
  await using asked = await start({ PEAL_HSTS: "180d" });
  expect((await over(asked)).get("strict-transport-security")).toBe("max-age=15552000");
  expect((await asked.request("/ready")).headers.has("strict-transport-security")).toBe(false);
});

test("over https, links and cookies are those of https", async () => {
  await using peal = await start();
  const { text } = await fresh(`https://127.0.0.1:${peal.running.tlsAddresses[0]?.port}/v1/home/topics`, {
    ...{ method: "POST", body: '{"name":"linked"}' },
    headers: { authorization: `Bearer ${peal.adminKey}`, "content-type": "application/json" },
  });
  expect((JSON.parse(text) as { url: string }).url).toStartWith("https://127.0.0.1:");
});
