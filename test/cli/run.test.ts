/** `peal run`: the job's input, output and exit code are its own, and the check gets them (docs/check-ins.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { dlopen } from "bun:ffi";
import { closeSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCheck, pingKeyUrl, type TestCheck } from "../support/checks.ts";
import { eventually } from "../support/eventually.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { childrenOf, pingsOf, runAlone, runToEnd, saidTo } from "./run.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
const folder = mkdtempSync(join(tmpdir(), "peal-run-"));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
const UNKNOWN = "7d3kzzzzzzzzzzzzzzzzzzzzzz";
/** The path of a file in the test's folder. */
const file = (name: string): string => join(folder, name);
/** More output than the memory it may take; a gigabyte in a thorough run. */
const MEGABYTES = IS_THOROUGH ? 1_000 : 300;
const checked = ({ ping_url }: TestCheck, ...command: string[]): string[] => ["--check", ping_url, "--", ...command];
const random = (bytes: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));

test("a job is reported with its start, its exit code and its output, as one run", async () => {
  const check = await newCheck(peal, { every: "1d" });
  const ran = await runToEnd(checked(check, "sh", "-c", "echo out; echo err >&2; exit 3"));
  expect({ ...ran, stdout: ran.stdout.toString() }).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
  const [start, end, ...more] = await pingsOf(peal, check.id);
  expect(start).toMatchObject({ n: 1, kind: "start", method: "POST" });
  expect(start?.["rid"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(end).toMatchObject({ n: 2, kind: "fail", exit: 3, rid: start?.["rid"] });
  expect(end?.["duration"]).toBeNumber();
  expect(more).toEqual([]);
  expect((await saidTo(peal, check.id)).toString().split("\n").sort()).toEqual(["", "err", "out"]);
});

/** Every 17th of the 256, from the first to the last; in a thorough run all of them. */
const EXIT_CODES = Array.from({ length: 256 }, (_, code) => code).filter((code) => IS_THOROUGH || code % 17 === 0);
test("every exit code is passed on and reported", async () => {
  const check = await newCheck(peal, { every: "1d" });
  for (let from = 0; from < EXIT_CODES.length; from += 16) {
    const some = EXIT_CODES.slice(from, from + 16);
    const ran = await Promise.all(some.map(async (code) => runToEnd(checked(check, "sh", "-c", `exit ${code}`))));
    expect(ran.map(({ code }) => code)).toEqual(some);
    const told = (await pingsOf(peal, check.id)).filter(({ kind }) => kind !== "start").slice(-16);
    expect(told.map(({ exit }) => exit as number).sort((a, b) => a - b)).toEqual(some);
    expect(told.filter(({ kind }) => kind === "ok").map(({ exit }) => exit)).toEqual(from === 0 ? [0] : []);
  }
}, 180_000);

describe("output is passed on byte for byte", () => {
  test("bytes of any kind, on both streams", async () => {
    const check = await newCheck(peal);
    const [out, err] = [random(1_000_000), random(300_000)];
    writeFileSync(file("out"), out);
    writeFileSync(file("err"), err);
    const child = Bun.spawn([...COMMAND, "run", ...checked(check, "sh", "-c", "cat out; cat err >&2")], {
      ...{ env: cleanEnv(), cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
    });
    const [stdout, stderr] = await Promise.all([child.stdout.bytes(), child.stderr.bytes()]);
    expect(out.equals(stdout)).toBe(true);
    expect(err.equals(stderr)).toBe(true);
    expect(await child.exited).toBe(0);
  });

  test("where both streams go to one place they stay in order, and the check gets the last 8 kB of them", async () => {
    const check = await newCheck(peal);
    const job = 'i=0; while [ $i -lt 2000 ]; do echo "out $i"; echo "err $i" >&2; i=$((i+1)); done';
    const lines = Array.from({ length: 2000 }, (_, i) => `out ${i}\nerr ${i}\n`).join("");
    const child = Bun.spawn(
      ["sh", "-c", 'exec "$@" 2>&1', "sh", ...COMMAND, "run", ...checked(check, "sh", "-c", job)],
      { env: cleanEnv(), cwd: "/tmp", stdio: ["ignore", "pipe", "inherit"] },
    );
    expect(await child.stdout.text()).toBe(lines);
    expect((await saidTo(peal, check.id)).toString()).toBe(lines.slice(-8192));
  });

  test("the last 8 kB are the last bytes, whatever those are", async () => {
    const check = await newCheck(peal);
    const bytes = random(20_000);
    writeFileSync(file("tail"), bytes);
    await runToEnd(checked(check, "cat", file("tail")));
    expect(bytes.subarray(-8192).equals(await saidTo(peal, check.id))).toBe(true);
  });

  test("without pipes of its own, as on macOS and Windows, it passes on what comes from Bun's", async () => {
    const program = `
      import { startJob } from "${process.cwd()}/src/cli/run-job.ts";
      import { Output } from "${process.cwd()}/src/cli/run-output.ts";
      const output = new Output(() => undefined);
      const job = startJob(["sh", "-c", "echo out; echo err >&2; exit 3"], output.ends, () => {});
      await output.copy(job.streams);
      process.exit(output.tail.length === 8 ? await job.ended : 99);`;
    const child = Bun.spawn([process.execPath, "--no-env-file", "-e", program], { stdio: ["ignore", "pipe", "pipe"] });
    expect([await child.stdout.text(), await child.stderr.text(), await child.exited]).toEqual(["out\n", "err\n", 3]);
  });

  test("a job opens /dev/stdout and /dev/stderr, as under cron", async () => {
    const ran = await runToEnd(checked(await newCheck(peal), "sh", "-c", "echo a >/dev/stdout; echo b >/dev/stderr"));
    expect({ ...ran, stdout: ran.stdout.toString() }).toEqual({ code: 0, stdout: "a\n", stderr: "b\n" });
  });

  test("to a non-blocking pipe", async () => {
    const libc = dlopen("libc.so.6", {
      pipe: { args: ["ptr"], returns: "i32" },
      fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
    });
    const ends = new Int32Array(2);
    expect(libc.symbols.pipe(ends)).toBe(0);
    const [read = -1, write = -1] = ends;
    const check = await newCheck(peal);
    const child = Bun.spawn([...COMMAND, "run", ...checked(check, "head", "-c", "2000000", "/dev/zero")], {
      ...{ env: cleanEnv(), stdio: ["ignore", write, "inherit"] },
    });
    // as another process that shares the pipe may do; Bun would have made it blocking again for its child
    expect(libc.symbols.fcntl(write, 4 /* F_SETFL */, 0o4000 /* O_NONBLOCK */)).toBe(0);
    closeSync(write);
    const written = () => Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, "utf8"))?.[1]);
    await eventually("the pipe to be full", () => written() >= 65_536);
    let length = 0;
    for await (const bytes of Bun.file(read).stream() as ReadableStream<Uint8Array>) length += bytes.length;
    expect([length, await child.exited]).toEqual([2_000_000, 0]);
  });
});

