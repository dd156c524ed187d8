/** `peal topics`, `hooks`, `namespaces unmute`, `openapi` and `compact` (OPERATIONS.md §2). */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { statSync } from "node:fs";
import { peal as run } from "../support/command.ts";
import { startPeal, type Peal } from "../support/server.ts";

const commandOn =
  (peal: Peal) =>
  async (...args: string[]) =>
    run(args, { PEAL_DATA_DIR: peal.dataDir });

describe("through the running server", () => {
  let peal: Peal;
  beforeAll(async () => (peal = await startPeal()));
  afterAll(async () => peal[Symbol.asyncDispose]());
  const admin = async (...args: string[]) => commandOn(peal)(...args);
  const status = async (url: string, init: RequestInit = {}) =>
    (await fetch(new URL(new URL(url).pathname, peal.url), init)).status;

  test("a topic is made, its link alone on standard output, listed, shown, renamed, archived and deleted", async () => {
    const made = await admin("topics", "create", "home/backups", "--keep-days", "7", "--description", "of the NAS");
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
    expect(await status(made.stdout.trim())).toBe(200);
    expect((await admin("topics", "list")).stdout).toMatch(/^backups +– +– +http/m);
    await peal.publish({ namespace: "home", name: "backups" }, { message: "x" });
    expect((await admin("topics", "list")).stdout).toMatch(/^backups +.* ago/m);
    const shown = (await admin("topics", "show", "home/backups")).stdout;
    expect(shown).toMatch(/^days kept +7\n[^]*^description +of the NAS$/m);
    expect(shown).toMatch(/^last message .* ago\), id 1$/m);

    expect((await admin("topics", "rename", "home/backups", "nas")).stdout).toBe("home/backups is now home/nas\n");
    expect((await admin("topics", "archive", "home/nas")).stdout).toBe("nas is archived\n");
    expect((await admin("topics", "list")).stdout).not.toContain("nas");
    expect((await admin("topics", "list", "--archived")).stdout).toContain("nas");
    expect((await admin("topics", "unarchive", "home/nas")).stdout).toBe("nas is not archived\n");

    expect((await admin("topics", "delete", "home/nas")).stdout).toBe("deleted home/nas\n");
    expect(await status(made.stdout.trim())).toBe(404);
  });

  test("a new link ends the old one", async () => {
    const old = (await admin("topics", "create", "home/doorbell")).stdout.trim();
    const { stdout } = await admin("topics", "rotate", "home/doorbell");
    expect([await status(old), await status(stdout.trim())]).toEqual([404, 200]);
  });

  test("a mute ends before its time", async () => {
    await admin("topics", "create", "home/loud");
    await admin("topics", "mute", "home/loud", "8h");
    expect((await admin("topics", "list")).stdout).toMatch(/^loud +– +20\d\d-/m);
    expect((await admin("topics", "unmute", "home/loud")).stdout).toBe("loud is unmuted\n");
    expect((await admin("topics", "show", "home/loud", "--json")).stdout).not.toContain("muted_until");
    await admin("namespaces", "mute", "home", "1h");
    expect((await admin("namespaces", "unmute", "home")).stdout).toBe("home is unmuted\n");
  });

  test("a hook is made, its URL alone on standard output, used, shown, renamed, rotated and deleted", async () => {
    const made = await admin("hooks", "create", "home/alerts", "--name", "grafana", "--as", "slack");
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
    const post = { method: "POST", body: '{"text":"it burns"}', headers: { "content-type": "application/json" } };
    expect(await status(made.stdout.trim(), post)).toBe(200);
    const { stdout: listed } = await admin("hooks", "list");
    expect(listed).toMatch(/^grafana +alerts +.* ago +127\.0\.0\.1/m);
    expect(listed).not.toContain("/v1/hook/"); // a list is pasted into tickets
    expect((await admin("hooks", "show", "grafana")).stdout).toContain(made.stdout.trim());
    expect((await admin("hooks", "requests", "grafana")).stdout).toMatch(/^1 +20.* POST +127\.0\.0\.1 /m);
    expect((await admin("hooks", "requests", "grafana", "--body", "1")).stdout).toBe(post.body);
    expect((await admin("hooks", "requests", "grafana", "--body", "9")).code).toBe(1);
    await admin("hooks", "requests", "grafana", "--forget");
    expect(JSON.parse((await admin("hooks", "requests", "grafana", "--json")).stdout)).toEqual([]);

    expect((await admin("hooks", "rename", "grafana", "panels")).stdout).toBe("grafana is now panels\n");
    const { stdout: next } = await admin("hooks", "rotate", "panels", "--now");
    expect([await status(made.stdout.trim(), post), await status(next.trim(), post)]).toEqual([404, 200]);
    expect((await admin("hooks", "delete", "panels")).stdout).toBe("deleted panels\n");
    expect(await status(next.trim(), post)).toBe(404);
  });

  // prettier-ignore
  const REFUSED: [promise: string, args: string[], code: number, told: string][] = [
    ["a topic that is misspelled",      ["topics", "show", "home/kitchne"],                  1, "did you mean kitchen?"],
    ["a topic that is not there",       ["topics", "show", "home/nothing-like-it"],          1, "peal topics list --namespace home"],
    ["a topic without its namespace",   ["topics", "show", "kitchen"],                      64, "<namespace>/<topic>"],
    ["a namespace that is not there",   ["topics", "list", "--namespace", "media"],          1, "peal namespaces create media"],
    ["a name that another topic has",   ["topics", "create", "home/kitchen"],                1, "kitchen"],
    ["a name that no topic can have",   ["topics", "create", "home/a b"],                    1, "<namespace>/<topic>"],
    ["days that are no number",         ["topics", "create", "home/x", "--keep-days", "x"],  1, "--keep-days"],
    ["a hook that is misspelled",       ["hooks", "show", "sonar"],                          1, "did you mean sonarr?"],
    ["a dialect that nobody speaks",    ["hooks", "create", "home/x", "--as", "teams"],      1, "--as"],
    ["a check that is misspelled",      ["checks", "show", "nightli"],                       1, "did you mean nightly?"],
  ];
  test("what can't be done is refused with the nearest name, or what to do", async () => {
    await admin("topics", "create", "home/kitchen");
    await admin("hooks", "create", "home/tv", "--name", "sonarr");
    await admin("checks", "create", "nightly", "--every", "1d");
    for (const [promise, args, code, told] of REFUSED) {
      const refused = await admin(...args);
      expect([promise, refused.code, refused.stdout]).toEqual([promise, code, ""]);
      expect(refused.stderr).toContain(told);
    }
  });

  test("compact is refused while it runs, and says so", async () => {
    const { code, stderr } = await admin("compact");
    expect(code).toBe(1);
    expect(stderr).toContain("Another peal runs on");
  });
});

