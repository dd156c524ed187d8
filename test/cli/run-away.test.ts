/** `peal run` while the server is away: the job runs all the same, and what can still be told is told. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCheck } from "../support/checks.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal } from "../support/server.ts";
import { childrenOf, pingsOf, runAlone, runToEnd, said } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-away-"));
let gates = 0;
/** Something for a job to wait for. */
function gate() {
  const path = join(folder, String(gates++));
  const open = () => {
    writeFileSync(path, "");
  };
  return { script: `echo ready; while [ ! -e ${path} ]; do sleep 0.02; done`, open };
}

describe("a server that is away from the start", () => {
  test("for good: the exit code is the job's, and the reason is said", async () => {
    await using peal = await startPeal();
    const { ping_url } = await newCheck(peal);
    await peal.kill("SIGKILL");
    const before = performance.now();
    const ran = await runToEnd(["--check", ping_url, "--wait", "2s", "--", "sh", "-c", "echo ran; exit 7"]);
    expect(performance.now() - before).toBeWithin(2_000, 10_000);
    expect({ ...ran, stdout: ran.stdout.toString() }).toEqual({
      code: 7,
      stdout: "ran\n",
      stderr: `peal run: the check was not told that the job ended with 7: ${peal.url} cannot be reached (ECONNREFUSED)\n`,
    });
  });

  test("until the job runs: its start is told late, before its end", async () => {
    await using peal = await startPeal();
    const { id, ping_url } = await newCheck(peal);
    await peal.kill("SIGKILL");
    const { script, open } = gate();
    await using job = runAlone(["--check", ping_url, "--", "sh", "-c", script]);
    await said(job, "ready");
    await peal.start();
    await eventually("the start to be told", async () => (await pingsOf(peal, id))[0]?.kind === "start");
    open();
    expect(await job.exited).toBe(0);
    expect((await pingsOf(peal, id)).map(({ kind }) => kind)).toEqual(["start", "ok"]);
  });

  test("until the job has ended: only its end is told", async () => {
    await using peal = await startPeal();
    const { id, ping_url } = await newCheck(peal);
    await peal.kill("SIGKILL");
    await using job = runAlone(["--check", ping_url, "--", "sh", "-c", "echo ready; exit 2"]);
    await said(job, "ready");
    await eventually("the job to end", () => childrenOf(job.pid).length === 0);
    await peal.start();
    expect(await job.exited).toBe(2);
    expect(job.errors()).toBe("");
    expect(await pingsOf(peal, id)).toMatchObject([{ kind: "fail", exit: 2 }]);
  });
});

test("a server that dies while the job runs hears of its end when it is back", async () => {
  await using peal = await startPeal();
  const { id, ping_url } = await newCheck(peal);
  const { script, open } = gate();
  await using job = runAlone(["--check", ping_url, "--", "sh", "-c", script]);
  await eventually("the start to be told", async () => (await pingsOf(peal, id)).length === 1);
  await peal.kill("SIGKILL");
  open();
  await eventually("the job to end", () => childrenOf(job.pid).length === 0);
  await peal.start();
  expect(await job.exited).toBe(0);
  const [start, end] = await pingsOf(peal, id);
  expect([start?.kind, end?.kind]).toEqual(["start", "ok"]);
  expect(end?.["rid"]).toBe(start?.["rid"]);
  expect(end?.["duration"]).toBeNumber();
});

test("one that takes the connection and says nothing holds nobody up for longer than --wait", async () => {
  using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const check = `http://127.0.0.1:${silent.port}/v1/ping/7d3kzzzzzzzzzzzzzzzzzzzzzz`;
  const before = performance.now();
  const { code, stderr } = await runToEnd(["--check", check, "--wait", "1s", "--", "sh", "-c", "exit 1"]);
  expect(performance.now() - before).toBeWithin(1_000, 9_000);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^peal run: the check was not told that the job ended with 1: .*\n$/);
});

describe("what stands in front of the server", () => {
  /** A proxy; `n`: so many were asked before. */
  const proxy = (answer: (request: Request, n: number) => Response | Promise<Response>) => {
    let n = 0;
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: async (request) => answer(request, n++) });
    return { url: server.url.href, port: server.port, [Symbol.asyncDispose]: async () => server.stop(true) };
  };

  test.each([404, 429, 500, 502, 503])("its %d is no answer of the server: the ping is tried again", async (status) => {
    await using peal = await startPeal();
    const { id, ping_url } = await newCheck(peal);
    const forward = async (request: Request) => fetch(ping_url + new URL(request.url).search, { method: "POST" });
    await using front = proxy(async (request, n) =>
      n < 2 ? new Response("404 page not found", { status }) : forward(request),
    );
    const ran = await runToEnd(["--check", `${front.url}v1/ping/x`, "--", "true"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(await pingsOf(peal, id)).not.toEqual([]);
  });

  test.each([301, 302, 307, 308])("its %d leads to the same server: the ping goes there whole", async (status) => {
    await using peal = await startPeal();
    const { id, ping_url } = await newCheck(peal, { post_only: true });
    const moved = (url: string) => new Response(null, { status, headers: { location: url } });
    await using front = proxy(({ url }) => moved(ping_url + new URL(url).pathname.slice(2) + new URL(url).search));
    expect(await runToEnd(["--check", `${front.url}x`, "--", "echo", "said"])).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(await pingsOf(peal, id)).toMatchObject([
      { kind: "start", method: "POST" },
      { kind: "ok", exit: 0, method: "POST", body_bytes: 5 },
    ]);
  });

  test("who is led to another host does not tell it the token", async () => {
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
