/** The parts of a check that people type and copy, over HTTP (WEB.md §3): its form, and the commands on its page. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cronOf, jobOf, pingSnippets } from "../../src/pages/dashboard/checks/check/pinging.ts";
import { checkOf, eventsOf, newCheck } from "../support/checks.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs, textOf } from "../support/desk.ts";
import { COMMAND, inProcess } from "../support/server.ts";
import { SAME_SITE, signedIn } from "../support/signin.ts";
import { testWith } from "../support/tools.ts";
import type { ToolName } from "../tools.ts";

const peal = await inProcess({ clock: heldClock() });
afterAll(async () => peal[Symbol.asyncDispose]());
const cookie = await signedIn(peal, { name: "Mara" });
const { get, post, done } = deskAs(peal, cookie);
const pathOf = ({ id }: { id: string }): string => `/-/checks/${id}`;

/** The contents of a form's text fields. */
const typed = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="text" id="(\w+)"[^>]* value="([^"]*)"/g)].map(
      ([, name = "", value = ""]): [string, string] => [name, value],
    ),
  );

describe("the form", () => {
  beforeAll(async () => {
    await newCheck(peal, { name: "had", slug: "had" });
  });

  const filled = {
    ns: "home",
    name: "nightly",
    kind: "cron",
    cron: "30 2 * * *",
    timezone: "Europe/Berlin",
    grace: "1 h",
  };

  test("makes a check as the API would", async () => {
    const made = await done("/-/checks/new", {
      ...filled,
      ...{ tags: "nas, backup,", topic: "backups", slug: "nightly", level: "warning", priority: "urgent" },
      ...{ armed: "on", notify_late: "on", post_only: "on", max_run: "0", remind_every: "0", remind_max: "3" },
      ...{ fail_after: "2", recover_after: "", early: "30s" },
    });
    expect(made.text).toContain("nightly is now monitored.");
    const check = await checkOf(peal, made.path.split("/").at(-1) ?? "");
    expect(check).toMatchObject({
      ...{ name: "nightly", slug: "nightly", cron: "30 2 * * *", timezone: "Europe/Berlin", grace: 3600, early: 30 },
      ...{ tags: ["nas", "backup"], topic_name: "backups", level: "warning", priority: "urgent", armed: true },
      ...{ notify_late: true, notify_success: false, post_only: true, max_run: 0, remind_every: 0, remind_max: 3 },
      ...{ fail_after: 2, recover_after: 1, state: "new" },
    });
    const { html, text } = await get(`${made.path}/edit`);
    expect(typed(html)).toMatchObject({ cron: "30 2 * * *", grace: "1 h", max_run: "0", tags: "nas, backup" });
    expect(html).toContain(`value="cron" checked`);
    expect(html).toContain(`<option value="urgent" selected>`);
    expect(text).toContain("Next five runs");
  });

  test("says what applies where nothing is chosen", async () => {
    const { text } = await get("/-/checks/new");
    for (const words of ["Leave blank for topic checks.", "Default (Error)", "Default (High)"])
      expect(text).toContain(words);
    const made = await newCheck(peal, { name: "nobody chose" });
    expect(made.topic_name).toBe("checks");
    expect((await get(pathOf(made))).text).toContain("Sent as Error, high priority.");
  });

  test("names the zone of the next slots where it is not the schedule's", async () => {
    const check = await newCheck(peal, { every: undefined, cron: "30 2 * * *", timezone: "Asia/Tokyo" });
    const shownIn = async (zone: string) => (await deskAs(peal, `${cookie}; zone=${zone}`).get(pathOf(check))).text;
    expect(await shownIn("Europe/Berlin")).toContain("Times are in Europe/Berlin.");
    expect(await shownIn("Asia/Tokyo")).not.toContain("Times are in");
    const every = await newCheck(peal, { every: 3_600 });
    expect((await get(pathOf(every))).text).not.toContain("Times are in");
  });

  test("does not overwrite someone else's change unseen, but only when it is sent once more", async () => {
    const check = await newCheck(peal, { name: "shared", grace: 60 });
    const { html } = await get(`${pathOf(check)}/edit`);
    const mark = / name="mark" value="(\w+)"/.exec(html)?.[1] ?? "";
    const mine = { ...typed(html), kind: "every", every: "1 d", mark };
    await done(`${pathOf(check)}/edit`, { ...mine, name: "renamed" });
    const refused = await post(`${pathOf(check)}/edit`, { ...mine, grace: "5 min" });
    expect([refused.status, refused.text.includes("Someone has changed this since")]).toEqual([409, true]);
    expect(refused.html).toContain('value="5 min"');
    expect((await checkOf(peal, check.id)).name).toBe("renamed");
    const again = / name="mark" value="(\w+)"/.exec(refused.html)?.[1] ?? "";
    await done(`${pathOf(check)}/edit`, { ...mine, grace: "5 min", mark: again });
    expect(await checkOf(peal, check.id)).toMatchObject({ name: "shared", grace: 300 });
  });

  test("saved without changes, alters no duration by even a second", async () => {
    const lengths = { every: 88_200, grace: 3630, early: 61, max_run: 95_430, remind_every: 90_061 };
    const check = await newCheck(peal, lengths);
    const { every, ...shown } = typed((await get(`${pathOf(check)}/edit`)).html);
    expect(every).toBe("1 d 30 min");
    await done(`${pathOf(check)}/edit`, { ...shown, every: every ?? "", kind: "every" });
    expect(await checkOf(peal, check.id)).toMatchObject(lengths);
  });

  // prettier-ignore
  const wrong: [what: string, form: Record<string, string>, field: string, words: string][] = [
    ["no name",            { name: "" },                               "name",         "Must be 1 to 100 characters."],
    ["no such zone",       { timezone: "Europe/Berln" },               "timezone",     "did you mean Europe/Berlin?"],
    ["no cron line",       { cron: "every day" },                      "cron",         "Must have five fields"],
    ["never",              { cron: "0 0 31 4 *" },                     "cron",         "Never runs"],
    ["no period",          { kind: "every", every: "" },               "every",        "or a duration like 90s, 15m, 26h, 1d."],
    ["too often",          { kind: "every", every: "1s" },             "every",        "Must be 10 to"],
    ["no grace",           { grace: "soon" },                          "grace",        "or a duration"],
    ["no slug",            { slug: "start" },                          "slug",         "Must not be start, fail, log or digits alone."],
    ["no such slug",       { slug: "Über uns" },                       "slug",         "Lowercase letters, digits, - and _, at most 64."],
    ["a slug that is had", { slug: "had" },                            "slug",         "Another check has the slug"],
    ["no topic",           { topic: "a/b" },                           "topic",        "Must be the name or the key of a topic."],
    ["no number",          { fail_after: "many" },                     "fail_after",   "integer"],
    ["no namespace",       { ns: "gone" },                             "ns",           "Must be a namespace that you may see."],
    ["no level",           { level: "bad" },                           "level",        "Must be one of"],
    ["no priority",        { priority: "bad" },                        "priority",     "Must be one of"],
    ["too long a tag",     { tags: "x".repeat(200) },                  "tags",         "Must be 1 to 32 characters."],
  ];
  test.each(wrong)("shows the error at its field: %s", async (_, form, field, said) => {
    const { status, html } = await post("/-/checks/new", { ...filled, ...form });
    expect([409, 422]).toContain(status);
    const fault =
      new RegExp(`id="${field}-e">(.*?)</p>`, "s")
        .exec(html)?.[1]
        ?.replaceAll(/<[^>]+>/g, "")
        .trim() ?? "";
    expect(fault.replaceAll("&#x27;", "'")).toContain(said);
    expect(fault).toMatch(/[^.?][.?]$/);
    expect(html).toMatch(new RegExp(`id="${field}"[^>]*aria-describedby="${field}-e`));
    expect(html).toContain(`value="${form["timezone"] ?? filled.timezone}"`);
  });

  test("shows the next five without saving anything", async () => {
    const rows = async () => (await get("/-/checks?ns=home")).html.match(/class="row check/g)?.length;
    const before = await rows();
    const { status, html } = await deskAs(peal, `${cookie}; zone=UTC`).post("/-/checks/new", {
      ...filled,
      ...{ name: "seen", preview: "1" },
    });
    expect(status).toBe(200);
    expect(html.match(/<time datetime="[^"]*T01:30:00/g)).toHaveLength(5);
    expect(html).toContain("Times are in UTC.");
    expect(await rows()).toBe(before);
  });

  test("changes an existing check, and the log says who did", async () => {
    const check = await newCheck(peal, { name: "job", every: "1d", tags: ["x"], topic: "mine" });
    const saved = await done(`${pathOf(check)}/edit`, { name: "renamed", kind: "manual", topic: "mine" });
    expect(saved.text).toContain("Saved.");
    const now = await checkOf(peal, check.id);
    expect(now).toMatchObject({ name: "renamed", tags: [], topic: check.topic });
    expect(now).not.toHaveProperty("every");
    expect((await eventsOf(peal, check.id)).at(-1)).toMatchObject({ kind: "edited", by: "Mara" });
  });

  // prettier-ignore
  const german: [said: string, form: Record<string, string>][] = [
    ["Diese Zeitzone gibt es nicht. Gemeint: Europe/Berlin?", { timezone: "Europe/Berln" }],
    ["Fünf Felder gehören hierher, wie in einer Crontab: Minute, Stunde, Tag, Monat, Wochentag.", { cron: "every day" }],
    ["@x y gibt es nicht. Gemeint: @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually?", { cron: "@x y" }],
    ["@dayly gibt es nicht. Gemeint: @daily?", { cron: "@dayly" }],
    ["Minute: 99 liegt nicht zwischen 0 und 59.", { cron: "99 * * * *" }],
    ["Wochentag: mun ist keine Zahl und keines von SUN, MON, TUE, WED, THU, FRI, SAT.", { cron: "0 3 * * mun" }],
    ["Minute: x ist keine Zahl.", { cron: "x * * * *" }],
    ["Tag: „1-“ ist weder Wert noch Bereich (1-5), Schrittweite (*/5) oder Liste (1,5).", { cron: "0 3 1- * *" }],
    ["Stunde: 22-6 endet, bevor es beginnt. Gemeint: 22-23,0-6?", { cron: "0 22-6 * * *" }],
    ["Monat: */0 hat die Schrittweite 0.", { cron: "0 3 * */0 *" }],
    ["Läuft nie: Monat 2 hat keinen Tag 30.", { cron: "0 0 30 2 *" }],
    ["Eine Dauer von 10 Sekunden bis 365 Tage gehört hierher, etwa 90s, 15m, 26h oder 1d.", { kind: "every", every: "1s" }],
    ["Eine Dauer bis 365 Tage gehört hierher, etwa 90s, 15m, 26h oder 1d.", { grace: "500d" }],
    ["Eine Dauer bis 365 Tage gehört hierher, etwa 90s, 15m, 26h oder 1d.", { max_run: "400d" }],
    ["Eine Dauer von 1 Minute bis 365 Tage gehört hierher, etwa 90s, 15m, 26h oder 1d; oder 0.", { remind_every: "5s" }],
  ];
  test.each(german)("says in German: %s", async (said, form) => {
    const response = await peal.request("/-/checks/new", {
      method: "POST",
      headers: { cookie, accept: "text/html", "accept-language": "de", ...SAME_SITE },
      body: new URLSearchParams({ ...filled, ...form }),
    });
    expect(textOf(await response.text())).toContain(` ${said} `);
  });
});