test("without a server, a stopped database gets smaller and loses nothing", async () => {
  await using peal = await startPeal();
  const admin = commandOn(peal);
  const topic = await peal.topic("big");
  const gone = await peal.topic("gone");
  for (let n = 0; n < 40; n++) await peal.publish(gone, { message: "x".repeat(8_000) });
  await peal.publish(topic, { message: "kept" });
  expect((await admin("topics", "delete", "home/gone")).code).toBe(0);
  await peal.kill("SIGTERM");
  const path = join(peal.dataDir, "peal.db");
  const { uid, mode } = statSync(path);
  const compacted = await admin("compact", "--json");
  expect(compacted).toMatchObject({ code: 0, stderr: "" });
  const { before, after } = JSON.parse(compacted.stdout) as { before: number; after: number };
  expect(after).toBeLessThan(before - 300_000);
  expect(statSync(path)).toMatchObject({ size: after, uid, mode });
  expect((await admin("compact")).stdout).toMatch(/ kB before, .* kB now, verified\n$|MB now, verified\n$/);
  await peal.start();
  expect((await peal.history(topic)).length).toBe(1);
});

test("a damaged database is not compacted, and stays as it is", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("big");
  for (let n = 0; n < 40; n++) await peal.publish(topic, { message: "x".repeat(8_000) });
  await peal.kill("SIGTERM");
  const path = join(peal.dataDir, "peal.db");
  using db = new Database(path);
  db.run("PRAGMA writable_schema = ON");
  db.run(
    "UPDATE sqlite_schema SET rootpage = 2 WHERE name = (SELECT name FROM sqlite_schema WHERE type = 'index' LIMIT 1)",
  );
  db.close();
  const before = await Bun.file(path).bytes();
  const { code, stderr } = await commandOn(peal)("compact");
  expect(code).toBe(1);
  expect(stderr).toContain("Nothing was changed");
  expect(Buffer.from(await Bun.file(path).bytes()).equals(before)).toBe(true);
});

test("the OpenAPI document needs neither server nor database, and is the server's own", async () => {
  await using peal = await startPeal();
  const { code, stdout } = await run(["openapi"], { PEAL_BASE_URL: peal.url });
  expect(code).toBe(0);
  const served = (await (await peal.request("/openapi.json")).json()) as object;
  expect(JSON.parse(stdout)).toEqual(served);
});
