/** `peal login` checks a key with its server and keeps both, for this user alone (docs/send.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plainWarning, remoteToml } from "../../src/cli/remote.ts";
import { apiKeySecret } from "../../src/util/ids.ts";
import { peal as run } from "../support/command.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { atTerminal } from "../support/terminal.ts";
import { testWith } from "../support/tools.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
const folder = mkdtempSync(join(tmpdir(), "peal-login-"));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

let homes = 0;
/** A user who has never logged in. */
function newUser(): { env: Record<string, string>; file: string } {
  const config = join(folder, String(++homes), "config");
  return { env: { XDG_CONFIG_HOME: config }, file: join(config, "peal.toml") };
}
const mode = (path: string): number => statSync(path).mode & 0o777;

// prettier-ignore
test.each([
  ["publish", "publish messages, nothing else"],
  ["full",    "publish, and read and change its topics, checks, hooks and messages"],
  ["admin",   "do everything in it, and create and revoke its keys"],
] as const)("it says what a key with scope %s can do", async (scope, may) => {
  const { env, file } = newUser();
  const { key } = await peal.mint(scope);
  const told = `The key belongs to namespace home and can ${may}.\nsaved to ${file}\n`;
  expect(await run(["login", peal.url], env, "/", `${key}\n`)).toEqual({ code: 0, stdout: told, stderr: "" });
});

test("only this user can read the file and its folder, also where it was readable before", async () => {
  const { env, file } = newUser();
  const [first, second] = [await peal.mint("full"), await peal.mint("publish")];
  expect((await run(["login", peal.url], env, "/", first.key)).code).toBe(0);
  expect([mode(file), mode(join(file, ".."))]).toEqual([0o600, 0o700]);
  chmodSync(file, 0o644);
  expect((await run(["login", `${peal.url}/`], env, "/", `${second.key}\r\nmore\n`)).code).toBe(0);
  expect(mode(file)).toBe(0o600);
  expect(Bun.TOML.parse(readFileSync(file, "utf8"))).toEqual({ url: peal.url, key: second.key });
});

test("without XDG_CONFIG_HOME it is in ~/.config", async () => {
  const home = join(folder, "home");
  mkdirSync(home);
  const { key } = await peal.mint("full");
  expect((await run(["login", peal.url], { HOME: home, XDG_CONFIG_HOME: "" }, "/", key)).code).toBe(0);
  expect(existsSync(join(home, ".config/peal.toml"))).toBe(true);
});

test("a key that expires is told with its end, and --json tells all but the key", async () => {
  const { env, file } = newUser();
  const made = await peal.api("POST", "/v1/keys", {
    scope: "publish",
    name: "nas",
    expires_at: "2099-01-02T03:04:05Z",
  });
  const { key } = (await made.json()) as { key: string };
  expect((await run(["login", peal.url], env, "/", key)).stdout).toContain(", until 2099-01-02T03:04:05.000Z.");
  const { stdout } = await run(["login", peal.url, "--json"], env, "/", key);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ url: peal.url, file, namespace: "home" },
    scope: "publish",
    name: "nas",
  });
  expect(stdout).not.toContain(key);
});

testWith("python3")("at a terminal the key is asked for, and never shown", async () => {
  const { env, file } = newUser();
  const { key } = await peal.mint("full");
  const { screen, code } = await atTerminal(["login", peal.url], env, [key]);
  expect(code).toBe(0);
  expect(screen).toStartWith(`API key for ${peal.url}: \r\nThe key belongs to namespace home`);
  expect(screen).not.toContain(key);
  expect(readFileSync(file, "utf8")).toContain(key);
});

describe("what is wrong is said without the key, and nothing is saved", () => {
  const foreign = apiKeySecret();
  const anybody = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<h1>Welcome</h1>") });
  afterAll(async () => anybody.stop(true));
  // prettier-ignore
  const wrong: [what: string, url: () => string, key: string, code: number, told: RegExp][] = [
    ["a key of another server",  () => peal.url,              foreign,                    1, /^peal: .*key/i],
    ["a key with a typo",        () => peal.url,              foreign.slice(0, -1),       1, /^peal: that is not an API key.*Nothing was saved\n$/],
    ["no key",                   () => peal.url,              "",                         1, /^peal: that is not an API key/],
    ["an address that is none",  () => "peal.example",        foreign,                   64, /^peal login: <url>: must be the server's address/],
    ["a server that is away",    () => "http://127.0.0.1:1",  foreign,                    1, /^peal: http:\/\/127\.0\.0\.1:1 can't be reached/],
    ["a page of somebody else",  () => anybody.url.origin,    foreign,                    1, /^peal: .* answered with something that isn't from peal\n$/],
  ];
  test.each(wrong)("%s", async (_, url, key, code, told) => {
    const { env, file } = newUser();
    const ran = await run(["login", url()], env, "/", key);
    expect(ran).toEqual({ code, stdout: "", stderr: expect.stringMatching(told) as string });
    if (key !== "") expect(ran.stderr).not.toContain(key.slice(4));
    expect(existsSync(file)).toBe(false);
  });

  test("a login that fails leaves the one before", async () => {
    const { env, file } = newUser();
    mkdirSync(join(file, ".."), { recursive: true });
    const before = remoteToml({ url: peal.url, key: (await peal.mint("full")).key });
    writeFileSync(file, before);
    expect((await run(["login", peal.url], env, "/", foreign)).code).toBe(1);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("a file that can't be written", async () => {
    const env = { XDG_CONFIG_HOME: "/dev/null/config" };
    const { key } = await peal.mint("full");
    const { code, stderr } = await run(["login", peal.url], env, "/", key);
    expect([code, stderr]).toEqual([1, "peal: /dev/null/config/peal.toml can't be written (ENOTDIR)\n"]);
  });
});

describe("plain http to a public address is warned about", () => {
  test("at the login and at each command", async () => {
    const { env } = newUser();
    const url = peal.url.replace("127.0.0.1", "0.0.0.0"); // no private address, and leads here
    const { key } = await peal.mint("full");
    const warning =
      "peal: warning: the key goes to 0.0.0.0 over plain http, where anyone on the way can read it. Use https\n";
    expect(await run(["login", url], env, "/", key)).toMatchObject({ code: 0, stderr: warning });
    expect(await run(["send", "home/plain", "hello"], env)).toEqual({ code: 0, stdout: "", stderr: warning });
  });

  // prettier-ignore
  test.each([
    ["http://peal.example",          true],
    ["http://203.0.113.7:7325",      true],
    ["http://[2001:db8::1]",         true],
    ["https://peal.example",         false],
    ["http://localhost:7325",        false],
    ["http://nas",                   false],
    ["http://nas.local/peal",        false],
    ["http://nas.home.arpa",         false],
    ["http://192.168.1.5:7325",      false],
    ["http://[fd00::5]",             false],
    ["http://[::ffff:10.0.0.1]",     false],
    ["http://100.101.102.103",       false], // Tailscale
  ])("%s: %p", (url, isWarned) => {
    expect(plainWarning(url) !== undefined).toBe(isWarned);
  });
});