// prettier-ignore
test.each([
  [{ kind: "every", everyMs: 60_000 },                  "* * * * *"],
  [{ kind: "every", everyMs: 59_000 },                  undefined],
  [{ kind: "every", everyMs: 5 * 60_000 },              "*/5 * * * *"],
  [{ kind: "every", everyMs: 7 * 60_000 },              "*/6 * * * *"],
  [{ kind: "every", everyMs: 59 * 60_000 },             "*/30 * * * *"],
  [{ kind: "every", everyMs: 60 * 60_000 },             "30 * * * *"],
  [{ kind: "every", everyMs: 5 * 3_600_000 },           "30 */4 * * *"],
  [{ kind: "every", everyMs: 24 * 3_600_000 },          "30 2 * * *"],
  [{ kind: "every", everyMs: 30 * 86_400_000 },         "30 2 * * *"],
  [{ kind: "manual" },                                  "30 2 * * *"],
  [{ kind: "cron", expression: "5 4 * * 1", timezone: "UTC" }, "5 4 * * 1"],
] as const)("cron runs the job for %j often enough", (schedule, line) => {
  expect(cronOf(schedule)).toBe(line);
});

/** The commands that the buttons copy: the text of each block of code. */
const commandsOf = (html: string): string[] =>
  [...html.matchAll(/<pre[^>]*>\n<code>(.*?)<\/code>/gs)].map(([, code = ""]) =>
    code
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&"),
  );

