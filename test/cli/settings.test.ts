/** Settings: where they come from, which forms they take, and how wrong ones are reported (OPERATIONS.md §1). */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../src/config/config.ts";
import { ConfigError, type ConfigProblem } from "../../src/config/errors.ts";
import { settings } from "../../src/config/schema.ts";
import { loadConfig } from "../../src/config/sources.ts";
import { sample } from "../../src/cli/config.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-settings-"));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const KEY = `svc_${"0123456789abcdef".repeat(4)}`;

const load = (env: Record<string, string>, flags: Record<string, string> = {}): Config =>
  loadConfig({ flags, env }).config;
function problems(env: Record<string, string>, flags: Record<string, string> = {}): readonly ConfigProblem[] {
  try {
    load(env, flags);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("a setting comes from", () => {
  const PEAL_CONFIG = file("all.toml", 'data_dir = "/file"\nbase_url = "http://file"\nlog = "error"\n');
  const { config, effective } = loadConfig({
    flags: { "data-dir": "/flag" },
    env: { PEAL_CONFIG, PEAL_DATA_DIR: "/environment", PEAL_BASE_URL: "http://environment" },
  });
  const source = (name: string) => effective.find((setting) => setting.name === name)?.source;

  test("the flag first", () => expect([config.dataDir, source("data_dir")]).toEqual(["/flag", "command line"]));
  test("then the environment", () =>
    expect([config.baseUrl, source("base_url")]).toEqual(["http://environment", "environment"]));
  test("then the file", () => expect([config.log.level, source("log")]).toEqual(["error", PEAL_CONFIG]));
  test("then the default", () => expect([config.log.format, source("log_format")]).toEqual(["text", "default"]));

  test("--config before PEAL_CONFIG, and that before the system-wide file", () => {
    const systemFile = file("system.toml", 'log = "debug"');
    const other = file("other.toml", 'log = "warn"');
    expect(loadConfig({ flags: {}, env: {}, systemFile }).config.log.level).toBe("debug");
    expect(loadConfig({ flags: {}, env: { PEAL_CONFIG }, systemFile }).config.log.level).toBe("error");
    expect(loadConfig({ flags: { config: other }, env: { PEAL_CONFIG }, systemFile }).config.log.level).toBe("warn");
    expect(loadConfig({ flags: {}, env: {}, systemFile: join(folder, "none") }).config.log.level).toBe("info");
  });
  test("a table, a number or a list of the file", () => {
    const path = file(
      "forms.toml",
      'listen = ["[::]:80", "unix:/run/peal"]\n[retention]\ndays = 7\n[limits]\npublish = "1/s:5"\n',
    );
    const { listen, retention, limits } = load({ PEAL_CONFIG: path });
    expect(listen).toEqual([
      { kind: "tcp", host: "::", port: 80 },
      { kind: "unix", path: "/run/peal" },
    ]);
    expect([retention.days, limits.publish]).toEqual([7, { rate: 1, burst: 5 }]);
  });
  test("a separate file, without its line end", () => {
    expect(load({ PEAL_ADMIN_KEY_FILE: file("key", `${KEY}\n`) }).adminKey).toBe(KEY);
    expect(load({}, { "admin-key-file": file("key", KEY) }).adminKey).toBe(KEY);
    expect(load({ PEAL_CONFIG: file("keyed.toml", `admin_key_file = "${file("key", KEY)}"`) }).adminKey).toBe(KEY);
  });
  test("a separate file, with the spaces of a password, which are part of it", () => {
    const path = file("password", " opens every door  \r\n\n");
    expect(load({ PEAL_ADMIN_PASSWORD_FILE: path }).adminPassword).toBe(" opens every door  ");
    expect(problems({ PEAL_ADMIN_PASSWORD_FILE: file("blanks", `${" ".repeat(20)}\n`) })[0]?.detail).toBe(
      "the file is empty.",
    );
  });
  test("systemd's directory, unless it is set", () => {
    expect(load({ STATE_DIRECTORY: "/var/lib/peal:/var/lib/other" }).dataDir).toBe("/var/lib/peal");
    expect(load({ STATE_DIRECTORY: "/var/lib/peal", PEAL_DATA_DIR: "/data" }).dataDir).toBe("/data");
  });
  test("nowhere when the variable is empty", () =>
    expect(load({ PEAL_DATA_DIR: "", PEAL_BASE_URL: "", PEAL_CONFIG: "" })).toEqual(load({})));
  test("no variable that Kubernetes injects for a service named peal", () => {
    const injected = {
      PEAL_SERVICE_HOST: "10.0.0.1",
      PEAL_PORT: "tcp://10.0.0.1",
      PEAL_PORT_7325_TCP_ADDR: "10.0.0.1",
    };
    expect(load(injected)).toEqual(load({}));
  });
});

// prettier-ignore
const FORMS: [env: string, text: string, read: (config: Config) => unknown, value: unknown][] = [
  ["PEAL_LISTEN",             ":80",                    (c) => c.listen,          [{ kind: "tcp", host: "::", port: 80 }]],
  ["PEAL_LISTEN",             "nas:80, [fd00::1]:81",   (c) => c.listen,          [{ kind: "tcp", host: "nas", port: 80 }, { kind: "tcp", host: "fd00::1", port: 81 }]],
  ["PEAL_BASE_URL",           "https://x.org/peal/",    (c) => c.baseUrl,         "https://x.org/peal"],
  ["PEAL_BASE_URL",           "HTTPS://X.org",          (c) => c.baseUrl,         "https://x.org"],
  ["PEAL_TRUSTED_PROXIES",    "10.0.0.0/8,fd00::1",     (c) => c.trustedProxies,  ["10.0.0.0/8", "fd00::1/128"]],
  ["PEAL_TRUSTED_PROXIES",    "none",                   (c) => c.trustedProxies,  []],
  ["PEAL_ADMIN_KEY",          KEY,                      (c) => c.adminKey,        KEY],
  ["PEAL_ADMIN_NAMESPACE",    "media",                  (c) => c.adminNamespace,  "media"],
  ["PEAL_RETENTION_DAYS",     "0",                      (c) => c.retention.days,  0],
  ["PEAL_RETENTION_MESSAGES", "500",                    (c) => c.retention.messages, 500],
  ["PEAL_METRICS",            "off",                    (c) => c.metrics,         "off"],
  ["PEAL_METRICS",            "t".repeat(32),           (c) => c.metrics,         { token: "t".repeat(32) }],
  ["PEAL_LOG",                "debug",                  (c) => c.log.level,       "debug"],
  ["PEAL_LOG_FORMAT",         "json",                   (c) => c.log.format,      "json"],
  ["PEAL_LIMITS_PUBLISH",     "90/m:5",                 (c) => c.limits.publish,  { rate: 1.5, burst: 5 }],
  ["PEAL_LIMITS_PUBLISH",     "90/m:5",                 (c) => c.limits.bytes,    { rate: 2e6, burst: 16e6 }],
  ["PEAL_LIMITS_PUBLISH",     "1/s:2, 64kB/s:1MB",      (c) => c.limits.bytes,    { rate: 64_000, burst: 1e6 }],
  ["PEAL_LIMITS_PUBLISH",     "0,3600B/h:1B",           (c) => [c.limits.publish, c.limits.bytes], [undefined, { rate: 1, burst: 1 }]],
  ["PEAL_LIMITS_PUBLISH",     "1/s:2,0",                (c) => [c.limits.publish, c.limits.bytes], [{ rate: 1, burst: 2 }, undefined]],
  ["PEAL_LIMITS_PUBLISH",     "0",                      (c) => [c.limits.publish, c.limits.bytes], [undefined, undefined]],
  ["PEAL_LIMITS_READ",        "0",                      (c) => c.limits.read,     undefined],
  ["PEAL_LIMITS_AUTH",        "3600/h:1",               (c) => c.limits.auth,     { rate: 1, burst: 1 }],
  ["PEAL_LIMITS_STREAMS",     "0:100",                  (c) => c.limits.streams,  { perAddress: 0, all: 100 }],
  ["PEAL_LIMITS_STREAMS",     "0",                      (c) => c.limits.streams,  { perAddress: 0, all: 0 }],
  ["PEAL_FILES",              "500kB:1GB:3d",           (c) => c.files,           { each: 500_000, all: 1_000_000_000, days: 3 }],
  ["PEAL_FILES",              "off",                    (c) => c.files,           undefined],
  ["PEAL_HSTS",               "365d",                   (c) => c.hsts,            31_536_000],
  ["PEAL_HSTS",               "off",                    (c) => c.hsts,            undefined],
  ["PEAL_TLS",                "tailscale",              (c) => c.tls,             { listen: [{ kind: "tcp", host: "::", port: 7326 }], source: { kind: "tailscale" } }],
  ["PEAL_IMAGE_HOSTS",        "i.org, N:81",            (c) => c.imageHosts,      ["i.org", "n:81"]],
];
test.each(FORMS)("%s=%s is accepted", (env, text, read, value) => expect(read(load({ [env]: text }))).toEqual(value));

// prettier-ignore
const REFUSED: [env: string, text: string][] = [
  ["PEAL_LISTEN", "7325"], ["PEAL_LISTEN", "x:65536"], ["PEAL_LISTEN", "[nas]:80"], ["PEAL_LISTEN", "unix:peal.sock"], ["PEAL_LISTEN", "::1:80"],
  ["PEAL_BASE_URL", "peal.org"], ["PEAL_BASE_URL", "ftp://x"], ["PEAL_BASE_URL", "http://x/?a"], ["PEAL_BASE_URL", "http://u:p@x"],
  ["PEAL_TRUSTED_PROXIES", "10.0.0.0/33"], ["PEAL_TRUSTED_PROXIES", "proxy"], ["PEAL_TRUSTED_PROXIES", "10.0.0.1,none"],
  ["PEAL_ADMIN_KEY", "svc_1"], ["PEAL_ADMIN_KEY", KEY.toUpperCase()], ["PEAL_ADMIN_NAMESPACE", "v1"], ["PEAL_ADMIN_NAMESPACE", "Home"],
  ["PEAL_RETENTION_DAYS", "-1"], ["PEAL_RETENTION_DAYS", "1.5"], ["PEAL_RETENTION_DAYS", "36501"], ["PEAL_METRICS", "on"], ["PEAL_LOG", "INFO"],
  ["PEAL_LOG_FORMAT", "xml"], ["PEAL_LIMITS_PUBLISH", "20"], ["PEAL_LIMITS_PUBLISH", "20/d:1"], ["PEAL_LIMITS_PUBLISH", "20/s"],
  ["PEAL_LIMITS_PUBLISH", "1/s:2,3"], ["PEAL_LIMITS_PUBLISH", "1/s:2,2MiB/s:1MB"], ["PEAL_LIMITS_PUBLISH", "1MB/s:1MB"], ["PEAL_LIMITS_PUBLISH", "1/s:2,0,0"],
  ["PEAL_LIMITS_PUBLISH", "0/s:1"], ["PEAL_LIMITS_STREAMS", "50"], ["PEAL_FILES", "20MB"], ["PEAL_FILES", "2GB:20MB:14d"], ["PEAL_FILES", "20MB:2GB:0d"], ["PEAL_TLS", "on"], ["PEAL_HSTS", "365"], ["PEAL_LISTEN_TLS", "unix:/run/peal.sock"], ["PEAL_ACME_URL", "http://x"], ["PEAL_ACME_LISTEN", "80"],
  ["PEAL_ACME_DNS", "route53"], ["PEAL_ACME_DNS", "exec:hook"], ["PEAL_IMAGE_HOSTS", "http://x"], ["PEAL_IMAGE_HOSTS", "a;b"],
];
test.each(REFUSED)("%s=%s is refused", (env, text) => {
  const [problem, ...others] = problems({ [env]: text });
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ key: env, source: "environment" });
  expect(problem?.detail).toContain("Accepted: ");
});

