/**
 * Stands for a running systemd on a machine without one: starts a service as its unit says (systemd.exec(5), systemd.service(5)), and
 * answers `systemctl` and `journalctl`. What is enabled, and what a unit may say, is left to the real systemd.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Debian } from "./debian.ts";
import { eventually } from "./eventually.ts";
import { supervisor, type Supervisor } from "./supervisor.ts";

export interface Systemd extends AsyncDisposable {
  /** What services have told. */
  readonly notified: Supervisor;
  /** What they have printed. */
  journal(): string;
  /** Ends the service; its exit code. */
  stop(): Promise<number>;
}

/** Of those that systemd takes for DynamicUser=yes. */
const DYNAMIC = 61_184;
const UNITS = "etc/systemd/system";
/** Paths of the machine. */
const [NOTIFY, ASKED, PID] = ["/run/systemd/notify", "/run/systemd/asked", "/run/service.pid"];

export async function startSystemd(debian: Debian, name: string): Promise<Systemd> {
  const at = (path: string): string => join(debian.root, path);
  mkdirSync(at("run/systemd"), { recursive: true });
  const notified = await supervisor(at(NOTIFY), debian.inNetwork);
  let journal = "";
  let service: ReturnType<Debian["shell"]> | undefined;

  async function start(): Promise<void> {
    const unit = readUnit(at(UNITS), name);
    const child = debian.shell(command(unit, at));
    service = child;
    for (const stream of [child.stdout, child.stderr])
      void (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of stream) journal += decoder.decode(chunk, { stream: true });
      })();
    const before = notified.count("READY=1");
    await eventually(`READY of ${name}`, () => {
      if (child.exitCode !== null) throw new Error(`${name} ended at its start:\n${journal}`);
      return notified.count("READY=1") > before;
    });
  }
  async function stop(): Promise<number> {
    await debian.run(`kill "$(cat ${PID})"`);
    return (await service?.exited) ?? 0;
  }
  const answers: Record<string, () => Promise<string>> = {
    [`systemctl enable --now ${name}`]: async () => {
      const { code, stderr } = await debian.run(`/usr/bin/systemctl enable ${name}`);
      if (code !== 0) throw new Error(stderr);
      await start();
      return "";
    },
    [`systemctl restart ${name}`]: async () => {
      await stop();
      await start();
      return "";
    },
    // a unit is read at each start
    "systemctl daemon-reload": async () => Promise.resolve(""),
    [`journalctl -u ${name}`]: async () => Promise.resolve(journal),
  };
  const server = Bun.serve({
    unix: at(ASKED),
    fetch: async (request) => {
      const asked = await request.text();
      const answer = answers[asked];
      if (answer === undefined) return new Response(`not known here: ${asked}\n`, { status: 501 });
      return answer().then(
        (text) => new Response(text),
        (error: unknown) => new Response(String(error), { status: 500 }),
      );
    },
  });
  for (const program of ["systemctl", "journalctl"]) {
    const ask = `exec curl -sS --fail-with-body --unix-socket ${ASKED} -d "${program} $*" http://systemd/`;
    // sudo and the shell look there first
    writeFileSync(at(`usr/local/sbin/${program}`), `#!/bin/sh\n${ask}\n`, { mode: 0o755 });
  }
  return {
    notified,
    journal: () => journal,
    stop,
    [Symbol.asyncDispose]: async () => {
      await server.stop(true);
      await notified[Symbol.asyncDispose]();
    },
  };
}

type Unit = ReadonlyMap<string, readonly string[]>;

/** The settings of a unit and of its drop-ins, in order; an empty one begins a list anew (systemd.syntax(7)). */
function readUnit(folder: string, name: string): Unit {
  const file = join(folder, `${name}.service`);
  const more = existsSync(`${file}.d`) ? readdirSync(`${file}.d`).map((one) => join(`${file}.d`, one)) : [];
  const unit = new Map<string, string[]>();
  for (const line of [file, ...more].flatMap((path) => readFileSync(path, "utf8").split("\n"))) {
    const [, key = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    unit.set(key, value === "" ? [] : [...(unit.get(key) ?? []), value]);
  }
  return unit;
}

/** A script that starts the service. `at`: the path of a file of the machine. Makes the directories that the unit wants. */
function command(unit: Unit, at: (path: string) => string): string {
  const said = (key: string): string => unit.get(key)?.at(-1) ?? "";
  if (said("DynamicUser") !== "yes") throw new Error("this stand-in has dynamic users alone");
  const state = `/var/lib/${said("StateDirectory")}`;
  mkdirSync(at(state), { recursive: true });
  chmodSync(at(state), Number.parseInt(said("StateDirectoryMode"), 8));
  chownSync(at(state), DYNAMIC, DYNAMIC);
  const groups = (unit.get("SupplementaryGroups") ?? []).map((group) => {
    const [, id = "none"] = new RegExp(`^${group}:[^:]*:(\\d+)`, "m").exec(readFileSync(at("etc/group"), "utf8")) ?? [];
    return id;
  });
  const environment = [
    ...(unit.get("Environment") ?? []),
    ...[`STATE_DIRECTORY=${state}`, `NOTIFY_SOCKET=${NOTIFY}`, `WATCHDOG_USEC=${Number(said("WatchdogSec")) * 1e6}`],
  ];
  const rights = [
    `--reuid=${DYNAMIC} --regid=${DYNAMIC} ${groups.length === 0 ? "--clear-groups" : `--groups=${groups.join()}`}`,
    ...(said("CapabilityBoundingSet") === "" ? ["--bounding-set=-all --inh-caps=-all"] : []),
    ...(said("NoNewPrivileges") === "yes" ? ["--no-new-privs"] : []),
  ];
  return [
    `echo $$ >${PID}`,
    `umask ${said("UMask")}`,
    `ulimit -n ${said("LimitNOFILE")} || :`,
    "cd /",
    `exec env -i PATH=/usr/bin ${environment.join(" ")} setpriv ${rights.join(" ")} ${said("ExecStart")} </dev/null`,
  ].join("\n");
}
