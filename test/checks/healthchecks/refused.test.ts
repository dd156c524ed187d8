/** What Healthchecks' API refuses, in its words (its own cases: hc/api/tests; CHECKINS.md §10). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answer } from "../../support/client.ts";
import { asker, type Healthchecks, startHealthchecks } from "./asking.ts";

let hc: Healthchecks;
beforeAll(async () => {
  hc = await startHealthchecks();
});
afterAll(async () => hc[Symbol.asyncDispose]());

describe("what Healthchecks refuses is refused in its words:", () => {
  // prettier-ignore
  const rows: [body: object, error: string][] = [
    ...["channels", "timeout", "grace", "name", "schedule", "subject", "subject_fail", "unique"]
      .map((field): [object, string] => [{ [field]: null }, `${field} is not a`]),
    [{ channels: 123 },                          "channels is not a string"],
    [{ channels: "abc" },                        "invalid channel identifier: abc"],
    [{ channels: "," },                          "empty channel identifier"],
    [{ timeout: 0 },                             "timeout is too small"],
    [{ timeout: 31_536_001 },                    "timeout is too large"],
    [{ timeout: "oops" },                        "timeout is not a number"],
    [{ grace: 59 },                              "grace is too small"],
    [{ name: false },                            "name is not a string"],
    [{ name: "01234567890".repeat(20) },         "name is too long"],
    [{ unique: ["status"] },                     "an item in 'unique' has unexpected value"],
    [{ unique: "not a list" },                   "unique is not an array"],
    [{ schedule: "bad-expression * * * *" },     "schedule is not a valid cron or OnCalendar expression"],
    [{ schedule: "0 0 31 2 *" },                 "schedule is not a valid cron or OnCalendar expression"],
    [{ schedule: `0 ${"0,".repeat(60)}0 * * *` }, "schedule is too long"],
    [{ schedule: "0 0 * * *", tz: "not-a-timezone" }, "tz is not a valid timezone"],
    [{ methods: "bad-value" },                   "methods has unexpected value"],
    [{ manual_resume: 0 },                       "manual_resume is not a boolean"],
    [{ slug: "Uppercase" },                      "slug does not match pattern"],
    [{ slug: "a".repeat(101) },                  "slug is too long"],
    // and what only peal refuses
    [{ schedule: "Mon..Fri 12:34" },             "OnCalendar"],
    [{ filter_http_body: true, failure_kw: "E" }, "/fail"],
    [{ slug: "start" },                          "slug is not possible here"],
    [{ tags: "x".repeat(33) },                   "tags"],
  ];
  test.each(rows)("%j", async (body, error) => {
    const before = (await hc.ask("GET", "/checks/"))[1].checks?.length;
    const [status, answered] = await hc.ask("POST", "/checks/", body);
    expect([status, Object.keys(answered)]).toEqual([400, ["error"]]);
    expect(answered.error).toContain(error);
    expect((await hc.ask("GET", "/checks/"))[1].checks).toHaveLength(before ?? -1);
  });

  test("JSON that is none, or no object", async () => {
    expect(await hc.ask("POST", "/checks/", "surprise")).toEqual([400, { error: "could not parse request body" }]);
    expect(await hc.ask("POST", "/checks/", "[1,2,3]")).toEqual([
      400,
      { error: "json validation error: value is not an object" },
    ]);
  });

  test("a request without a key, and with a wrong one; a key in the body is one", async () => {
    for (const [path, method] of [
      ["/checks/", "GET"],
      ["/checks/", "POST"],
      ["/badges/", "GET"],
    ] as const) {
      const without = await hc.peal.request(`/api/v3${path}`, { method });
      expect(await answer<object>(401, without)).toEqual({ error: "missing api key" });
      const wrong = await hc.peal.request(`/api/v3${path}`, { method, headers: { "x-api-key": "X".repeat(32) } });
      expect(await answer<object>(401, wrong)).toEqual({ error: "wrong api key" });
    }
    const post = async (body: object) =>
      (await hc.peal.request("/api/v1/checks/", { method: "POST", body: JSON.stringify(body) })).status;
    expect(await post({ api_key: hc.full, name: "by body" })).toBe(201);
    expect(await post({ api_key: "Y".repeat(32), name: "by body" })).toBe(401);
    expect(await post({ name: "by body" })).toBe(401);
  });

  test("a check of another namespace, with 403 and without a word of it", async () => {
    await hc.peal.local("/-/local/namespaces", { method: "POST", body: '{"name":"quokka"}' });
    const minted = await hc.peal.local("/v1/keys?namespace=quokka", { method: "POST", body: '{"scope":"full"}' });
    const { key } = await answer<{ key: string }>(201, minted);
    const { uuid } = await hc.made({ name: "mine" });
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["DELETE", ""],
      ["POST", "/pause"],
      ["GET", "/pings/"],
    ] as const) {
      const [status, { error = "" }] = await asker(hc.peal, key)(method, `/checks/${uuid}${path}`);
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(error).not.toContain("home");
    }
  });
});
