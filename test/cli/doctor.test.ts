/** `peal doctor` on real servers. Every push service is a fake behind a proxy on loopback. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer } from "node:tls";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { peal as run } from "../support/command.ts";
import { authority, newAuthority } from "../support/push/ca.ts";
import { fakeProxy, type FakeProxy } from "../support/push/proxy.ts";
import { listening } from "../support/push/wire.ts";
import { freePort } from "../support/proxies.ts";
import { startPeal } from "../support/server.ts";

const HOSTS = ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"];

/** All push services in one: it answers what the clock says, `slowMs` ago. */
async function pushServices(slowMs = 0) {
  const server = createServer({ ...authority.issue(HOSTS) }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      const date = new Date(Date.now() - slowMs).toUTCString();
      socket.end(`HTTP/1.1 404 Not Found\r\nDate: ${date}\r\nContent-Length: 0\r\n\r\n`);
    });
  });
  const proxy = await fakeProxy({ port: await listening(server) });
  return { proxy, [Symbol.asyncDispose]: async () => (server.close(), proxy[Symbol.asyncDispose]()) };
}

let services: Awaited<ReturnType<typeof pushServices>>;
beforeAll(async () => (services = await pushServices()));
afterAll(async () => services[Symbol.asyncDispose]());

async function doctor(dataDir: string, env: Record<string, string> = {}, proxy: FakeProxy = services.proxy) {
  const settings = { PEAL_DATA_DIR: dataDir, PEAL_HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority.file };
  const { code, stdout } = await run(["doctor", "--json"], { TZ: "Europe/Berlin", ...settings, ...env });
  const findings = JSON.parse(stdout) as Finding[];
  return { code, about: new Map(findings.map((finding) => [finding.about, finding])) };
}

/** An https proxy in front of a server. */
function frontDoor(url: string, { cert, key } = authority.issue(), holdsBack = false) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert, key },
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(url + pathname + search, { signal: request.signal });
      if (!holdsBack || !pathname.endsWith("/events")) return answer;
      return new Response(await answer.arrayBuffer()); // all of a stream at once: never
    },
  });
  return { url: `https://localhost:${server.port}`, [Symbol.asyncDispose]: async () => server.stop(true) };
}

test("with a server that is well, behind https, nothing fails, and the words say so", async () => {
  await using peal = await startPeal();
  await peal.publish(await peal.topic("backups"), { message: "x" });
  await using door = frontDoor(peal.url);
  const { code, about } = await doctor(peal.dataDir, { PEAL_BASE_URL: door.url });
  expect([...about.values()].filter(({ result }) => result === "fail")).toEqual([]);
  expect(code).toBe(0);
  for (const name of ["server", "health", "base url", "event stream", "database", "file system", "clock", ...HOSTS])
    expect(about.get(name) ?? about.get(`push to ${name}`)).toMatchObject({ result: "pass" });
  expect(about.get("base url")?.text).toContain("this server answers");
  expect(about.get("certificate")).toMatchObject({ result: "warn", text: expect.stringMatching(/^expires in/) }); // trusted, but for a day
  expect(services.proxy.tunnels).toContain("fcm.googleapis.com:443");

  const words = await run(["doctor"], { PEAL_DATA_DIR: peal.dataDir, PEAL_HTTPS_PROXY: services.proxy.url });
  expect(words.stdout).toMatch(/^pass {2}configuration +valid\n/);
  expect(words.stdout).toMatch(/^warn {2}base url +PEAL_BASE_URL is not set\n +→ Set it to/m);
});

test("a proxy that holds streams back, and a certificate that nobody trusts, fail", async () => {
  await using peal = await startPeal();
  await peal.topic("backups");
  await using door = frontDoor(peal.url, newAuthority().issue(), true);
  const { code, about } = await doctor(peal.dataDir, { PEAL_BASE_URL: door.url });
  expect(code).toBe(1);
  expect(about.get("event stream")).toMatchObject({ result: "fail" });
  expect(about.get("certificate")).toMatchObject({ result: "fail" });
  expect(about.get("base url")).toMatchObject({ result: "pass" });
});

test("a base URL that leads to another server, to something else, or nowhere, fails", async () => {
  await using peal = await startPeal();
  await using other = await startPeal();
  const something = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  for (const [url, told] of [
    [other.url, "another peal"],
    [something.url.href, "not as a peal does"],
    [nowhere, "can't be reached"],
  ] as const) {
    const { code, about } = await doctor(peal.dataDir, { PEAL_BASE_URL: url });
    expect(code).toBe(1);
    expect(about.get("base url")).toMatchObject({ result: "fail", text: expect.stringContaining(told) });
  }
  await something.stop(true);
});

test("an undeclared proxy is named with the setting that believes it", async () => {
  await using peal = await startPeal({ env: { PEAL_TRUSTED_PROXIES: "none" } });
  await peal.request("/openapi.json", { headers: { "x-forwarded-for": "203.0.113.7" } });
  const { about } = await doctor(peal.dataDir);
  expect(about.get("forwarded headers")).toMatchObject({
    result: "warn",
    fix: expect.stringContaining("PEAL_TRUSTED_PROXIES=127.0.0.1"),
  });
});

test("with the server stopped it says so, and looks at the rest; a wrong clock and a closed firewall are told", async () => {
  await using peal = await startPeal();
  await peal.kill("SIGTERM");
  await using slow = await pushServices(3_600_000);
  const { about } = await doctor(peal.dataDir, {}, slow.proxy);
  expect(about.get("server")).toMatchObject({ result: "warn", text: "not running" });
  expect(about.get("database")).toMatchObject({ result: "pass" });
  expect(about.get("clock")).toMatchObject({ result: "fail", text: expect.stringContaining("fast") });

  slow.proxy.refusal = "403 Forbidden";
  const closed = await doctor(peal.dataDir, {}, slow.proxy);
  expect(closed.code).toBe(0);
  for (const host of HOSTS) expect(closed.about.get(`push to ${host}`)).toMatchObject({ result: "warn" });
  expect(closed.about.get("clock")).toMatchObject({ result: "warn" });
});

test("a configuration that cannot be used is the only line, and fails", async () => {
  const { code, stdout } = await run(["doctor", "--json"], { PEAL_LISTEN: "7325" });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([{ about: "configuration", result: "fail" }]);
});