// prettier-ignore
test.each([
  [{ name: "NAS backup" },                     "nas-backup"],
  [{ name: "NAS backup", slug: "nas" },        "nas"],
  [{ name: "Über-Prüfung (täglich)" },         "uber-prufung-taglich"],
  [{ name: "$(reboot); `x` % \\ && rm -rf /" }, "reboot-x-rm-rf"],
  [{ name: "備份" },                            "backup"],
])("the job of %j is one word for a shell and for cron", (named, job) => {
  expect(jobOf(named)).toBe(`/usr/local/bin/${job}`);
});

test("a command breaks only where a shell allows it, cron's does not, and none between an option and its value", async () => {
  const check = await newCheck(peal, { name: "photos sync", every: "1d" });
  const { html } = await get(pathOf(check));
  const commands = commandsOf(html);
  const url = check.ping_url;
  expect(commands).toContain(`30 2 * * *  /usr/local/bin/photos-sync && curl -fsS -m 10 --retry 5 -o /dev/null ${url}`);
  expect(commands).toContain(`curl -fsS -m 10 --retry 5 -o /dev/null \\\n  ${url}`);
  expect(commands).toContain(`peal run --check ${url} \\\n  -- /usr/local/bin/photos-sync`);
  for (const whole of ["-m 10", "--retry 5", "-o /dev/null"])
    expect(html.split(`<span class="clip">${whole}</span>`)).toHaveLength(3); // cron and curl
});

