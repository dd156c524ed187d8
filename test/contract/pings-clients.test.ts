/** The requests of real clients, as their sources build them (CHECKINS.md §2). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkOf, eventsOf, kindsOf, newCheck, pingKeyUrl, type TestCheck } from "../support/checks.ts";
import { answers, converse, statuses } from "../support/raw.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

/** Runs a program to its end, and returns its exit code and output. */
async function run(...command: string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: stdout + stderr };
}

/** Sends a request as a client writes it, to wherever its URL leads, and returns the status. */
async function send(method: string, url: string, headers: string, body = ""): Promise<number | undefined> {
  const { pathname, search, host } = new URL(url);
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...headers.trim().split(/\n\s*/)];
  return statuses(await converse(peal.url, [...lines, "", body].join("\r\n"), answers(1)))[0];
}

const said = async (id: string, n: number) => (await peal.api("GET", `/v1/home/checks/${id}/events/${n}/body`)).text();

describe("curl", () => {
  const withCurl = testWith("curl");

  // Healthchecks' own pages: https://healthchecks.io/docs/bash/
  // prettier-ignore
  withCurl.each([
    ["-fsS -m 10 --retry 5 -o /dev/null URL",                              [{ kind: "ok", method: "GET" }]],
    ["-fsS -m 10 --retry 5 URL/start",                                     [{ kind: "start", method: "GET" }]],
    ["-fsS -m 10 --retry 5 --data-raw said URL/7",                         [{ kind: "fail", method: "POST", exit: 7, body_bytes: 4 }, { kind: "down" }]],
    ["-fsS -m 10 -F file=@/etc/hostname URL/log",                          [{ kind: "log", method: "POST" }]],
    ["-fsS -m 10 -T /etc/hostname URL/log",                                [{ kind: "log", method: "PUT" }]],
    ["-fsS -m 10 --head URL",                                              [{ kind: "ok", method: "HEAD" }]],
    ["-fsS -m 10 -H Expect:100-continue -d @/etc/hostname URL/fail?rid=a", [{ kind: "fail", rid: "a" }, { kind: "down" }]],
    ["-fsS -m 10 --http1.0 URL",                                           [{ kind: "ok", method: "GET" }]],
  ])("curl %s", async (words, events) => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    expect((await run("curl", ...words.replace("URL", ping_url).split(" "))).code).toBe(0);
    expect(await eventsOf(peal, id)).toMatchObject(events);
  });

  withCurl("pipes what a job prints", async () => {
    const { id, ping_url } = await newCheck(peal);
    expect((await run("sh", "-c", `printf 'all is well' | curl -fsS --data-binary @- ${ping_url}/log`)).output).toBe(
      "ok",
    );
    expect(await said(id, 1)).toBe("all is well");
  });

  withCurl("is told of an unknown check by its exit code", async () => {
    const { code } = await run("curl", "-fsS", `${peal.url}/v1/ping/0123456789abcdefghjkmnpqrs`);
    expect(code).toBe(22);
  });
});

describe("wget", () => {
  // prettier-ignore
  testWith("wget").each([
    ["-q -T 10 -t 5 -O /dev/null URL",              [{ kind: "ok", method: "GET" }]],
    ["-q --spider URL",                             [{ kind: "ok", method: "HEAD" }]],
    ["-q -O /dev/null --post-data=said URL/3",      [{ kind: "fail", method: "POST", exit: 3, body_bytes: 4 }, { kind: "down" }]],
  ])("wget %s", async (words, events) => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    expect((await run("wget", ...words.replace("URL", ping_url).split(" "))).code).toBe(0);
    expect(await eventsOf(peal, id)).toMatchObject(events);
  });
});

