/** `peal keys`, `namespaces` and `setup-code`: through the running server, and without one (OPERATIONS.md §2). */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { peal as run } from "../support/command.ts";
import { startPeal, type Peal } from "../support/server.ts";

/** Sends a message with this key. */
const publish = async (peal: Peal, key: string, namespace = "home"): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` };
  return (await peal.request(`/${namespace}/cli`, { method: "POST", body: "x", headers })).status;
};

describe.each(["through the running server", "without a server"])("%s", (how) => {
  /** Runs the command in the state that the title says; the server runs afterwards either way. */
  const admin = async (peal: Peal, ...args: string[]) => {
    const isOffline = how === "without a server";
    if (isOffline) await peal.kill("SIGTERM");
    const ran = await run(args, { PEAL_DATA_DIR: peal.dataDir });
    if (isOffline) await peal.start();
    return ran;
  };

  test("a key is made, its secret alone on standard output, listed without it, and revoked", async () => {
    await using peal = await startPeal();
    const made = await admin(peal, "keys", "create", "--scope", "publish", "--name", "sonarr", "--expires", "90d");
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
    expect(made.stdout).toMatch(/^svc_[0-9a-f]{64}\n$/);
    const secret = made.stdout.trim();
    expect(await publish(peal, secret)).toBe(201);

    const { stdout } = await admin(peal, "keys", "list", "--json");
    expect(stdout).not.toContain(secret);
    const keys = JSON.parse(stdout) as { id: string; name?: string; scope: string; expires_at?: string }[];
    const key = keys.find(({ name }) => name === "sonarr");
    expect(key?.scope).toBe("publish");
    expect(key?.expires_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect((await admin(peal, "keys", "list")).stdout).toMatch(/sonarr/);

    expect((await admin(peal, "keys", "revoke", key?.id ?? "")).code).toBe(0);
    expect(await publish(peal, secret)).toBe(401);
    const again = await admin(peal, "keys", "revoke", key?.id ?? "");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("No key");
  });

  test("a namespace is made and listed; a key for one that is not there says how to make it", async () => {
    await using peal = await startPeal();
    const missing = await admin(peal, "keys", "create", "--namespace", "media");
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toContain("peal namespaces create media");

    expect((await admin(peal, "namespaces", "create", "media")).code).toBe(0);
    expect((await admin(peal, "namespaces", "list")).stdout).toMatch(/^home .*\n?(.*\n)*media /m);
    const again = await admin(peal, "namespaces", "create", "media");
    expect(again.code).toBe(1);
    expect((await admin(peal, "namespaces", "create", "v1")).code).toBe(1);
    const { stdout } = await admin(peal, "keys", "create", "--namespace", "media", "--admin", "--json");
    const { key, scope } = JSON.parse(stdout) as { key: string; scope: string };
    expect(scope).toBe("admin");
    expect(await publish(peal, key, "media")).toBe(201);
    expect(await publish(peal, key)).toBe(403);
  });

  test("a wrong scope is refused", async () => {
    await using peal = await startPeal();
    expect((await admin(peal, "keys", "create", "--scope", "everything")).code).toBe(1);
  });
});

test("while nobody has claimed the server its operator makes a namespace and a key, and that is that", async () => {
  await using peal = await startPeal({ unclaimed: true });
  const admin = async (...args: string[]) => run(args, { PEAL_DATA_DIR: peal.dataDir });
  expect(await admin("namespaces", "create", "media")).toMatchObject({ code: 0, stderr: "" });
  const made = await admin("keys", "create", "--namespace", "media", "--admin");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(await publish(peal, made.stdout.trim(), "media")).toBe(201);
});

test("the set-up code is printed while nobody has claimed the server", async () => {
  await using peal = await startPeal({ unclaimed: true });
  const { code, stdout } = await run(["setup-code"], { PEAL_DATA_DIR: peal.dataDir });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}\n$/);
  expect(stdout).toBe(`${readFileSync(join(peal.dataDir, "setup-code"), "utf8").trim()}\n`);
});
