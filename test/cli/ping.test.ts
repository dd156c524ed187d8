/** `peal ping` exits with 0 once the server has the ping on disk, otherwise with the reason (docs/check-ins.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pingOf, pingUrl } from "../../src/cli/ping-url.ts";
import { newCheck, pingKeyUrl, type TestCheck } from "../support/checks.ts";
import { peal as runPeal } from "../support/command.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";
import { pingsOf, saidTo } from "./run.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

const ping = async (...args: string[]) => runPeal(["ping", ...args]);
const DONE = { code: 0, stdout: "", stderr: "" };
const UNKNOWN = "7d3kzzzzzzzzzzzzzzzzzzzzzz";

// prettier-ignore
const outcomes: [args: string[], event: object][] = [
  [[],                    { kind: "ok" }],
  [["--start"],           { kind: "start" }],
  [["--fail"],            { kind: "fail" }],
  [["--log"],             { kind: "log" }],
  [["--exit", "0"],       { kind: "ok", exit: 0 }],
  [["--exit", "255"],     { kind: "fail", exit: 255 }],
];
test("each outcome is reported", async () => {
  const { id, ping_url } = await newCheck(peal);
  for (const [args] of outcomes) expect([args, await ping(ping_url, ...args)]).toEqual([args, DONE]);
  expect(await pingsOf(peal, id)).toMatchObject(outcomes.map(([, event]) => ({ ...event, method: "POST" })));
});

describe("the job's output", () => {
  test("is given on the command line", async () => {
    const { id, ping_url } = await newCheck(peal);
    expect(await ping(ping_url, "--fail", "--body", "disk full: 100 %")).toEqual(DONE);
    expect((await saidTo(peal, id)).toString()).toBe("disk full: 100 %");
  });

  test("or on standard input, whatever its bytes: the last 8 kB arrive", async () => {
    const { id, ping_url } = await newCheck(peal);
    const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(50_000)));
    const child = Bun.spawn([...COMMAND, "ping", ping_url, "--body", "-"], { env: cleanEnv(), stdin: bytes });
    expect(await child.exited).toBe(0);
    expect(bytes.subarray(-8192).equals(await saidTo(peal, id))).toBe(true);
  });
});

describe("a check is given", () => {
  const tokenOf = ({ ping_url }: TestCheck) => ping_url.slice(-26);

  test("by its token, together with the server's address", async () => {
    const check = await newCheck(peal);
    expect(await ping(tokenOf(check), "--exit", "3", "--url", peal.url)).toEqual(DONE);
    expect(await runPeal(["ping", tokenOf(check), "--exit", "4"], { PEAL_URL: `${peal.url}/` })).toEqual(DONE);
    expect(await pingsOf(peal, check.id)).toMatchObject([{ exit: 3 }, { exit: 4 }]);
  });

  test("by ping key and slug", async () => {
    const { id } = await newCheck(peal, { slug: "by-slug" });
    const url = await pingKeyUrl(peal);
    const key = url.split("/").at(-1) ?? "";
    expect(await ping(`${url}/by-slug`, "--exit", "3")).toEqual(DONE);
    expect(await ping(`${key}/by-slug`, "--exit", "4", "--url", peal.url)).toEqual(DONE);
    expect(await pingsOf(peal, id)).toMatchObject([{ exit: 3 }, { exit: 4 }]);
  });
});

describe("a ping that does not arrive exits with 1 and the reason, never with the token", () => {
  // prettier-ignore
  const refused: [what: string, path: string, told: string][] = [
    ["to an unknown check",  `/v1/ping/${UNKNOWN}`,                   "answered 404: it doesn't know this check"],
    ["to no path of pings",  `/v1/pings/${UNKNOWN}/x/y/z`,            "answered 404: Check the address."],
    ["with a wrong slug",    `/v1/ping/${UNKNOWN}/nas`,               "answered 404: it doesn't know this check"],
  ];
  test.each(refused)("%s: at once", async (_, path, told) => {
    const { code, stdout, stderr } = await ping(peal.url + path, "--wait", "1d");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`peal: not sent: ${peal.url} ${told}\n`);
  });

  test("settings for a check that the ping is to make are refused at once if they are wrong", async () => {
    const wrong = `${await pingKeyUrl(peal)}/made?create=1&every=never`;
    const { code, stderr } = await ping(wrong, "--wait", "1d");
    expect(code).toBe(1);
    expect(stderr).toContain("`every`: must be");
    expect(stderr).not.toContain("pk_");
  });

  test("a ping to an unknown name", async () => {
    const { code, stderr } = await ping(`http://nas.example/v1/ping/${UNKNOWN}`, "--wait", "1s");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^peal: not sent: http:\/\/nas\.example .+\n$/);
    expect(stderr).not.toContain(UNKNOWN);
  });
});

test("a ping that exited with 0 survives kill -9; a server that is away is waited for, and pinged when it is back", async () => {
  await using own = await startPeal();
  const { id, ping_url } = await newCheck(own);
  expect(await ping(ping_url, "--exit", "9")).toEqual(DONE);
  await own.kill("SIGKILL");
  const before = performance.now();
  const { code, stderr } = await ping(ping_url, "--wait", "1s");
  expect(performance.now() - before).toBeWithin(1_000, 30_000);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `peal: not sent: ${own.url} can't be reached (ECONNREFUSED)\n`,
  });
  const pinged = ping(ping_url);
  await own.start();
  expect(await pinged).toEqual(DONE);
  expect(await pingsOf(own, id)).toMatchObject([{ kind: "fail", exit: 9 }, { kind: "ok" }]);
});

// prettier-ignore
const WRONG: [what: string, args: string[], told: string][] = [
  ["no check",              [],                                            "<url|token> is missing"],
  ["two outcomes",          ["http://x/", "--start", "--fail"],            "can't be combined"],
  ["an outcome twice",      ["http://x/", "--fail", "--exit", "1"],        "can't be combined"],
  ["no exit code",          ["http://x/", "--exit", "256"],                "--exit 256"],
  ["no number",             ["http://x/", "--exit", "start"],              "--exit start"],
  ["a wait that is none",   ["http://x/", "--wait", "long"],               "--wait long"],
  ["a token alone",         [UNKNOWN],                                     "PEAL_URL or --url"],
];
test.each(WRONG)("a command line with %s is refused with 64", async (_, args, told) => {
  const { code, stderr } = await ping(...args);
  expect(code).toBe(64);
  expect(stderr).toContain(told);
  expect(stderr).not.toContain(UNKNOWN);
});

test("PEAL_URL is not a setting of the server, and the server does not refuse it", async () => {
  const { code, stderr } = await runPeal(["config"], { PEAL_URL: "https://peal.example" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

describe("the URL of a ping", () => {
  const key = `pk_${UNKNOWN}`;
  // prettier-ignore
  const urls: [check: string, server: string | undefined, url: string][] = [
    [`https://peal.example/v1/ping/${UNKNOWN}`,   undefined,                    `https://peal.example/v1/ping/${UNKNOWN}/3?rid=r`],
    [`https://peal.example/v1/ping/${UNKNOWN}/`,  undefined,                    `https://peal.example/v1/ping/${UNKNOWN}/3?rid=r`],
    [`HTTPS://peal.example/x?a=b&rid=old`,        "http://other",               "https://peal.example/x/3?a=b&rid=r"],
    [UNKNOWN,                                     "https://peal.example",       `https://peal.example/v1/ping/${UNKNOWN}/3?rid=r`],
    [UNKNOWN,                                     "https://peal.example/base/", `https://peal.example/base/v1/ping/${UNKNOWN}/3?rid=r`],
    [`${key}/nas`,                                "http://nas:7325",            `http://nas:7325/v1/ping/${key}/nas/3?rid=r`],
    [`${key}/nas?create=1&every=1d`,              "http://nas:7325",            `http://nas:7325/v1/ping/${key}/nas/3?create=1&every=1d&rid=r`],
  ];
  test.each(urls)("%s at %p", (check, server, url) => {
    const target = pingUrl(check, server);
    expect(typeof target === "string" ? target : pingOf(target, "3", "r").href).toBe(url);
  });

  // prettier-ignore
  const none: [check: string, server: string, told: string][] = [
    ["",                        "http://x",  "give the check as its ping URL"],
    ["nas-backup",              "http://x",  "give the check as its ping URL"],
    [UNKNOWN,                   "nas:7325",  "PEAL_URL or --url"],
    ["http://[nas]/v1/ping/x",  "http://x",  "is not valid"],
  ];
  test.each(none)("cannot be made of %p at %s", (check, server, told) => {
    const target = pingUrl(check, server);
    expect(typeof target === "string" ? target : target.href).toContain(told);
  });

  test("of a success has no suffix", () => {
    const target = pingUrl(UNKNOWN, "https://peal.example");
    expect(typeof target === "string" ? target : pingOf(target, undefined).href).toBe(
      `https://peal.example/v1/ping/${UNKNOWN}`,
    );
  });
});
