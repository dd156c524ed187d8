/** `peal forwards`, as docs/forwards.md has it: made, tried and removed from the command line, without a secret among its arguments. */
import { expect, test } from "bun:test";
import type { ForwardRecord } from "../../src/forwards/schema.ts";
import { peal as cli } from "../support/command.ts";
import { fakeService } from "../support/push/service.ts";
import { startPeal } from "../support/server.ts";

test("a forward is added, listed, tried and removed", async () => {
  await using service = await fakeService(() => ({ status: 200, body: '{"id":1}' }));
  await using peal = await startPeal({ env: service.env });
  await peal.topic("nas");
  const env = { PEAL_DATA_DIR: peal.dataDir };
  const run = async (args: readonly string[], input = "") => cli(args, env, "/", input);
  const add = ["forwards", "add", "gotify", "--topic", "nas", "--name", "family", "--set", `server=${service.origin}`];
  const made = await run([...add, "--json"], "AxSecretToken00\n");
  expect([made.code, made.stderr]).toEqual([0, ""]);
  expect(JSON.parse(made.stdout) as ForwardRecord).toMatchObject({
    kind: "gotify",
    name: "family",
    secrets: ["token"],
  });
  const listed = await run(["forwards", "list"]);
  expect(listed.stdout).toMatch(/family +gotify +127\.0\.0\.1:\d+ +nas +– +none/);
  const tried = await run(["forwards", "test", "family"]);
  expect([tried.code, tried.stdout]).toEqual([0, "accepted: 200\n"]);
  expect(service.received.at(-1)?.headers["x-gotify-key"]).toBe("AxSecretToken00");
  expect((await run(["forwards", "remove", "family"])).stdout).toBe("removed family\n");
  expect((await run(["forwards", "list", "--json"])).stdout).toBe("[]\n");
});

test("a secret among the arguments, an unknown setting and an unknown kind are refused with what is right", async () => {
  await using peal = await startPeal();
  const env = { PEAL_DATA_DIR: peal.dataDir };
  const run = async (...args: string[]) => cli(["forwards", "add", ...args], env, "/", "");
  const secret = await run("gotify", "--set", "token=AxSecretToken00");
  expect([secret.code, secret.stderr]).toEqual([64, expect.stringContaining("--ask token") as string]);
  expect(secret.stderr).not.toContain("AxSecret");
  const unknown = await run("ntfy", "--set", "tpic=x");
  expect([unknown.code, unknown.stderr]).toEqual([64, expect.stringContaining("server, topic") as string]);
  const mistyped = await run("gotify", "--set", "tokn=AxSecretToken00");
  expect([mistyped.code, mistyped.stderr]).toEqual([64, expect.stringContaining("tokn: gotify has") as string]);
  expect(mistyped.stderr).not.toContain("AxSecret");
  for (const given of ["AxSecretToken00", "constructor=x"]) {
    const { code, stderr } = await run("ntfy", "--set", given);
    expect([given, code, stderr.includes("AxSecret")]).toEqual([given, 64, false]);
  }
  expect((await run("fax")).code).toBe(64);
});

test("several secrets are lines of the input, those that the kind needs first", async () => {
  await using service = await fakeService(() => ({ status: 200, body: '{"status":1}' }));
  await using peal = await startPeal({ env: service.env });
  const env = { PEAL_DATA_DIR: peal.dataDir };
  const run = async (args: readonly string[], input: string) => cli(["forwards", ...args], env, "/", input);
  const add = ["add", "pushover", "--set", `server=${service.origin}`, "--name", "phone"];
  const half = await run(add, `${"a".repeat(30)}\n`);
  expect([half.code, half.stderr]).toEqual([1, "peal: user_key is empty; nothing was changed\n"]);
  expect((await run(add, `${"a".repeat(30)}\n${"u".repeat(30)}\n`)).code).toBe(0);
  expect((await run(["test", "phone"], "")).stdout).toStartWith("accepted");
  const sent = new URLSearchParams(service.received.at(-1)?.body);
  expect([sent.get("token"), sent.get("user")]).toEqual(["a".repeat(30), "u".repeat(30)]);
});
