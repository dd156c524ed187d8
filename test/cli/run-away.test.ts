/** `peal run` while the server is away: the job runs all the same, and what can still be reported is reported. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCheck, type TestCheck } from "../support/checks.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/proxies.ts";
import { startPeal } from "../support/server.ts";
import { childrenOf, pingsOf, runAlone, runToEnd, said } from "./run.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

const folder = mkdtempSync(join(tmpdir(), "peal-away-"));
let gates = 0;
/** A file that a job can wait for. */
function gate() {
  const path = join(folder, String(gates++));
  const open = () => {
    writeFileSync(path, "");
  };
  return { script: `echo ready; while [ ! -e ${path} ]; do sleep 0.02; done`, open };
}

/** Starts a proxy in front of the server; `n` counts the requests before this one. */
function proxy(answer: (request: Request, n: number) => Response | Promise<Response>, port = 0) {
  let n = 0;
  const server = Bun.serve({ hostname: "127.0.0.1", port, fetch: async (request) => answer(request, n++) });
  return { url: server.url.href, port: server.port, [Symbol.asyncDispose]: async () => server.stop(true) };
}

/** Forwards a ping of `…/x` to the check. */
async function forward({ ping_url }: TestCheck, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  return fetch(ping_url + pathname.slice(2) + search, { method: "POST", body: await request.bytes() });
}

/** An address for the check: connections are refused before `comes` and after `goes`. */
async function place(check: TestCheck) {
  const port = await freePort();
  let server: AsyncDisposable | undefined;
  const goes = async () => server?.[Symbol.asyncDispose]();
  return {
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/x`,
    comes: () => (server = proxy(async (request) => forward(check, request), port)),
    goes,
    [Symbol.asyncDispose]: goes,
  };
}

describe("a server that is away from the start", () => {
  test("for good: the exit code is the job's, and the reason is printed", async () => {
    const { url, origin } = await place(await newCheck(peal));
    const before = performance.now();
    const ran = await runToEnd(["--check", url, "--wait", "1s", "--", "sh", "-c", "echo ran; exit 7"]);
    expect(performance.now() - before).toBeWithin(1_000, 30_000);
    expect({ ...ran, stdout: ran.stdout.toString() }).toEqual({
      code: 7,
      stdout: "ran\n",
      stderr: `peal run: could not report to the check that the job ended with 7: ${origin} can't be reached (ECONNREFUSED)\n`,
    });
  });

  test("until the job runs: its start is reported late, before its end", async () => {
    const check = await newCheck(peal);
    await using server = await place(check);
    const { script, open } = gate();
    await using job = runAlone(["--check", server.url, "--", "sh", "-c", script]);
    await said(job, "ready");
    server.comes();
    await eventually("the start to be told", async () => (await pingsOf(peal, check.id))[0]?.kind === "start");
    open();
    expect(await job.exited).toBe(0);
    expect((await pingsOf(peal, check.id)).map(({ kind }) => kind)).toEqual(["start", "ok"]);
  });

  test("until the job has ended: its end is reported", async () => {
    const check = await newCheck(peal);
    await using server = await place(check);
    await using job = runAlone(["--check", server.url, "--", "sh", "-c", "echo ready; exit 2"]);
    await said(job, "ready");
    await eventually("the job to end", () => childrenOf(job.pid).length === 0);
    server.comes();
    expect(await job.exited).toBe(2);
    expect(job.errors()).toBe("");
    // also its start, if the server came back before the end was noticed
    const pings = await pingsOf(peal, check.id);
    expect(pings.at(-1)).toMatchObject({ kind: "fail", exit: 2 });
    expect(pings.slice(0, -1).filter(({ kind }) => kind !== "start")).toEqual([]);
  });
});

test("a server that goes away while the job runs gets its end when it is back", async () => {
  const check = await newCheck(peal);
  await using server = await place(check);
  server.comes();
  const { script, open } = gate();
  await using job = runAlone(["--check", server.url, "--", "sh", "-c", script]);
  await eventually("the start to be told", async () => (await pingsOf(peal, check.id)).length === 1);
  await server.goes();
  open();
  await eventually("the job to end", () => childrenOf(job.pid).length === 0);
  server.comes();
  expect(await job.exited).toBe(0);
  const [start, end] = await pingsOf(peal, check.id);
  expect([start?.kind, end?.kind]).toEqual(["start", "ok"]);
  expect(end?.["rid"]).toBe(start?.["rid"]);
  expect(end?.["duration"]).toBeNumber();
});

test("a server that accepts the connection and stays silent delays nothing for longer than --wait", async () => {
  using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const check = `http://127.0.0.1:${silent.port}/v1/ping/7d3kzzzzzzzzzzzzzzzzzzzzzz`;
  const before = performance.now();
  const { code, stderr } = await runToEnd(["--check", check, "--wait", "1s", "--", "sh", "-c", "exit 1"]);
  expect(performance.now() - before).toBeWithin(1_000, 9_000);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^peal run: could not report to the check that the job ended with 1: .*\n$/);
});

describe("what stands in front of the server", () => {
  test("its 404, 429 or 5xx does not count as the server's answer: the ping is tried again", async () => {
    const statuses = [404, 429, 500, 502, 503];
    const told = await Promise.all(
      statuses.map(async (status) => {
        const check = await newCheck(peal);
        await using front = proxy(async (request, n) =>
          n < 2 ? new Response("404 page not found", { status }) : forward(check, request),
        );
        const { code, stderr } = await runToEnd(["--check", `${front.url}x`, "--", "true"]);
        return { status, code, stderr, last: (await pingsOf(peal, check.id)).at(-1)?.kind };
      }),
    );
    expect(told).toEqual(statuses.map((status) => ({ status, code: 0, stderr: "", last: "ok" })));
  });

  test("its 301, 302, 307 or 308 leads to the same server: the complete ping goes there", async () => {
    const statuses = [301, 302, 307, 308];
    const told = await Promise.all(
      statuses.map(async (status) => {
        const { id, ping_url } = await newCheck(peal, { post_only: true });
        const moved = (url: string) => new Response(null, { status, headers: { location: url } });
        await using front = proxy(({ url }) => moved(ping_url + new URL(url).pathname.slice(2) + new URL(url).search));
        const { code, stderr } = await runToEnd(["--check", `${front.url}x`, "--", "echo", "said"]);
        return { status, code, stderr, pings: await pingsOf(peal, id) };
      }),
    );
    const pings = [
      { kind: "start", method: "POST" },
      { kind: "ok", exit: 0, method: "POST", body_bytes: 5 },
    ];
    expect(told).toMatchObject(statuses.map((status) => ({ status, code: 0, stderr: "", pings })));
  });

  test("a redirect to another host does not get the token", async () => {
    let isTold = false;
    await using other = proxy(() => {
      isTold = true;
      return new Response("ok");
    });
    const location = `http://localhost:${other.port}/v1/ping/7d3kzzzzzzzzzzzzzzzzzzzzzz`;
    await using front = proxy(() => new Response(null, { status: 302, headers: { location } }));
    const check = `${front.url}v1/ping/7d3kzzzzzzzzzzzzzzzzzzzzzz`;
    const { code, stderr } = await runToEnd(["--check", check, "--wait", "1s", "--", "true"]);
    expect(code).toBe(0);
    expect(stderr).toContain("answered 302");
    expect(isTold).toBe(false);
  });
});