describe("a job is not affected by its reader", () => {
  testWith("bash")("one that leaves ends it by SIGPIPE, as without us", async () => {
    const check = await newCheck(peal);
    const command = ["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "sh", ...COMMAND, "run"];
    const child = Bun.spawn([...command, ...checked(check, "yes")], {
      env: cleanEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect([await child.stdout.text(), await child.stderr.text(), await child.exited]).toEqual(["y\n", "", 141]);
    expect((await pingsOf(peal, check.id)).at(-1)).toMatchObject({ kind: "fail", exit: 141 });
  });

  test("a full disk does not end it, and is reported", async () => {
    const check = await newCheck(peal);
    const job = checked(check, "sh", "-c", "echo much; echo more; exit 0");
    const child = Bun.spawn([...COMMAND, "run", ...job], {
      ...{ env: cleanEnv(), stdio: ["ignore", Bun.file("/dev/full"), "pipe"] },
    });
    expect(await child.stderr.text()).toBe("peal run: not all of the job's output could be written (ENOSPC)\n");
    expect(await child.exited).toBe(0);
    expect((await saidTo(peal, check.id)).toString()).toBe("much\nmore\n");
  });

  test(`a slow one holds it up, and ${MEGABYTES} MB for it take no memory`, async () => {
    const check = await newCheck(peal);
    const gate = file("gate");
    const job = checked(check, "head", "-c", `${MEGABYTES}000000`, "/dev/zero");
    const script = `mkfifo ${gate}; "$@" | { cat ${gate} >/dev/null; wc -c; }`;
    const reader = Bun.spawn(["sh", "-c", script, "sh", ...COMMAND, "run", ...job], {
      ...{ env: cleanEnv(), stdio: ["ignore", "pipe", "inherit"] },
    });
    await eventually("the start to be told", async () => (await pingsOf(peal, check.id)).length === 1);
    const [pid = 0] = childrenOf(reader.pid);
    let [before, same] = ["", 0];
    await eventually("nothing to move any more", () => {
      const [moved = ""] = /rchar: \d+/.exec(readFileSync(`/proc/${pid}/io`, "utf8")) ?? [];
      same = moved === before ? same + 1 : 0;
      before = moved;
      return same > 20;
    });
    let peak = peakKiB(pid);
    expect(peak).toBeWithin(1, 150_000);
    // not the kernel's figure at the end, which includes the memory of the process it was forked from
    const look = setInterval(() => (peak = Math.max(peak, peakKiB(pid))), 10);
    writeFileSync(gate, "");
    expect((await reader.stdout.text()).trim()).toBe(`${MEGABYTES}000000`);
    clearInterval(look);
    expect(peak).toBeLessThan(200_000);
  });
});

/** The largest resident size of a process so far in KiB; 0 once it has ended. */
function peakKiB(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

test("standard input, environment and folder are passed to the job", async () => {
  const check = await newCheck(peal);
  const stdin = random(500_000);
  const { stdout } = await runToEnd(checked(check, "cat"), { stdin });
  expect(stdin.equals(stdout)).toBe(true);
  const job = checked(check, "sh", "-c", 'echo "$COLOUR $(pwd)"');
  const ran = await runToEnd(job, { env: { COLOUR: "deep  blue" }, cwd: folder });
  expect(ran.stdout.toString()).toBe(`deep  blue ${folder}\n`);
});

test("arguments reach the job unchanged, including flags", async () => {
  const ran = await runToEnd(
    checked(await newCheck(peal), "printf", "%s|", "--check", "--", "a b", "", "$HOME", "--help"),
  );
  expect(ran.stdout.toString()).toBe("--check|--|a b||$HOME|--help|");
});

describe("a job that cannot be run", () => {
  // prettier-ignore
  const cases: [what: string, command: string, code: number, told: string][] = [
    ["is not found",           "no-such-command",  127, "no-such-command: not found"],
    ["is not found by path",   "/no/such/command", 127, "/no/such/command: not found"],
    ["is not executable",      "/etc/passwd",      126, "/etc/passwd: can't be executed (EACCES)"],
    ["is a folder",            "/tmp",             126, "/tmp: can't be executed (EACCES)"],
  ];
  test.each(cases)("%s", async (_, command, code, told) => {
    const check = await newCheck(peal);
    expect(await runToEnd(checked(check, command))).toMatchObject({ code, stderr: `peal run: ${told}\n` });
    expect((await pingsOf(peal, check.id)).at(-1)).toMatchObject({ kind: "fail", exit: code });
    expect((await saidTo(peal, check.id)).toString()).toBe(told);
  });

  test("a script without #! is run by the shell, as cron would run it", async () => {
    writeFileSync(file("script"), 'echo "$1"; exit 5', { mode: 0o755 });
    const { code, stdout } = await runToEnd(checked(await newCheck(peal), file("script"), "a  b"));
    expect([code, stdout.toString()]).toEqual([5, "a  b\n"]);
  });
});

describe("processes that a job leaves behind", () => {
  test("do not delay the ping, and their output is read to its end", async () => {
    const check = await newCheck(peal);
    const late = `(while [ ! -e ${file("late")} ]; do sleep 0.02; done; echo late) & echo done`;
    await using job = runAlone(checked(check, "sh", "-c", late));
    await eventually("the end to be told", async () => (await pingsOf(peal, check.id)).at(-1)?.kind === "ok");
    writeFileSync(file("late"), "");
    expect(await job.exited).toBe(0);
    expect(job.output()).toBe("done\nlate\n");
  });

  test("are not waited for forever", async () => {
    const check = await newCheck(peal);
    const left = ["--wait", "3s", ...checked(check, "sh", "-c", "sleep 600 & echo $!")];
    await using job = runAlone(left);
    expect(await job.exited).toBe(0);
    process.kill(Number(job.output()), "SIGKILL");
    expect((await pingsOf(peal, check.id)).map(({ kind }) => kind)).toEqual(["start", "ok"]);
  });
});

describe("the check is given", () => {
  const env = () => ({ PEAL_URL: peal.url });
  const tokenOf = ({ ping_url }: TestCheck) => ping_url.slice(-26);

  test("by its token", async () => {
    const check = await newCheck(peal);
    const ran = await runToEnd(["--check", tokenOf(check), "--", "true"], { env: env() });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const other = await runToEnd(["--check", tokenOf(check), "--url", peal.url, "--", "true"]);
    expect(other).toMatchObject({ code: 0, stderr: "" });
    expect(await pingsOf(peal, check.id)).toHaveLength(4);
  });

  test("by ping key and slug, which makes it if the URL says so", async () => {
    const key = (await pingKeyUrl(peal)).split("/").at(-1) ?? "";
    const slug = `${key}/new-job?create=1&cron=30%202%20*%20*%20*&tz=Europe/Berlin`;
    expect(await runToEnd(["--check", slug, "--", "true"], { env: env() })).toMatchObject({ code: 0, stderr: "" });
    const { checks } = (await (await peal.api("GET", "/v1/home/checks?limit=200")).json()) as { checks: TestCheck[] };
    const made = checks.find(({ slug: name }) => name === "new-job");
    expect(made).toMatchObject({ state: "up", cron: "30 2 * * *", timezone: "Europe/Berlin", pings: 2 });
  });

  // the other refusals of names are tested in ping.test.ts
  test("by a token without a server: an error is printed, and the job runs", async () => {
    const { code, stdout, stderr } = await runToEnd(["--check", UNKNOWN, "--", "sh", "-c", "echo ran; exit 4"]);
    expect([code, stdout.toString()]).toEqual([4, "ran\n"]);
    expect(stderr).toMatch(/^peal run: a token needs the server's address: PEAL_URL or --url/);
  });

  test("by an unknown one: an error is printed at once, without the token", async () => {
    const ran = await runToEnd(["--check", `${peal.url}/v1/ping/${UNKNOWN}`, "--", "true"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^peal run: .* answered 404: it doesn't know this check\n$/);
    expect(ran.stderr).not.toContain("7d3k");
  });
});

test("no data directory is read or made, and no setting of the server is read", async () => {
  const check = await newCheck(peal);
  const env = { PEAL_DATA_DIR: file("data"), PEAL_LISTEN: "wrong", PEAL_CONFIG: "/no/such/file" };
  expect(await runToEnd(checked(check, "true"), { env })).toMatchObject({ code: 0, stderr: "" });
  expect(await Bun.file(file("data")).exists()).toBe(false);
});

// prettier-ignore
const WRONG: [what: string, args: string[], told: string][] = [
  ["no check",              ["--", "true"],                                     "--check is missing"],
  ["no command",            ["--check", "x"],                                   "<command…> has to stand behind `--`"],
  ["nothing behind the --", ["--check", "x", "--"],                             "<command…> has to stand behind `--`"],
  ["a command without --",  ["--check", "x", "true"],                           "<command…> has to stand behind `--`"],
  ["a URL in its place",    ["http://x/v1/ping/secret", "--", "true"],          "<command…> has to stand behind `--`"],
  ["a wait that is none",   ["--check", "x", "--wait", "long", "--", "true"],   "--wait long"],
  ["a wait of nothing",     ["--check", "x", "--wait", "0s", "--", "true"],     "--wait 0s"],
];
test.each(WRONG)("a command line with %s is refused with 64", async (_, args, told) => {
  const { code, stderr } = await runToEnd(args);
  expect(code).toBe(64);
  expect(stderr).toContain(told);
  expect(stderr).not.toContain("secret");
});