describe("PowerShell", () => {
  test("Invoke-RestMethod of 7", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    const headers = `User-Agent: Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.6
      Accept-Encoding: gzip, deflate, br`;
    expect(await send("GET", ping_url, headers)).toBe(200);
    const form = `${headers}\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 13`;
    expect(await send("POST", `${ping_url}/log`, form, "all is well %")).toBe(200);
    expect(await eventsOf(peal, id)).toMatchObject([{ kind: "ok" }, { kind: "log", body_bytes: 13 }]);
    expect(await said(id, 2)).toBe("all is well %");
  });

  test("Invoke-WebRequest of Windows PowerShell 5.1 waits for 100 Continue before it sends a body", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    const headers = `User-Agent: Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.4391
      Content-Type: application/x-www-form-urlencoded
      Expect: 100-continue
      Connection: Keep-Alive
      Content-Length: 4`;
    const { pathname, host } = new URL(ping_url);
    const head = [`POST ${pathname}/1 HTTP/1.1`, ...headers.split(/\n\s*/), `Host: ${host}`, "", ""].join("\r\n");
    const heard = await converse(peal.url, `${head}said`, answers(2));
    expect(statuses(heard)).toEqual([100, 200]);
    expect(await eventsOf(peal, id)).toMatchObject([{ kind: "fail", exit: 1, body_bytes: 4 }, { kind: "down" }]);
  });
});

// bdd/runitor, internal/api.go: `u.Path = JoinPath(base, handle, type)`, then `create` and `rid`, POST whatever it says
describe("runitor", () => {
  const RID = "9f9a1a1e-3d0a-4a3b-8f6e-1d6a7f0c2b11";
  const headers = (length: number) => `User-Agent: runitor/v1.4.1 (linux-amd64; +https://bdd.fi/x/runitor)
    Content-Length: ${length}
    Content-Type: text/plain
    Accept-Encoding: gzip`;

  test("-api-url $URL/v1/ping -uuid $TOKEN: start, exit code, output, a run", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    expect(await send("POST", `${ping_url}/start?rid=${RID}`, headers(0))).toBe(200);
    const output = "\n[runitor] exit status 3";
    expect(await send("POST", `${ping_url}/3?rid=${RID}`, headers(output.length), output)).toBe(200);
    expect(await eventsOf(peal, id)).toMatchObject([
      { kind: "start", rid: RID },
      { kind: "fail", rid: RID, exit: 3, body_bytes: output.length },
      { kind: "down", reason: "failed" },
    ]);
    expect(await checkOf(peal, id)).toMatchObject({ running: false });
  });

  test("-ping-key $KEY -slug job -create makes the check", async () => {
    const url = `${await pingKeyUrl(peal)}/runitor-job`;
    expect(await send("POST", `${url}/start?create=1&rid=${RID}`, headers(0))).toBe(201);
    expect(await send("POST", `${url}?create=1&rid=${RID}`, headers(2), "ok")).toBe(200);
  });
});

// borgmatic, hooks/monitoring/healthchecks.py: `f'{ping_url}/{state}'`, `f'{ping_url}?create=1'`, requests.post
describe("borgmatic", () => {
  const headers = (length: number) => `User-Agent: borgmatic
    Accept-Encoding: gzip, deflate
    Accept: */*
    Connection: keep-alive
    Content-Length: ${length}`;

  test("ping_url: $URL, with send_logs", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    const logs = "INFO: Ü\n".repeat(20_000).slice(0, 99_996);
    const sent = async (state: string, text: string) =>
      send("POST", ping_url + state, headers(Buffer.byteLength(text)), text);
    expect(await sent("/start", "")).toBe(200);
    expect(await sent("/log", logs)).toBe(200);
    expect(await sent("", logs)).toBe(200);
    expect(await sent("/fail", logs)).toBe(200);
    expect(await eventsOf(peal, id)).toMatchObject([
      { kind: "start", user_agent: "borgmatic" },
      { kind: "log", body_bytes: Buffer.byteLength(logs) },
      { kind: "ok" },
      { kind: "fail" },
      { kind: "down" },
    ]);
  });

  test("ping_url: $KEY/slug, with create_slug", async () => {
    const url = `${await pingKeyUrl(peal)}/borgmatic-job`;
    expect(await send("POST", `${url}/start?create=1`, headers(0))).toBe(201);
    expect(await send("POST", `${url}?create=1`, headers(2), "ok")).toBe(200);
    expect(await send("POST", `${url}/fail?create=1`, headers(2), "no")).toBe(200);
  });
});

