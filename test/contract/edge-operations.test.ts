/** Health, metrics, the operator's socket and the start of a server (OPERATIONS.md §4, §5). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { createHandler } from "../../src/server/serve.ts";
import { apiKeySecret } from "../../src/util/ids.ts";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { keptLog } from "../support/log.ts";
import { cleanEnv, COMMAND, inProcess, startPeal, type InProcess } from "../support/server.ts";
import { PASSWORD } from "../support/signin.ts";

let peal: InProcess;
beforeAll(async () => (peal = await inProcess()));
afterAll(async () => peal[Symbol.asyncDispose]());

test("health writes to the store at most every five seconds", async () => {
  const clock = heldClock(); // so that none of the server's workers writes meanwhile
  await using peal = await inProcess({ clock });
  const commits = async () => {
    const text = await (await peal.request("/metrics")).text();
    return Number(/peal_commit_seconds_count (\d+)/.exec(text)?.[1]);
  };
  const ask = async () => answer<unknown>(200, await peal.request("/health"));
  await ask();
  const before = await commits();
  await Promise.all(Array.from({ length: 20 }, ask));
  expect(await commits()).toBe(before);
  clock.advance(5_000);
  await ask();
  expect(await commits()).toBeGreaterThan(before);
});

test("anyone may read health and readiness", async () => {
  expect(await answer<object>(200, await peal.request("/health"))).toMatchObject({
    ...{ status: "ok", version: packageJson.version },
    checks: { store: "ok", disk: "ok" },
  });
  expect(await answer<object>(200, await peal.request("/ready"))).toEqual({ ready: true });
});

test("metrics count what happened, each with HELP and TYPE", async () => {
  await peal.api("POST", "/home/hello", { message: "hi", level: "error" });
  // texts that people write never become labels
  const data = { source: "made up" };
  await peal.api("POST", "/home/hello", { message: "hi", level: "error", title: '"source":"mine"', data });
  const response = await peal.request("/metrics");
  expect(response.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  const text = await response.text();
  expect(text).toContain('peal_messages_published_total{ns="home",level="error",source="api"} 2\n');
  expect(text).toContain("peal_publish_seconds_count 2\n");
  expect(text.match(/^peal_messages_published_total/gm)).toHaveLength(1);
  expect(text).toMatch(/peal_db_bytes [1-9]/);
  expect(text).toContain("peal_outbox_oldest_seconds 0\n"); // nothing is waiting
  for (const name of [
    ...[
      "commit_seconds",
      "commit_batch_size",
      "sse_connections",
      "sse_dropped_total",
      "rate_limited_total",
      "wal_bytes",
    ],
    ...["build_info", "messages_published_total", "publish_seconds", "db_bytes"],
  ]) {
    expect(text).toContain(`# HELP peal_${name} `);
    expect(text).toContain(`# TYPE peal_${name} `);
  }
  const table = await Bun.file("docs/metrics.md").text();
  const documented = [...table.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm)].map(([, ...cells]) => cells);
  const declared = [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \1 (\w+)$/gm)];
  expect(declared.map(([, name, help, type]) => [name, type, help])).toEqual(
    documented.map(([name, type, , help]) => [name, type, help]),
  );
  for (const [name = "", , labels = ""] of documented)
    for (const [, said = ""] of text.matchAll(new RegExp(`^${name}\\{(.*)\\} `, "gm")))
      expect([...said.matchAll(/(\w+)="/g)].map(([, label]) => `\`${label}\``).join(" ")).toBe(labels);
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  for (const line of samples) expect(line).toMatch(/^[a-z_]+(?:\{(?:\w+="(?:[^"\\\n]|\\.)*",?)+\})? -?[0-9.e+-]+$/);
});

const TOKEN = "t".repeat(32);
const FORWARDED = { "x-forwarded-for": "203.0.113.9" };
// prettier-ignore
const readers: [setting: string, [headers: Record<string, string>, status: number][]][] = [
  ["loopback", [[{}, 200], [{ "x-forwarded-for": "127.0.0.1" }, 404], [{ forwarded: "for=127.0.0.1" }, 404]]],
  ["off",      [[{}, 404]]],
  [TOKEN,      [
    [{}, 200], [FORWARDED, 401],
    [{ ...FORWARDED, authorization: `Bearer ${TOKEN}` }, 200],
    [{ ...FORWARDED, authorization: `Bearer ${TOKEN}x` }, 401],
  ]],
];
test.each(readers)("with PEAL_METRICS=%s only these may read the metrics", async (setting, asked) => {
  await using peal = await inProcess({ env: { PEAL_METRICS: setting } });
  for (const [headers, status] of asked)
    expect([headers, (await peal.request("/metrics", { headers })).status]).toEqual([headers, status]);
});

test("the operator needs no key over peal.sock, which only the operator can open", async () => {
  expect(statSync(join(peal.dataDir, "peal.sock")).mode & 0o777).toBe(0o600);
  const post = (body: object) => ({
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  await answer(201, await peal.local("/-/local/namespaces", post({ name: "media" })));
  await answer(409, await peal.local("/-/local/namespaces", post({ name: "media" })));
  for (const name of ["v1", "Media", "-x", "", "x".repeat(33), 7])
    await answer(422, await peal.local("/-/local/namespaces", post({ name })));
  const { namespaces } = await answer<{ namespaces: { name: string }[] }>(200, await peal.local("/-/local/namespaces"));
  expect(namespaces.map(({ name }) => name)).toEqual(["home", "media"]);
  const made = await answer<{ namespace: string; key: string }>(
    201,
    await peal.local("/v1/keys?namespace=media", post({})),
  );
  peal.secrets.add(made.key);
  expect(made.namespace).toBe("media");
  await answer(404, await peal.local("/v1/keys?namespace=nobody"));
  await answer(400, await peal.local("/v1/keys"));
  await answer(401, await peal.local("/v1/media/topics", { headers: { authorization: "Bearer svc_wrong" } }));
  await answer(200, await peal.local("/v1/media/topics"));
});

test("an unclaimed server says so to every request, and shows only the operator its set-up code", async () => {
  await using peal = await startPeal({ unclaimed: true });
  for (const [method, path] of [
    ["POST", "/home/hello"],
    ["GET", "/v1/home/topics"],
    ["POST", "/v1/keys"],
  ] as const) {
    const { code } = await answer<{ code: string }>(503, await peal.request(path, { method }));
    expect(code).toBe("not_set_up");
  }
  const page = await peal.request("/home/hello", { headers: { accept: "text/html" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  for (const path of ["/health", "/ready", "/metrics", "/-/setup", "/openapi.json"])
    expect((await peal.request(path)).status).toBe(200);

  const file = join(peal.dataDir, "setup-code");
  const { code } = await answer<{ code: string }>(200, await peal.local("/-/local/setup-code"));
  expect(code).toMatch(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}$/);
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([`${code}\n`, 0o600]);
  expect(peal.output()).toContain(code);
  expect((await peal.request("/-/local/setup-code")).status).toBe(404);

  await peal.kill("SIGTERM");
  await peal.start();
  const next = readFileSync(file, "utf8").trim();
  expect(next).not.toBe(code);
  const claim = async (typed: string) =>
    peal.request("/-/setup", {
      method: "POST",
      body: new URLSearchParams({ code: typed, name: "Mara", password: PASSWORD }),
      headers: { origin: peal.url, "sec-fetch-site": "same-origin" },
    });
  expect((await claim(code)).status).toBe(403);
  expect((await claim(next)).status).toBe(200);
  expect(existsSync(file)).toBe(false);
  await answer(401, await peal.request("/v1/home/topics"));
  await answer(409, await peal.local("/-/local/setup-code"));
});

test("PEAL_ADMIN_KEY is read only while there is no admin key", async () => {
  await using peal = await inProcess();
  const second = await peal.mint("admin");
  const [first] = (
    await answer<{ keys: { id: string; scope: string; prefix: string }[] }>(200, await peal.api("GET", "/v1/keys"))
  ).keys.filter(({ prefix }) => peal.adminKey.startsWith(prefix));
  await peal.api("DELETE", `/v1/keys/${first?.id ?? ""}`);
  await peal.restart();
  await answer(401, await peal.api("GET", "/v1/keys"));
  await answer(200, await peal.api("GET", "/v1/keys", undefined, { authorization: `Bearer ${second.key}` }));
});

test("a PEAL_ADMIN_KEY that was the only key and was revoked stays revoked after a restart; another one is accepted", async () => {
  const { log, lines } = keptLog();
  await using peal = await inProcess({ log });
  const { keys } = await answer<{ keys: { id: string }[] }>(200, await peal.api("GET", "/v1/keys"));
  expect((await peal.api("DELETE", `/v1/keys/${keys[0]?.id ?? ""}`)).status).toBe(204);
  for (let n = 0; n < 2; n++) {
    await peal.restart();
    expect((await peal.api("GET", "/v1/keys")).status).toBe(503); // back in set-up: there are no keys
  }
  expect(lines.join("\n")).toContain("PEAL_ADMIN_KEY is not used: it was revoked");
  await peal.running.stop();

  const another = apiKeySecret();
  await using second = await inProcess({ dataDir: peal.dataDir, env: { PEAL_ADMIN_KEY: another } });
  await answer(200, await second.api("GET", "/v1/keys"));
});

test("a second server on the same directory is refused with an explanation, and leaves the first one its socket", async () => {
  const second = Bun.spawn([...COMMAND, "serve"], {
    env: cleanEnv({ PEAL_LISTEN: "127.0.0.1:0", PEAL_DATA_DIR: peal.dataDir }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, code] = await Promise.all([second.stderr.text(), second.exited]);
  expect(said).toMatch(/another|second|already/i);
  expect(code).toBe(1);
  await answer(200, await peal.local("/-/local/namespaces"));
});

test("without a running server the same routes answer the operator, and the lock is free afterwards", async () => {
  await using peal = await inProcess();
  const { config } = peal.running.deps;
  await peal.running.stop();
  const { handle, close } = await createHandler(config);
  const { namespaces } = await answer<{ namespaces: object[] }>(
    200,
    await handle(new Request("http://localhost/-/local/namespaces")),
  );
  expect(namespaces).toHaveLength(1);
  await close();
  await peal.restart();
  expect((await peal.request("/ready")).status).toBe(200);
});

test("a request over a unix socket in PEAL_LISTEN comes from a proxy, not from the operator", async () => {
  const path = join(tmpdir(), `peal-${process.pid}.sock`);
  const env = { PEAL_LISTEN: `127.0.0.1:0,unix:${path}` };
  {
    await using killed = await startPeal({ env });
    await killed.kill("SIGKILL"); // the killed server leaves its sockets behind
    expect(existsSync(path)).toBe(true);
  }
  await using peal = await startPeal({ env });
  const ask = async (target: string, init = {}) => fetch(`http://localhost${target}`, { unix: path, ...init });
  await answer(404, await ask("/-/local/namespaces"));
  await answer(401, await ask("/v1/home/topics"));
  const { topic_url } = await answer<{ topic_url: string }>(
    201,
    await ask("/home/hello", {
      method: "POST",
      body: "hi",
      headers: { authorization: `Bearer ${peal.adminKey}`, "x-forwarded-proto": "https", "x-forwarded-host": "x.test" },
    }),
  );
  expect(topic_url).toStartWith("https://x.test/home/hello/");
});
