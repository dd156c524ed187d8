/** Runs a command for a message. Its text never gets into the shell's text: only into variables and standard input. */
import type { StoredMessage } from "../messages/schema.ts";
import type { Static } from "@sinclair/typebox";

export type Told = Static<typeof StoredMessage>;

/** Of each message: what scripts need of it without a JSON parser. Other names could be settings of peal. */
const FIELDS: Readonly<Record<string, (message: Told) => string | number | undefined>> = {
  PEAL_MESSAGE_ID: ({ id }) => id,
  PEAL_MESSAGE_NAMESPACE: ({ namespace }) => namespace,
  PEAL_MESSAGE_TOPIC: ({ topic_name: name }) => name,
  PEAL_MESSAGE_TEXT: ({ message }) => message,
  PEAL_MESSAGE_TITLE: ({ title }) => title,
  PEAL_MESSAGE_LEVEL: ({ level }) => level,
  PEAL_MESSAGE_PRIORITY: ({ priority }) => priority,
  PEAL_MESSAGE_TAGS: ({ tags }) => tags?.join(","),
  PEAL_MESSAGE_URL: ({ url }) => url,
  PEAL_MESSAGE_DEDUP_KEY: ({ dedup_key: key }) => key,
  PEAL_MESSAGE_STATUS: ({ status }) => status,
  PEAL_MESSAGE_CREATED_AT: ({ created_at: at }) => at,
};

/** Windows' older shell would take what a variable holds for commands. */
const SHELL = process.platform === "win32" ? ["powershell", "-NoProfile", "-Command"] : ["sh", "-c"];

/** Resolves to its exit code when it has ended; 128 + n if signal n ended it. `json`: its standard input. */
export async function runFor(command: string, message: Told, json: string): Promise<number> {
  const given = Object.entries(FIELDS).map(([name, of]): [string, string] => [
    name,
    String(of(message) ?? "").replaceAll("\0", ""), // which no variable can hold
  ]);
  const child = Bun.spawn([...SHELL, command], {
    env: { ...process.env, ...Object.fromEntries(given) },
    stdio: [Buffer.from(`${json}\n`), "inherit", "inherit"],
  });
  return child.exited;
}
