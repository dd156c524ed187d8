/** A server elsewhere that commands talk to with a key: PEAL_URL and PEAL_KEY, or the file that `peal login` writes. */
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "../config/errors.ts";
import { baseUrl } from "../config/forms.ts";
import { isPrivate, normalAddress } from "../http/address.ts";
import { isApiKey } from "../names/key.ts";

export interface Remote {
  /** Without a trailing slash; may have a path. */
  url: string;
  key: string;
  /** It was chosen for this command, by PEAL_KEY or PEAL_KEY_FILE, and not once for all by `peal login`. */
  isAsked: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** `~/.config/peal.toml`, or in `$XDG_CONFIG_HOME` (XDG Base Directory Specification). */
export function remoteFile(env: Env): string {
  const folder = env["XDG_CONFIG_HOME"] ?? "";
  return join(folder === "" ? join(env["HOME"] ?? homedir(), ".config") : folder, "peal.toml");
}

/**
 * The server that commands talk to, or undefined for the one on this machine. PEAL_URL alone chooses none: it is the address for
 * `peal ping <token>`. The key of the file goes to no other server than the one of the file. @throws ConfigError
 */
export function remoteOf(env: Env): Remote | undefined {
  const given = keyOf(env);
  const url = env["PEAL_URL"] ?? "";
  const path = remoteFile(env);
  const file = existsSync(path) ? fileAt(path) : undefined;
  if (given === undefined) {
    if (file === undefined || (url !== "" && baseUrl(url) !== file.url)) return undefined;
    return { ...file, isAsked: false };
  }
  const base = url === "" ? file?.url : baseUrl(url);
  if (base === undefined) {
    const detail = url === "" ? "is needed with PEAL_KEY: the server's address." : `not an address. ${URL_FORM}`;
    throw wrong("PEAL_URL", "environment", detail, url);
  }
  return { url: base, key: given, isAsked: true };
}

const URL_FORM = "Accepted: an absolute http or https URL without query.";
const KEY_FORM = "not an API key. Accepted: `svc_` and 64 lower-case hex digits.";

/** Never with the value of a key. */
const wrong = (key: string, source: string, detail: string, value?: string): ConfigError =>
  new ConfigError([{ key, source, detail, ...(value !== undefined && value !== "" && { value }) }]);

function keyOf(env: Env): string | undefined {
  const [text, path] = [env["PEAL_KEY"] ?? "", env["PEAL_KEY_FILE"] ?? ""];
  if (text !== "" && path !== "")
    throw wrong("PEAL_KEY_FILE", "environment", "set besides PEAL_KEY. Keep one of the two.", path);
  if (text === "" && path === "") return undefined;
  const key = text === "" ? read(path, "PEAL_KEY_FILE").trim() : text;
  if (!isApiKey(key)) throw wrong(text === "" ? "PEAL_KEY_FILE" : "PEAL_KEY", "environment", KEY_FORM, path);
  return key;
}

function fileAt(path: string): { url: string; key: string } {
  const text = read(path, "peal.toml");
  let table: Record<string, unknown>;
  try {
    table = Bun.TOML.parse(text) as Record<string, unknown>;
  } catch {
    // what the parser says may repeat the line with the key
    throw wrong("peal.toml", path, "not TOML. Write it again with `peal login <url>`.");
  }
  const url = typeof table["url"] === "string" ? baseUrl(table["url"]) : undefined;
  const { key } = table;
  if (url === undefined) throw wrong("url", path, `is missing or not an address. ${URL_FORM}`);
  if (typeof key !== "string" || !isApiKey(key)) throw wrong("key", path, KEY_FORM);
  return { url, key };
}

function read(path: string, key: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw wrong(key, path, `can't be read (${(error as NodeJS.ErrnoException).code ?? "EIO"}).`);
  }
}

/** The content of the file. TOML's basic strings take what JSON's have. */
export const remoteToml = ({ url, key }: Pick<Remote, "url" | "key">): string =>
  `# The server that peal's commands talk to; written by \`peal login\`.\nurl = ${JSON.stringify(url)}\nkey = ${JSON.stringify(key)}\n`;

/** Names that lead nowhere outside a home's network (RFC 6762, RFC 8375, ICANN's `internal`), or to this machine. */
const HOME_NAMES = /^[^.]+$|\.(?:local|lan|home|internal|home\.arpa|localhost)$/;

/** What to say before a key goes where anybody on the way can read it; undefined if it does not. */
export function plainWarning(url: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isNear = isIP(host) === 0 ? HOME_NAMES.test(host) : isPrivate(normalAddress(host));
  if (protocol === "https:" || isNear) return undefined;
  return `warning: the key goes to ${host} over plain http, where anyone on the way can read it. Use https`;
}
