/** Commands that talk to a server elsewhere with a key: which server, what a key may do, and what it never tells (docs/send.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { remoteToml } from "../../src/cli/remote.ts";
import { apiKeySecret } from "../../src/util/ids.ts";
import { newCheck } from "../support/checks.ts";
import { peal as run, type Ran } from "../support/command.ts";
import { cleanEnv, startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
let keys: Record<"publish" | "full" | "admin", string>;
const folder = mkdtempSync(join(tmpdir(), "peal-remote-"));
beforeAll(async () => {
  peal = await startPeal();
  const key = async (scope: keyof typeof keys) => (await peal.mint(scope)).key;
  keys = { publish: await key("publish"), full: await key("full"), admin: await key("admin") };
});
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const there = (scope: keyof typeof keys): Record<string, string> => ({ PEAL_URL: peal.url, PEAL_KEY: keys[scope] });
/** No key that has ever been made may be in what is printed. */
async function ran(args: readonly string[], env: Record<string, string>): Promise<Ran> {
  const result = await run(args, env);
  for (const key of Object.values(keys)) expect(result.stdout + result.stderr).not.toContain(key.slice(4));
  return result;
}
let files = 0;
/** The environment of a user whose peal.toml has this text. */
function loggedIn(text: string): Record<string, string> {
  const config = join(folder, `config-${++files}`);
  mkdirSync(config);
  writeFileSync(join(config, "peal.toml"), text);
  return { XDG_CONFIG_HOME: config };
}

describe("with a key, administrative commands work from anywhere", () => {
  test("topics, hooks, checks, deliveries and keys, in the key's namespace", async () => {
    const check = await newCheck(peal, { name: "nas" });
    const full = there("full");
    expect((await ran(["topics", "create", "home/made"], full)).code).toBe(0);
    expect((await ran(["topics", "list"], full)).stdout).toContain("made");
    expect((await ran(["topics", "mute", "home/made", "1h"], full)).code).toBe(0);
    expect((await ran(["send", "home/made", "hello"], full)).code).toBe(0);
    expect((await ran(["deliveries", "home/made", "1"], full)).code).toBe(0);
    expect((await ran(["hooks", "list"], full)).code).toBe(0);
    expect((await ran(["devices", "home/made"], full)).code).toBe(0);
    expect((await ran(["checks", "pause", "nas"], full)).code).toBe(0);
    expect((await peal.api("GET", `/v1/home/checks/${check.id}`)).ok).toBe(true);
    expect(JSON.parse((await ran(["checks", "show", "nas", "--json"], full)).stdout)).toMatchObject({
      state: "paused",
    });
    const made = await run(["keys", "create", "--scope", "publish", "--name", "made here"], there("admin"));
    expect(made.stdout).toMatch(/^svc_[0-9a-f]{64}\n$/);
    expect((await ran(["keys", "list"], there("admin"))).stdout).toContain("made here");
  });

  // prettier-ignore
  const refused: [what: string, scope: keyof typeof keys, args: string[], told: string][] = [
    ["reading with a publish key",      "publish", ["topics", "list"],                        "full"],
    ["keys with a full key",            "full",    ["keys", "list"],                          "admin"],
    ["another namespace",               "full",    ["topics", "list", "--namespace", "media"], "the key belongs to namespace home: use a key of media"],
    ["sending to another namespace",    "full",    ["send", "media/x", "hello"],              "not sent: "],
    ["a topic that is not there",       "full",    ["topics", "show", "home/nowhere"],        "there is no topic nowhere"],
  ];
  test.each(refused)("%s is refused with the reason", async (_, scope, args, told) => {
    const { code, stdout, stderr } = await ran(args, there(scope));
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(told) as string]);
  });

  // prettier-ignore
  test.each([
    [["namespaces", "list"]],
    [["namespaces", "create", "media"]],
    [["namespaces", "mute", "home", "1h"]],
    [["admin", "list"]],
    [["setup-code"]],
  ])("%p is for the server itself, and says so", async (args) => {
    const { code, stdout, stderr } = await ran(args, there("admin"));
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      "peal: this works only on the server itself, over its socket: run it there, without PEAL_KEY and `peal login`. A key administers its own namespace, not the server\n",
    ]);
  });
});