const ACME = { PEAL_TLS: "acme", PEAL_BASE_URL: "https://x.org" };
test.each<[env: Record<string, string>, key: string, says: string]>([
  [{ PEAL_TLS: "files", PEAL_TLS_CERT: "/c.pem" }, "PEAL_TLS_KEY", "is missing"],
  [
    { PEAL_TLS: "files", PEAL_TLS_CERT: "-----BEGIN CERTIFICATE-----", PEAL_TLS_KEY: "/k.pem" },
    "PEAL_TLS_CERT",
    "holds PEM",
  ],
  [{ PEAL_TLS_CERT: "/c.pem" }, "PEAL_TLS_CERT", "is not used"],
  [{ PEAL_TLS: "acme" }, "PEAL_BASE_URL", "has to be an https URL"],
  [{ ...ACME, PEAL_BASE_URL: "https://10.0.0.1" }, "PEAL_BASE_URL", "an address instead of a name"],
  [{ ...ACME, PEAL_ACME_DNS: "desec" }, "PEAL_ACME_DNS_TOKEN", "is missing"],
  [{ ...ACME, PEAL_ACME_DNS_TOKEN: "secret-token" }, "PEAL_ACME_DNS", "is missing"],
  [{ PEAL_TLS: "tailscale", PEAL_ACME_DNS: "exec:/hook" }, "PEAL_ACME_DNS", "is not used"],
])("https that cannot work is refused: %p", (env, key, says) => {
  const [problem, ...others] = problems(env);
  expect(others).toEqual([]);
  expect(problem?.key).toBe(key);
  expect(problem?.detail).toContain(says);
  expect(JSON.stringify(problem)).not.toContain("secret-token");
});

