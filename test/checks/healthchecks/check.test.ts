/** Checks as Healthchecks' API shows them, one or all (its own cases: hc/api/tests; CHECKINS.md §10). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newCheck, ping } from "../../support/checks.ts";
import { eventually } from "../../support/eventually.ts";
import { inProcess } from "../../support/server.ts";
import { asker, CheckDict, decoded, type Healthchecks, startHealthchecks } from "./asking.ts";

let hc: Healthchecks;
beforeAll(async () => {
  hc = await startHealthchecks();
});
afterAll(async () => hc[Symbol.asyncDispose]());

describe("a check", () => {
  test("has all fields of Healthchecks and no other, with times and URLs in its form", async () => {
    const check = decoded(
      CheckDict,
      await hc.made({ name: "Alice 1", slug: "alice-1", tags: "a1 more", desc: "text", timeout: 3600, grace: 900 }),
    );
    expect(Object.keys(check)).toHaveLength(29);
    expect(check).toMatchObject({
      ...{ name: "Alice 1", slug: "alice-1", tags: "a1 more", desc: "text", timeout: 3600, grace: 900 },
      ...{ status: "new", started: false, last_ping: null, next_ping: null, n_pings: 0, manual_resume: false },
      update_url: `${hc.peal.url}/api/v3/checks/${check.uuid}`,
      pause_url: `${hc.peal.url}/api/v3/checks/${check.uuid}/pause`,
      resume_url: `${hc.peal.url}/api/v3/checks/${check.uuid}/resume`,
    });
    expect(await ping(hc.peal, check.ping_url)).toEqual([200, "ok"]);
    const now = new Date(hc.clock.now()).toISOString().slice(0, 19);
    expect(decoded(CheckDict, await hc.one(check.uuid))).toMatchObject({
      ...{ status: "up", n_pings: 1, last_ping: `${now}+00:00` },
      next_ping: `${new Date(hc.clock.now() + 3_600_000).toISOString().slice(0, 19)}+00:00`,
    });
  });

  test("is new, up, in grace, down and paused in turn", async () => {
    const { uuid, ping_url } = await hc.made({ name: "turns", timeout: 60, grace: 60 });
    const status = async (version = "v3") => (await hc.one(uuid, version)).status;
    expect(await status()).toBe("new");
    await ping(hc.peal, ping_url);
    expect(await status()).toBe("up");
    hc.clock.advance(61_000);
    expect(await status()).toBe("grace");
    hc.clock.advance(90_000);
    await eventually("an alert", async () => (await status()) === "down");
    expect(await hc.one(uuid)).toMatchObject({ next_ping: null });
    expect(await hc.ask("POST", `/checks/${uuid}/pause`)).toMatchObject([200, { status: "paused" }]);
  });

  test("that runs is `started` in version 1, and says so separately in the later ones", async () => {
    const { uuid, ping_url } = await hc.made({ name: "runs", timeout: 3600 });
    await ping(hc.peal, `${ping_url}/start`);
    expect(await hc.one(uuid, "v1")).toMatchObject({ status: "started", started: true });
    expect(await hc.one(uuid, "v2")).toMatchObject({ status: "new", started: true });
    hc.clock.advance(4_500);
    await ping(hc.peal, ping_url);
    expect(await hc.one(uuid, "v1")).toMatchObject({ status: "up", started: false, last_duration: 4 });
  });

  test("shows as its last ping a failure too, but no start", async () => {
    const { uuid, ping_url } = await hc.made({ name: "failing", timeout: 3600 });
    await ping(hc.peal, `${ping_url}/fail`);
    const failed = (await hc.one(uuid))["last_ping"];
    expect(failed).toBe(`${new Date(hc.clock.now()).toISOString().slice(0, 19)}+00:00`);
    hc.clock.advance(5_000);
    await ping(hc.peal, `${ping_url}/start`);
    expect((await hc.one(uuid))["last_ping"]).toBe(failed);
  });

  test("with a cron schedule has it and its zone instead of a timeout", async () => {
    const check = decoded(
      CheckDict,
      await hc.made({ name: "cron", schedule: "5 * * * *", tz: "Europe/Riga", grace: 60 }),
    );
    expect(check).toMatchObject({ schedule: "5 * * * *", tz: "Europe/Riga", grace: 60 });
    expect(check).not.toHaveProperty("timeout");
    expect(await hc.made({ name: "utc", schedule: "5 * * * *" })).toMatchObject({ tz: "UTC" });
  });

  test("is found by its UUID, its id in peal, its unique key and, to change it, by the end of its ping URL", async () => {
    const check = await newCheck(hc.peal, { name: "names", every: 60 });
    const { checks = [] } = (await hc.ask("GET", "/checks/"))[1];
    const { uuid = "" } = checks.find(({ name }) => name === "names") ?? {};
    const [, ofReader] = await asker(hc.peal, hc.read)("GET", `/checks/${uuid}`);
    const token = check.ping_url.split("/").at(-1) ?? "";
    for (const name of [uuid, check.id, String(ofReader.unique_key), token])
      expect(await hc.ask("GET", `/checks/${name}`)).toMatchObject([200, { uuid }]);
    expect((await asker(hc.peal, hc.read)("GET", `/checks/${token}`))[0]).toBe(404);
    expect(await hc.ask("POST", `/checks/${token}`, { timeout: 120 })).toMatchObject([200, { uuid, timeout: 120 }]);
    for (const name of ["not-an-uuid", "07c2f548-9850-4b27-af5d-6c9dc157ec02", uuid.replace(/.$/, "x"), "X".repeat(40)])
      expect((await hc.ask("GET", `/checks/${name}`))[0]).toBe(404);
  });
});

describe("a list", () => {
  test("is filtered by tags, all of which a check must have, and by slug", async () => {
    await hc.made({ name: "Bob 1", slug: "bob-1", tags: "b-tag b-additional" });
    await hc.made({ name: "Bob 2", tags: "b-tag" });
    const names = async (query: string) =>
      ((await hc.ask("GET", `/checks/${query}`))[1].checks ?? []).map(({ name }) => name);
    expect(await names("?tag=b-tag")).toEqual(["Bob 1", "Bob 2"]);
    expect(await names("?tag=b-tag&tag=b-additional")).toEqual(["Bob 1"]);
    expect(await names("?tag=tag")).toEqual([]);
    expect(await names("?slug=bob-1")).toEqual(["Bob 1"]);
    expect(await names("?slug=bob-1&tag=other")).toEqual([]);
    expect((await names("")).length).toBeGreaterThan(2);
  });

  test("has every check of a large namespace, each once", async () => {
    await using large = await inProcess();
    const { key } = await large.mint("full");
    const wanted = Array.from({ length: 230 }, (_, n) => `check ${n}`);
    for (const name of wanted) await newCheck(large, { name, every: 60, tags: [`t${name.length}`] });
    const [, { checks = [] }] = await asker(large, key)("GET", "/checks/");
    expect(checks.map(({ name }) => String(name)).toSorted()).toEqual(wanted.toSorted());
    for (const check of checks) decoded(CheckDict, check);
    const [, { checks: some = [] }] = await asker(large, key)("GET", "/checks/?tag=t9");
    expect(some).toHaveLength(wanted.filter((name) => name.length === 9).length);
  });
});
