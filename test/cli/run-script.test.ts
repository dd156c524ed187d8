/** `/-/run.sh` and `/-/run.ps1`: what `peal run` promises, for machines without the binary (docs/check-ins.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCheck } from "../support/checks.ts";
import { eventually } from "../support/eventually.ts";
import { cleanEnv, startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { PATH } from "../tools.ts";
import { pingsOf, saidTo } from "./run.ts";

let peal: Peal;
const folder = mkdtempSync(join(tmpdir(), "peal-script-"));
const [script, powershell] = [join(folder, "run.sh"), join(folder, "run.ps1")];
beforeAll(async () => {
  peal = await startPeal();
  for (const path of [script, powershell]) {
    const response = await peal.request(`/-/${path.split("/").at(-1) ?? ""}`);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("max-age=300");
    const etag = response.headers.get("etag") ?? "";
    const again = await peal.request(new URL(response.url).pathname, { headers: { "if-none-match": etag } });
    expect([response.status, again.status]).toEqual([200, 304]);
    writeFileSync(path, await response.text());
  }
});
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface How {
  stdin?: Uint8Array;
  env?: Record<string, string>;
}
async function runIn(shell: readonly string[], args: readonly string[], { stdin, env }: How = {}) {
  const child = Bun.spawn([...shell, script, ...args], {
    ...{ env: cleanEnv({ PATH, ...env }), cwd: folder, stdio: [stdin ?? "ignore", "pipe", "pipe"] },
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.bytes(), child.stderr.text(), child.exited]);
  return { code, stdout: Buffer.from(stdout), stderr };
}

testWith("shellcheck")("shellcheck has nothing to say", () => {
  const { stdout, exitCode } = Bun.spawnSync(["shellcheck", "-s", "sh", script]);
  expect([stdout.toString(), exitCode]).toEqual(["", 0]);
});

const SHELLS = [["dash"], ["bash"], ["busybox", "sh"], ["zsh"]] as const;
for (const shell of SHELLS)
  describe(`with ${shell.join(" ")}`, () => {
    const tried = testWith(shell[0], "curl");

    tried("a job is reported with its start, its exit code and its output, as one run", async () => {
      const check = await newCheck(peal, { every: "1d" });
      const ran = await runIn(shell, ["--check", check.ping_url, "--", "sh", "-c", "echo out; echo err >&2; exit 3"]);
      expect({ ...ran, stdout: ran.stdout.toString() }).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
      const pings = await pingsOf(peal, check.id);
      expect(pings).toMatchObject([{ kind: "start" }, { kind: "fail", exit: 3 }]);
      expect(pings[1]?.["rid"]).toBe(pings[0]?.["rid"]);
      expect((await saidTo(peal, check.id)).toString().split("\n").sort()).toEqual(["", "err", "out"]);
    });

    tried("input, arguments and output pass unchanged, and the check gets the last 8 kB", async () => {
      const { id, ping_url } = await newCheck(peal);
      const stdin = Buffer.from(crypto.getRandomValues(new Uint8Array(3_000_000)));
      const { code, stdout } = await runIn(shell, ["--check", ping_url, "--", "cat"], { stdin });
      expect([code, stdin.equals(stdout)]).toEqual([0, true]);
      expect(stdin.subarray(-8192).equals(await saidTo(peal, id))).toBe(true);
      const words = ["a b", "", "$HOME", "*", "--check", "--"];
      const said = await runIn(shell, ["--check", ping_url, "--", "printf", "%s|", ...words]);
      expect(said.stdout.toString()).toBe("a b||$HOME|*|--check|--|");
      // others may read what a job writes, if they could without the script
      const umask = (await runIn(shell, ["--check", ping_url, "--", "sh", "-c", "umask"])).stdout.toString();
      expect(umask).toBe(Bun.spawnSync(["sh", "-c", "umask"]).stdout.toString());
    });

    tried("a job that is not there ends with 127, one that a signal ends with 128 + n", async () => {
      const { id, ping_url } = await newCheck(peal, { every: "1d" });
      const missing = await runIn(shell, ["--check", ping_url, "--", "no-such-command"]);
      const killed = await runIn(shell, ["--check", ping_url, "--", "sh", "-c", "kill -KILL $$"]);
      expect([missing.code, killed.code]).toEqual([127, 137]);
      const ends = (await pingsOf(peal, id)).filter(({ kind }) => kind !== "start");
      expect(ends.map(({ exit }) => exit)).toEqual([127, 137]);
    });

    tried("a signal is passed on, and what the job makes of it is its exit code", async () => {
      const { id, ping_url } = await newCheck(peal, { every: "1d" });
      const ready = join(folder, `ready-${shell[0]}`);
      const job = `trap 'echo caught; exit 5' TERM; : >${ready}; while :; do sleep 0.05; done`;
      const child = Bun.spawn([...shell, script, "--check", ping_url, "--", "sh", "-c", job], {
        ...{ env: cleanEnv({ PATH }), stdio: ["ignore", "pipe", "pipe"] },
      });
      await eventually("the job", async () => Bun.file(ready).exists());
      child.kill("SIGTERM");
      expect([await child.stdout.text(), await child.exited]).toEqual(["caught\n", 5]);
      expect((await pingsOf(peal, id)).at(-1)).toMatchObject({ kind: "fail", exit: 5 });
    });

    tried("a server that is away changes nothing for the job, and is told when it is back", async () => {
      await using own = await startPeal();
      const check = await newCheck(own, { every: "1d" });
      await own.kill("SIGKILL");
      const gone = await runIn(shell, ["--check", check.ping_url, "--wait", "1", "--", "sh", "-c", "echo ran; exit 7"]);
      expect([gone.code, gone.stdout.toString()]).toEqual([7, "ran\n"]);
      expect(gone.stderr).toContain("run.sh: could not report to the check that the job ended with 7: ");
      const late = runIn(shell, ["--check", check.ping_url, "--", "sh", "-c", "exit 2"]);
      await own.start();
      expect(await late).toMatchObject({ code: 2, stderr: "" });
      expect((await pingsOf(own, check.id)).at(-1)).toMatchObject({ kind: "fail", exit: 2 });
    });

    tried("a process that the job leaves behind holds up nothing, and its output goes on", async () => {
      const { id, ping_url } = await newCheck(peal);
      const gate = join(folder, `gate-${shell[0]}`);
      const job = `(while [ ! -e ${gate} ]; do sleep 0.05; done; echo later) & echo now`;
      const child = Bun.spawn([...shell, script, "--check", ping_url, "--", "sh", "-c", job], {
        ...{ env: cleanEnv({ PATH }), stdio: ["ignore", "pipe", "pipe"] },
      });
      expect(await child.exited).toBe(0);
      expect((await saidTo(peal, id)).toString()).toBe("now\n");
      writeFileSync(gate, "");
      expect(await child.stdout.text()).toBe("now\nlater\n");
    });

    tried("without room for temporary files the job runs all the same", async () => {
      const { ping_url } = await newCheck(peal);
      const args = ["--check", ping_url, "--", "sh", "-c", "echo ran; exit 4"];
      const { code, stdout, stderr } = await runIn(shell, args, { env: { TMPDIR: "/dev/null" } });
      expect([code, stdout.toString()]).toEqual([4, "ran\n"]);
      expect(stderr).toContain("run.sh: no room for temporary files");
    });
  });

testWith("dash", "wget")("wget does where there is no curl", async () => {
  const check = await newCheck(peal, { every: "1d" });
  const bin = mkdtempSync(join(folder, "bin-"));
  const tools = [
    "wget",
    "sh",
    "date",
    "mktemp",
    "mkfifo",
    "touch",
    "tee",
    "dd",
    "cat",
    "tail",
    "mv",
    "rm",
    "sleep",
    "tr",
  ];
  for (const tool of tools) Bun.spawnSync(["ln", "-s", Bun.which(tool, { PATH }) ?? "", join(bin, tool)]);
  const ran = await runIn(
    [Bun.which("dash", { PATH }) ?? ""],
    ["--check", check.ping_url, "--", "sh", "-c", "echo x; exit 6"],
    {
      env: { PATH: bin },
    },
  );
  expect(ran).toMatchObject({ code: 6, stderr: "" });
  expect(await pingsOf(peal, check.id)).toMatchObject([{ kind: "start" }, { kind: "fail", exit: 6 }]);
  expect((await saidTo(peal, check.id)).toString()).toBe("x\n");
});

test("neither script is longer than what a person reads before running it", () => {
  for (const path of [script, powershell])
    expect(readFileSync(path, "utf8").split("\n").length - 1).toBeLessThanOrEqual(60);
});

test("a command line that is wrong is refused with 64", async () => {
  for (const args of [[], ["--check", "x"], ["--", "true"], ["--check", "http://x/", "--wait", "long", "--", "true"]])
    expect((await runIn(["sh"], args)).code).toBe(64);
});

testWith("pwsh")(
  "run.ps1 reports the start, the exit code and the output, and leaves the job its arguments",
  async () => {
    const check = await newCheck(peal, { every: "1d" });
    const words = ["-v", "-c", "a b", 'say "hi"', "", "back\\", "-o:dir", "*"];
    const job = ["sh", "-c", `printf '%s|' "$@"; cat; echo err >&2; exit 3`, "sh", ...words];
    const child = Bun.spawn(["pwsh", "-NoProfile", "-File", powershell, "-Check", check.ping_url, ...job], {
      stdio: [Buffer.from("in\n"), "pipe", "pipe"],
    });
    const said = `${words.join("|")}|in\n`;
    expect([await child.stdout.text(), await child.stderr.text(), await child.exited]).toEqual([said, "err\n", 3]);
    expect(await pingsOf(peal, check.id)).toMatchObject([{ kind: "start" }, { kind: "fail", exit: 3 }]);
    expect((await saidTo(peal, check.id)).toString()).toContain('say "hi"');
  },
);

test("run.ps1 uses nothing that PowerShell 5.1 lacks", () => {
  const text = readFileSync(powershell, "utf8");
  expect(text).not.toMatch(/\?\?|\?\.|&& |\|\| |-SkipHttpErrorCheck|-MaximumRetryCount|clean \{/);
  expect(text).toMatch(/^[\n\x20-\x7e]*$/); // without a mark at its beginning, 5.1 takes other bytes for Windows-1252
});
