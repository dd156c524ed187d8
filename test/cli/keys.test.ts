/** `peal keys`, `namespaces` and `setup-code`: through the running server, and without one (OPERATIONS.md §2). */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { peal as run } from "../support/command.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";

/** Publishes a message with this key, and returns the status. */
const publish = async (peal: Peal, key: string, namespace = "home"): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` };
  return (await peal.request(`/${namespace}/cli`, { method: "POST", body: "x", headers })).status;
};

const commandOn =
  (peal: Peal) =>
  async (...args: string[]) =>
    run(args, { PEAL_DATA_DIR: peal.dataDir });

interface KeyJson {
  id: string;
  name?: string;
  scope: string;
  expires_at?: string;
}

describe("through the running server", () => {
  let peal: Peal;
  beforeAll(async () => (peal = await startPeal()));
  afterAll(async () => peal[Symbol.asyncDispose]());
  const admin = async (...args: string[]) => commandOn(peal)(...args);

  test("a key is made, its secret alone on standard output, listed without it, and revoked", async () => {
    const made = await admin("keys", "create", "--scope", "publish", "--name", "sonarr", "--expires", "90d");
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
    expect(made.stdout).toMatch(/^svc_[0-9a-f]{64}\n$/);
    const secret = made.stdout.trim();
    expect(await publish(peal, secret)).toBe(201);

    const { stdout } = await admin("keys", "list", "--json");
    expect(stdout).not.toContain(secret);
    const key = (JSON.parse(stdout) as KeyJson[]).find(({ name }) => name === "sonarr");
    expect(key?.scope).toBe("publish");
    expect(key?.expires_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect((await admin("keys", "list")).stdout).toMatch(/sonarr/);

    expect((await admin("keys", "revoke", key?.id ?? "")).code).toBe(0);
    expect(await publish(peal, secret)).toBe(401);
    const again = await admin("keys", "revoke", key?.id ?? "");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("No key");
  });

  test("a secret that can't be printed, because the disk is full, is not lost without a word", async () => {
    const env = cleanEnv({ PEAL_DATA_DIR: peal.dataDir });
    const full = openSync("/dev/full", "w");
    const child = Bun.spawn([...COMMAND, "keys", "create"], { env, stdio: ["ignore", full, "pipe"] });
    expect([await child.exited, await child.stderr.text()]).toEqual([
      1,
      "peal: standard output can't be written (ENOSPC)\n",
    ]);
    closeSync(full);
  });

  test("a date is an end too", async () => {
    const made = await admin("keys", "create", "--expires", "2099-01-31", "--json");
    expect(JSON.parse(made.stdout)).toMatchObject({ expires_at: "2099-01-31T00:00:00.000Z" });
  });

  test.each(["90", "noon", "2099-02-30", "999999999w"])("a key can't expire at %s", async (time) => {
    const { code, stderr } = await admin("keys", "create", "--expires", time);
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining(`--expires ${time}: must be a duration like 90d`) as string,
    ]);
  });

  test("a namespace is made and listed; asking for a key in an unknown one prints how to make it", async () => {
    const missing = await admin("keys", "create", "--namespace", "media");
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toContain("peal namespaces create media");

    expect((await admin("namespaces", "create", "media")).code).toBe(0);
    expect((await admin("namespaces", "list")).stdout).toMatch(/^home .*\n?(.*\n)*media /m);
    const again = await admin("namespaces", "create", "media");
    expect(again.code).toBe(1);
    expect((await admin("namespaces", "create", "v1")).code).toBe(1);
    const { stdout } = await admin("keys", "create", "--namespace", "media", "--admin", "--json");
    const { key, scope } = JSON.parse(stdout) as { key: string; scope: string };
    expect(scope).toBe("admin");
    expect(await publish(peal, key, "media")).toBe(201);
    expect(await publish(peal, key)).toBe(403);
  });

  test("a wrong scope is refused", async () => {
    expect((await admin("keys", "create", "--scope", "everything")).code).toBe(1);
  });
});

test("without a server a key is made, listed and revoked, a namespace made and listed; the next start knows them", async () => {
  await using peal = await startPeal();
  const admin = commandOn(peal);
  await peal.kill("SIGTERM");
  const made = await admin("keys", "create", "--scope", "publish", "--name", "sonarr", "--expires", "90d");
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
  expect(made.stdout).toMatch(/^svc_[0-9a-f]{64}\n$/);
  const revoked = (await admin("keys", "create", "--name", "radarr")).stdout.trim();
  const { stdout } = await admin("keys", "list", "--json");
  for (const secret of [made.stdout.trim(), revoked]) expect(stdout).not.toContain(secret);
  const [sonarr, radarr] = ["sonarr", "radarr"].map((one) =>
    (JSON.parse(stdout) as KeyJson[]).find(({ name }) => name === one),
  );
  expect(sonarr).toMatchObject({ scope: "publish", expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string });
  expect((await admin("keys", "revoke", radarr?.id ?? "")).code).toBe(0);
  expect((await admin("namespaces", "create", "media")).code).toBe(0);
  expect((await admin("namespaces", "list")).stdout).toMatch(/^home .*\n?(.*\n)*media /m);
  const inMedia = await admin("keys", "create", "--namespace", "media", "--admin", "--json");
  const { key } = JSON.parse(inMedia.stdout) as { key: string };

  await peal.start();
  expect([await publish(peal, made.stdout.trim()), await publish(peal, revoked)]).toEqual([201, 401]);
  expect([await publish(peal, key, "media"), await publish(peal, key)]).toEqual([201, 403]);
});

test("before anyone has claimed the server, its operator has the set-up code, can make a namespace and a key, and nothing else", async () => {
  await using peal = await startPeal({ unclaimed: true });
  const admin = commandOn(peal);
  const { code, stdout } = await admin("setup-code");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}\n$/);
  expect(stdout).toBe(`${readFileSync(join(peal.dataDir, "setup-code"), "utf8").trim()}\n`);
  expect(await admin("namespaces", "create", "media")).toMatchObject({ code: 0, stderr: "" });
  const made = await admin("keys", "create", "--namespace", "media", "--admin");
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(await publish(peal, made.stdout.trim(), "media")).toBe(201);
});

test("a namespace is renamed and keeps its keys, topics and hooks", async () => {
  await using peal = await startPeal();
  const admin = commandOn(peal);
  await admin("namespaces", "create", "media");
  const key = (await admin("keys", "create", "--namespace", "media", "--scope", "full")).stdout.trim();
  peal.secrets.add(key);
  expect(await publish(peal, key, "media")).toBe(201);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ topic: "cli" });
  const { url } = (await (await peal.request("/v1/media/hooks", { method: "POST", headers, body })).json()) as {
    url: string;
  };

  const renamed = await admin("namespaces", "rename", "media", "films");
  expect(renamed).toEqual({
    ...{ code: 0, stderr: "" },
    stdout: "media is now films: publish to /films/… and share its new links\n",
  });
  expect([await publish(peal, key, "films"), await publish(peal, key, "media")]).toEqual([201, 403]);
  expect((await peal.request(url, { method: "POST", body: "by hook" })).status).toBe(201);
  await peal.kill("SIGKILL");
  await peal.start();
  expect([await publish(peal, key, "films"), await publish(peal, key, "media")]).toEqual([201, 403]);
  const { topics } = (await (await peal.request("/v1/films/topics", { headers })).json()) as {
    topics: { last_id: number; namespace: string }[];
  };
  expect(topics).toMatchObject([{ last_id: 4, namespace: "films" }]);

  const refused = ["home", "v1", "-x", ""].map(
    async (name) => (await admin("namespaces", "rename", "films", name)).code,
  );
  expect(await Promise.all(refused)).toEqual([1, 1, 64, 1]);
  expect((await admin("namespaces", "rename", "media", "books")).code).toBe(1);
});

test("namespaces whose names have become reserved still work, and the log says how to rename them", async () => {
  await using peal = await startPeal();
  const admin = commandOn(peal);
  for (const name of ["hook", "message", "notify", "status", "app"])
    expect((await admin("namespaces", "create", name)).code).toBe(1);
  await admin("namespaces", "create", "media");
  const key = (await admin("keys", "create", "--namespace", "media")).stdout.trim();
  peal.secrets.add(key);
  await peal.kill("SIGTERM");
  using db = new Database(join(peal.dataDir, "peal.db"));
  db.run("UPDATE namespace SET name = 'status' WHERE name = 'media'"); // as an earlier release would have made it
  db.close();
  await peal.start();
  expect(await publish(peal, key, "status")).toBe(201);
  expect(peal.logs()).toContain('namespace=status rename="peal namespaces rename status <new-name>"');
  expect((await admin("namespaces", "rename", "status", "servers")).code).toBe(0);
  expect(await publish(peal, key, "servers")).toBe(201);
});
