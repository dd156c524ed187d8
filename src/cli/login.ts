/** `peal login`: asks for a key, checks it with the server, and keeps both for the commands of this user. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { baseUrl } from "../config/forms.ts";
import { isApiKey } from "../names/key.ts";
import { writeWhole } from "../util/whole-file.ts";
import { CommandFailed, JSON_FLAG, print, UsageError, type Command } from "./command.ts";
import { ownKey, type OwnKey } from "./local.ts";
import { readSecret } from "./password.ts";
import { plainWarning, remoteFile, remoteToml } from "./remote.ts";

export const login: Command = {
  name: "login",
  args: ["<url>"],
  isClient: true,
  summary: "Save a server's address and a key, for the commands you run on this machine.",
  about: `Asks for the key without showing it, or reads it from standard input, and checks it with the server. Both are written to
~/.config/peal.toml (or $XDG_CONFIG_HOME), which only you can read; delete the file to log out. PEAL_URL and PEAL_KEY override it, and so
does a data directory that you name: a command with --data-dir or PEAL_DATA_DIR talks to the server on this machine.`,
  flags: [JSON_FLAG],
  examples: ["peal login https://peal.example", "peal login https://peal.example < key.txt"],
  run: async ({ positionals: [given = ""], switches }) => {
    const url = baseUrl(given);
    if (url === undefined) throw new UsageError("<url>: must be the server's address, like https://peal.example");
    const key = (await readSecret(`API key for ${url}: `)).trim();
    // it may be anything, even a key with a typo: it is not repeated
    if (!isApiKey(key))
      throw new CommandFailed("that is not an API key: it has `svc_` and 64 hex digits. Nothing was saved");
    const warning = plainWarning(url);
    if (warning !== undefined) console.error(`peal: ${warning}`);
    const own = await ownKey({ url, key });
    const path = remoteFile(process.env);
    write(path, remoteToml({ url, key }));
    return print(switches, { url, file: path, ...own }, () => `${told(own)}\nsaved to ${path}`);
  },
};

const MAY: Readonly<Record<string, string>> = {
  publish: "publish messages, nothing else",
  read: "read its checks, topics and messages, and change nothing",
  full: "publish, and read and change its topics, checks, hooks and messages",
  admin: "do everything in it, and create and revoke its keys",
};

const told = ({ namespace, scope, expires_at: until }: OwnKey): string =>
  `The key belongs to namespace ${namespace} and can ${MAY[scope] ?? scope}${until === undefined ? "" : `, until ${until}`}.`;

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeWhole(path, text);
  } catch (cause) {
    throw new CommandFailed(`${path} can't be written (${(cause as NodeJS.ErrnoException).code ?? "EIO"})`, { cause });
  }
}
