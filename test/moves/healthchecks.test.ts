/** `peal import healthchecks`: checks come along, and a script replaces their ping URLs (docs/moving.md). */
import { expect, test } from "bun:test";
import { ping } from "../support/checks.ts";
import { inProcess } from "../support/server.ts";
import { checksOf, imported, result, rewritten } from "./importing.ts";

const READ_WRITE = "hcw_AbCdEfGhIjKlMnOpQrStUvWxYz01";
const READ_ONLY = "hcr_AbCdEfGhIjKlMnOpQrStUvWxYz01";

const urlOf = (n: number) => `https://hc.example.com/ping/1f1b5c2e-0000-4000-8000-00000000000${n}`;

/** A check as `Check.to_dict` (hc/api/models.py) tells it to a key that may write, or only read. */
function checkJson(n: number, isReadOnly: boolean, fields: object): object {
  const update = `https://hc.example.com/api/v3/checks/1f1b5c2e-0000-4000-8000-00000000000${n}`;
  return {
    ...{ name: "", slug: "", tags: "", desc: "", grace: 3600, n_pings: 3, status: "up", started: false },
    ...{ last_ping: "2026-11-20T02:30:00+00:00", next_ping: null, manual_resume: false, methods: "" },
    ...{ subject: "", subject_fail: "", start_kw: "", success_kw: "", failure_kw: "" },
    ...{ filter_subject: false, filter_body: false, filter_http_body: false, filter_default_fail: false },
    badge_url: `https://hc.example.com/b/2/0000000${n}-0000-4000-8000-000000000000.svg`,
    ...(isReadOnly
      ? { unique_key: "a6c7b0a8a66bed0df66abfdab3c77736861703ee" }
      : { uuid: urlOf(n).split("/").at(-1), ping_url: urlOf(n), update_url: update, pause_url: `${update}/pause` }),
    ...(!isReadOnly && { resume_url: `${update}/resume`, channels: "" }),
    ...fields,
  };
}

/**
 * Healthchecks' Management API v3 as far as an import asks it: hc/api/decorators.py and hc/api/views.py at
 * 29b5ec251059034b79e0120e2ff0c3e35d7bd9f8 (4.4-dev). All checks of a project are in one answer.
 */
function fakeHealthchecks(checks: readonly object[]) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith("/api/v3/")) return new Response("", { status: 404 });
      if (!pathname.endsWith("/")) return Response.redirect(`${pathname}/`, 301);
      const key = request.headers.get("x-api-key") ?? "";
      if (key.length !== 32) return Response.json({ error: "missing api key" }, { status: 401 });
      if (key !== READ_WRITE && key !== READ_ONLY) return Response.json({ error: "wrong api key" }, { status: 401 });
      const told = checks.map((check, index) => checkJson(index + 1, key === READ_ONLY, check));
      return Response.json({ checks: told });
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: async () => server.stop(true) };
}

const CHECKS = [
  { name: "Nightly", slug: "nightly", tags: "db prod", schedule: "30 2 * * *", tz: "Europe/Berlin" },
  {
    name: "Poll [1]",
    slug: "poll",
    grace: 60,
    status: "paused",
    manual_resume: true,
    timeout: 300,
    desc: "every five",
  },
  { name: "Timer", slug: "timer", grace: 60, status: "new", schedule: "Mon..Fri 09:00", tz: "UTC" },
];

test("checks of Healthchecks come with their schedules, and sed rewrites a crontab", async () => {
  await using peal = await inProcess({ env: { PEAL_BASE_URL: "https://peal.example.com" } });
  await using other = fakeHealthchecks(CHECKS);
  const env = { PEAL_IMPORT_TOKEN: READ_WRITE };
  const dry = await result(peal, ["healthchecks", "--url", other.url], env);
  expect(dry.counts).toEqual({ new_check: { created: 2 } });
  expect(dry.notes[0]).toStartWith("left out: Timer: its schedule `Mon..Fri 09:00` isn't one that peal reads");
  expect(await checksOf(peal)).toEqual([]);
  const { script = "" } = await result(peal, ["healthchecks", "--url", other.url, "--apply"], env);
  const [nightly, poll] = await checksOf(peal);
  expect(nightly).toMatchObject({
    ...{ name: "Nightly", slug: "nightly", tags: ["db", "prod"], cron: "30 2 * * *", timezone: "Europe/Berlin" },
    ...{ grace: 3600, state: "new" },
  });
  expect(nightly).toMatchObject({ resume_by_ping: true });
  expect(poll).toMatchObject({
    ...{ name: "Poll [1]", every: 300, grace: 60, state: "paused", resume_by_ping: false, description: "every five" },
  });
  const crontab = (a: string, b: string) =>
    `MAILTO=""\n30 2 * * * backup && curl -fsS "${a}/start" ; curl ${a}/$?\n*/5 * * * * curl ${b} # ${a}\n1 1 * * * curl ${urlOf(3)}\n`;
  expect(rewritten(script, crontab(urlOf(1), urlOf(2)))).toBe(crontab(nightly?.ping_url ?? "", poll?.ping_url ?? ""));
  expect(nightly?.ping_url).toStartWith("https://peal.example.com/v1/ping/");
  const again = await result(peal, ["healthchecks", "--url", other.url, "--apply"], env);
  expect(again.counts).toEqual({ new_check: { exists: 2 } });
  expect(again.script).toBe(script);
}, 60_000);

