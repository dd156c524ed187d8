/** What messages for Uptime Kuma's monitors and notices say, where no fixture shows it (REWRITES.md §4). */
import { describe, expect, test } from "bun:test";
import type { Draft } from "../../src/drafts/draft.ts";
import { rewrite } from "../../src/rewrites/rewrite.ts";
import { draftOf, NOW } from "./support.ts";

type Part = Record<string, unknown>;

const beat = (heartbeat: Part, monitor: Part = {}, msg: unknown = "[N] [🔴 Down] top"): Draft =>
  draftOf("uptimekuma", { msg, heartbeat, monitor: { id: 1, name: "N", ...monitor } });
const notice = (msg: string): Draft => draftOf("uptimekuma", { msg, heartbeat: null, monitor: null });

describe("a heartbeat", () => {
  // prettier-ignore
  const rows: [status: unknown, rest: Part, title: string, look: string, state: string | undefined, message: string][] = [
    [0,         {},                              "N is down",                     "error high",     "firing",   "No reason given"],
    [0,         { msg: "N/A" },                  "N is down",                     "error high",     "firing",   "No reason given"],
    [0,         { msg: "refused" },              "N is down",                     "error high",     "firing",   "refused"],
    [0,         { important: true },             "N is down",                     "error high",     "firing",   "No reason given"],
    [0,         { important: false },            "N is still down",               "error high",     "firing",   "No reason given"],
    ["0",       {},                              "N is down",                     "error high",     "firing",   "No reason given"],
    [1,         { msg: "200 - OK" },             "N is up again",                 "success normal", "resolved", "200 - OK"],
    [1,         { msg: "N/A", important: false }, "N is up again",                "success normal", "resolved", "N is up again"],
    [2,         { msg: "refused" },              "N does not answer (retrying)",  "warning normal", undefined,  "refused"],
    [3,         {},                              "N is under maintenance",        "info low",       undefined,  "N is under maintenance"],
    [4,         { msg: "beat" },                 "N",                             "warning normal", undefined,  "[N] [🔴 Down] top"],
    [null,      {},                              "N",                             "warning normal", undefined,  "[N] [🔴 Down] top"],
    [false,     {},                              "N",                             "warning normal", undefined,  "[N] [🔴 Down] top"],
    ["constructor", {},                          "N",                             "warning normal", undefined,  "[N] [🔴 Down] top"],
  ];
  test.each(rows)("of status %p with %p", (status, rest, title, look, state, message) => {
    const draft = beat({ status, ...rest });
    expect(draft).toMatchObject({
      title,
      message,
      dedup_key: expect.stringMatching(/^uptimekuma:1:[0-9a-f]{8}$/) as string,
    });
    expect(`${draft.level} ${draft.priority}`).toBe(look);
    expect(draft.status).toBe(state as "firing");
  });

  test("without a text says so", () => {
    expect(beat({ status: 4 }, {}, null).message).toBe("Status unknown");
  });

  // prettier-ignore
  const names: [what: string, payload: Part, title: string][] = [
    ["its path",           { monitor: { pathName: "G / N", name: "N" } },  "G / N is down"],
    ["its name",           { monitor: { name: "N" } },                      "N is down"],
    ["the name in the text", { monitor: null, msg: "[A [b] c] [🔴 Down] x] [y" }, "A [b] c is down"],
    ["nothing",            { monitor: null, msg: "down" },                  "Monitor is down"],
  ];
  test.each(names)("is called by %s", (_, rest, title) => {
    expect(draftOf("uptimekuma", { msg: "m", heartbeat: { status: 0 }, ...rest }).title).toBe(title);
  });

  test("a monitor that is down shows response, target and description", () => {
    const monitor = { url: "https://u:p@h.example/a/?token=1#x", description: "in the\nattic" };
    const lines = (response: unknown) => beat({ status: 0, msg: "m", response }, monitor).message;
    const rest = "https://h.example/a\nin the\nattic";
    expect(lines('{"error":"full"}')).toBe(`m\nResponse: {"error":"full"}\n${rest}`);
    expect(lines("x".repeat(300))).toBe(`m\nResponse: ${"x".repeat(199)}…\n${rest}`);
    for (const page of ["<!DOCTYPE html><p>x", " <html>", "<h1>Bad</h1>", "<center>nginx"])
      expect(lines(page)).toBe(`m\n${rest}`);
    expect(lines("<error>full</error>")).toContain("Response: <error>");
  });

  test("one that is up, retried or in maintenance shows no description", () => {
    for (const status of [1, 2, 3])
      expect(beat({ status, msg: "m", response: "r" }, { description: "d", hostname: "h" }).message).toBe("m\nh");
  });

  // prettier-ignore
  const targets: [monitor: Part, target: string | undefined, url: string | undefined][] = [
    [{ url: "https://h.example/a/b/" },                            "https://h.example/a/b",  "https://h.example/a/b/"],
    [{ url: "https://h.example" },                                 "https://h.example",      "https://h.example/"],
    [{ url: "https://u:p@h.example:8443/a?b=1&key=2#c" },          "https://h.example:8443/a", "https://h.example:8443/a?b=1#c"],
    [{ url: "http://localhost:3000/" },                            "http://localhost:3000",  undefined],
    [{ url: "https://", hostname: "db", port: 5432 },              "db:5432",                undefined],
    [{ hostname: "db", port: null },                               "db",                     undefined],
    [{ hostname: "", port: 53 },                                   undefined,                undefined],
    [{ url: "mqtt://broker" },                                     undefined,                undefined],
  ];
  test.each(targets)("of %p", (monitor, target, url) => {
    const draft = beat({ status: 3 }, monitor);
    expect(draft.message).toBe(target ?? "N is under maintenance");
    expect(draft.url).toBe(url as string);
    expect((draft.data?.["monitor"] as Part)["target"]).toBe(target);
  });

  test("how long it was down", () => {
    const up = (lastDownTime: unknown) => beat({ status: 1, time: "2026-11-20 20:00:00", msg: "OK", lastDownTime });
    expect(up("2026-11-20 18:59:59.600")).toMatchObject({
      message: "Was down for 1 h\nOK",
      data: { down_seconds: 3600 },
    });
    for (const none of [undefined, null, "2026-11-20 20:00:01", "x"]) {
      expect(up(none).message).toBe("OK");
      expect(up(none).data).not.toHaveProperty("down_seconds");
    }
    const down = { status: 0, time: "2026-11-20 20:00:00", msg: "m", lastDownTime: "2026-11-20 19:00:00" };
    expect(beat(down).message).toBe("m");
  });

  test("tags are those of the monitor", () => {
    const tags = [{ name: "prod", value: "eu,home" }, { name: "plain", value: "" }, { value: "x" }, "y", null];
    expect(beat({ status: 0 }, { tags }).tags).toEqual(["uptimekuma", "prod:eu home", "plain"]);
    const many = Array.from({ length: 40 }, (_, i) => ({ name: `t${Math.floor(i / 2)}` }));
    expect(beat({ status: 0 }, { tags: many }).tags).toEqual([
      "uptimekuma",
      "t0",
      "t1",
      "t2",
      "t3",
      "t4",
      "t5",
      "t6",
      "t7",
    ]);
  });

  test("the key distinguishes what two servers both call 1, and recognizes a monitor by its beat", () => {
    const key = (heartbeat: Part, monitor: unknown, msg = "m") =>
      draftOf("uptimekuma", { msg, heartbeat: { status: 0, ...heartbeat }, monitor }).dedup_key;
    expect(key({}, { id: 1, name: "A" })).not.toBe(key({}, { id: 1, name: "B" }));
    expect(key({}, { id: 1, name: "A" })).not.toBe(key({}, { id: 2, name: "A" }));
    expect(key({}, { id: 1, name: "A", pathName: "G / A" })).toBe(key({ status: 1 }, { id: 1, name: "A" }));
    expect(key({ monitorID: 1 }, null, "[A] [✅ Up] m")).toBe(key({}, { id: 1, name: "A" }));
    expect(key({}, null)).toBeUndefined();
  });

  test("without a key it has no status", () => {
    expect(draftOf("uptimekuma", { msg: "m", heartbeat: { status: 0 } })).not.toHaveProperty("status");
  });

  test("data has what is available", () => {
    expect(beat({ status: 1, ping: 0, retries: null, important: false }, { type: "http" }).data).toEqual({
      source: "uptimekuma",
      kind: "heartbeat",
      monitor: { id: 1, name: "N", path: "N", type: "http" },
      heartbeat: { status: 1, ping: 0 },
    });
    const raw = '{"msg":"m","heartbeat":{"ping":1e999}}';
    expect(rewrite("uptimekuma", JSON.parse(raw), { now: NOW, raw }).data?.["heartbeat"]).toEqual({ ping: "Infinity" });
    expect(draftOf("uptimekuma", { msg: "m", heartbeat: {}, monitor: null }).data).toEqual({
      source: "uptimekuma",
      kind: "heartbeat",
    });
  });
});

