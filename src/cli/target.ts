/** The server that messages are sent to and read from: elsewhere with a key, or the one on this machine by its socket. */
import { existsSync } from "node:fs";
import { localSocket } from "../config/config.ts";
import type { Outgoing } from "./attempts.ts";
import { CommandFailed, type Invocation } from "./command.ts";
import { reach } from "./identity.ts";
import { chosenRemote } from "./local.ts";

export interface Target extends Pick<Outgoing, "unix"> {
  /** Without a trailing slash. */
  base: string;
  headers: Readonly<Record<string, string>>;
}

/** @throws CommandFailed if there is no server to talk to, ConfigError */
export async function openTarget(load: Invocation["load"]): Promise<Target> {
  const remote = await chosenRemote(load);
  if (remote !== undefined) return { base: remote.url, headers: { authorization: `Bearer ${remote.key}` } };
  const { config } = await load();
  if (!existsSync(config.dataDir))
    throw new CommandFailed(
      `no server: ${config.dataDir} doesn't exist here. For a server elsewhere, run \`peal login <url>\` or set PEAL_URL and PEAL_KEY`,
    );
  const unix = localSocket(config);
  reach(config.dataDir, unix);
  return { base: "http://localhost", headers: {}, unix };
}

export const TARGET_ABOUT = `The server is the one of PEAL_URL and PEAL_KEY (or PEAL_KEY_FILE, a file with the key), else the one of \`peal login\`, else the
one running on this machine, which needs no key.`;
