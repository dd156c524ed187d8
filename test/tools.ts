/**
 * What tests need on the machine besides Node. Where one of these is missing, the tests that need it are skipped and
 * `npm test` names it at the end; in CI they fail. `bun test/tools.ts apt` (or `pip`, `go`) prints the packages of what
 * is missing.
 */
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";

export interface Tool {
  /** What the tests use it for. */
  use: string;
  isHere: () => boolean;
  /** Debian's packages that contain it, separated by spaces; or what pip or `go install` installs. */
  apt?: string;
  pip?: string;
  go?: string;
  /** How to get what no package contains. */
  words?: string;
  /** CI works without it as well, and also names it. */
  isOptional?: true;
}

/** `PATH`, and where Debian puts programs for root. */
export const PATH = `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`;
export const CHROMIUM = "/usr/bin/chromium";
/** Chromium without windows, notifications and apps. */
export const CHROMIUM_SHELL = "/usr/bin/chromium-headless-shell";

/** A library that changes the clock of programs that preload it. */
export const FAKETIME = faketime() ?? "";
function faketime(): string | undefined {
  const [library] = new Bun.Glob("*/faketime/libfaketime.so.1").scanSync({ cwd: "/usr/lib", absolute: true });
  return library;
}

const has = (program: string) => (): boolean => Bun.which(program, { PATH }) !== null;

/** Tries a mount namespace that ends at once. */
function mayMount(): boolean {
  const command = ["unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/tmp"];
  return has("unshare")() && Bun.spawnSync(command).success;
}

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === "::1"));

// prettier-ignore
const TABLE = {
  alertmanager:      { use: "its alerts",                     isHere: has("prometheus-alertmanager"), apt: "prometheus-alertmanager" },
  apache:            { use: "pages behind a reverse proxy",   isHere: has("apache2"),                 apt: "apache2-bin" },
  apprise:           { use: "a command that pages offer",     isHere: has("apprise"),                 pip: "apprise==2.*" },
  bash:              { use: "`peal run`, commands of pages",  isHere: has("bash"),                    apt: "bash" },
  caddy:             { use: "pages behind a reverse proxy",   isHere: has("caddy"),                   apt: "caddy" },
  cc:                { use: "a slow disk, a clock that is held", isHere: has("cc"),                   apt: "gcc libc6-dev" },
  chromium:          { use: "pages in a browser",             isHere: () => existsSync(CHROMIUM),     apt: "chromium" },
  "chromium shell":  { use: "pages, in a third less time",    isHere: () => existsSync(CHROMIUM_SHELL), apt: "chromium-headless-shell", isOptional: true },
  cron:              { use: "schedules, `peal run`",          isHere: has("cron"),                    apt: "cron" },
  curl:              { use: "pings, commands of pages and docs", isHere: has("curl"),                 apt: "curl" },
  faketime:          { use: "a clock that begins elsewhere",  isHere: () => FAKETIME !== "",          apt: "libfaketime" },
  go:                { use: "a program that pages offer",     isHere: has("go"),                      apt: "golang-go" },
  haproxy:           { use: "pages behind a reverse proxy",   isHere: has("haproxy"),                 apt: "haproxy" },
  ipv6:              { use: "an address of IPv6",             isHere: hasIpv6,                        words: "give the loopback interface ::1", isOptional: true },
  mount:             { use: "a full disk, files of cron's own", isHere: mayMount,                     apt: "mount", words: "run the tests as root, who may mount" },
  nginx:             { use: "pages behind a reverse proxy",   isHere: has("nginx"),                   apt: "nginx-light" },
  openssl:           { use: "commands of docs",               isHere: has("openssl"),                 apt: "openssl" },
  pebble:            { use: "certificates of an authority",   isHere: has("pebble"),                  go: "github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.3" },
  "pebble-challtestsrv": { use: "its DNS",                    isHere: has("pebble-challtestsrv"),     go: "github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv@v2.10.3" },
  pwsh:              { use: "a program that pages offer",     isHere: has("pwsh"),                    words: "install PowerShell", isOptional: true },
  python3:           { use: "a terminal, programs that pages offer", isHere: has("python3"),          apt: "python3" },
  root:              { use: "a start as root",                isHere: () => process.getuid?.() === 0, words: "run the tests as root" },
  setpriv:           { use: "commands as another user",       isHere: has("setpriv"),                 apt: "util-linux" },
  shoutrrr:          { use: "what it posts",                  isHere: has("shoutrrr"),                go: "github.com/containrrr/shoutrrr/shoutrrr@v0.8.0", isOptional: true },
  schemathesis:      { use: "the OpenAPI document",           isHere: has("schemathesis"),            pip: "schemathesis==4.*" },
  "systemd-analyze": { use: "a unit that pages offer",        isHere: has("systemd-analyze"),         apt: "systemd", isOptional: true },
  wget:              { use: "pings, a command that pages offer", isHere: has("wget"),                 apt: "wget" },
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof TABLE;
const TOOLS: Record<ToolName, Tool> = TABLE;
const NAMES = Object.keys(TABLE) as ToolName[];

export const IS_CI = process.env["CI"] === "true";

const missing = new Map<ToolName, boolean>();
/** Looks for it once. */
export function isMissing(name: ToolName): boolean {
  const known = missing.get(name) ?? !TOOLS[name].isHere();
  missing.set(name, known);
  return known;
}

/** Whether its tests are skipped where it is missing, instead of failing. */
export const mayBeMissing = (name: ToolName): boolean => !IS_CI || TOOLS[name].isOptional === true;

/** Such as `chromium (pages in a browser); to have it: apt-get install chromium`. */
export function toldMissing(name: ToolName): string {
  const { use, apt, pip, go, words } = TOOLS[name];
  const install =
    apt !== undefined ? `apt-get install ${apt}` : pip !== undefined ? `pipx install "${pip}"` : `go install ${go}`;
  return `${name} (${use}); to have it: ${words ?? install}`;
}

if (import.meta.main) {
  const kinds = ["apt", "pip", "go"] as const;
  const kind = kinds.find((each) => each === process.argv[2]) ?? "apt";
  for (const name of NAMES) {
    const { [kind]: packages, isOptional } = TOOLS[name];
    // CI works without what is optional, but a Go module is worth a try: not every machine can reach its source
    if (packages !== undefined && (isOptional !== true || kind === "go") && isMissing(name)) console.log(packages);
  }
}