describe("which server", () => {
  test("the one of the login, unless the environment or a data directory says another", async () => {
    await using other = await startPeal();
    const { key } = await other.mint("full");
    await peal.topic("only-here");
    const lists = async (args: string[], env: Record<string, string>) =>
      (await ran(["topics", "list", ...args], env)).stdout.includes("only-here");
    const login = loggedIn(remoteToml({ url: peal.url, key: keys.full }));
    const elsewhere = loggedIn(remoteToml({ url: other.url, key }));
    expect(await lists([], login)).toBe(true);
    expect(await lists([], elsewhere)).toBe(false);
    expect(await lists([], { ...elsewhere, ...there("full") })).toBe(true);
    expect(await lists(["--data-dir", peal.dataDir], elsewhere)).toBe(true);
    expect(await lists([], { ...elsewhere, PEAL_DATA_DIR: peal.dataDir })).toBe(true);
    // the address alone is for `peal ping`, and the key goes to no other server than its own
    expect((await ran(["topics", "list"], { ...elsewhere, PEAL_URL: peal.url })).stderr).not.toContain("only-here");
  });

  test("a key in a file, and the address of the login", async () => {
    const path = join(folder, "key");
    writeFileSync(path, `${keys.full}\n`);
    expect((await ran(["topics", "list"], { PEAL_URL: peal.url, PEAL_KEY_FILE: path })).code).toBe(0);
    const login = loggedIn(remoteToml({ url: peal.url, key: apiKeySecret() }));
    expect((await ran(["topics", "list"], { ...login, PEAL_KEY: keys.full })).code).toBe(0);
  });
});

describe("a configuration that is wrong ends with 78 and never tells the key", () => {
  const secret = apiKeySecret();
  // prettier-ignore
  const wrong: [what: string, env: () => Record<string, string>, told: string][] = [
    ["a key that is none",          () => ({ PEAL_URL: peal.url, PEAL_KEY: secret.slice(0, -1) }),             "PEAL_KEY"],
    ["a key without an address",    () => ({ PEAL_KEY: secret }),                                             "PEAL_URL"],
    ["an address that is none",     () => ({ PEAL_KEY: secret, PEAL_URL: "peal.example" }),                   "PEAL_URL"],
    ["a file that is not there",    () => ({ PEAL_URL: peal.url, PEAL_KEY_FILE: join(folder, "no-key") }),    "can't be read (ENOENT)"],
    ["a key beside a file",         () => ({ ...there("full"), PEAL_KEY_FILE: join(folder, "no-key") }),      "Keep one of the two"],
    ["a login that is not TOML",    () => loggedIn(`url = "${peal.url}"\nkey = ${secret}`),                    "Write it again with `peal login <url>`"],
    ["a login without an address",  () => loggedIn(`key = "${secret}"`),                                       "url"],
    ["a login with half a key",     () => loggedIn(`url = "${peal.url}"\nkey = "${secret.slice(0, -1)}"`),     "not an API key"],
  ];
  test.each(wrong)("%s", async (_, env, told) => {
    for (const args of [
      ["topics", "list"],
      ["send", "home/x", "hello"],
      ["tail", "home"],
    ]) {
      const { code, stdout, stderr } = await ran(args, env());
      expect([code, stdout, stderr]).toEqual([78, "", expect.stringContaining(told) as string]);
      expect(stderr).not.toContain(secret.slice(4, -1));
    }
  });
});

test("a key that was revoked is refused by each command, and not repeated", async () => {
  const { id, key } = await peal.mint("full");
  await peal.api("DELETE", `/v1/keys/${id}`);
  const env = { PEAL_URL: peal.url, PEAL_KEY: key };
  for (const args of [
    ["topics", "list"],
    ["send", "home/x", "hello"],
    ["tail", "home"],
  ]) {
    const { code, stderr } = await ran(args, env);
    expect([code, stderr.includes(key.slice(4))]).toEqual([1, false]);
    expect(stderr).toMatch(/key/);
  }
});

describe("a program without the server", () => {
  const source = (name: string) => JSON.stringify(join(import.meta.dir, "../../src/cli", name));
  const PROGRAM = `
    import { runProgram } from ${source("program.ts")};
    import { send } from ${source("send.ts")};
    import { tail } from ${source("tail.ts")};
    const commands = [["send", async () => send], ["tail", async () => tail]];
    process.exitCode = await runProgram({ sections: [{ title: "Client", commands }] }, process.argv.slice(1));`;
  async function client(args: readonly string[], env: Record<string, string>) {
    const child = Bun.spawn([process.execPath, "-e", PROGRAM, ...args], {
      env: cleanEnv(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    return { code, stdout, stderr };
  }

  test("sends to the server of the environment and of the login", async () => {
    const topic = await peal.topic("client");
    expect(await client(["send", "home/client", "one"], there("publish"))).toEqual({ code: 0, stdout: "", stderr: "" });
    const login = loggedIn(remoteToml({ url: peal.url, key: keys.publish }));
    expect((await client(["send", "home/client", "two"], login)).code).toBe(0);
    expect((await peal.history(topic)).map(({ message }) => message)).toEqual(["one", "two"]);
  });

  test.each([[["send", "home/client", "hello"]], [["tail", "home"]]])(
    "%p without a server says how to choose one",
    async (args) => {
      expect(await client(args, {})).toEqual({
        code: 1,
        stdout: "",
        stderr: "peal: no server is chosen: run `peal login <url>`, or set PEAL_URL and PEAL_KEY\n",
      });
    },
  );

  test("offers no settings of a server", async () => {
    const { stdout } = await client(["help", "send"], {});
    expect(stdout).toContain("--spool <folder>");
    expect(stdout).not.toContain("--data-dir");
  });
});
