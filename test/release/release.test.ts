/** `npm run release`: what it makes of a commit. All targets take minutes: with PEAL_TEST_ROUNDS only. */
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../../src/build/compile.ts";
import { commitOf } from "../../src/build/release/commit.ts";
import { withoutSignature } from "../../src/build/release/macos.ts";
import { eventually } from "../support/eventually.ts";
import { pageAt } from "../support/page.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { areHere, testWith } from "../support/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-release-test-"));
chmodSync(folder, 0o755); // another user runs what is in it
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a program, which has to succeed. Its output. */
function run(command: string[], cwd = folder): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd });
  expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""]);
  return stdout.toString();
}

test("the same program compiles to the same bytes", async () => {
  const hashes = [];
  for (const place of ["one", "other"]) {
    const out = join(folder, place, "peal");
    mkdirSync(join(folder, place));
    await compile({ target: `bun-linux-${process.arch}`, entry: "src/client.ts", out });
    hashes.push(Bun.SHA256.hash(readFileSync(out), "hex"));
  }
  expect(hashes[0]).toBe(hashes[1]);
}, 60_000);

test("the client has its commands and nothing of a server", () => {
  const client = join(folder, "one/peal");
  const help = run([client, "help"]);
  for (const word of ["send", "tail", "ping", "run", "version"])
    expect(help).toMatch(new RegExp(`^  peal ${word}\\b`, "m"));
  expect(help).not.toMatch(/peal (serve|backup)\b|--data-dir/);
  expect(run([client, "version"])).toStartWith("peal ");
  expect(Bun.spawnSync([client, "serve"]).exitCode).toBe(64);
});

testWith("git")("a release is refused where a file differs from the commit", async () => {
  const clone = join(folder, "commit");
  run(["git", "init", "--quiet", clone]);
  writeFileSync(join(clone, "a"), "1");
  const as = ["-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false"];
  run(["git", "add", "a"], clone);
  run(["git", ...as, "commit", "--quiet", "-m", "x", "--date=@1700000000"], clone);
  expect((await commitOf(clone)).id).toMatch(/^[0-9a-f]{40}$/);
  writeFileSync(join(clone, "a"), "2");
  expect(commitOf(clone)).rejects.toThrow(/differ from it:\n M a/);
});

test("a program for another system is no program for macOS", () => {
  expect(() => withoutSignature(readFileSync(process.execPath))).toThrow("no program for macOS");
});

describe.if(IS_THOROUGH && areHere("git", "skopeo", "umoci", "bwrap", "setpriv", "root"))("a whole release", () => {
  const places = ["first", "second"].map((name) => join(folder, name));
  const made = (place: string | undefined, file: string) => join(String(place), "dist/release", file);
  const ROOT = process.cwd();

  test("two builds of a commit, in two places, are the same bytes", async () => {
    for (const place of places) {
      run(["git", "clone", "--quiet", ROOT, place]);
      symlinkSync(join(ROOT, "node_modules"), join(place, "node_modules"));
      run(["npm", "run", "--silent", "release"], place);
    }
    const [first, second] = places.map((place) => readFileSync(made(place, "SHA256SUMS"), "utf8"));
    expect(first).toBe(String(second));
    run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], join(String(places[0]), "dist/release"));
  }, 1_200_000);

  test("every file that the manual takes from the release page has its sum", () => {
    const pages = ["README.md", "docs/install.md", "docs/send.md"].map(pageAt).join("");
    const form = /(?<!\/)\bpeal-(?:linux|oci|client|extras)[\w-]*(?:\.exe|\.tar(?:\.gz)?)?(?![\w/])/g;
    const named = [...pages.matchAll(form)].map(([file]) => file).concat("peal.service", "compose.yaml");
    const sums = readFileSync(made(places[0], "SHA256SUMS"), "utf8");
    const summed = sums
      .trim()
      .split("\n")
      .map((line) => line.slice(66));
    expect(new Set(named).size).toBeGreaterThan(8);
    expect(named.filter((file) => !summed.includes(file))).toEqual([]);
  });

  test("each program is for its system", () => {
    // prettier-ignore
    for (const [file, start, end] of [
      ["peal-linux-x64", "7f454c46020101", "3e00"], ["peal-linux-x64-musl", "7f454c46020101", "3e00"],
      ["peal-linux-arm64", "7f454c46020101", "b700"], ["peal-linux-arm64-musl", "7f454c46020101", "b700"],
      ["peal-client-macos-arm64", "cffaedfe0c000001", ""], ["peal-client-macos-x64", "cffaedfe07000001", ""],
      ["peal-client-windows-x64.exe", "4d5a", ""],
    ] as const) {
      const head = readFileSync(made(places[0], file)).subarray(0, 20).toString("hex");
      expect([file, head.startsWith(start), head.endsWith(end)]).toEqual([file, true, true]);
    }
  });

  test("the image serves as user 1000, with a read-only root and no capability, and keeps its data", async () => {
    const layout = `oci:${join(folder, "layout")}:test`;
    run(["skopeo", "copy", "--quiet", "--override-arch", process.arch === "x64" ? "amd64" : "arm64",
      `oci-archive:${made(places[0], "peal-oci.tar")}`, layout]); // prettier-ignore
    run(["umoci", "unpack", "--image", "layout:test", "bundle"]);
    chmodSync(join(folder, "bundle"), 0o755);
    const root = join(folder, "bundle/rootfs");
    expect(statSync(join(root, "data")).uid).toBe(1000);
    expect(statSync(join(root, "tmp")).mode & 0o7777).toBe(0o1777);
    expect(Bun.spawnSync(["find", root, "-name", "*sh", "-type", "f", "-perm", "/111"]).stdout.toString()).toBe("");
    const data = join(folder, "data");
    cpSync(join(root, "data"), data, { recursive: true });
    run(["chown", "1000:1000", data]);
    const key = `svc_${"a1".repeat(32)}`;
    const settings = { PEAL_DATA_DIR: "/data", PEAL_LISTEN: "127.0.0.1:0", PEAL_ADMIN_KEY: key };
    const start = async () => {
      const child = Bun.spawn(
        [
          ..."setpriv --reuid=1000 --regid=1000 --clear-groups --bounding-set=-all --no-new-privs bwrap".split(" "),
          ..."--unshare-user --unshare-pid --die-with-parent --cap-drop ALL --clearenv".split(" "),
          ...["--ro-bind", root, "/", "--bind", data, "/data", "--proc", "/proc", "--dev", "/dev"],
          ...Object.entries(settings).flatMap(([name, value]) => ["--setenv", name, value]),
          ...["/peal", "serve"],
        ],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      let text = "";
      void (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of child.stdout) text += decoder.decode(chunk);
      })();
      const port = await eventually("the port", () => /port (\d+)/.exec(text)?.[1]);
      return { url: `http://127.0.0.1:${port}`, child };
    };
    const headers = { authorization: `Bearer ${key}` };
    const first = await start();
    const published = await fetch(`${first.url}/home/kept`, { method: "POST", headers, body: "still here" });
    expect(published.status).toBe(201);
    first.child.kill("SIGKILL");
    await first.child.exited;
    const second = await start();
    try {
      const topics = await fetch(`${second.url}/v1/home/topics`, { headers });
      expect(await topics.text()).toContain('"last_id":1');
    } finally {
      second.child.kill("SIGKILL");
      await second.child.exited;
    }
  }, 120_000);
});