describe("a notice", () => {
  test("of a certificate", () => {
    const of = (msg: string) => {
      const { title, message, level, priority } = notice(msg);
      return [title, message, `${level} ${priority}`];
    };
    const about = (days: string, kind = "server") =>
      `[N][https://h.example/] ${kind} certificate h.example will expire in ${days}`;
    const message = "h.example (server certificate)\nhttps://h.example/";
    // prettier-ignore
    const rows = [
      ["14 days", "N: certificate expires in 14 days",  "warning normal"],
      ["4 days",  "N: certificate expires in 4 days",   "warning normal"],
      ["3 days",  "N: certificate expires in 3 days",   "error high"],
      ["1 days",  "N: certificate expires in 1 day",    "error high"],
      ["1 day",   "N: certificate expires in 1 day",    "error high"],
      ["0 days",  "N: certificate expires today",       "error high"],
      ["-1 days", "N: certificate expired 1 day ago",   "error high"],
      ["-9 days", "N: certificate expired 9 days ago",  "error high"],
    ] as const;
    for (const [days, title, look] of rows) expect(of(about(days))).toEqual([title, message, look]);
    for (const kind of ["self-signed", "root CA", "intermediate CA"])
      expect(of(about("5 days", kind))[1]).toStartWith(`h.example (${kind} certificate)`);
  });

  test("of a certificate with odd names", () => {
    const odd =
      "[Web [1][2]][https://u:p@[2001:db8::1]:8443/?token=1] server certificate R3, Let's certificate x will expire in 5 days";
    expect(notice(odd)).toMatchObject({
      title: "Web [1][2]: certificate expires in 5 days",
      message: "R3, Let's certificate x (server certificate)\nhttps://[2001:db8::1]:8443/",
      url: "https://[2001:db8::1]:8443/",
      data: { kind: "certificate", monitor: "Web [1][2]", subject: "R3, Let's certificate x", days_remaining: 5 },
    });
  });

  test("of a certificate keeps one key while the expiry comes closer", () => {
    const of = (days: number, name = "N") =>
      notice(`[${name}][https://h.example/] server certificate c will expire in ${days} days`);
    expect(of(14).dedup_key).toBe(of(7).dedup_key as string);
    expect(of(14).dedup_key).not.toBe(of(14, "M").dedup_key as string);
    expect(of(14)).not.toHaveProperty("status");
  });

  // prettier-ignore
  const domains: [days: number, title: string, look: string][] = [
    [8,  "h.example: domain expires in 8 days", "warning normal"],
    [7,  "h.example: domain expires in 7 days", "error high"],
    [1,  "h.example: domain expires in 1 day",  "error high"],
    [0,  "h.example: domain expires today",     "error high"],
    [-1, "h.example: domain has expired",       "error high"],
  ];
  test.each(domains)("of a domain with %p days", (days, title, look) => {
    const draft = notice(`Domain name h.example will expire in ${days} days`);
    expect([draft.title, `${draft.level} ${draft.priority}`]).toEqual([title, look]);
    expect(draft.data).toEqual({ source: "uptimekuma", kind: "domain", domain: "h.example", days_remaining: days });
  });

  test("of any other kind is shown unchanged", () => {
    for (const msg of ["Something\nhappened", "[N] certificate will expire in 3 days", "Domain name x", "Testing"])
      expect(notice(msg)).toStrictEqual({
        title: "Uptime Kuma",
        message: msg,
        level: "warning",
        priority: "normal",
        format: "text",
        source: "rewrite:uptimekuma",
        tags: ["uptimekuma"],
        data: { source: "uptimekuma", kind: "notice" },
      });
  });

  test("of a test has no key", () => {
    expect(notice("My phone Testing")).toStrictEqual({
      title: "Uptime Kuma test",
      message: "My phone: this notification works.",
      level: "info",
      priority: "normal",
      format: "text",
      source: "rewrite:uptimekuma",
      tags: ["uptimekuma", "test"],
      data: { source: "uptimekuma", kind: "test" },
    });
  });
});