describe("a command on the page works as shown", () => {
  const shell = ["sh", "-c"];
  const JOB = "/usr/local/bin/nas-backup";
  const source = COMMAND.map((word) => `'${word}'`).join(" ");
  const script = join(tmpdir(), `peal-run-${process.pid}`);
  afterAll(() => rmSync(script, { force: true }));
  // prettier-ignore
  const runners: [name: string, needs: ToolName[], run: (command: string) => string[]][] = [
    ["curl",     ["curl"],    (command) => [...shell, command]],
    ["cron",     ["curl"],    (command) => [...shell, command.replace("30 2 * * *", "").replace(JOB, "true")]],
    ["peal run", [],          (command) => [...shell, command.replace("peal", source).replace(JOB, "true")]],
    ["run.sh",   ["curl"],    (command) => [...shell, command.replaceAll("/usr/local/bin/peal-run", script).replace(JOB, "true")]],
    ["Python",   ["python3"], (command) => ["python3", "-c", command]],
  ];
  for (const postOnly of [false, true])
    for (const [name, needs, run] of runners)
      testWith(...needs)(`${name}${postOnly ? ", by POST" : ""}`, async () => {
        const check = await newCheck(peal, { name: "NAS backup", post_only: postOnly });
        const settings = { name: "NAS backup", schedule: { kind: "manual" }, postOnly } as const;
        const snippet = pingSnippets(check.ping_url, settings).find((one) => one.name === name);
        expect(commandsOf((await get(pathOf(check))).html)).toContain(snippet?.command ?? "none");
        const ran = Bun.spawn(run(snippet?.command ?? ""), { stdio: ["ignore", "ignore", "inherit"] });
        expect(await ran.exited).toBe(0);
        expect((await checkOf(peal, check.id)).state).toBe("up");
      });
});
