/** What the owner does to a check, and what the check makes of a job's pings, over HTTP, black-box (CHECKINS.md §3). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { actOn, alertsOf, checkOf, eventsOf, kindsOf, newCheck, patched, ping } from "../support/checks.ts";
import { answer, TIME } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { begin } from "../support/raw.ts";
import { startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

describe("its owner", () => {
  test("pauses it and resumes it", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    expect(await actOn(peal, id, "pause")).toMatchObject({ state: "paused", paused: true });
    expect(await actOn(peal, id, "pause")).toMatchObject({ state: "paused" });
    expect(await ping(peal, `${ping_url}/fail`)).toEqual([200, "ok"]);
    expect(await checkOf(peal, id)).toMatchObject({ state: "paused" });
    expect(await actOn(peal, id, "resume")).toMatchObject({
      state: "new",
      paused: false,
      next_slot_at: expect.stringMatching(TIME) as string,
    });
    expect(await kindsOf(peal, id)).toEqual(["paused", "fail", "resumed"]);
    expect(await patched(peal, id, { paused: true })).toMatchObject({ state: "paused" });
    expect(await patched(peal, id, { paused: false })).toMatchObject({ state: "new" });
  });

  test("snoozes it: what happens is recorded, and reported at the end", async () => {
    const check = await newCheck(peal, { every: "1d", topic: "snoozed" });
    const { muted_until } = await actOn(peal, check.id, "snooze", { for: "1h" });
    expect(Date.parse(String(muted_until)) - Date.now()).toBeWithin(3_590_000, 3_600_001);
    await ping(peal, `${check.ping_url}/fail`);
    expect(await checkOf(peal, check.id)).toMatchObject({ state: "down" });
    expect(await alertsOf(peal, check)).toHaveLength(0);
    const until = new Date(Date.now() + 4_000).toISOString();
    expect(await actOn(peal, check.id, "snooze", { until })).toMatchObject({ muted_until: until });
    await eventually("the alert", async () => (await alertsOf(peal, check)).length > 0);
    const [alert] = await alertsOf(peal, check);
    expect(alert).toMatchObject({ level: "error" });
    expect(await checkOf(peal, check.id)).not.toHaveProperty("muted_until");
    await actOn(peal, check.id, "snooze", { for: 60 });
    expect(await patched(peal, check.id, { muted_until: null })).not.toHaveProperty("muted_until");
    expect((await kindsOf(peal, check.id)).slice(-2)).toEqual(["snoozed", "unsnoozed"]);
  });

  // prettier-ignore
  test.each([
    [{},                                            "/"],
    [{ for: "1h", until: "2999-01-01T00:00:00Z" },  "/"],
    [{ for: 0 },                                    "/for"],
    [{ for: "366d" },                               "/for"],
    [{ for: "soon" },                               "/for"],
    [{ until: "2020-01-01T00:00:00Z" },             "/until"],
    [{ until: "2999-01-01T00:00:00Z" },             "/until"],
    [{ until: "tomorrow" },                         "/until"],
  ])("cannot snooze it by %j", async (body, path) => {
    const { id } = await newCheck(peal);
    const response = await peal.api("POST", `/v1/home/checks/${id}/snooze`, body);
    const { errors } = await answer<{ errors: { path: string }[] }>(422, response);
    expect(errors.map((error) => error.path)).toEqual([path]);
    expect(await kindsOf(peal, id)).toEqual([]);
  });

  test("cannot snooze it for more than a year by a change either", async () => {
    const { id } = await newCheck(peal);
    const response = await peal.api("PATCH", `/v1/home/checks/${id}`, { muted_until: "2999-01-01T00:00:00Z" });
    expect(await answer(422, response)).toMatchObject({ errors: [{ path: "/muted_until" }] });
    const until = new Date(Date.now() + 364 * 86_400_000).toISOString();
    expect(await patched(peal, id, { muted_until: until })).toMatchObject({ muted_until: until });
  });

  test("acknowledges an incident", async () => {
    const { id, ping_url } = await newCheck(peal, { every: "1d" });
    expect(await actOn(peal, id, "ack")).toMatchObject({ state: "new" }); // there is no incident
    await ping(peal, `${ping_url}/fail`);
    const { incident } = await actOn(peal, id, "ack");
    expect(incident).toMatchObject({ n: 1, reason: "failed", acked_at: expect.stringMatching(TIME) as string });
    expect(await kindsOf(peal, id)).toEqual(["fail", "down", "acked"]);
  });

  test("sends its test alert", async () => {
    const check = await newCheck(peal, { topic: "tried-out" });
    await actOn(peal, check.id, "test");
    expect(await alertsOf(peal, check)).toMatchObject([{ source: "check", topic_name: "tried-out" }]);
    expect(await kindsOf(peal, check.id)).toEqual(["tested"]);
  });

  test.each([[{ overlap: -1 }], [{ overlap: "366d" }], [{ overlap: "x" }]])(
    "cannot get a new token by %j",
    async (body) => {
      const { id, ping_url } = await newCheck(peal);
      const response = await peal.api("POST", `/v1/home/checks/${id}/rotate`, body);
      expect(await answer(422, response)).toMatchObject({ errors: [{ path: "/overlap" }] });
      expect(await checkOf(peal, id)).toMatchObject({ ping_url });
    },
  );

  test("gets one new token, however often it is requested at once", async () => {
    const { id, ping_url } = await newCheck(peal);
    const headers = { authorization: `Bearer ${peal.adminKey}`, "content-type": "application/json" };
    const rotation = async () => begin(peal.url, "POST", `/v1/home/checks/${id}/rotate`, headers, "{}");
    const shown = async ({ finish }: Awaited<ReturnType<typeof rotation>>) =>
      /"ping_url":"[^"]*\/([^"]*)"/.exec(await finish())?.[1];
    const [first, second, late] = [await rotation(), await rotation(), await rotation()];
    const rotated = await shown(first);
    expect(ping_url).not.toEndWith(rotated ?? "");
    expect(await shown(second)).toBe(rotated);
    expect(await ping(peal, ping_url)).toEqual([200, "ok"]); // another rotation would have ended it
    const again = await actOn(peal, id, "rotate");
    expect(again.ping_url).toEndWith((await shown(late)) ?? "none");
  });

  test("deletes it: its URL stops working, its slug is free", async () => {
    const { id, ping_url } = await newCheck(peal, { slug: "deleted" });
    await ping(peal, ping_url, { method: "POST", body: "said" });
    expect((await peal.api("DELETE", `/v1/home/checks/${id}`)).status).toBe(204);
    expect(await ping(peal, ping_url)).toEqual([404, "not found"]);
    for (const path of ["", "/events", "/events/1/body", "/incidents"])
      expect(await answer(404, await peal.api("GET", `/v1/home/checks/${id}${path}`))).toMatchObject({
        code: "unknown_check",
      });
    expect(await answer(404, await peal.api("DELETE", `/v1/home/checks/${id}`))).toMatchObject({
      code: "unknown_check",
    });
    expect((await newCheck(peal, { slug: "deleted" })).id).not.toBe(id);
  });

  test("deletes one that is down: its alarm ends", async () => {
    const check = await newCheck(peal, { name: "nas-backup", topic: "ends-with-it" });
    await ping(peal, `${check.ping_url}/fail`);
    expect((await peal.api("DELETE", `/v1/home/checks/${check.id}`)).status).toBe(204);
    const alerts = await alertsOf(peal, check);
    expect(alerts).toMatchObject([
      { title: "nas-backup failed", status: "firing" },
      { title: "nas-backup was deleted", status: "resolved", level: "info", priority: "low" },
    ]);
    expect(new Set(alerts.map((alert) => alert["dedup_key"])).size).toBe(1);
  });
});

test("a check goes down and recovers: its record, its log, its incident, its messages", async () => {
  const check = await newCheck(peal, { name: "nas-backup", every: "1d", topic: "whole-story" });
  await ping(peal, `${check.ping_url}/start`);
  await ping(peal, `${check.ping_url}/2`, { method: "POST", body: "disk is full" });
  const down = await checkOf(peal, check.id);
  expect(down).toMatchObject({
    state: "down",
    running: false,
    pings: 3,
    incident: { n: 1, reason: "failed", exit: 2, missed: 0, server_gap: false },
  });
  await ping(peal, check.ping_url);
  const up = await checkOf(peal, check.id);
  expect(up).toMatchObject({
    state: "up",
    last_ok_at: expect.stringMatching(TIME) as string,
    next_slot_at: expect.stringMatching(TIME) as string,
  });
  expect(up).not.toHaveProperty("incident");
  expect(await eventsOf(peal, check.id)).toMatchObject([
    { n: 1, kind: "start" },
    { n: 2, kind: "fail", exit: 2, method: "POST", body_bytes: 12, duration: expect.any(Number) as number },
    { n: 3, kind: "down", reason: "failed" },
    { n: 4, kind: "ok" },
    { n: 5, kind: "up", reason: "failed" },
  ]);
  const { incidents } = await answer<{ incidents: object[] }>(
    200,
    await peal.api("GET", `/v1/home/checks/${check.id}/incidents`),
  );
  expect(incidents).toMatchObject([
    {
      n: 1,
      reason: "failed",
      exit: 2,
      opened_at: expect.stringMatching(TIME) as string,
      closed_at: expect.stringMatching(TIME) as string,
    },
  ]);
  const [first, second] = await alertsOf(peal, check);
  expect([first, second]).toMatchObject([
    { source: "check", level: "error", priority: "high", status: "firing" },
    { source: "check", level: "success", status: "resolved" },
  ]);
  expect(second?.["dedup_key"]).toBe(first?.["dedup_key"] as string);
});