describe("a wrong configuration", () => {
  test("reports all problems at once", () =>
    expect(
      problems({ PEAL_LISTEN: "x", PEAL_LOG: "y", PEAL_NOPE: "z" })
        .map(({ key }) => key)
        .sort(),
    ).toEqual(["PEAL_LISTEN", "PEAL_LOG", "PEAL_NOPE"]));
  test("names the nearest setting to an unknown one", () => {
    expect(problems({ PEAL_LISTN: ":80" })[0]?.detail).toContain("Did you mean PEAL_LISTEN?");
    expect(problems({ PEAL_CONFIG: file("typo.toml", 'bas_url = "x"') })[0]?.detail).toContain(
      "Did you mean base_url?",
    );
    expect(problems({ PEAL_ZZZZZZZ: "1" })[0]?.detail).toContain("`peal config`");
  });
  test("shows no secret", () => {
    const told = JSON.stringify(problems({ PEAL_ADMIN_KEY: "svc_almost", PEAL_METRICS: "almost-a-token" }));
    expect(told).not.toContain("almost");
    const { effective } = loadConfig({ flags: {}, env: { PEAL_ADMIN_KEY: KEY, PEAL_METRICS: "t".repeat(32) } });
    expect(JSON.stringify(effective)).not.toMatch(/svc_|tttt/);
  });
  test("includes a file that cannot be read, is empty or not TOML", () => {
    for (const env of [
      { PEAL_ADMIN_KEY_FILE: join(folder, "none") },
      { PEAL_ADMIN_KEY_FILE: file("empty", "\n") },
      { PEAL_CONFIG: join(folder, "none") },
      { PEAL_CONFIG: file("broken.toml", "listen = ") },
    ])
      expect(problems(env)).toHaveLength(1);
  });
  test("includes a setting that is given twice", () =>
    expect(problems({ PEAL_ADMIN_KEY: KEY, PEAL_ADMIN_KEY_FILE: file("key", KEY) })[0]?.detail).toContain("Keep one"));
  test("includes a namespace that the base path hides", () =>
    expect(problems({ PEAL_BASE_URL: "http://x/home" })[0]?.key).toBe("PEAL_ADMIN_NAMESPACE"));
});

test("the sample file, with every line uncommented, is a configuration of the defaults", () => {
  const PEAL_CONFIG = file("sample.toml", sample().replaceAll(/^# (\w+ = )/gm, "$1"));
  expect(load({ PEAL_CONFIG })).toEqual(load({}));
  expect(settings.length).toBeLessThanOrEqual(50);
});
