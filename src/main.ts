/** From arguments to a command of cli/. A command's code is loaded only when it is asked for: a server starts in milliseconds. */
import { CommandFailed, EXIT, parse, UsageError, type Command } from "./cli/command.ts";
import { useSmallHeap } from "./cli/heap.ts";
import { ConfigError } from "./config/errors.ts";
import { nearest } from "./util/text/nearest.ts";

type Loader = () => Promise<Command>;
const commands = new Map<string, Loader>([
  ["serve", async () => (await import("./cli/serve.ts")).serve],
  ["backup", async () => (await import("./cli/backup.ts")).backup],
  ["admin create", async () => (await import("./cli/admin.ts")).adminCreate],
  ["admin list", async () => (await import("./cli/admin.ts")).adminList],
  ["admin password", async () => (await import("./cli/admin.ts")).adminPassword],
  ["admin remove", async () => (await import("./cli/admin.ts")).adminRemove],
  ["admin sessions", async () => (await import("./cli/admin.ts")).adminSessions],
  ["admin update", async () => (await import("./cli/admin.ts")).adminUpdate],
  ["checks list", async () => (await import("./cli/checks.ts")).checksList],
  ["checks show", async () => (await import("./cli/checks.ts")).checksShow],
  ["checks create", async () => (await import("./cli/checks.ts")).checksCreate],
  ["checks update", async () => (await import("./cli/checks.ts")).checksUpdate],
  ["checks delete", async () => (await import("./cli/checks.ts")).checksDelete],
  ["checks pause", async () => (await import("./cli/checks-act.ts")).checksPause],
  ["checks resume", async () => (await import("./cli/checks-act.ts")).checksResume],
  ["checks snooze", async () => (await import("./cli/checks-act.ts")).checksSnooze],
  ["checks ack", async () => (await import("./cli/checks-act.ts")).checksAck],
  ["checks rotate", async () => (await import("./cli/checks-act.ts")).checksRotate],
  ["checks test", async () => (await import("./cli/checks-act.ts")).checksTest],
  ["checks ping-key", async () => (await import("./cli/checks-act.ts")).checksPingKey],
  ["checks events", async () => (await import("./cli/checks-log.ts")).checksEvents],
  ["checks incidents", async () => (await import("./cli/checks-log.ts")).checksIncidents],
  ["checks preview", async () => (await import("./cli/checks-log.ts")).checksPreview],
  ["config", async () => (await import("./cli/config.ts")).config],
  ["deliveries", async () => (await import("./cli/deliveries.ts")).deliveries],
  ["deliveries retry", async () => (await import("./cli/deliveries.ts")).deliveriesRetry],
  ["devices", async () => (await import("./cli/devices.ts")).devices],
  ["devices test", async () => (await import("./cli/devices.ts")).devicesTest],
  ["health", async () => (await import("./cli/health.ts")).health],
  ["integrity", async () => (await import("./cli/integrity.ts")).integrity],
  ["keys create", async () => (await import("./cli/keys.ts")).keysCreate],
  ["keys list", async () => (await import("./cli/keys.ts")).keysList],
  ["keys revoke", async () => (await import("./cli/keys.ts")).keysRevoke],
  ["namespaces create", async () => (await import("./cli/namespaces.ts")).namespacesCreate],
  ["namespaces delete", async () => (await import("./cli/namespaces.ts")).namespacesDelete],
  ["namespaces list", async () => (await import("./cli/namespaces.ts")).namespacesList],
  ["namespaces rename", async () => (await import("./cli/namespaces.ts")).namespacesRename],
  ["namespaces mute", async () => (await import("./cli/mute.ts")).namespacesMute],
  ["ping", async () => (await import("./cli/ping.ts")).ping],
  ["restore", async () => (await import("./cli/restore.ts")).restore],
  ["run", async () => (await import("./cli/run.ts")).run],
  ["login", async () => (await import("./cli/login.ts")).login],
  ["send", async () => (await import("./cli/send.ts")).send],
  ["setup-code", async () => (await import("./cli/setup-code.ts")).setupCode],
  ["tail", async () => (await import("./cli/tail.ts")).tail],
  ["topics mute", async () => (await import("./cli/mute.ts")).topicsMute],
  ["version", async () => (await import("./cli/version.ts")).version],
]);

/** The command that the words begin with, and the words after it. */
function commandOf(argv: readonly string[]): { name: string; rest: readonly string[] } {
  const [first, second] = argv;
  if (first === undefined || (first.startsWith("-") && !/^(-h|--help|--version)$/.test(first)))
    return { name: "serve", rest: argv };
  if (first === "--version") return { name: "version", rest: argv.slice(1) };
  if (second !== undefined && commands.has(`${first} ${second}`))
    return { name: `${first} ${second}`, rest: argv.slice(2) };
  return { name: first, rest: argv.slice(1) };
}

async function main(argv: readonly string[]): Promise<number> {
  const { name, rest } = commandOf(argv);
  if (["help", "-h", "--help"].includes(name)) return help(rest);
  const loader = commands.get(name);
  if (loader === undefined) return await unknown(name, rest);
  if (name === "serve") useSmallHeap();
  const command = await loader();
  try {
    const settingFlags = command.isClient === true ? [] : (await import("./cli/settings.ts")).settingFlags;
    const { settings, ...parsed } = parse(command, rest, settingFlags);
    if (parsed.switches.has("help")) return await help([name]);
    const load = async () => {
      const { loadConfig, SYSTEM_FILE } = await import("./config/sources.ts");
      return loadConfig({ flags: settings, env: process.env, systemFile: SYSTEM_FILE });
    };
    return await command.run({ ...parsed, load });
  } catch (error) {
    if (error instanceof UsageError)
      return complain(`${error.message}\nSee \`peal ${name} --help\`.`, EXIT.usage, name);
    if (error instanceof ConfigError)
      return complain(`the configuration cannot be used\n${error.message}`, EXIT.config);
    if (error instanceof CommandFailed) return complain(error.message, error.exitCode);
    throw error;
  }
}

/** Help on all commands, on those of a group (`keys`), or on one. */
async function help(words: readonly string[]): Promise<number> {
  const { helpOf, overview } = await import("./cli/help.ts");
  const name = words.filter((word) => !word.startsWith("-")).join(" ");
  const chosen = [...commands].filter(([known]) => name === "" || known === name || known.startsWith(`${name} `));
  if (chosen.length === 0) return await unknown(name, []);
  const loaded = await Promise.all(chosen.map(async ([, loader]) => loader()));
  const [only] = loaded;
  console.log(loaded.length === 1 && only !== undefined ? helpOf(only) : overview(loaded));
  return EXIT.ok;
}

async function unknown(name: string, rest: readonly string[]): Promise<number> {
  if ([...commands.keys()].some((known) => known.startsWith(`${name} `))) {
    if (rest.some((word) => word === "--help" || word === "-h")) return await help([name]);
    const [sub] = rest;
    if (sub === undefined) return complain(`\`${name}\` needs a second word.\nSee \`peal help ${name}\`.`, EXIT.usage);
    name = `${name} ${sub}`;
  }
  const near = nearest(name, [...commands.keys(), "help"]);
  const next = near === undefined ? "" : ` Did you mean \`peal ${near}\`?`;
  return complain(`unknown command \`${name}\`.${next}\nSee \`peal help\`.`, EXIT.usage);
}

function complain(text: string, code: number, name?: string): number {
  console.error(`peal${name === undefined ? "" : ` ${name}`}: ${text}`);
  return code;
}

process.exitCode = await main(process.argv.slice(2));
