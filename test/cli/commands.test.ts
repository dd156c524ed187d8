/** The command line without a server: what it accepts, what it refuses, and its exit codes. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { peal } from "../support/command.ts";

// prettier-ignore
const REFUSED: [promise: string, args: string[], told: string][] = [
  ["an unknown command",            ["serv"],                              "Did you mean `peal serve`?"],
  ["an unknown second word",        ["keys", "crate"],                     "Did you mean `peal keys create`?"],
  ["half a command",                ["keys"],                              "needs a second word"],
  ["an unknown flag",               ["keys", "list", "--namspace", "x"],   "did you mean --namespace?"],
  ["an unknown flag of serve",      ["--listn", ":80"],                    "did you mean --listen?"],
  ["a flag without its value",      ["keys", "list", "--namespace"],       "needs a value"],
  ["a switch with a value",         ["version", "--json=1"],               "takes no value"],
  ["a missing argument",            ["keys", "revoke"],                    "<id> is missing"],
  ["an argument too many",          ["version", "now"],                    "unexpected argument now"],
  ["two scopes",                    ["keys", "create", "--admin", "--scope", "full"], "can't be combined"],
  ["an expiry that is no time",     ["keys", "create", "--expires", "soon"], "90d"],
];
test.each(REFUSED)("%s is refused with a hint, exit 64", async (_, args, told) => {
  const { code, stdout, stderr } = await peal(args);
  expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
  expect(stderr).toContain(told);
  expect(stderr).toMatch(/--help|peal help/);
});

describe("help", () => {
  test("lists every command", async () => {
    for (const args of [["help"], ["--help"], ["-h"]]) {
      const { code, stdout } = await peal(args);
      expect(code).toBe(0);
      for (const name of ["serve", "config", "health", "keys create", "namespaces list", "setup-code", "version"])
        expect(stdout).toContain(`peal ${name}`);
    }
  });
  test("of one command has its flags, examples and the exit codes", async () => {
    for (const args of [
      ["keys", "create", "--help"],
      ["help", "keys", "create"],
    ])
      expect((await peal(args)).stdout).toMatch(/--scope[^]*Examples:[^]*peal keys create[^]*Exit codes/);
  });
  test("of a group lists the group", async () => {
    const { stdout } = await peal(["keys", "--help"]);
    expect(stdout).toContain("peal keys revoke <id>");
    expect(stdout).not.toContain("peal version");
  });
});

test("the version is that of package.json", async () => {
  expect((await peal(["version"])).stdout).toBe(`peal ${packageJson.version}\n`);
  expect((await peal(["--version"])).stdout).toBe(`peal ${packageJson.version}\n`);
  expect(JSON.parse((await peal(["version", "--json"])).stdout)).toMatchObject({ version: packageJson.version });
});

describe("a wrong configuration ends with exit 78", () => {
  test("for every command that reads it, with key, value, source and accepted form", async () => {
    for (const args of [[], ["config"], ["health"], ["keys", "list"]]) {
      const { code, stderr } = await peal(args, { PEAL_LISTEN: "7325" });
      expect(code).toBe(78);
      expect(stderr).toContain('PEAL_LISTEN="7325" (environment)');
      expect(stderr).toContain("Accepted: a comma list of `host:port` or `unix:/path`");
    }
  });
});

test("config shows where each value comes from, and keeps secrets hidden", async () => {
  const env = { PEAL_DATA_DIR: "/somewhere", PEAL_ADMIN_KEY: `svc_${"0".repeat(64)}` };
  const { stdout } = await peal(["config", "--log", "warn"], env);
  expect(stdout).toMatch(/PEAL_DATA_DIR +\/somewhere +environment/);
  expect(stdout).toMatch(/PEAL_LOG +warn +command line/);
  expect(stdout).toMatch(/PEAL_ADMIN_KEY +\*+ +environment/);
  expect(JSON.parse((await peal(["config", "--json"], env)).stdout)).toContainEqual({
    name: "data_dir",
    env: "PEAL_DATA_DIR",
    value: "/somewhere",
    source: "environment",
  });
});

test("the .env and bunfig.toml of the working directory are not read", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "peal-cwd-"));
  writeFileSync(join(cwd, ".env"), "PEAL_LOG=debug\n");
  // bun itself reads the bunfig.toml of its working directory; the binary must not
  if (process.env["PEAL_TEST_BINARY"] !== undefined) writeFileSync(join(cwd, "bunfig.toml"), "this is not TOML\n");
  const { code, stdout } = await peal(["config"], {}, cwd);
  expect(code).toBe(0);
  expect(stdout).toMatch(/PEAL_LOG +info +default/);
});

test("administrative commands report that there is no database", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "peal-cwd-"));
  const { code, stderr } = await peal(["keys", "list"], {}, cwd);
  expect(code).toBe(1);
  expect(stderr).toContain("no database in ./data");
});

test("health without a server exits with 1", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "peal-cwd-"));
  expect((await peal(["health"], {}, cwd)).code).toBe(1);
});