test("a pause that the next ping ends there does not silence a check here for good", async () => {
  await using peal = await inProcess();
  await using other = fakeHealthchecks([{ name: "Away", status: "paused", timeout: 300 }]);
  await result(peal, ["healthchecks", "--url", other.url, "--apply"], { PEAL_IMPORT_TOKEN: READ_WRITE });
  const [away] = await checksOf(peal);
  expect(away).toMatchObject({ name: "Away", state: "paused" });
  await ping(peal, away?.ping_url ?? "");
  expect(await checksOf(peal)).toMatchObject([{ name: "Away", state: "up" }]);
});

test("a check that looks for words in what the job sends is named, as is one with a long description", async () => {
  await using peal = await inProcess();
  const words = { filter_http_body: true, failure_kw: "ERROR", desc: "ask Mara ".repeat(112) };
  await using other = fakeHealthchecks([{ name: "Mirror", timeout: 300, ...words }]);
  const { notes } = await result(peal, ["healthchecks", "--url", other.url], { PEAL_IMPORT_TOKEN: READ_WRITE });
  expect(notes).toEqual([
    "Mirror: Healthchecks looks for words in what the job sends; peal doesn't, so let the job ping /fail if it fails",
    "Mirror: its description is cut to 1000 characters",
    "all integrations stay behind; alerts go to the topic checks",
  ]);
  await result(peal, ["healthchecks", "--url", other.url, "--apply"], { PEAL_IMPORT_TOKEN: READ_WRITE });
  const [mirror] = await checksOf(peal);
  expect(mirror).toMatchObject({ description: `${"ask Mara ".repeat(111).trimEnd()}…` });
});

test("a slug that two checks have goes to the first, and the other is named", async () => {
  await using peal = await inProcess();
  const twins = [1, 2].map((n) => ({ name: `Twin ${n}`, slug: "twin", timeout: 300 }));
  await using other = fakeHealthchecks([...twins, { name: "Long", slug: "l".repeat(65), timeout: 300 }]);
  const { notes } = await result(peal, ["healthchecks", "--url", other.url, "--apply"], {
    PEAL_IMPORT_TOKEN: READ_WRITE,
  });
  expect(notes.filter((note) => note.includes("isn't kept")).map((note) => note.slice(0, 20))).toEqual([
    "Twin 2: its slug twi",
    "Long: its slug lllll",
  ]);
  const slugs = (await checksOf(peal)).map(({ name, slug }) => [name, slug]);
  expect(slugs.toSorted()).toEqual([
    ["Long", undefined],
    ["Twin 1", "twin"],
    ["Twin 2", undefined],
  ]);
});

test("a key that may only read or is unknown, and a wrong address, are told in words", async () => {
  await using peal = await inProcess();
  await using other = fakeHealthchecks(CHECKS);
  const rows = [
    [READ_ONLY, "this API key may only read and doesn't show ping URLs; use one that may write"],
    ["short", "/api/v3/checks/ answers 401: the token isn't valid there"],
    [READ_WRITE, "/x/api/v3/checks/ isn't there (404). Is --url right, and is that server of a recent version?", "/x"],
  ] as const;
  for (const [PEAL_IMPORT_TOKEN, words, path = ""] of rows) {
    const url = `${other.url}${path}`;
    const { code, stderr } = await imported(peal, ["healthchecks", "--url", url], { PEAL_IMPORT_TOKEN });
    expect([code, stderr.trim()]).toEqual([1, `peal: ${words}`]);
  }
});