// louislam/uptime-kuma, extra/push-examples and server/routers/api-router.js
describe("a push of Uptime Kuma", () => {
  const pushUrl = (url: string) => url.replace("/v1/ping/", "/api/push/");
  const AS_COPIED = "?status=up&msg=OK&ping=";

  testWith("curl")("bash-curl: with quotes, and without them, where the shell takes the `&`", async () => {
    const [quoted, bare] = [await newCheck(peal, { every: "1d" }), await newCheck(peal, { every: "1d" })];
    const pushed = ({ ping_url }: TestCheck) => pushUrl(ping_url) + AS_COPIED;
    expect((await run("sh", "-c", `PUSH_URL="${pushed(quoted)}"; curl -s -o /dev/null $PUSH_URL`)).code).toBe(0);
    expect((await run("sh", "-c", `curl -fsS ${pushed(bare)}; wait`)).output).toBe('{"ok":true}');
    expect(await eventsOf(peal, quoted.id)).toMatchObject([{ kind: "ok", method: "GET", body_bytes: 2 }]);
    expect(await said(quoted.id, 1)).toBe("OK");
    expect(await kindsOf(peal, bare.id)).toEqual(["ok"]);
  });

  testWith("python3")("python", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    const script = "import sys, urllib.request\nurllib.request.urlopen(sys.argv[1])";
    expect((await run("python3", "-c", script, pushUrl(ping_url) + AS_COPIED)).output).toBe("");
    expect(await eventsOf(peal, id)).toMatchObject([{ kind: "ok" }]);
  });

  // prettier-ignore
  test.each([
    ["",                              [{ kind: "ok" }],                                        undefined],
    ["?status=up",                    [{ kind: "ok" }],                                        undefined],
    ["?status=&msg=&ping=12.5",       [{ kind: "ok" }],                                        undefined],
    ["?status=down&msg=disk%20full",  [{ kind: "fail", body_bytes: 9 }, { kind: "down" }],     "disk full"],
    ["?status=UP&msg=%C3%9C",         [{ kind: "fail", body_bytes: 2 }, { kind: "down" }],     "Ü"],
    ["?status=pending",               [{ kind: "fail" }, { kind: "down" }],                    undefined],
  ])("%s", async (query, events, text) => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    const response = await peal.request(pushUrl(ping_url) + query);
    expect([response.status, await response.text()]).toEqual([200, '{"ok":true}']);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await eventsOf(peal, id)).toMatchObject(events);
    if (text !== undefined) expect(await said(id, 1)).toBe(text);
  });

  test.each(["HEAD", "POST", "PUT"])("%s is accepted too", async (method) => {
    const { id, ping_url } = await newCheck(peal);
    expect((await peal.request(pushUrl(ping_url), { method })).status).toBe(200);
    expect(await eventsOf(peal, id)).toMatchObject([{ kind: "ok", method }]);
  });

  test("a message sent with POST is kept, unless the URL has one", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    await peal.request(`${pushUrl(ping_url)}?status=down`, { method: "POST", body: "in the body" });
    await peal.request(`${pushUrl(ping_url)}?status=up&msg=in+the+URL`, { method: "POST", body: "in the body" });
    expect([await said(id, 1), await said(id, 3)]).toEqual(["in the body", "in the URL"]);
  });

  test("with an unknown token, or with something that is not a token", async () => {
    for (const token of ["0123456789abcdefghjkmnpqrs", "key", "%E0%A4%A"]) {
      const response = await peal.request(`/api/push/${token}${AS_COPIED}`);
      expect([response.status, await response.json()]).toEqual([404, { ok: false, msg: "not found" }]);
    }
    expect((await peal.request("/api/push/key/more")).status).toBe(404);
    expect((await peal.request("/api/push")).status).toBe(404);
  });
});
