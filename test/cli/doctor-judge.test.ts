/** What `peal doctor` makes of what it saw. */
import { expect, test } from "bun:test";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import * as data from "../../src/cli/doctor/judge-data.ts";
import * as server from "../../src/cli/doctor/judge-server.ts";
import { DAY } from "../../src/util/clock.ts";

const GB = 1_000_000_000;
const NOW = Date.parse("2027-01-31T08:00:00Z");
const directory = { path: "/data", exists: true, isWritable: true, owner: "1000:1000", self: "1000:1000", mode: 0o700 };
const database = { kind: "read", isOurs: true, schema: 7, known: 7, walBytes: 0 } as const;
const peal = { kind: "peal", key: "a", own: "a" } as const;
const URL = "https://peal.example";

// prettier-ignore
const CASES: [promise: string, finding: Finding | undefined, result: Finding["result"], told: RegExp][] = [
  ["a directory of its own",             data.judgeDirectory(directory),                                   "pass", /can be written/],
  ["a directory that is not there",      data.judgeDirectory({ ...directory, exists: false }),             "fail", /does not exist/],
  ["a directory of another user",        data.judgeDirectory({ ...directory, isWritable: false, self: "0:0" }), "fail", /chown -R 0:0/],
  ["a directory that others read",       data.judgeDirectory({ ...directory, mode: 0o755 }),               "warn", /chmod 700/],
  ["a disk",                             data.judgeFileSystem(0xef53),                                     "pass", /local/],
  ["NFS",                                data.judgeFileSystem(0x6969),                                     "fail", /NFS/],
  ["SMB, as a negative number",          data.judgeFileSystem(0xff534d42 | 0),                             "fail", /SMB/],
  ["FUSE",                               data.judgeFileSystem(0x65735546),                                 "fail", /FUSE/],
  ["much space",                         data.judgeSpace({ free: 50 * GB, database: GB }),                 "pass", /50 GB free/],
  ["less space than the database",       data.judgeSpace({ free: 5 * GB, database: 6 * GB }),              "warn", /too little for a backup/],
  ["hardly any space",                   data.judgeSpace({ free: 1_000_000, database: 0 }),                "fail", /1 MB free/],
  ["a database",                         data.judgeDatabase(database),                                     "pass", /schema 7/],
  ["a database of an older peal",        data.judgeDatabase({ ...database, schema: 6 }),                   "pass", /next start brings it to 7/],
  ["a database of a newer peal",         data.judgeDatabase({ ...database, schema: 8 }),                   "fail", /newer/],
  ["a database of another program",      data.judgeDatabase({ ...database, isOurs: false }),               "fail", /another program/],
  ["a log that grows",                   data.judgeDatabase({ ...database, walBytes: GB }),                "warn", /1 GB/],
  ["no database",                        data.judgeDatabase({ kind: "missing" }),                          "warn", /none yet/],
  ["a file that is no database",         data.judgeDatabase({ kind: "foreign" }),                          "fail", /not a SQLite/],
  ["a database that can't be read",      data.judgeDatabase({ kind: "unreadable", reason: "EIO" }),        "fail", /EIO/],
  ["no backup",                          data.judgeBackup(undefined, NOW),                                 "warn", /PEAL_BACKUP/],
  ["a fresh backup",                     data.judgeBackup(NOW - 1000, NOW),                                "pass", /today/],
  ["an old backup",                      data.judgeBackup(NOW - 8 * DAY, NOW),                             "warn", /8 days old/],
  ["enough open files",                  data.judgeOpenFiles(Infinity, 1400),                              "pass", /no limit/],
  ["few open files",                     data.judgeOpenFiles(64, 1400),                                    "warn", /Allow 1400/],
  ["a zone",                             data.judgeZone("Europe/Berlin", "Europe/Berlin", false),          "pass", /Berlin/],
  ["a zone that nobody knows",           data.judgeZone("Berlin", "UTC", true),                            "fail", /Europe\/Berlin/],
  ["no zone",                            data.judgeZone(undefined, "UTC", false),                          "warn", /TZ/],
  ["no server",                          server.judgeHealth(undefined, "1.0")[0],                          "warn", /not running/],
  ["a server",                           server.judgeHealth({ status: "ok", version: "1.0" }, "1.0")[0],   "pass", /peal 1\.0/],
  ["a server from before an upgrade",    server.judgeHealth({ status: "ok", version: "0.9" }, "1.0")[0],   "warn", /Restart/],
  ["health",                             server.judgeHealth({ status: "ok", version: "1.0" }, "1.0")[1],   "pass", /ok/],
  ["degraded health",                    server.judgeHealth({ status: "degraded", version: "1.0", checks: { push: "degraded" }, problems: ["no key"] }, "1.0")[1], "warn", /push: degraded; no key/],
  ["failing health",                     server.judgeHealth({ status: "failing", version: "1.0", checks: { store: "failing" } }, "1.0")[1], "fail", /store: failing/],
  ["no base URL",                        server.judgeBase(undefined, undefined),                           "warn", /PEAL_BASE_URL/],
  ["a base URL that leads nowhere",      server.judgeBase(URL, { kind: "unreachable", reason: "refused" }), "fail", /refused/],
  ["a base URL of something else",       server.judgeBase(URL, { kind: "other", status: 404 }),            "fail", /404/],
  ["a base URL of another peal",         server.judgeBase(URL, { ...peal, key: "b" }),                     "fail", /another peal/],
  ["a base URL while it is stopped",     server.judgeBase(URL, { ...peal, own: undefined }),               "pass", /nobody knows/],
  ["its base URL",                       server.judgeBase(URL, peal),                                      "pass", /this server/],
  ["http",                               server.judgeCertificate("http://nas", undefined, NOW),            "warn", /https/],
  ["a certificate",                      server.judgeCertificate(URL, { distrust: undefined, expiresAt: NOW + 60 * DAY }, NOW), "pass", /60 d/],
  ["a certificate that ends soon",       server.judgeCertificate(URL, { distrust: undefined, expiresAt: NOW + 3 * DAY }, NOW), "warn", /3 d/],
  ["a certificate that has ended",       server.judgeCertificate(URL, { distrust: "CERT_HAS_EXPIRED", expiresAt: NOW - DAY }, NOW), "fail", /1 d ago/],
  ["a certificate of nobody",            server.judgeCertificate(URL, { distrust: "SELF_SIGNED", expiresAt: NOW + 60 * DAY }, NOW), "fail", /SELF_SIGNED/],
  ["a stream",                           server.judgeStream({ kind: "first" }),                            "pass", /at once/],
  ["a stream that is held back",         server.judgeStream({ kind: "silent" }),                           "fail", /proxy_buffering off/],
  ["a stream that is refused",           server.judgeStream({ kind: "refused", status: 403 }),             "fail", /403/],
  ["declared proxies",                   server.judgeForwarded(undefined),                                 "pass", /no undeclared/],
  ["an undeclared proxy",                server.judgeForwarded({ proxy: "10.0.0.2", add: "PEAL_TRUSTED_PROXIES=10.0.0.2" }), "warn", /set PEAL_TRUSTED_PROXIES=10\.0\.0\.2/],
  ["a right clock",                      server.judgeClock(NOW, NOW + 900),                                "pass", /right/],
  ["a clock that is fast",               server.judgeClock(NOW, NOW + 20_500),                             "warn", /20 s fast/],
  ["a clock that is slow",               server.judgeClock(NOW, NOW - 3_599_500),                          "fail", /1 h slow/],
  ["no clock to compare with",           server.judgeClock(undefined, NOW),                                "warn", /not compared/],
  ["a push service",                     server.judgeService("x.example", undefined),                      "pass", /reached/],
  ["a push service behind a firewall",   server.judgeService("x.example", "no answer"),                    "warn", /PEAL_HTTPS_PROXY/],
];
test.each(CASES)("%s", (_, finding, result, told) => {
  expect(finding?.result).toBe(result);
  expect([finding?.text, finding?.fix].join(" ")).toMatch(told);
  expect(finding?.fix !== undefined).toBe(result !== "pass"); // whoever reads a warning is told what to do
});
