/** The real ntfy (test/tools.ts): its server on loopback, with files of its own, and its commands. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { freePort } from "./proxies.ts";

/** A message as its server tells it (https://docs.ntfy.sh/subscribe/api/#json-message-format). */
export interface NtfyMessage {
  id: string;
  /** Seconds since 1970. */
  time: number;
  event: string;
  topic: string;
  message?: string;
  [field: string]: unknown;
}

export interface Ntfy extends AsyncDisposable {
  readonly url: string;
  /** Its database of messages. */
  readonly cache: string;
  /** Its database of people. */
  readonly auth: string;
  /** Publishes, and returns the message as it is stored. @throws Error if it is refused */
  publish(
    path: string,
    body: string | Uint8Array,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<NtfyMessage>;
  /** Runs `ntfy <args>` with its settings; returns what it says. @throws Error if it fails */
  run(args: readonly string[], env?: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
}

/** `settings`: more of its server.yml. */
export async function startNtfy(settings: Record<string, unknown> = {}): Promise<Ntfy> {
  const folder = await mkdtemp(join(tmpdir(), "peal-ntfy-"));
  const url = `http://127.0.0.1:${await freePort()}`;
  const [cache, auth, config] = [join(folder, "cache.db"), join(folder, "auth.db"), join(folder, "server.yml")];
  const files = { "cache-file": cache, "auth-file": auth, "attachment-cache-dir": join(folder, "attachments") };
  const address = { "listen-http": new URL(url).host, "base-url": url };
  // JSON is YAML
  await writeFile(config, JSON.stringify({ ...address, ...files, ...settings }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, NTFY_CONFIG_FILE: config };
  const child = Bun.spawn(["ntfy", "serve"], { env, stdio: ["ignore", "ignore", "ignore"] });
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  const tidy = async () => {
    await stop();
    await rm(folder, { recursive: true });
  };
  try {
    await eventually("ntfy", async () => (await fetch(`${url}/v1/health`).catch(() => undefined))?.ok);
  } catch (error) {
    await tidy();
    throw error;
  }
  return {
    ...{ url, cache, auth, stop },
    publish: async (path, body, headers = {}, method = "POST") => {
      const response = await fetch(`${url}/${path}`, { method, headers, ...(method === "POST" && { body }) });
      const text = await response.text();
      if (!response.ok) throw new Error(`ntfy refuses ${path}: ${text}`);
      return JSON.parse(text) as NtfyMessage;
    },
    run: async (args, more = {}) => {
      const ran = Bun.spawn(["ntfy", ...args], { env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
      const [out, err] = await Promise.all([ran.stdout.text(), ran.stderr.text()]);
      if ((await ran.exited) !== 0) throw new Error(`ntfy ${args.join(" ")} failed: ${out}${err}`);
      return `${out}${err}`;
    },
    [Symbol.asyncDispose]: tidy,
  };
}
